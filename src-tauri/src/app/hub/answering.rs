//! Answers that are given here to asks of other machines: on their way out, and what became of them.

use super::*;
use crate::hub::{OutgoingAnswer, Publication};
use beckon_core::hub::{AnswerSubject, Published, Sending};
use beckon_core::{Answer, ReturnReason};

impl App {
    pub(super) fn send_answer(&mut self, entry: &Entry, answer: &Answer) {
        let id = &entry.ask.id;
        let Some(hub) = self.hub.as_mut().filter(|hub| hub.is_connected()) else {
            let failure = DeliveryFailure::Other("the hub is not connected".into());
            let report = SourceReport::NotSent { own: id.own.clone(), failure };
            return self.tell_desk(&id.source, report);
        };
        let text = told(answer);
        match hub.remote.send(entry, |to| hub.owner.sender().nonce(to, &text)) {
            Sending::Publish { to, shown, again } => {
                let by = entry.responder.as_ref();
                let record = hub.owner.sender().record(&to, shown, text, by);
                let ask = Some(id.clone());
                hub.tell(HubCommand::Answer(OutgoingAnswer { ask, to, record, again }));
            }
            Sending::Nothing(report) => self.tell_desk(&id.source, report),
        }
    }

    pub(super) fn on_published(&mut self, ask: AskId, to: &AnswerSubject, end: Publication) {
        let Some(hub) = &mut self.hub else { return };
        let end = match end {
            Publication::Kept => Published::Kept,
            Publication::Lost => Published::Lost,
            Publication::Unknown(why) => Published::Unknown(why),
            Publication::NoKey(why) => {
                hub.no_key = Some(why);
                let reason = self.texts.get("hub-no-key");
                Published::Impossible(ReturnReason::Refused(reason))
            }
        };
        if let Some(report) = hub.remote.published(&ask, to, end) {
            self.tell_desk(&ask.source, report);
        }
    }

    /// Answers of an earlier run are on their way still.
    pub(super) fn expect_sent(&mut self) {
        let sources = self.hub_sources();
        let Some(hub) = &mut self.hub else { return };
        for entry in sources.iter().flat_map(|source| self.desk.entries_of(source)) {
            let nonce =
                |to: &AnswerSubject, answer: &Answer| hub.owner.sender().nonce(to, &told(answer));
            hub.remote.expect(entry, nonce);
        }
    }

    pub(super) fn tell_desk(&mut self, source: &SourceId, report: SourceReport) {
        self.on_source_report(crate::sources::Report::event(Event::Source(source.clone(), report)));
    }
}

/// As it travels, and is signed.
pub(super) fn told(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}
