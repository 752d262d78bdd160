//! The proof that a listener knows the token: one side sends a nonce, and the other answers with
//! its HMAC under the token. With it a client knows that it has found its Beckon before it shows
//! the token.
//!
//! Pure code. Not here: who asks for the proof (`proving.rs`), and who gives it
//! (`api/serving/proof.rs`).

use hmac::{Hmac, KeyInit, Mac};
use rand::Rng;
use sha2::Sha256;

/// The path at which the proof is asked for.
pub const PATH: &str = "/proof";
/// The number of letters of a nonce, and of an answer: 32 bytes in hexadecimal.
pub const LENGTH: usize = 64;
/// The text in front of the nonce. No other use of the token has it.
const LABEL: &[u8] = b"beckon: who answers this knows the token\n";

/// Makes a random nonce, which was never used before.
pub fn nonce() -> String {
    let bytes: [u8; LENGTH / 2] = rand::rng().random();
    hex(&bytes)
}

/// Whether the text is a nonce that [`nonce`] could have made.
pub fn is_nonce(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the answer to the nonce, as a listener that knows the token gives it.
pub fn answer(token: &str, nonce: &str) -> String {
    mac(token, nonce)
        .map(|mac| hex(&mac.finalize().into_bytes()))
        .unwrap_or_default()
}

/// Whether that is the answer to this nonce. Takes as long for a nearly right answer as for a wrong
/// one.
pub fn is_answer(token: &str, nonce: &str, answer: &[u8]) -> bool {
    let Some(answer) = bytes(answer) else {
        return false;
    };
    mac(token, nonce).is_some_and(|mac| mac.verify_slice(&answer).is_ok())
}

/// Returns the HMAC of the nonce under the token. `None` without a token: a key may be of any
/// length, but an empty one proves nothing.
fn mac(token: &str, nonce: &str) -> Option<Hmac<Sha256>> {
    let token = Some(token.as_bytes()).filter(|token| !token.is_empty())?;
    let mac = Hmac::<Sha256>::new_from_slice(token).ok()?;
    Some(mac.chain_update(LABEL).chain_update(nonce.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &[u8]) -> Option<Vec<u8>> {
    let pairs = hex.chunks(2).map(|pair| str::from_utf8(pair).ok());
    let bytes = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok());
    (hex.len() == LENGTH).then(|| bytes.collect()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_token_has_the_answer() {
        let nonce = nonce();
        assert!(is_nonce(&nonce));
        let right = answer("token", &nonce);
        assert!(is_answer("token", &nonce, right.as_bytes()));
        assert!(
            !is_answer("token", &super::nonce(), right.as_bytes()),
            "of another nonce"
        );
        assert!(
            !is_answer("another", &nonce, right.as_bytes()),
            "of another token"
        );
        for wrong in ["", "0", &nonce, &right[1..], &format!("{right}00"), "ä"] {
            assert!(!is_answer("token", &nonce, wrong.as_bytes()), "{wrong}");
        }
        let nobody = answer("", &nonce);
        assert!(
            !is_answer("", &nonce, nobody.as_bytes()),
            "no token proves nothing"
        );
    }

    /// Fixes the answer that clients in other languages calculate.
    #[test]
    fn the_answer_is_what_its_description_says() {
        let nonce = "0".repeat(LENGTH);
        let answer = answer("token", &nonce);
        assert_eq!(
            answer,
            "af9f348467f5c4c6f7f7a588433dafc7fa93d2f92853a0baacd36ce5c2fbbab4"
        );
    }

    #[test]
    fn a_nonce_is_nothing_else() {
        for text in [
            "",
            "0",
            &"g".repeat(LENGTH),
            &"0".repeat(LENGTH + 2),
            "../../../etc/passwd",
        ] {
            assert!(!is_nonce(text), "{text}");
        }
    }
}
