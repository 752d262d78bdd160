//! Raises the soft limit of open files. It is low for the sake of old programs: 1,024 on Linux, 256
//! on macOS. Watching two hundred servers takes more for a moment.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The limit that is wanted: enough for all that Beckon does, and what macOS grants to everybody.
const OPEN_FILES: u64 = 10_240;

pub(super) fn raise_open_files() {
    let now = getrlimit(Resource::Nofile);
    let raised = raised(now.current, now.maximum);
    if raised == now.current {
        return;
    }
    let new = Rlimit {
        current: raised,
        maximum: now.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, new) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

/// Returns the soft limit that is set. `None` means no limit.
fn raised(soft: Option<u64>, hard: Option<u64>) -> Option<u64> {
    let may = hard.map_or(OPEN_FILES, |hard| hard.min(OPEN_FILES));
    soft.map(|soft| soft.max(may))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_raised_as_far_as_the_hard_one_and_never_lowered() {
        assert_eq!(raised(Some(1_024), Some(1_048_576)), Some(OPEN_FILES));
        assert_eq!(raised(Some(256), None), Some(OPEN_FILES));
        assert_eq!(raised(Some(1_024), Some(4_096)), Some(4_096));
        assert_eq!(raised(Some(1_024), Some(1_024)), Some(1_024));
        assert_eq!(raised(Some(100_000), Some(1_048_576)), Some(100_000));
        assert_eq!(raised(None, None), None);
    }
}
