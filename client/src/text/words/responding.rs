//! The words for who answered.

use crate::text::Texts;
use crate::wire::{AnswerPlace, AnsweredBy, VouchedBy, WireWord};

/// Says where an answer was given, or by whom, as a part of a sentence: `in the window`,
/// `by Ada on laptop`. For this machine's own user the place is enough.
pub fn answered_by(
    texts: &Texts,
    place: Option<&WireWord<AnswerPlace>>,
    who: Option<&AnsweredBy>,
) -> String {
    let named = who.and_then(|who| match who.vouched.known() {
        Some(VouchedBy::Machine) => None,
        _ => named(texts, who),
    });
    named.unwrap_or_else(|| {
        let place = place.map(WireWord::to_string).unwrap_or_default();
        texts.get(&format!("by-{place}"))
    })
}

/// Says by whom it was answered at another machine; `None` if it was here, or if it is not known.
pub fn answered_there(texts: &Texts, who: &AnsweredBy) -> Option<String> {
    match who.vouched.known() {
        Some(VouchedBy::Device | VouchedBy::Peer) => named(texts, who),
        Some(VouchedBy::Machine | VouchedBy::Telegram) | None => None,
    }
}

fn named(texts: &Texts, who: &AnsweredBy) -> Option<String> {
    let key = match (&who.person, &who.device) {
        (Some(_), Some(_)) => "ui-by-person-device",
        (Some(_), None) => "ui-by-person",
        (None, Some(_)) => "ui-by-device",
        (None, None) => return None,
    };
    let [person, device] =
        [&who.person, &who.device].map(|name| name.as_deref().unwrap_or_default());
    let name = texts.with(key, &[("person", person.into()), ("device", device.into())]);
    Some(match &who.peer {
        Some(peer) => {
            let args = [("name", name.into()), ("peer", peer.as_str().into())];
            texts.with("ui-responder-peer", &args)
        }
        None => name,
    })
}

/// Says who answered (`Ada · laptop`), and which Beckon vouches for it if that is another one;
/// `None` if nothing is known. The device is named beside a place that says less: Telegram's place
/// says enough.
pub fn responder(texts: &Texts, who: &AnsweredBy) -> Option<String> {
    let vouched = who.vouched.known();
    let device = who
        .device
        .as_deref()
        .filter(|_| vouched != Some(VouchedBy::Telegram));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn who(vouched: VouchedBy, person: Option<&str>, device: Option<&str>) -> AnsweredBy {
        let [person, device] = [person, device].map(|name| name.map(str::to_owned));
        let (telegram_user, signed_by, peer) = (None, None, None);
        AnsweredBy {
            person,
            device,
            vouched: vouched.into(),
            telegram_user,
            signed_by,
            peer,
        }
    }

    #[test]
    fn somebody_at_another_machine_is_named_and_of_this_one_the_place_says_it() {
        let texts = Texts::load("en");
        let window = WireWord::from(AnswerPlace::Window);
        let said = |who: &AnsweredBy| answered_by(&texts, Some(&window), Some(who));
        let ada = |vouched| who(vouched, Some("Ada"), Some("laptop"));
        assert_eq!(said(&ada(VouchedBy::Device)), "by Ada on laptop");
        assert_eq!(
            said(&who(VouchedBy::Device, None, Some("laptop"))),
            "on laptop"
        );
        assert_eq!(said(&who(VouchedBy::Device, None, None)), "in the window");
        assert_eq!(
            said(&who(VouchedBy::Telegram, Some("Bob"), Some("Telegram"))),
            "by Bob on Telegram"
        );
        assert_eq!(said(&ada(VouchedBy::Machine)), "in the window");
        let told = AnsweredBy {
            peer: Some("hub".into()),
            ..ada(VouchedBy::Peer)
        };
        assert_eq!(said(&told), "by Ada on laptop (according to hub)");
        assert_eq!(answered_by(&texts, None, None), "elsewhere");
    }
}
