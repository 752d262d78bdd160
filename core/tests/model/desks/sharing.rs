//! The records in which a Beckon shares its own agents' asks, and the answers that come to them.
//! Re-enacts `app/hub/sharing.rs`, which is not part of the core.

use super::Desks;
use super::hub::Up;
use super::member::{Listing, Member};
use super::near::told;
use beckon_core::hub::{
    AnswerFault, AnswerRecord, AnswerSubject, AskRecord, HubOwner, RECORD_VERSION,
};
use beckon_core::{
    Answer, AskContent, AskState, Entry, Event, Fingerprint, News, Session, Surface, shown_hash,
};
use serde::{Deserialize, Serialize};

/// The description of an ask in a record between Beckons.
#[derive(Serialize, Deserialize)]
pub struct Described {
    pub kind: AskContent,
    pub seen: Fingerprint,
    pub session: Session,
}

impl Desks {
    pub fn share_all(&mut self, member: usize, there: &Listing) -> Option<()> {
        let Member {
            owner, desk, disk, ..
        } = &mut self.members[member];
        let own = there
            .iter()
            .filter(|(subject, _)| subject.node == owner.node());
        let own: Vec<_> = own
            .map(|(subject, record)| (subject.serial, record))
            .collect();
        disk.commit_rounds(&[], &[owner.begin(&own)]);
        let is_open = |serial| {
            desk.entry_numbered(serial)
                .is_some_and(|it| it.ask.is_own())
        };
        let ends = owner.end_others(&own, is_open);
        for (subject, record) in ends {
            self.publish(member, subject.serial, record);
        }
        self.share_open(member)
    }

    pub fn share_open(&mut self, member: usize) -> Option<()> {
        let entries = self.members[member].desk.asks().map(|(_, entry)| entry);
        let entries: Vec<Entry> = entries
            .filter(|entry| entry.ask.is_own())
            .cloned()
            .collect();
        for entry in &entries {
            self.share(member, entry);
            self.may_die(member)?;
        }
        Some(())
    }

    fn share(&mut self, member: usize, entry: &Entry) {
        let ask = &entry.ask;
        let (kind, session) = (ask.kind.clone(), ask.session.clone());
        let described = Described {
            kind,
            seen: ask.fingerprint(),
            session,
        };
        let described = |_: &AskRecord| serde_json::to_string(&described).expect("it is written");
        let record = self.members[member]
            .owner
            .share(entry, &ask.id.own, described);
        self.publish(member, entry.serial, record);
    }

    fn publish(&mut self, member: usize, serial: u64, mut record: AskRecord) {
        let it = &self.members[member];
        record.v = RECORD_VERSION + u32::from(it.newer);
        let subject = it.owner.subject(serial);
        self.tell_hub(member, Up::Share(subject, record));
    }

    pub fn on_own_shared(&mut self, member: usize, serial: u64, record: &AskRecord) {
        let Member { owner, desk, .. } = &mut self.members[member];
        if !owner.hear(serial, record) {
            return;
        }
        let entry = desk
            .entry_numbered(serial)
            .filter(|it| it.ask.is_own())
            .cloned();
        match entry {
            Some(entry) => self.share(member, &entry),
            None => {
                let ended = owner.end(serial, record);
                self.publish(member, serial, ended);
            }
        }
    }

    pub fn share_news(&mut self, member: usize, news: &News, entry: Option<&Entry>) {
        let Some(entry) = entry.filter(|entry| entry.ask.is_own()) else {
            return;
        };
        if !HubOwner::is_worth_sharing(news) {
            return;
        }
        let owner = &self.members[member].owner;
        let to = owner.takes_place(news, entry);
        if let (Some(to), AskState::Answering { answer, by, .. }) = (to, &entry.state) {
            let shown = shown_hash(&entry.ask.kind, entry.ask.fingerprint());
            let record = owner.sender().record(&to, shown, told(answer), (*by, None));
            self.tell_hub(
                member,
                Up::Answer {
                    ask: None,
                    to,
                    record,
                    again: false,
                },
            );
        }
        self.share(member, entry);
    }

    pub fn on_hub_answer(
        &mut self,
        member: usize,
        to: &AnswerSubject,
        record: Option<AnswerRecord>,
        signer: Option<usize>,
    ) {
        let Member { owner, desk, .. } = &mut self.members[member];
        let entry = desk
            .entry_numbered(to.ask.serial)
            .filter(|it| it.ask.is_own())
            .cloned();
        let judged = owner.judge(entry.as_ref(), to, record.as_ref(), signer.is_some());
        let Some(entry) = entry else { return };
        let fault = match (judged, record, signer) {
            (None, ..) => return,
            (Some(Err(fault)), ..) => Some(fault),
            (Some(Ok(())), Some(record), Some(signer)) => {
                self.was_signed(to, signer, &record);
                self.take_answer_of_hub(member, &entry, record)
            }
            (Some(Ok(())), ..) => Some(AnswerFault::Unreadable),
        };
        if let Some(fault) = fault {
            self.refuse(member, &entry, fault);
        }
    }

    fn take_answer_of_hub(
        &mut self,
        member: usize,
        entry: &Entry,
        record: AnswerRecord,
    ) -> Option<AnswerFault> {
        let answer: Answer = serde_json::from_str(&record.answer).expect("it was written so");
        let (ask, seen) = (entry.ask.id.clone(), Some(entry.ask.fingerprint()));
        let event = Event::Answered {
            ask,
            answer,
            seen,
            by: Surface::Api,
            responder: None,
        };
        let step = self.decide(member, event);
        if !matches!(step.verdict, Some(Ok(_))) {
            return Some(AnswerFault::Unfit);
        }
        self.commit(member, &step)?;
        self.members[member]
            .owner
            .note_nonce(entry.serial, record.nonce);
        self.carry_out(member, step);
        None
    }

    fn refuse(&mut self, member: usize, entry: &Entry, fault: AnswerFault) {
        self.tally.refused += 1;
        self.note(|| format!("{member}: refuses, {fault}"));
        let Member { owner, disk, .. } = &mut self.members[member];
        let used = owner.refuse(entry.serial, fault);
        disk.commit_rounds(&[], &[(entry.serial, used)]);
        if self.may_die(member).is_some() {
            self.share(member, entry);
        }
    }
}
