//! The words for a running Beckon whose version is not that of the program that talks to it: an
//! update does not restart it.

use crate::text::{Texts, Value};

/// Says what to do about it; `None` if both are of one version.
pub fn other_version(texts: &Texts, running: &str, installed: &str) -> Option<String> {
    let args = [
        ("running", Value::from(running)),
        ("installed", Value::from(installed)),
    ];
    (running != installed).then(|| texts.with("other-version", &args))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_versions_the_one_that_runs_is_to_be_restarted() {
        let texts = Texts::load("en");
        assert_eq!(other_version(&texts, "0.1.0", "0.1.0"), None);
        let said = other_version(&texts, "0.1.0", "0.2.0").unwrap();
        assert_eq!(
            said,
            "Beckon 0.1.0 is running, and 0.2.0 is installed. Restart Beckon; what's open stays open."
        );
    }
}
