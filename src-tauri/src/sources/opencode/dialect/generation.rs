//! The APIs that a server of a version understands.

/// The generation of a server's API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources::opencode) enum ApiGeneration {
    /// Only `/question` and `/permission`. Other Beckons are of this generation, and so is any
    /// server that tells no version.
    First,
    /// The first API, and a second core below `/api` with sessions of its own.
    Both,
    /// The API of 2.x: forms below `/api`, and nothing else.
    Forms,
}

/// The minor version of 1.x from which on the second core is used. It is finished in the versions
/// that were measured; before them it was being built.
const FIRST_WITH_BOTH: u32 = 18;

impl ApiGeneration {
    pub(in crate::sources::opencode) fn of(version: &str) -> Self {
        let mut numbers = version.split('.').map(str::parse::<u32>);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(1)), Some(Ok(minor))) if minor >= FIRST_WITH_BOTH => Self::Both,
            (Some(Ok(2..)), _) => Self::Forms,
            _ => Self::First,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_tells_what_a_server_understands() {
        for (version, generation) in [
            ("1.1.53", ApiGeneration::First),
            ("1.17.9", ApiGeneration::First),
            ("1.18.33", ApiGeneration::Both),
            ("1.19.0-beta.1", ApiGeneration::Both),
            ("2.0.5", ApiGeneration::Forms),
            ("2.1.2", ApiGeneration::Forms),
            ("0.1.0", ApiGeneration::First),
            ("local", ApiGeneration::First),
            ("", ApiGeneration::First),
        ] {
            assert_eq!(ApiGeneration::of(version), generation, "{version}");
        }
    }
}
