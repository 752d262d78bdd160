//! `Retry-After`: for how long a server asks not to be asked again.

use beckon_core::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// Returns how long the server asks to wait, in seconds or until a date (RFC 9110, 10.2.3). `None`
/// where it does not say, or not in either form.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let said = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = said.parse() {
        return Some(Duration::from_secs(seconds));
    }

    let at = rfc2822::parse(said).ok()?.timestamp().as_millisecond();
    let wait = at.saturating_sub(now.0);
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-27T14:00:00Z
    const NOW: Timestamp = Timestamp(1_795_788_000_000);

    fn wait(said: &str) -> Option<u64> {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, said.parse().unwrap())]);
        retry_after(&headers, NOW).map(|wait| wait.as_secs())
    }

    #[test]
    fn both_forms_are_read_and_no_other() {
        assert_eq!(wait("120"), Some(120));
        assert_eq!(wait(" 0 "), Some(0));
        assert_eq!(wait("Fri, 27 Nov 2026 14:02:00 GMT"), Some(120));
        assert_eq!(wait("Fri, 27 Nov 2026 13:00:00 GMT"), Some(0), "it is past");

        for odd in ["", "soon", "-1", "1.5", "2m", "99999999999999999999999"] {
            assert_eq!(wait(odd), None, "{odd}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), NOW), None);
    }
}
