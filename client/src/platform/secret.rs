//! The type of secrets, and the reasons why one cannot be had. Not here: the keychain.

use secrecy::{ExposeSecret, SecretString};

/// The name of the secret that is the password of Telegram's proxy.
pub const TELEGRAM_PROXY: &str = "telegram:proxy";

/// A reason why the keychain did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeychainError {
    /// There is no keychain, or it has not come up yet.
    #[error("there is no keychain ({0})")]
    Absent(String),
    /// The keychain is locked, and its owner did not unlock it.
    #[error("the keychain is locked ({0})")]
    Locked(String),
    /// The keychain has no collection for new entries.
    #[error("the keychain has no default collection")]
    NoPlace,
    /// The keychain holds several different entries of that name.
    #[error("the keychain holds several entries of that name")]
    Several,
    /// The keychain does not answer; most likely it waits for its owner.
    #[error("the keychain does not answer")]
    Silent,
    /// The keychain holds something under that name that is no text.
    #[error("what the keychain holds is no text")]
    NoText,
    /// The keychain refuses for another reason.
    #[error("the keychain refuses ({0})")]
    Refused(String),
}

/// A secret, which does not print.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a secret in.
    pub fn new(text: String) -> Self {
        Self(text.into())
    }

    /// Returns the secret itself, for the one call that needs it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

/// Returns the environment variable that may stand in for a secret: `opencode:my-box` becomes
/// `BECKON_OPENCODE_PASSWORD_MY_BOX`. A character that is neither a letter, a digit nor a hyphen is
/// spelled by its code point, as in `MY_5F_BOX` for `my_box`, so that no two servers share a
/// variable.
pub fn variable(name: &str) -> String {
    if name == TELEGRAM_PROXY {
        return "BECKON_TELEGRAM_PROXY_PASSWORD".into();
    }
    let (kind, which) = name.split_once(':').unwrap_or((name, ""));
    let kind = match kind {
        "opencode" => "OPENCODE_PASSWORD",
        "interrupts" => "INTERRUPTS_TOKEN",
        "telegram" => "TELEGRAM_TOKEN",
        "api" => "API_TOKEN",
        "hub" => "HUB_KEY",
        other => other,
    };
    let tail = if which.is_empty() {
        String::new()
    } else {
        format!("_{}", spelled(which))
    };
    format!("BECKON_{kind}{tail}")
}

fn spelled(name: &str) -> String {
    let spelled = name.chars().map(|c| match c {
        '-' => "_".to_owned(),
        c if c.is_ascii_alphanumeric() => c.to_ascii_uppercase().to_string(),
        c => format!("_{:X}_", u32::from(c)),
    });
    spelled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_print() {
        assert!(!format!("{:?}", Secret::new("hunter2".into())).contains("hunter2"));
    }

    #[test]
    fn a_name_becomes_the_documented_variable() {
        assert_eq!(
            variable("opencode:my-box"),
            "BECKON_OPENCODE_PASSWORD_MY_BOX"
        );
        assert_eq!(variable("telegram"), "BECKON_TELEGRAM_TOKEN");
        assert_eq!(variable(TELEGRAM_PROXY), "BECKON_TELEGRAM_PROXY_PASSWORD");
        assert_eq!(
            variable("opencode:my_box"),
            "BECKON_OPENCODE_PASSWORD_MY_5F_BOX"
        );
    }

    #[test]
    fn no_two_names_share_a_variable() {
        let names = ["a-b", "a_b", "a b", "a.b", "公司", "家里", "ab"];
        let variables = names.map(|name| variable(&format!("opencode:{name}")));
        let different: std::collections::BTreeSet<&String> = variables.iter().collect();
        assert_eq!(different.len(), names.len(), "{variables:?}");
    }
}
