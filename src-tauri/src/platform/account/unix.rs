//! Names from the list of accounts, and the machine's node name.

use rustix::process::getuid;
use std::path::Path;

pub(super) fn person() -> Option<String> {
    let listed = std::fs::read(Path::new("/etc/passwd")).unwrap_or_default();
    // The file has no accounts of a directory service, and none of macOS.
    named(&String::from_utf8_lossy(&listed), getuid().as_raw()).or_else(login_name)
}

pub(super) fn machine() -> Option<String> {
    rustix::system::uname()
        .nodename()
        .to_str()
        .ok()
        .map(str::to_owned)
}

fn login_name() -> Option<String> {
    ["USER", "LOGNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok())
}

/// Returns the full name of a user, which stands before the first comma of the fifth field
/// (passwd(5)); the account's name where there is none.
fn named(listed: &str, uid: u32) -> Option<String> {
    let fields = listed
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let is_theirs = |fields: &Vec<&str>| {
        fields
            .get(2)
            .is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number == uid))
    };
    let fields = fields.into_iter().find(is_theirs)?;
    let account = *fields.first()?;
    let full = fields
        .get(4)
        .and_then(|gecos| gecos.split(',').next())
        .unwrap_or_default();
    // `&` stands for the account's name with a capital.
    let name = if full.trim().is_empty() || full.contains('&') {
        account
    } else {
        full
    };
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_called_by_their_full_name_or_by_their_account() {
        let listed = "root:x:0:0:root:/root:/bin/sh\n\
            broken line\n\
            ada:x:1000:1000:Ada Lovelace,,,:/home/ada:/bin/sh\n\
            bob:x:1001:1001::/home/bob:/bin/sh\n\
            eve:x:1002:1002:& Smith:/home/eve:/bin/sh\n";
        assert_eq!(named(listed, 1000).as_deref(), Some("Ada Lovelace"));
        assert_eq!(named(listed, 1001).as_deref(), Some("bob"));
        assert_eq!(named(listed, 1002).as_deref(), Some("eve"));
        assert_eq!(named(listed, 7), None);
    }
}
