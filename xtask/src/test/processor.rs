//! The processor time of the programs that this one has started and waited for. Machines differ in
//! speed, and other programs change the time by the clock; this time stays nearly the same.

use std::time::Duration;

/// The unit in which the kernel gives programs times: hundredths of a second (`USER_HZ`, proc(5)).
const TICKS_PER_SECOND: u64 = 100;
/// The places of the children's times in `/proc/self/stat`, counted behind the name of the program:
/// `cutime` and `cstime` are the 16th and 17th field, and the name is the second.
const CHILDREN: [usize; 2] = [13, 14];

/// Returns the processor time of the children so far; zero where the system does not tell.
pub(super) fn of_children() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = ticks_of_children(&stat).unwrap_or_default();
    Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
}

fn ticks_of_children(stat: &str) -> Option<u64> {
    // The name may contain blanks and brackets.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = CHILDREN.map(|field| fields.get(field)?.parse::<u64>().ok());
    Some(ticks[0]? + ticks[1]?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4 100 200 0 0 11 12 1300 1400 20 0 1 0 5";
        assert_eq!(ticks_of_children(stat), Some(2_700));
        assert_eq!(ticks_of_children("7 (a"), None);
    }

    #[test]
    fn a_child_that_works_is_counted() {
        if !cfg!(target_os = "linux") {
            return;
        }
        let before = of_children();
        let counts = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let ended = std::process::Command::new("sh")
            .args(["-c", counts])
            .status();
        assert!(ended.unwrap().success());
        assert!(of_children() > before);
    }
}
