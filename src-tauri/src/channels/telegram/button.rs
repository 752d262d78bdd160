//! The data that a button carries: which database it belongs to, which ask it was made for, and
//! what was tapped.
//!
//! Not here: the label of a button.

use beckon_core::hub::owner_target;
use beckon_core::{ButtonTarget, CardPage, CardTap, Entry, Timestamp};

/// Returns the data of a button: at most 64 bytes with a seal of 10, which is what Telegram takes
/// (<https://core.telegram.org/bots/api#inlinekeyboardbutton>).
pub(crate) fn data(seal: &str, target: ButtonTarget, tap: CardTap) -> String {
    format!(
        "{seal}.{}.{}.{}",
        base36(target.serial),
        target.fingerprint,
        code(tap)
    )
}

/// Returns the data of an ask's button. An ask of another machine has its owner's seal and target,
/// so that the machine that serves the bot at the time of the tap finds it.
pub(crate) fn of(seal: &str, entry: &Entry, tap: CardTap) -> String {
    let (seal, target) = owner_target(entry).unwrap_or_else(|| (seal, entry.target()));
    data(seal, target, tap)
}

/// Reads the button of whichever Beckon: its seal, the target that it was made for there, and the
/// tap.
pub(crate) fn read_any(data: &str) -> Option<(&str, ButtonTarget, CardTap)> {
    let (seal, _) = data.split_once('.').filter(|(seal, _)| is_seal(seal))?;
    read(data, seal).map(|(target, tap)| (seal, target, tap))
}

fn is_seal(seal: &str) -> bool {
    !seal.is_empty() && seal.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Reads the target that a button was made for, and the tap. `None` when it is of another database,
/// or not one of ours.
pub(crate) fn read(data: &str, seal: &str) -> Option<(ButtonTarget, CardTap)> {
    let (serial, rest) = data
        .strip_prefix(seal)?
        .strip_prefix('.')?
        .split_once('.')?;
    let (fingerprint, tap) = rest.split_once('.')?;
    let serial = u64::from_str_radix(serial, 36).ok()?;
    let (target, tap) = (
        ButtonTarget {
            serial,
            fingerprint: fingerprint.parse().ok()?,
        },
        tap_of(tap)?,
    );
    // Data that we would write otherwise ("+1" or "01" for a number) is not ours.
    (self::data(seal, target, tap) == data).then_some((target, tap))
}

/// Returns the data of a test card's button; `sent` is when it was sent. It has no second dot, so
/// it is no ask's.
pub(crate) fn test(seal: &str, sent: Timestamp) -> String {
    format!("{seal}.t{}", base36(sent.0.unsigned_abs()))
}

/// Returns when the test card was sent, if this is the button of one of ours.
pub(crate) fn read_test(data: &str, seal: &str) -> Option<Timestamp> {
    let sent = data.strip_prefix(seal)?.strip_prefix(".t")?;
    let sent = Timestamp(i64::from_str_radix(sent, 36).ok()?);
    (test(seal, sent) == data).then_some(sent)
}

/// A tap on the list of all that waits, or on an answer to `/pending`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListTap {
    /// Opens the card of the ask with that serial.
    Open(u64),
    /// Turns to another page, counted from 0.
    Page(usize),
    /// Says "I'm here".
    Here,
    /// Pauses for half an hour.
    Pause,
    /// Goes by where the human is again, whatever was said.
    Auto,
    /// Ends the pause.
    Resume,
}

/// Returns the data of a list's button. It has no second dot, so it is no ask's: opening a card
/// answers nothing.
pub(crate) fn list(seal: &str, tap: ListTap) -> String {
    let code = match tap {
        ListTap::Open(serial) => format!("o{}", base36(serial)),
        ListTap::Page(page) => format!("p{}", base36(page as u64)),
        ListTap::Here => "h".into(),
        ListTap::Pause => "z".into(),
        ListTap::Auto => "a".into(),
        ListTap::Resume => "e".into(),
    };
    format!("{seal}.{code}")
}

/// Returns what was tapped, if this is the button of one of our lists.
pub(crate) fn read_list(data: &str, seal: &str) -> Option<ListTap> {
    let code = data.strip_prefix(seal)?.strip_prefix('.')?;
    let (kind, rest) = code.split_at_checked(1)?;
    let tap = match kind {
        "o" => ListTap::Open(u64::from_str_radix(rest, 36).ok()?),
        "p" => ListTap::Page(index(rest)?),
        "h" => ListTap::Here,
        "z" => ListTap::Pause,
        "a" => ListTap::Auto,
        "e" => ListTap::Resume,
        _ => return None,
    };
    (list(seal, tap) == data).then_some(tap)
}

/// Reads the button of a list of whichever Beckon: its seal, and the tap.
pub(crate) fn read_any_list(data: &str) -> Option<(&str, ListTap)> {
    let (seal, _) = data.split_once('.').filter(|(seal, _)| is_seal(seal))?;
    read_list(data, seal).map(|tap| (seal, tap))
}

