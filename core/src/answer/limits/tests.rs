//! Tests of each format, with texts that fit and texts that do not.

use super::*;

#[test]
fn each_format_takes_what_it_should_and_nothing_else() {
    let cases: [(TextFormat, &[&str], &[&str]); 6] = [
        (
            TextFormat::Email,
            &["a@b.co", "a.b+c@d-e.org", "root@localhost"],
            &["a", "a@b.", "@b.c", "a@@b.c", "a b@c.d"],
        ),
        (
            TextFormat::Uri,
            &[
                "https://a.b/c?d",
                "mailto:a@b.c",
                "file:///x",
                "svn+ssh.2-x:y",
            ],
            &["a.b", "https://", "1:x", "h_t:x", ":x", "http://a b"],
        ),
        (
            TextFormat::Date,
            &[
                "2026-02-28",
                "2024-02-29",
                "2000-02-29",
                "2026-04-30",
                "2026-12-31",
            ],
            &[
                "2026-02-29",
                "2024-02-30",
                "1900-02-29",
                "2026-04-31",
                "2026-12-32",
                "2026-13-01",
                "2026-00-01",
                "26-1-1",
                "2026-01-00",
                "2026-01-01-01",
                "2026-01",
            ],
        ),
        (
            TextFormat::DateTime,
            &[
                "2026-02-28T14:30:00Z",
                "2026-02-28 14:30",
                "2026-02-28t23:59:59z",
                "2026-02-28T14:30:00.25+02:00",
                "2026-02-28T14:30:00-02:00",
            ],
            &[
                "2026-02-28",
                "2026-02-29T14:30",
                "2026-02-28T24:00",
                "2026-02-28T14:60",
                "2026-02-28T14:30:60",
                "2026-02-28T14:30:00:00",
                "2026-02-28T14:30:00.",
                "2026-02-28T14:30:00.x",
                "2026-02-28T14",
                "2026-02-28T14:30:00+2",
                "2026-02-28T14:30:00+24:00",
            ],
        ),
        (
            TextFormat::Number,
            // Numbers are written as people do: `number.rs` reads a comma as well.
            &["1", "-2.5", "1e3", " 7 ", "1,5"],
            &["one", "", "inf", "NaN", "1,5,2"],
        ),
        (TextFormat::Integer, &["1", "-2", "1e3"], &["1.5", "x"]),
    ];
    for (format, right, wrong) in cases {
        right
            .iter()
            .for_each(|text| assert!(format.fits(text), "{format:?} {text}"));
        wrong
            .iter()
            .for_each(|text| assert!(!format.fits(text), "{format:?} {text}"));
    }
}
