//! Tests of borders and caps, wherever a chunk cuts.

use super::*;
use crate::sources::http::LARGEST;

#[test]
fn a_border_is_found_in_each_of_its_forms() {
    assert_eq!(last_border(b"data: a\n\ndata: b"), Some(9));
    assert_eq!(last_border(b"data: a\r\n\r\ndata"), Some(11));
    assert_eq!(last_border(b"data: a\r\rdata"), Some(9));
    assert_eq!(last_border(b"data: a\n\r\ndata"), Some(10));
    assert_eq!(last_border(b"data: a\ndata: b\n"), None);
    assert_eq!(last_border(b"data: a\r\ndata: b\r\n"), None);
}

#[test]
fn a_frame_that_is_refused_in_the_middle_of_a_character_is_still_text() {
    for letter in ["é", "ࠀ", "한", "\u{ffff}", "😀", "\u{10ffff}"] {
        for cut in 0..letter.len() {
            let before = [b"x", &letter.as_bytes()[..cut]].concat();
            let seam = &before[before.len().saturating_sub(SEAM)..];
            let whole = [before.as_slice(), &closing(seam)].concat();
            assert!(std::str::from_utf8(&whole).is_ok(), "{letter} cut at {cut}");
        }
    }
}

fn capped() -> CappedBytes<()> {
    CappedBytes::new((), RefusedFrame::default(), LARGEST)
}

/// Returns a stream that has begun to refuse a frame.
fn refusing() -> CappedBytes<()> {
    let mut capped = capped();
    let chunk = vec![b'x'; 1 << 20];
    let passed: usize = (0..40).map(|_| capped.admit(chunk.clone()).len()).sum();
    assert!(passed <= LARGEST + 2);
    assert!(capped.refused.swap(false, Ordering::Relaxed));
    capped
}

#[test]
fn a_frame_above_the_cap_is_refused_and_the_next_one_arrives() {
    let mut capped = refusing();
    let tail = capped.admit(b"end of it\n\ndata: next\n\n".to_vec());
    assert_eq!(tail, b"data: next\n\n");
    assert_eq!(capped.admit(b"data: one\n\n".to_vec()), b"data: one\n\n");
}

#[test]
fn after_a_refused_frame_the_next_one_arrives_wherever_its_border_is_cut() {
    for border in ["\n\n", "\r\n\r\n", "\r\r"] {
        let rest = format!("end of it{border}data: next{border}");
        for cut in 1..rest.len() {
            let mut capped = refusing();
            let (head, tail) = rest.as_bytes().split_at(cut);
            let passed = [capped.admit(head.to_vec()), capped.admit(tail.to_vec())].concat();
            let passed = String::from_utf8(passed).unwrap();
            assert!(
                passed.contains("data: next"),
                "{border:?} cut at {cut}: {passed:?}"
            );
            assert!(
                !passed.contains("end of it"),
                "{border:?} cut at {cut}: {passed:?}"
            );
        }
    }
}

#[test]
fn frames_below_the_cap_pass_although_chunks_cut_each_border() {
    let mut capped = capped();
    let frame = vec![b'x'; 20 << 20];
    for _ in 0..3 {
        assert_eq!(capped.admit(frame.clone()).len(), frame.len());
        capped.admit(b"\n".to_vec());
        capped.admit(b"\n".to_vec());
    }
    assert!(!capped.refused.load(Ordering::Relaxed));
}

/// Tells whether a frame of these chunks is refused under a cap of ten bytes.
fn refuses(chunks: &[&[u8]]) -> bool {
    let mut capped = CappedBytes::new((), RefusedFrame::default(), 10);
    chunks
        .iter()
        .for_each(|chunk| _ = capped.admit(chunk.to_vec()));
    capped.refused.load(Ordering::Relaxed)
}

#[test]
fn a_frame_is_counted_from_the_border_before_it_wherever_that_was_cut() {
    assert!(!refuses(&[b"0123456789"]));
    assert!(refuses(&[b"0123456", b"0123456"]));
    for begun in [&[&b"data: a\n\nxxxx"[..]][..], &[b"data: a\n", b"\nxxxx"]] {
        assert!(
            !refuses(&[begun, &[b"yyyyyy"]].concat()),
            "ten behind the border"
        );
        assert!(refuses(&[begun, &[b"yyyyyyy"]].concat()));
    }
}
