//! The time at which a hook began, as a part of its ask's id, so that an event ends no ask that was
//! made after it.
//!
//! Claude Code starts its hooks in order, but it does not wait for all of them. A slow one may
//! report the end of a call while the next call, word for word the same, is asked already. So the
//! start of a hook's process counts, not the time of its report.

use std::process;

/// The modulus of the stamps, in hundredths of a second: seven days.
const STAMPS: u64 = 1 << 26;
/// The number of values of a process's id that are used to tell apart processes that were started
/// within one hundredth of a second.
const PIDS: u64 = 1 << 15;
/// The number of characters that hold both values.
const LENGTH: usize = 8;
const DIGITS: u64 = 36;

/// The time at which a hook's process was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HookStamp(u64);

impl HookStamp {
    /// Returns the stamp of this process.
    pub(super) fn own() -> Self {
        Self(hundredths() % STAMPS)
    }

    /// Reads the stamp in one of our ids.
    pub(super) fn in_id(id: &str) -> Option<Self> {
        let (_, tail) = id.rsplit_once('.')?;
        let digits = Some(tail).filter(|tail| tail.len() == LENGTH)?;
        let number = u64::from_str_radix(digits, 36).ok()?;
        Some(Self(number / PIDS % STAMPS))
    }

    /// Returns the last part of an id: this stamp, with the part of the process id that makes it
    /// unique.
    pub(super) fn id_part(self) -> String {
        base36(self.0 * PIDS + u64::from(process::id()) % PIDS, LENGTH)
    }

    /// Whether the stamp is surely the earlier one. Within one hundredth of a second that is
    /// unknown.
    pub(super) fn is_before(self, other: Self) -> bool {
        let later_by = other.0.wrapping_sub(self.0) % STAMPS;
        (1..STAMPS / 2).contains(&later_by)
    }
}

/// Returns the last `length` digits of a number.
pub(super) fn base36(number: u64, length: usize) -> String {
    let mut rest = number;
    let mut digits = vec![0; length];
    for digit in digits.iter_mut().rev() {
        *digit = rest % DIGITS;
        rest /= DIGITS;
    }
    digits.into_iter().map(character).collect()
}

fn character(digit: u64) -> char {
    let digit = u32::try_from(digit).unwrap_or_default();
    char::from_digit(digit, 36).unwrap_or('0')
}

/// Returns when this process was started, in hundredths of a second. The kernel notes that when
/// Claude Code starts the process, however long the process then waits for its turn.
#[cfg(target_os = "linux")]
fn hundredths() -> u64 {
    use crate::platform::processes;
    processes::born(process::id()).unwrap_or_else(since_1970)
}

/// Returns when this function was first called: other systems note the start of a process only in
/// whole seconds.
#[cfg(not(target_os = "linux"))]
fn hundredths() -> u64 {
    since_1970()
}

fn since_1970() -> u64 {
    use std::sync::OnceLock;
    use std::time::SystemTime;
    static FIRST: OnceLock<u64> = OnceLock::new();

    *FIRST.get_or_init(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let hundredths = since.unwrap_or_default().as_millis() / 10;
        u64::try_from(hundredths % u128::from(STAMPS)).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_survives_its_id() {
        for stamp in [0, 1, 4_711, STAMPS - 1].map(HookStamp) {
            let id = format!("cc.session.main.t.01234567.{}", stamp.id_part());
            assert_eq!(HookStamp::in_id(&id), Some(stamp), "{id}");
        }
        let own = HookStamp::own();
        assert_eq!(own, HookStamp::own());
        assert_eq!(own.id_part().len(), LENGTH);
    }

    #[test]
    fn what_was_not_written_here_has_no_stamp() {
        for id in [
            "",
            "cc",
            "cc.a.b.",
            "cc.a.0123",
            "cc.a.012345678",
            "cc.a.0123_567",
        ] {
            assert_eq!(HookStamp::in_id(id), None, "{id}");
        }
    }

    #[test]
    fn the_earlier_one_is_known_also_where_the_count_begins_anew() {
        let [early, late] = [100, 101].map(HookStamp);
        assert!(early.is_before(late));
        assert!(!late.is_before(early));
        assert!(!early.is_before(early), "they may be of one moment");
        let [last, first] = [STAMPS - 1, 0].map(HookStamp);
        assert!(last.is_before(first));
        assert!(!first.is_before(last));
    }
}
