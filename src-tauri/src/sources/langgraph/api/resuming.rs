//! Sends an answer: the thread is read right before, and resumed if it still waits for that.

use super::LangGraphApi;
use crate::sources::http::{BODY_WITHIN, json, reason, refusal_text};
use crate::sources::interrupts::wire::detail;
use crate::sources::langgraph::wire::{self, ListedThread, ThreadStand};
use beckon_client::platform::percent::segment;
use beckon_core::{Answer, Ask, DeliveryFailure, ReturnReason};
use reqwest::{Method, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

impl LangGraphApi {
    /// Resumes the thread, if it still waits for that ask.
    pub(in crate::sources::langgraph) async fn resume(
        &self,
        ask: &Ask,
        answer: &Answer,
    ) -> Result<(), DeliveryFailure> {
        let path = format!("/threads/{}", segment(&ask.session.id));
        let thread: ListedThread = self.look(&path).await?;
        if wire::is_breakpoint(ask) {
            return self.leave_breakpoint(ask, &thread, answer).await;
        }
        let pending = thread.find(ask).ok_or(DeliveryFailure::NotFound)?;
        let value = wire::value(ask, pending, answer)?;
        let resume = thread.resume(pending, value)?;
        self.run(&thread, json!({ "command": { "resume": resume } }))
            .await
    }

    /// Leaves a breakpoint: the thread goes on with no new input, or its graph is ended.
    async fn leave_breakpoint(
        &self,
        ask: &Ask,
        thread: &ListedThread,
        answer: &Answer,
    ) -> Result<(), DeliveryFailure> {
        let path = format!("/threads/{}/state", segment(thread.id()));
        let stand: ThreadStand = self.look(&path).await?;
        if stand.own().as_ref() != Some(&ask.id.own) {
            return Err(DeliveryFailure::NotFound);
        }
        match answer {
            Answer::Continue => self.run(thread, json!({ "input": null })).await,
            _ => {
                let end = json!({ "values": null, "as_node": "__end__" });
                self.taken(self.sent(Method::POST, &path, Some(end)).await)
                    .await
            }
        }
    }

    async fn look<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<T, DeliveryFailure> {
        let sent = self.sent(Method::GET, path, None).await;
        let response = sent.map_err(|error| DeliveryFailure::Other(reason(&error)))?;
        match response.status() {
            StatusCode::OK => {
                let read = json(response, BODY_WITHIN).await;
                read.map_err(|error| DeliveryFailure::Other(error.to_string()))
            }
            _ => Err(refusal(response).await),
        }
    }

    /// Starts a run that resumes the thread. `reject` makes the server refuse it while another run
    /// is under way: queued behind that, it would meet whatever the other run leads to.
    async fn run(&self, thread: &ListedThread, how: Value) -> Result<(), DeliveryFailure> {
        let mut run = how;
        run["assistant_id"] = json!(thread.assistant());
        run["multitask_strategy"] = json!("reject");
        let path = format!("/threads/{}/runs", segment(thread.id()));
        self.taken(self.sent(Method::POST, &path, Some(run)).await)
            .await
    }

    async fn taken(&self, sent: reqwest::Result<Response>) -> Result<(), DeliveryFailure> {
        match sent {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(refusal(response).await),
            Err(error) if error.is_connect() => Err(DeliveryFailure::Other(reason(&error))),
            Err(_) => Err(DeliveryFailure::Returned(ReturnReason::Unproven)),
        }
    }
}

async fn refusal(response: Response) -> DeliveryFailure {
    match response.status() {
        StatusCode::UNAUTHORIZED => DeliveryFailure::Returned(ReturnReason::Unauthorized),
        StatusCode::FORBIDDEN => DeliveryFailure::Returned(ReturnReason::Forbidden),
        StatusCode::NOT_FOUND => DeliveryFailure::NotFound,
        // These come from a proxy or a limiter that has not even looked at the answer; 409 comes
        // while another run of the thread ends.
        status @ (StatusCode::CONFLICT
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE) => {
            DeliveryFailure::Other(format!("it answers {status}"))
        }
        status => {
            let text = detail(&refusal_text(response).await);
            DeliveryFailure::Returned(ReturnReason::Refused(format!("{status}: {text}")))
        }
    }
}
