//! The own asks on the hub: what is published of them, and the answers that come to them.

use super::*;
use crate::app::hub::answering::{place_of, told};
use crate::hub::{OutgoingAnswer, ReceivedAnswer};
use crate::sources::opencode::peer::{PeerDetails, PeerRequest};
use beckon_core::hub::{AnswerFault, AnswerRecord, AskRecord, AskSubject, LARGEST_BODY, Signed};
use beckon_core::{Answer, Ask, AskContent, AskState, Surface, UnknownAsk, UnknownShape};

/// The number of characters that are shared of an ask that is too large. It can be read there, but
/// not answered.
const EXCERPT: usize = 4_096;

impl App {
    /// Publishes everything that this Beckon owns, and the end of what it owned.
    pub(super) fn share_all(&mut self, there: &BTreeMap<AskSubject, Signed<AskRecord>>) {
        let Some(hub) = &mut self.hub else { return };
        let own = there
            .iter()
            .filter(|(subject, _)| subject.node == hub.owner.node());
        let own: Vec<_> = own
            .map(|(subject, signed)| (subject.serial, &signed.record))
            .collect();
        let begun = hub.owner.begin(&own);
        self.commit_used(&[begun]);
        let Some(hub) = &mut self.hub else { return };
        let open = |serial| {
            self.desk
                .entry_numbered(serial)
                .is_some_and(|it| it.ask.is_shared())
        };
        for (subject, record) in hub.owner.end_others(&own, open) {
            hub.tell(HubCommand::Share(subject, record));
        }
        self.share_open();
    }

    /// Publishes all open asks.
    pub(super) fn share_open(&mut self) {
        let entries = self
            .desk
            .asks()
            .map(|(_, entry)| entry)
            .filter(|it| it.ask.is_shared());
        let entries: Vec<Entry> = entries.cloned().collect();
        entries.iter().for_each(|entry| self.share(entry));
    }

    pub(super) fn share(&mut self, entry: &Entry) {
        let Some(hub) = &mut self.hub else { return };
        let name = self.desk.name(&entry.ask.id).into_owned();
        let names = (name.as_str(), &*self.instance);
        let asked = |record: &AskRecord| described_to_fit(&entry.ask, names, record);
        let waited = clock::now() - entry.ask.asked_at;
        let waited_ms = u64::try_from(waited.0).unwrap_or_default();
        let record = AskRecord {
            waited_ms,
            ..hub.owner.share(entry, &name, asked)
        };
        hub.tell(HubCommand::Share(hub.owner.subject(entry.serial), record));
    }

    /// Handles the hub's copy of an own ask. If it is not the record that was published last, that
    /// is published again.
    pub(super) fn on_own_shared(&mut self, serial: u64, record: &AskRecord) {
        let Some(hub) = &mut self.hub else { return };
        if !hub.owner.hear(serial, record) {
            return;
        }
        match self
            .desk
            .entry_numbered(serial)
            .filter(|it| it.ask.is_shared())
            .cloned()
        {
            Some(entry) => self.share(&entry),
            None => {
                let ended = hub.owner.end(serial, record);
                hub.tell(HubCommand::Share(hub.owner.subject(serial), ended));
            }
        }
    }

    /// Publishes a changed own ask, and the answer that was given here.
    pub(in crate::app) fn share_news(&mut self, news: &News, entry: Option<&Entry>) {
        self.look_for_card(news);
        let Some(hub) = &self.hub else { return };
        let Some(entry) = entry.filter(|entry| entry.ask.is_shared()) else {
            return;
        };
        if !HubOwner::is_worth_sharing(news) {
            return;
        }
        if let (Some(to), AskState::Answering { answer, .. }) =
            (hub.owner.takes_place(news, entry), &entry.state)
        {
            let shown = beckon_core::shown_hash(&entry.ask.kind, entry.ask.fingerprint());
            let by = (place_of(entry), entry.responder.as_ref());
            let record = hub.owner.sender().record(&to, shown, told(answer), by);
            hub.tell(HubCommand::Answer(OutgoingAnswer {
                ask: None,
                to,
                record,
                again: false,
            }));
        }
        self.share(entry);
    }

    /// Counts the answers to own asks in these news. Returns the number of used rounds, by serial.
    pub(in crate::app) fn use_up_rounds(&mut self, news: &[News]) -> Vec<(u64, u32)> {
        let Some(hub) = &mut self.hub else {
            return Vec::new();
        };
        let desk = &self.desk;
        let answered = news.iter().filter_map(|news| match news {
            News::Answered(ask, _) | News::Agreed(ask) => desk.entry(ask),
            _ => None,
        });
        let shared = answered.filter(|entry| entry.ask.is_shared());
        shared
            .map(|entry| (entry.serial, hub.owner.use_up(entry.serial)))
            .collect()
    }