fn code(tap: CardTap) -> String {
    let at = |index: usize| base36(index as u64);
    match tap {
        CardTap::Choose { question, choice } => format!("c{}-{}", at(question), at(choice)),
        CardTap::Unchoose { question, choice } => format!("e{}-{}", at(question), at(choice)),
        CardTap::Done { question, shown } => format!("d{}.{shown}", at(question)),
        CardTap::Own { question } => format!("o{}", at(question)),
        CardTap::NotOwn { question } => format!("p{}", at(question)),
        CardTap::Back { from } => format!("b{}", page(from)),
        CardTap::Review => "v".into(),
        CardTap::Send { shown } => format!("s.{shown}"),
        CardTap::Dismiss => "x".into(),
        CardTap::Once => "1".into(),
        CardTap::Always => "a".into(),
        CardTap::Reject => "r".into(),
        CardTap::RejectWithReason => "w".into(),
        CardTap::RejectWithoutReason => "u".into(),
        CardTap::Continue => "g".into(),
        CardTap::Cancel => "n".into(),
        CardTap::Sure => "y".into(),
        CardTap::SureHidden => "h".into(),
        CardTap::Keep => "k".into(),
    }
}

fn tap_of(code: &str) -> Option<CardTap> {
    let (kind, rest) = code.split_at_checked(1)?;
    let tap = match kind {
        "c" => {
            let (question, choice) = choice(rest)?;
            CardTap::Choose { question, choice }
        }
        "e" => {
            let (question, choice) = choice(rest)?;
            CardTap::Unchoose { question, choice }
        }
        "d" => {
            let (question, shown) = rest.split_once('.')?;
            CardTap::Done {
                question: index(question)?,
                shown: shown.parse().ok()?,
            }
        }
        "o" => CardTap::Own {
            question: index(rest)?,
        },
        "p" => CardTap::NotOwn {
            question: index(rest)?,
        },
        "s" => CardTap::Send {
            shown: rest.strip_prefix('.')?.parse().ok()?,
        },
        "b" => CardTap::Back {
            from: page_of(rest)?,
        },
        "v" => CardTap::Review,
        "x" => CardTap::Dismiss,
        "1" => CardTap::Once,
        "a" => CardTap::Always,
        "r" => CardTap::Reject,
        "w" => CardTap::RejectWithReason,
        "u" => CardTap::RejectWithoutReason,
        "g" => CardTap::Continue,
        "n" => CardTap::Cancel,
        "y" => CardTap::Sure,
        "h" => CardTap::SureHidden,
        "k" => CardTap::Keep,
        _ => return None,
    };
    Some(tap)
}

/// Returns a question's number, or a sign that is no number for the other pages.
fn page(page: CardPage) -> String {
    match page {
        CardPage::Question(question) => base36(question as u64),
        CardPage::Review => "-v".into(),
        CardPage::SureDismiss => "-x".into(),
        CardPage::SureAlways => "-a".into(),
        CardPage::SureHidden => "-h".into(),
    }
}

fn page_of(code: &str) -> Option<CardPage> {
    match code {
        "-v" => Some(CardPage::Review),
        "-x" => Some(CardPage::SureDismiss),
        "-a" => Some(CardPage::SureAlways),
        "-h" => Some(CardPage::SureHidden),
        question => index(question).map(CardPage::Question),
    }
}

/// Reads the numbers of a question and a choice.
fn choice(text: &str) -> Option<(usize, usize)> {
    let (question, choice) = text.split_once('-')?;
    Some((index(question)?, index(choice)?))
}

fn index(text: &str) -> Option<usize> {
    usize::from_str_radix(text, 36).ok()
}

