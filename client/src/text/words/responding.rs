//! Who answered, in words.

use crate::text::Texts;
use crate::wire::{AnsweredBy, VouchedBy};

/// `Ada · laptop`, and on whose word where that is another Beckon's; nothing where nothing is known.
/// The device stands beside a place that says less: of Telegram the place says it all.
pub fn responder(texts: &Texts, who: &AnsweredBy) -> Option<String> {
    let vouched = who.vouched.known();
    let device = who.device.as_deref().filter(|_| vouched != Some(VouchedBy::Telegram));
    let names: Vec<&str> = who.person.as_deref().into_iter().chain(device).collect();
    let name = match (names.is_empty(), vouched) {
        (false, _) => names.join(" · "),
        (true, Some(VouchedBy::Peer)) => texts.get("ui-responder-unknown"),
        (true, _) => return None,
    };
    Some(match (vouched, &who.peer) {
        (Some(VouchedBy::Peer), Some(peer)) => {
            let args = [("name", name.into()), ("peer", peer.as_str().into())];
            texts.with("ui-responder-peer", &args)
        }
        (Some(VouchedBy::Peer), None) => {
            texts.with("ui-responder-peer-unnamed", &[("name", name.into())])
        }
        _ => name,
    })
}