    /// Handles an answer from the hub to an own ask. If it is not taken, the ask is published in
    /// its next round.
    pub(super) fn on_hub_answer(&mut self, received: ReceivedAnswer) {
        let ReceivedAnswer { to, record, device } = received;
        let Some(hub) = self
            .hub
            .as_mut()
            .filter(|hub| to.ask.node == hub.owner.node())
        else {
            return;
        };
        let entry = self
            .desk
            .entry_numbered(to.ask.serial)
            .filter(|it| it.ask.is_shared());
        let entry = entry.cloned();
        let told = record.as_ref().map(|(record, _)| record);
        let judged = hub.owner.judge(entry.as_ref(), &to, told, device.is_some());
        let Some((judged, entry)) = judged.zip(entry) else {
            return;
        };
        let taken = match (judged, record, device) {
            (Ok(()), Some((record, answer)), Some(device)) => {
                self.take_hub_answer(&entry, answer, Signed { device, record })
            }
            (Err(fault), ..) => Err(fault),
            (Ok(()), ..) => Err(AnswerFault::Unreadable),
        };
        if let Err(fault) = taken {
            self.refuse_hub_answer(&entry, fault);
        }
    }

    fn take_hub_answer(
        &mut self,
        entry: &Entry,
        answer: Answer,
        Signed { device, record }: Signed<AnswerRecord>,
    ) -> Result<(), AnswerFault> {
        let Some(hub) = &self.hub else { return Ok(()) };
        let responder = hub.responder(&device, record.person.as_deref());
        let event = Event::Answered {
            ask: entry.ask.id.clone(),
            answer,
            seen: Some(entry.ask.fingerprint()),
            // An expiry is decided only by the ask's own machine, so a remote record cannot claim
            // the clock.
            by: record
                .surface
                .filter(|it| *it != Surface::Clock)
                .unwrap_or(Surface::Api),
            responder: Some(responder),
        };
        let now = clock::now();
        let step = self.decide(event, now);
        let is_agreed = match &step.verdict {
            Some(Ok(_)) => false,
            Some(Err(AnswerRefusal::NeedsAnother(_))) => true,
            Some(Err(AnswerRefusal::Held(_))) => return Err(AnswerFault::Held),
            _ => return Err(AnswerFault::Unfit),
        };
        self.commit(&step, &[], now);
        if let Some(hub) = &mut self.hub {
            if is_agreed {
                hub.owner.note_agreed(entry.serial)
            } else {
                hub.owner.note_nonce(entry.serial, record.nonce)
            }
        }
        self.carry_out(step, now);
        Ok(())
    }

    fn refuse_hub_answer(&mut self, entry: &Entry, fault: AnswerFault) {
        tracing::warn!(ask = %entry.ask.id, %fault, "an answer over the hub is refused");
        let Some(hub) = &mut self.hub else { return };
        let used = hub.owner.refuse(entry.serial, fault);
        self.commit_used(&[(entry.serial, used)]);
        self.share(entry);
        self.opener.changed();
    }

    fn commit_used(&mut self, rounds: &[(u64, u32)]) {
        self.commit_rows(
            &CommitRows {
                rounds,
                ..CommitRows::default()
            },
            clock::now(),
        );
    }
}

/// Returns the whole ask as JSON, or an excerpt if the record would be too large for others to
/// read.
fn described_to_fit(ask: &Ask, names: (&str, &str), record: &AskRecord) -> String {
    let whole = described(ask, &ask.kind, names);
    let record = AskRecord {
        ask: whole,
        ..record.clone()
    };
    let fits = serde_json::to_string(&record).is_ok_and(|body| body.len() <= LARGEST_BODY);
    if fits {
        record.ask
    } else {
        excerpt(ask, names)
    }
}

/// Returns the ask as JSON, in the form in which Beckons tell each other.
fn described(ask: &Ask, kind: &AskContent, (name, instance): (&str, &str)) -> String {
    let request = PeerRequest {
        id: name.to_owned(),
        session_id: ask.session.id.clone(),
        directory: ask.session.directory.clone(),
        kind: serde_json::to_value(kind).unwrap_or_default(),
        text: String::new(),
        tool: None,
        via: vec![instance.to_owned()],
        beckon: Some(PeerDetails::of(ask)),
    };
    serde_json::to_string(&request).unwrap_or_default()
}

/// Returns the beginning of an ask that is too large, as a text that cannot be answered.
fn excerpt(ask: &Ask, names: (&str, &str)) -> String {
    let raw = serde_json::to_string(&ask.kind).unwrap_or_default();
    let raw = raw.chars().take(EXCERPT).collect();
    let asked = match ask.kind {
        AskContent::Permission(_) => UnknownShape::Permission,
        _ => UnknownShape::Question,
    };
    described(ask, &AskContent::Unknown(UnknownAsk { asked, raw }), names)
}