/// Writes a number in lower case; 13 digits are enough for any.
fn base36(mut number: u64) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(DIGITS[(number % 36) as usize]));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAL: &str = "Ab3dE6gH1J";

    fn target(serial: u64) -> ButtonTarget {
        ButtonTarget {
            serial,
            fingerprint: "0A-_z56789".parse().unwrap(),
        }
    }

    fn taps() -> Vec<CardTap> {
        let far = 9_999;
        vec![
            CardTap::Choose {
                question: 0,
                choice: 0,
            },
            CardTap::Choose {
                question: far,
                choice: far,
            },
            CardTap::Choose {
                question: usize::MAX,
                choice: usize::MAX,
            },
            CardTap::Unchoose {
                question: usize::MAX,
                choice: usize::MAX,
            },
            CardTap::Done {
                question: usize::MAX,
                shown: "-_zZ019aA0".parse().unwrap(),
            },
            CardTap::Own { question: far },
            CardTap::NotOwn { question: far },
            CardTap::Back {
                from: CardPage::Review,
            },
            CardTap::Back {
                from: CardPage::Question(far),
            },
            CardTap::Review,
            CardTap::Send {
                shown: "0A-_z56789".parse().unwrap(),
            },
            CardTap::Dismiss,
            CardTap::Once,
            CardTap::Always,
            CardTap::Reject,
            CardTap::RejectWithReason,
            CardTap::RejectWithoutReason,
            CardTap::Continue,
            CardTap::Cancel,
            CardTap::Sure,
            CardTap::SureHidden,
            CardTap::Keep,
        ]
    }

    #[test]
    fn every_tap_of_any_ask_comes_back_and_fits_a_button() {
        for serial in [0, 1, 35, 36, u64::MAX] {
            for tap in taps() {
                let data = data(SEAL, target(serial), tap);
                assert!(data.len() <= 64, "{data}");
                assert_eq!(read(&data, SEAL), Some((target(serial), tap)), "{data}");
            }
        }
    }

    #[test]
    fn a_button_reads_seal_serial_fingerprint_tap() {
        let data = data(
            SEAL,
            target(46),
            CardTap::Choose {
                question: 1,
                choice: 10,
            },
        );
        assert_eq!(data, "Ab3dE6gH1J.1a.0A-_z56789.c1-a");
    }

    /// An older Beckon's buttons do not say what they were made for.
    #[test]
    fn a_button_without_a_fingerprint_is_not_ours() {
        assert_eq!(read("Ab3dE6gH1J.1a.c1-a", SEAL), None);
    }

    #[test]
    fn the_button_of_a_test_card_is_no_asks() {
        let sent = Timestamp(1_795_000_000_123);
        let data = test(SEAL, sent);
        assert_eq!(
            (read_test(&data, SEAL), read(&data, SEAL)),
            (Some(sent), None),
            "{data}"
        );
        assert_eq!(read_test(&data, "Zz3dE6gH1J"), None);
        for other in ["", SEAL, "Ab3dE6gH1J.t", "Ab3dE6gH1J.t-1", "Ab3dE6gH1J.t01"] {
            assert_eq!(read_test(other, SEAL), None, "{other}");
        }
    }

    #[test]
    fn the_buttons_of_a_list_come_back_fit_and_are_no_asks() {
        let taps = [
            ListTap::Open(u64::MAX),
            ListTap::Page(usize::MAX),
            ListTap::Here,
        ];
        for tap in taps
            .into_iter()
            .chain([ListTap::Open(0), ListTap::Page(0), ListTap::Pause])
            .chain([ListTap::Auto, ListTap::Resume])
        {
            let data = list(SEAL, tap);
            assert!(data.len() <= 64, "{data}");
            assert_eq!(
                (read_list(&data, SEAL), read(&data, SEAL)),
                (Some(tap), None),
                "{data}"
            );
            assert_eq!(read_list(&data, "Zz3dE6gH1J"), None);
        }
        for other in [
            "",
            SEAL,
            "Ab3dE6gH1J.o",
            "Ab3dE6gH1J.o01",
            "Ab3dE6gH1J.h1",
            "Ab3dE6gH1J.é",
        ] {
            assert_eq!(read_list(other, SEAL), None, "{other}");
        }
    }

    #[test]
    fn a_button_of_another_database_is_not_ours() {
        assert_eq!(
            read(&data("Zz3dE6gH1J", target(1), CardTap::Once), SEAL),
            None
        );
    }

    #[test]
    fn what_we_did_not_write_is_not_read() {
        let tails = [
            "", "1", "1.", ".1", "1.q", "1.o", "1.c", "1.c1", "1.c1-", "1.c-1", "1.c1-2-3",
            "1.c+1-2", "1.c01-2", "1.b", "1.1.1", "1.é", "1.1 ",
        ];
        let serials = ["", "+1", "01", "1A", "-1", "3w5e11264sgsg", " 1"];
        let fingerprints = ["", "0A-_z5678", "0A-_z567890", "0A-_z5678é", "0A-_z5678 "];
        assert!(read("Ab3dE6gH1J.1.0A-_z56789.1", SEAL).is_some());
        for tail in tails {
            let tail = tail.replacen('.', ".0A-_z56789.", 1);
            assert_eq!(read(&format!("{SEAL}.{tail}"), SEAL), None, "{tail}");
        }
        for serial in serials {
            assert_eq!(
                read(&format!("{SEAL}.{serial}.0A-_z56789.1"), SEAL),
                None,
                "{serial}"
            );
        }
        for fingerprint in fingerprints {
            assert_eq!(
                read(&format!("{SEAL}.1.{fingerprint}.1"), SEAL),
                None,
                "{fingerprint}"
            );
        }
        for other in ["", SEAL, "Ab3dE6gH1J1.1", "ab3de6gh1j.1.1"] {
            assert_eq!(read(other, SEAL), None, "{other}");
        }
    }
}
