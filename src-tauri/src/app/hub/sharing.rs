//! Own asks: what is told of them, and the answers that come to them.

use super::*;
use crate::app::hub::answering::published_answer;
use crate::hub::{OutgoingAnswer, ReceivedAnswer};
use crate::sources::opencode::peer::{PeerDetails, PeerRequest};
use crate::sources::{demo, selftest};
use beckon_core::hub::{
    AnswerFault, AnswerSubject, AskRecord, AskSubject, LARGEST_BODY, SharedEnd, SharedState, Signed,
};
use beckon_core::{
    Answer, Ask, AskContent, AskState, Responder, Surface, UnknownAsk, UnknownShape, Voucher,
};

/// Of what is too large so much is shared, to be read and not answered.
const EXCERPT: usize = 4_096;

impl App {
    /// Everything that this Beckon owns, and the end of what it owned.
    pub(super) fn share_all(&self, there: &BTreeMap<AskSubject, Signed<AskRecord>>) {
        let Some(hub) = &self.hub else { return };
        let entries = self.desk.asks().map(|(_, entry)| entry).filter(|it| is_shared(&it.ask));
        let entries: BTreeMap<u64, &Entry> = entries.map(|entry| (entry.serial, entry)).collect();
        for entry in entries.values() {
            self.share(entry);
        }
        let own = there.iter().filter(|(subject, _)| subject.node == hub.owner.node());
        for (subject, signed) in own.filter(|(subject, _)| !entries.contains_key(&subject.serial)) {
            if !matches!(signed.record.state, SharedState::Ended(_)) {
                let state = SharedState::Ended(SharedEnd::Gone);
                let gone = AskRecord { state, ask: String::new(), ..signed.record.clone() };
                hub.tell(HubCommand::Share(subject.clone(), gone));
            }
        }
    }

    pub(super) fn share(&self, entry: &Entry) {
        let Some(hub) = &self.hub else { return };
        let name = self.desk.name(&entry.ask.id).into_owned();
        let mut record = hub.owner.share(entry, &name);
        if !matches!(record.state, SharedState::Ended(_)) {
            let names = (name.as_str(), &*self.instance);
            record.ask = described(&entry.ask, &entry.ask.kind, names);
            if !fits(&record) {
                record.ask = excerpt(&entry.ask, names);
            }
        }
        let subject = self.subject_of(entry);
        hub.tell(HubCommand::Share(subject, record));
    }

    fn subject_of(&self, entry: &Entry) -> AskSubject {
        AskSubject { node: self.instance.to_string(), serial: entry.serial }
    }

    /// An own ask is another: others learn of it; and of an answer that was given here.
    pub(in crate::app) fn share_news(&self, news: &News, entry: Option<&Entry>) {
        let Some(hub) = &self.hub else { return };
        let Some(entry) = entry.filter(|entry| is_shared(&entry.ask)) else { return };
        if !is_worth_sharing(news) {
            return;
        }
        let from_here = hub.owner.nonce(entry.serial).is_none();
        if let (News::Answered(..), AskState::Answering { answer, at, .. }) = (news, &entry.state)
            && from_here
        {
            let (ask, round) = (self.subject_of(entry), hub.owner.round(entry));
            let to = AnswerSubject { ask, round };
            let shown = beckon_core::shown_hash(&entry.ask.kind, entry.ask.fingerprint());
            let record = published_answer(
                (&to, &self.instance),
                shown,
                (answer, *at),
                entry.responder.as_ref(),
            );
            let own = OutgoingAnswer { ask: None, to, record, again: false };
            hub.tell(HubCommand::Answer(own));
        }
        self.share(entry);
    }

    /// How many answers of each own ask are used up with these rows.
    pub(in crate::app) fn use_up_rounds(&mut self, news: &[News]) -> Vec<(u64, u32)> {
        let Some(hub) = &mut self.hub else { return Vec::new() };
        let desk = &self.desk;
        let answered = news.iter().filter_map(|news| match news {
            News::Answered(ask, _) => desk.entry(ask),
            _ => None,
        });
        let shared = answered.filter(|entry| is_shared(&entry.ask));
        shared.map(|entry| (entry.serial, hub.owner.use_up(entry.serial))).collect()
    }

