//! The delivery of an answer: whether it may go, and what follows from the server's reply. It is
//! sent in `api`.

use super::{LangGraphCommand, LangGraphWatch};
use crate::platform::part;
use crate::sources::arrival::ClockMoment;
use beckon_core::{Answer, AskId, DeliveryFailure, Entry, SourceFault, SourceReport};

impl LangGraphWatch {
    pub(super) fn deliver(&mut self, entry: Entry, answer: Answer) {
        if let Err(returned) = self.arrivals.may_send(&entry, ClockMoment::now()) {
            let (own, failure) = (entry.ask.id.own, DeliveryFailure::Returned(returned));
            return self.reporter.tell(SourceReport::NotSent { own, failure });
        }
        self.answered
            .insert(entry.ask.id.own.clone(), entry.ask.clone());
        let (api, again, ask) = (self.api.clone(), self.again.clone(), entry.ask);
        part::spawn(async move {
            let sent = api.resume(&ask, &answer).await;
            if let Some(again) = again.upgrade() {
                let _ = again.send(LangGraphCommand::Delivered(ask.id, sent));
            }
        });
    }

    pub(super) fn on_delivered(&mut self, ask: AskId, sent: Result<(), DeliveryFailure>) {
        let own = ask.own.clone();
        self.answered.remove(&own);
        match sent {
            Ok(()) => {
                self.arrivals.arrived(&ask);
                self.reporter.tell(SourceReport::Sent { own });
            }
            Err(failure) => {
                tracing::debug!(%ask, ?failure, "an answer was not delivered");
                match &failure {
                    DeliveryFailure::Other(why)
                    | DeliveryFailure::Unanswered(why)
                    | DeliveryFailure::Refused(why) => {
                        self.arrivals.kept(&ask, SourceFault::Other(why.clone()));
                    }
                    DeliveryFailure::NotFound | DeliveryFailure::Returned(_) => {
                        self.arrivals.over(&ask)
                    }
                }
                self.reporter.tell(SourceReport::NotSent { own, failure });
            }
        }
    }
}
