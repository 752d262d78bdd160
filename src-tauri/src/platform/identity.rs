//! The word by which this Beckon is known: on its buttons, and among Beckons.
//!
//! The database has a random word, but a database can be copied. Two Beckons with the same word
//! would take each other's buttons for their own, and each other's asks for their own that have
//! come back. So the word is bound to the place of the database.

#[cfg_attr(target_os = "linux", path = "identity/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "identity/other.rs")]
mod platform;

use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::SystemTime;

/// The length of the word, which is that of the database's own: a button has only 64 bytes.
const LENGTH: usize = 10;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns the database's word, bound to this machine and to the database's directory. It stays the
/// same as long as these do. Facts that the system does not tell are left out.
pub(crate) fn bound(word: &str, home: &Path) -> String {
    let mut place = platform::machine();
    let home = home.canonicalize().unwrap_or_else(|_| home.into());
    place.push(home.to_string_lossy().into_owned());
    place.extend(platform::number(&home));
    place.extend(born(&home));
    derive(word, &place)
}

/// Returns when the directory was made, which tells a copy from the original.
fn born(home: &Path) -> Option<String> {
    let born = std::fs::metadata(home)
        .and_then(|home| home.created())
        .ok()?;
    let since = born.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(since.as_nanos().to_string())
}

/// Derives the word. It is the same for the same place, and cannot be traced back to it.
fn derive(word: &str, place: &[String]) -> String {
    let mut hash = Sha256::new();
    for part in [word].into_iter().chain(place.iter().map(String::as_str)) {
        // The length in front keeps the parts apart.
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
    hash.finalize().iter().take(LENGTH).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_home_has_another_word_and_the_same_home_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (home, copy) = (folder.path().join("home"), folder.path().join("copy"));
        std::fs::create_dir(&home).unwrap();
        std::fs::create_dir(&copy).unwrap();
        let word = bound("Ab3dE6gH1J", &home);
        assert_eq!(bound("Ab3dE6gH1J", &home), word);
        assert_eq!(word.len(), LENGTH);
        assert!(
            word.bytes().all(|letter| letter.is_ascii_alphanumeric()),
            "{word}"
        );
        assert_ne!(bound("Ab3dE6gH1J", &copy), word, "a copy");
        assert_ne!(bound("Ab3dE6gH1K", &home), word, "another database");
        std::fs::write(home.join("beckon.db"), "more").unwrap();
        assert_eq!(
            bound("Ab3dE6gH1J", &home),
            word,
            "what lies in it does not matter"
        );
    }

    #[test]
    fn another_machine_is_another_place() {
        let place = |parts: &[&str]| {
            parts
                .iter()
                .map(|part| (*part).to_owned())
                .collect::<Vec<_>>()
        };
        let here = derive("word", &place(&["machine", "/home"]));
        assert_ne!(here, derive("word", &place(&["another", "/home"])));
        assert_ne!(here, derive("word", &place(&["machine/", "home"])));
    }
}