    /// An answer to an own ask came in. Whatever is not taken is asked anew in the next round.
    pub(super) fn on_hub_answer(&mut self, received: ReceivedAnswer) {
        let ReceivedAnswer { to, record, device } = received;
        let Some(hub) = &self.hub else { return };
        let of_serial = |entry: &&Entry| entry.serial == to.ask.serial && is_shared(&entry.ask);
        let entry = self.desk.asks().map(|(_, entry)| entry).find(of_serial).cloned();
        let Some(entry) = entry.filter(|_| to.ask.node == hub.owner.node()) else { return };
        let told = record.as_ref().map(|(record, _)| record);
        let Some(judged) = hub.owner.judge(&entry, &to, told, device.is_some()) else { return };
        let taken = match (judged, record, device) {
            (Ok(()), Some((record, answer)), Some(device)) => {
                self.take_hub_answer(&entry, (answer, record.nonce), &device, record.person)
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
        (answer, nonce): (Answer, String),
        device: &str,
        person: Option<String>,
    ) -> Result<(), AnswerFault> {
        let vouched = Voucher::Peer { name: Some(device.to_owned()) };
        let responder = Responder::new(person.as_deref(), Some(device), vouched);
        let event = Event::Answered {
            ask: entry.ask.id.clone(),
            answer,
            seen: Some(entry.ask.fingerprint()),
            by: Surface::Api,
            responder: Some(responder),
        };
        let now = clock::now();
        let step = self.decide(event, now);
        if !matches!(step.verdict, Some(Ok(_))) {
            return Err(AnswerFault::Unfit);
        }
        self.commit(&step, &[], now);
        if let Some(hub) = &mut self.hub {
            hub.owner.note_nonce(entry.serial, nonce);
        }
        self.carry_out(step, now);
        Ok(())
    }

    fn refuse_hub_answer(&mut self, entry: &Entry, fault: AnswerFault) {
        tracing::warn!(ask = %entry.ask.id, %fault, "an answer over the hub is refused");
        let Some(hub) = &mut self.hub else { return };
        let used = hub.owner.refuse(entry.serial, fault);
        self.commit_rows(
            &CommitRows { rounds: &[(entry.serial, used)], ..CommitRows::default() },
            clock::now(),
        );
        self.share(entry);
        self.opener.changed();
    }
}

/// Pretend agents are nobody's on another machine.
fn is_shared(ask: &Ask) -> bool {
    ask.is_own() && ask.id.source.0 != selftest::NAME && ask.id.source.0 != demo::NAME
}

fn is_worth_sharing(news: &News) -> bool {
    match news {
        News::Asked(_)
        | News::Answered(..)
        | News::Returned(_)
        | News::Settled(..)
        | News::Reopened(_)
        | News::Changed(_) => true,
        News::Shown(..)
        | News::Sent(_)
        | News::Undelivered(_)
        | News::Attention(_)
        | News::Source(_)
        | News::Standing => false,
    }
}

/// Is it small enough to be read elsewhere?
fn fits(record: &AskRecord) -> bool {
    serde_json::to_string(record).is_ok_and(|body| body.len() <= LARGEST_BODY)
}

/// As Beckons tell each other.
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

/// The beginning of what is too large, as a text that nobody can answer.
fn excerpt(ask: &Ask, names: (&str, &str)) -> String {
    let raw = serde_json::to_string(&ask.kind).unwrap_or_default();
    let raw = raw.chars().take(EXCERPT).collect();
    let asked = match ask.kind {
        AskContent::Permission(_) => UnknownShape::Permission,
        _ => UnknownShape::Question,
    };
    described(ask, &AskContent::Unknown(UnknownAsk { asked, raw }), names)
}
