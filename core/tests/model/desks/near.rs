//! The asks of other machines on the desk of one Beckon, and the answers that go from there.
//! Re-enacts `app/hub/watching.rs` and `answering.rs`, which are not part of the core.

use super::Desks;
use super::hub::Up;
use super::member::{Listing, Member};
use super::sharing::Described;
use beckon_core::hub::{
    AnswerSubject, AskRecord, AskSubject, HUB_SOURCE, RECORD_VERSION, RemoteMove, Renewal, Sending,
    way,
};
use beckon_core::{
    Answer, Ask, AskContent, DeliveryFailure, Entry, SourceId, SourceReport, Surface, Timestamp,
    UnknownAsk, UnknownShape,
};

impl Desks {
    pub fn on_shared_list(&mut self, member: usize, there: Listing) -> Option<()> {
        self.members[member].renewal = Renewal::begin(self.steady());
        self.share_all(member, &there)?;
        let it = &mut self.members[member];
        let own = it.owner.node().to_owned();
        let others = there
            .into_iter()
            .filter(|(subject, _)| subject.node != own)
            .collect();
        let former = it.hub_sources();
        let mut on_desk = Vec::new();
        for entry in former.iter().flat_map(|source| it.desk.entries_of(source)) {
            let owner = &it.owner;
            it.remote
                .expect(entry, |to, answer| owner.sender().nonce(to, &told(answer)));
            on_desk.push(entry.ask.id.clone());
        }
        let moves = it.remote.list(others, on_desk);
        it.sources = former.into_iter().chain(it.remote.sources()).collect();
        let sources = it.sources.clone();
        self.follow(member, moves)?;
        for source in sources {
            self.list_machine(member, &source);
        }
        Some(())
    }

    pub fn on_shared(&mut self, member: usize, subject: AskSubject, record: AskRecord) {
        let it = &mut self.members[member];
        if subject.node == it.owner.node() {
            return self.on_own_shared(member, subject.serial, &record);
        }
        it.sources.insert(record.source());
        let moves = it.remote.take(subject, record);
        self.follow(member, moves);
    }

    pub fn follow(&mut self, member: usize, moves: Vec<RemoteMove>) -> Option<()> {
        for next in moves {
            match next {
                RemoteMove::Ask(subject) => self.ask_shared(member, &subject),
                RemoteMove::Report(source, report) => self.tell_desk(member, &source, report),
            }
            self.may_die(member)?;
        }
        Some(())
    }

    fn ask_shared(&mut self, member: usize, subject: &AskSubject) {
        let now = self.local(member);
        let Some(record) = self.members[member].remote.get(subject) else {
            return;
        };
        let (source, ask) = (record.source(), ask_of(subject, record, now));
        if let Some(ask) = ask {
            self.tell_desk(member, &source, SourceReport::Asked(ask));
        }
    }

    pub fn list_machine(&mut self, member: usize, source: &SourceId) {
        let now = self.local(member);
        let it = &self.members[member];
        if !it.connected {
            return;
        }
        let ask_of = |subject: &AskSubject, record: &AskRecord| ask_of(subject, record, now);
        let listing = it.remote.listing(source, ask_of, |_, _| false);
        self.tell_desk(member, source, SourceReport::Listed(listing));
    }

    pub fn send_answer(&mut self, member: usize, entry: &Entry, answer: &Answer) {
        let (id, text) = (&entry.ask.id, told(answer));
        let Member {
            owner,
            remote,
            connected,
            newer,
            ..
        } = &mut self.members[member];
        if !*connected {
            let failure = DeliveryFailure::Other("the hub is not connected".into());
            let report = SourceReport::NotSent {
                own: id.own.clone(),
                failure,
            };
            return self.tell_desk(member, &id.source, report);
        }
        match remote.send(entry, |to: &AnswerSubject| owner.sender().nonce(to, &text)) {
            Sending::Publish { to, shown, again } => {
                let by = (Surface::Window, entry.responder.as_ref());
                let mut record = owner.sender().record(&to, shown, text, by);
                record.v = RECORD_VERSION + u32::from(*newer);
                self.tell_hub(
                    member,
                    Up::Answer {
                        ask: Some(id.clone()),
                        to,
                        record,
                        again,
                    },
                );
            }
            Sending::Nothing(report) => self.tell_desk(member, &id.source, report),
        }
    }
}

/// Returns an answer in the form in which it travels.
pub fn told(answer: &Answer) -> String {
    serde_json::to_string(answer).expect("it is written")
}

/// Makes the record of another machine an ask of that machine.
fn ask_of(subject: &AskSubject, record: &AskRecord, now: Timestamp) -> Option<Ask> {
    let Described {
        kind,
        seen,
        session,
    } = serde_json::from_str(&record.ask).ok()?;
    let mut ask = Ask {
        id: record.id(subject),
        kind,
        session,
        call: None,
        asked_at: now,
    };
    ask.session.via = vec![subject.node.clone()];
    ask.session.api = Some(way(record.round, seen));
    if !record.is_answerable() || !record.is_shown_as(&ask.kind, seen) {
        let (asked, raw) = (UnknownShape::Question, format!("{:?}", ask.kind));
        ask.kind = AskContent::Unknown(UnknownAsk { asked, raw });
    }
    Some(ask)
}

pub fn is_far(source: &SourceId) -> bool {
    source.0.starts_with(HUB_SOURCE)
}
