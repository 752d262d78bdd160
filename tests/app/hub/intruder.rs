//! A program that speaks to a hub and is no Beckon: it signs with keys of its own whatever it
//! likes, and publishes that where the server lets it.

use async_nats::{Client, ConnectOptions};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::hub::Envelope;
use nkeys::{KeyPair, KeyPairType};
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A person with a device's key, and a login made of it as Beckon makes one.
pub(super) struct Intruder {
    seed: [u8; 32],
    pair: Ed25519KeyPair,
}

impl Intruder {
    /// Makes the intruder whose key has a seed of this byte, like the keys of [`super::SEEDS`].
    pub(super) fn of_seed(byte: u8) -> Intruder {
        let seed = [byte; 32];
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
        Intruder { seed, pair }
    }

    pub(super) fn key(&self) -> String {
        BASE64.encode(self.pair.public_key())
    }

    pub(super) fn login_key(&self) -> KeyPair {
        user(derived(&self.seed, "beckon hub login"))
    }

    pub(super) fn login(&self) -> String {
        self.login_key().public_key()
    }

    /// Signs the body for that subject, as this device.
    pub(super) fn seal(&self, subject: &str, body: &Value) -> String {
        let body = body.to_string();
        let signature = self.pair.sign(&Envelope::signed_bytes(subject, &body));
        let envelope = Envelope {
            key: self.key(),
            signature: BASE64.encode(signature),
            body,
        };
        envelope.write()
    }

    /// Makes a complete request to be added to the desk by that code. The nonce tells requests
    /// apart.
    pub(super) fn enrolment(&self, code: &str, nonce: &str) -> String {
        let code = BearerCode::parse(code);
        let proof = self.login_proof(&code, &self.login_key());
        let enrol = json!({ "name": "evil", "login": self.login(), "proof": proof });
        let body = json!({ "nonce": nonce, "request": { "enrol": enrol } });
        code.proven(&self.seal(&code.subject(), &body))
    }

    /// Makes a complete request to leave the desk of that revision.
    pub(super) fn leave(&self, revision: u64) -> String {
        let request = json!({ "leave": { "revision": revision } });
        self.seal("bk.leave.own", &json!({ "nonce": "n", "request": request }))
    }

    fn login_proof(&self, code: &BearerCode, by: &KeyPair) -> String {
        let words = format!("{} {}", code.subject(), self.key());
        let bytes = [b"beckon hub login\0".as_slice(), words.as_bytes()].concat();
        BASE64.encode(by.sign(&bytes).unwrap())
    }

    /// Asks to be added to the desk with that login, signed with the key `by`.
    pub(super) async fn enrol_with(&self, code: &str, login: &str, by: &KeyPair) -> Value {
        let proof = self.login_proof(&BearerCode::parse(code), by);
        self.enrol_as(code, json!({ "login": login, "proof": proof }))
            .await
    }

    /// Asks to be added to the desk in this form, and returns the response.
    pub(super) async fn enrol_as(&self, code: &str, mut enrol: Value) -> Value {
        let code = BearerCode::parse(code);
        enrol["name"] = json!("evil");
        let body = json!({ "nonce": "n", "request": { "enrol": enrol } });
        let words = self.seal(&code.subject(), &body);
        let client = code.enter().await;
        ask(&client, code.subject(), code.proven(&words)).await
    }
}

/// Sends a request and returns the response, whoever has signed it.
pub(super) async fn ask(client: &Client, subject: String, payload: String) -> Value {
    let message = client.request(subject, payload.into()).await.unwrap();
    let text = String::from_utf8(message.payload.to_vec()).unwrap();
    serde_json::from_str(text.split_once('\n').unwrap().1).unwrap()
}

/// Returns the same code for another address of the same server.
pub(super) fn readdressed(code: &str, url: &str) -> String {
    let bytes = BASE64.decode(code.strip_prefix("bkj1-").unwrap()).unwrap();
    let mut other = bytes[..49].to_vec();
    other.extend(url.as_bytes());
    let sum = Sha256::digest(&other);
    other.extend(&sum[..4]);

    format!("bkj1-{}", BASE64.encode(other))
}

/// A code, taken apart.
pub(super) struct BearerCode {
    url: String,
    secret: [u8; 16],
}

impl BearerCode {
    pub(super) fn parse(code: &str) -> BearerCode {
        let bytes = BASE64.decode(code.strip_prefix("bkj1-").unwrap()).unwrap();
        let (bytes, _) = bytes.split_at(bytes.len() - 4);
        let url = &bytes[if bytes[0] == 0 { 49 } else { 81 }..];
        BearerCode {
            url: String::from_utf8(url.to_vec()).unwrap(),
            secret: bytes[33..49].try_into().unwrap(),
        }
    }

    pub(super) fn subject(&self) -> String {
        let id = &self.derived("id")[..8];
        let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("bk.enrol.{id}")
    }

    /// Adds the proof that the sender has the code.
    fn proven(&self, words: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.derived("proof"));
        let proof = BASE64.encode(hmac::sign(&key, words.as_bytes()));
        format!("{proof}\n{words}")
    }

    /// Connects with the login that the code contains.
    pub(super) async fn enter(&self) -> Client {
        connected(&user(self.derived("login")), &self.url).await
    }

    fn derived(&self, purpose: &str) -> [u8; 32] {
        derived(&self.secret, &format!("beckon hub invite {purpose}"))
    }
}

/// Connects with that login.
pub(super) async fn connected(login: &KeyPair, url: &str) -> Client {
    let options = ConnectOptions::with_nkey(login.seed().unwrap());
    let inbox = format!("_INBOX_{}", login.public_key());
    super::eventually("it is let in", super::SOON, async || {
        let options = options.clone().custom_inbox_prefix(inbox.clone());
        options.connect(url).await.ok()
    })
    .await
}

fn user(seed: [u8; 32]) -> KeyPair {
    KeyPair::new_from_raw(KeyPairType::User, seed).unwrap()
}

fn derived(secret: &[u8], purpose: &str) -> [u8; 32] {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let tag = hmac::sign(&key, purpose.as_bytes());
    tag.as_ref().try_into().unwrap()
}
