//! Answers that are given here to asks of other machines: on their way out, and what became of them.

use super::*;
use crate::hub::{OutgoingAnswer, Publication};
use beckon_core::hub::{AnswerRecord, AnswerSubject, HubRefusal, Published, Sending, Signed};
use beckon_core::{
    Answer, AskState, DecisionKind, Responder, ReturnReason, Surface, ToldDecision, Voucher,
};

impl App {
    pub(super) fn send_answer(&mut self, entry: &Entry, answer: &Answer) {
        let id = &entry.ask.id;
        let Some(hub) = self.hub.as_mut().filter(|hub| hub.is_connected()) else {
            let failure = DeliveryFailure::Other("the hub is not connected".into());
            let report = SourceReport::NotSent {
                own: id.own.clone(),
                failure,
            };
            return self.tell_desk(&id.source, report);
        };
        let text = told(answer);
        match hub
            .remote
            .send(entry, |to| hub.owner.sender().nonce(to, &text))
        {
            Sending::Publish { to, shown, again } => {
                let by = (place_of(entry), entry.responder.as_ref());
                let record = hub.owner.sender().record(&to, shown, text, by);
                let ask = Some(id.clone());
                hub.tell(HubCommand::Answer(OutgoingAnswer {
                    ask,
                    to,
                    record,
                    again,
                }));
            }
            Sending::Nothing(report) => self.tell_desk(&id.source, report),
        }
    }

    pub(super) fn on_published(&mut self, ask: AskId, to: &AnswerSubject, end: Publication) {
        let won = match &end {
            Publication::Lost(Some(winner)) => self.decided_by(&ask, winner),
            _ => None,
        };
        let Some(hub) = &mut self.hub else { return };
        let end = match end {
            Publication::Kept => Published::Kept,
            Publication::Lost(_) => Published::Lost,
            Publication::Unknown(why) => Published::Unknown(why),
            Publication::NoKey(why) => {
                hub.no_key = Some(why);
                Published::Impossible(ReturnReason::Hub(HubRefusal::NoKey))
            }
            Publication::Forbidden => {
                Published::Impossible(ReturnReason::Hub(HubRefusal::Forbidden))
            }
        };
        let report = hub
            .remote
            .published(&ask, to, end)
            .map(|report| match (report, won) {
                (SourceReport::Overtaken { .. }, Some(won)) => SourceReport::Decided(won),
                (report, _) => report,
            });
        if let Some(report) = report {
            self.tell_desk(&ask.source, report);
        }
    }

    /// Handles the server's refusal of something that we published. The server sends no
    /// acknowledgement then. An answer that it forbids comes back to the human who gave it: sent
    /// again, it would be refused for ever.
    pub(super) fn on_forbidden(&mut self, what: &str) {
        let Some(hub) = &self.hub else { return };
        let Some(to) = what.split('"').find_map(AnswerSubject::parse) else {
            return;
        };
        let Some(record) = hub.remote.get(&to.ask) else {
            return;
        };
        let ask = AskId::new(&*record.source().0, to.ask.own_id());
        self.on_published(ask, &to, Publication::Forbidden);
    }

    /// Returns which answer another device gave before us, and who gave it. `None` if it does not
    /// fit the ask.
    fn decided_by(&self, ask: &AskId, winner: &Signed<AnswerRecord>) -> Option<ToldDecision> {
        let Signed { device, record } = winner;
        let answer: Answer = serde_json::from_str(&record.answer).ok()?;
        let asked = &self.desk.entry(ask)?.ask;
        asked.check(&answer).ok()?;
        let how = DecisionKind::of(asked, &answer);
        let by = self
            .hub
            .as_ref()
            .map(|hub| hub.responder(device, record.person.as_deref()));
        Some(ToldDecision {
            own: ask.own.clone(),
            how,
            by,
            is_anothers: true,
        })
    }

    /// Takes up the answers of an earlier run that are still on their way.
    pub(super) fn expect_sent(&mut self) {
        let sources = self.hub_sources();
        let Some(hub) = &mut self.hub else { return };
        for entry in sources
            .iter()
            .flat_map(|source| self.desk.entries_of(source))
        {
            let nonce =
                |to: &AnswerSubject, answer: &Answer| hub.owner.sender().nonce(to, &told(answer));
            hub.remote.expect(entry, nonce);
        }
    }

    pub(super) fn tell_desk(&mut self, source: &SourceId, report: SourceReport) {
        self.on_source_report(crate::sources::Report::event(Event::Source(
            source.clone(),
            report.cut(),
        )));
    }
}

impl HubRoom {
    /// Returns who answered at the device that signed the answer. The person is the one that the
    /// desk names for the device; in a team the owner of the device; else the name that the answer
    /// gives. In a team a name that someone gives themselves counts for nothing.
    pub(super) fn responder(&self, device: &str, person: Option<&str>) -> Responder {
        let of_desk = self.desk.as_ref().and_then(|desk| desk.devices.get(device));
        let said = of_desk.and_then(|entry| entry.person.as_deref()).or(person);
        let of_team = self.is_team().then(|| self.person_of(device));
        let person = of_team.as_deref().or(said);
        let vouched = Voucher::Device {
            name: Some(device.to_owned()),
        };
        Responder::new(person, Some(device), vouched)
    }
}

/// Returns the surface on which the answer that is on its way was given.
pub(super) fn place_of(entry: &Entry) -> Surface {
    match &entry.state {
        AskState::Answering { by, .. } => *by,
        AskState::Open | AskState::Settled { .. } => Surface::Api,
    }
}

/// Returns the answer in the form in which it is sent and signed.
pub(super) fn told(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}
