//! The HTTP side: paths, the token, scripted faults, and the record.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};

use super::faults::Fault;
use super::methods::Method;
use super::params::Params;
use super::record::{Call, Outcome};
use super::refusal::Refusal;
use super::{Data, TOKEN, World, updates};

pub(super) fn router(world: Arc<World>) -> Router {
    Router::new()
        .fallback(serve)
        .layer(DefaultBodyLimit::disable())
        .with_state(world)
}

/// Serves `/bot<token>/<method>`: <https://core.telegram.org/bots/api#making-requests>.
async fn serve(State(world): State<Arc<World>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let called = path
        .strip_prefix("/bot")
        .and_then(|rest| rest.split_once('/'));
    let Some((token, name)) = called.filter(|(token, _)| token.contains(':')) else {
        return answer(complained(&world, "a path", Refusal::not_found()).json());
    };
    let Some(method) = Method::parse(name) else {
        return answer(complained(&world, name, Refusal::unknown_method()).json());
    };
    let params = match Params::read(request).await {
        Ok(params) => params,
        Err(refusal) => return answer(complained(&world, name, refusal).json()),
    };
    let (call, fault, admitted) = world.lock().arrive(method, &params, token);
    match fault {
        Some(fault) => spoil(&world, call, method, &params, fault).await,
        None if admitted => answer(run(&world, call, method, &params).await),
        None => answer(
            world
                .lock()
                .note(call, method, Err(Refusal::unauthorized())),
        ),
    }
}

/// Executes a call and notes its outcome; returns the whole answer.
async fn run(world: &Arc<World>, call: usize, method: Method, params: &Params) -> Value {
    let result = match method {
        Method::GetUpdates => updates::get_updates(world, params).await,
        _ => method.run(&mut world.lock(), params),
    };
    let mut data = world.lock();
    if let Err(refusal) = &result {
        data.heed(method, params, refusal);
    }
    data.note(call, method, result)
}

async fn spoil(
    world: &Arc<World>,
    call: usize,
    method: Method,
    params: &Params,
    fault: Fault,
) -> Response {
    let response = match fault {
        Fault::TooManyRequests(seconds) => {
            let refusal = Refusal::too_many_requests(seconds);
            world.lock().heed(method, params, &refusal);
            Some(answer(refusal.json()))
        }
        Fault::BadRequest(description) => Some(answer(Refusal::bad_request(description).json())),
        Fault::ServerError(status) => Some(page(status)),
        Fault::Cut => Some(cut(&run(world, call, method, params).await)),
        Fault::DoneThenLate(millis) => {
            let body = run(world, call, method, params).await;
            tokio::time::sleep(Duration::from_millis(millis)).await;
            return answer(body);
        }
        Fault::HalfEmoji => {
            let body = run(world, call, method, params).await.to_string();
            Some(changed(
                &body,
                "\"first_name\":\"",
                "\"first_name\":\"\\ud83d",
            ))
        }
        Fault::NoDates => {
            let body = run(world, call, method, params).await.to_string();
            Some(changed(&body, "\"date\":", "\"no_date\":"))
        }
        Fault::DoneThenHang => {
            run(world, call, method, params).await;
            None
        }
        Fault::Hang => None,
    };
    world.lock().calls[call].outcome = Outcome::Spoilt(fault);
    match response {
        Some(response) => response,
        None => std::future::pending().await,
    }
}

/// Makes the HTTP response, whose status is the error's code.
fn answer(body: Value) -> Response {
    let code = body["error_code"]
        .as_u64()
        .and_then(|code| u16::try_from(code).ok());
    (
        StatusCode::from_u16(code.unwrap_or(200)).unwrap(),
        Json(body),
    )
        .into_response()
}

/// Returns the page that the proxies in front of the Bot API show when it is not there.
fn page(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    let body = format!(
        "<html>\r\n<head><title>{status}</title></head>\r\n<body>\r\n<center><h1>{status}</h1></center>\r\n\
         <hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n"
    );
    (status, [(header::CONTENT_TYPE, "text/html")], body).into_response()
}

/// Returns the answer with a text replaced, after which it need not be JSON any more.
fn changed(body: &str, from: &str, to: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, body.replace(from, to)).into_response()
}

/// Returns the first half of an answer whose headers promise the whole.
fn cut(body: &Value) -> Response {
    let whole = body.to_string();
    let half = Bytes::copy_from_slice(&whole.as_bytes()[..whole.len() / 2]);
    let parts = [Ok(half), Err(std::io::Error::other("cut on script"))];
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_LENGTH, whole.len().to_string()),
    ];
    (headers, Body::from_stream(stream::iter(parts))).into_response()
}

fn complained(world: &World, name: &str, refusal: Refusal) -> Refusal {
    let text = format!("{name}: {}", refusal.description);
    world.lock().complain(text);
    refusal
}

impl Data {
    /// Notes a call before it is executed; returns its place in the record, its fault, and whether
    /// the token is good.
    fn arrive(
        &mut self,
        method: Method,
        params: &Params,
        token: &str,
    ) -> (usize, Option<Fault>, bool) {
        let unknown = params
            .values
            .keys()
            .filter(|name| !method.takes(name))
            .cloned();
        for name in unknown.collect::<Vec<_>>() {
            self.complain(format!("{method:?}: there is no parameter {name:?}"));
        }
        if let Some(early) = self
            .rates
            .impatience(&patience_key(method, params), self.clock.now())
        {
            self.complain(format!(
                "{method:?}: {early:?} before the end of retry_after"
            ));
        }
        self.calls.push(Call {
            method,
            params: params.values.clone(),
            at: Instant::now(),
            answered: None,
            outcome: Outcome::Open,
        });
        let admitted = token == TOKEN && !self.revoked;
        let fault = if admitted {
            self.faults.next(method)
        } else {
            None
        };
        (self.calls.len() - 1, fault, admitted)
    }

    /// Remembers that the client was told to wait.
    fn heed(&mut self, method: Method, params: &Params, refusal: &Refusal) {
        if let Some(seconds) = refusal.parameters["retry_after"].as_u64() {
            let until = self.clock.now() + Duration::from_secs(seconds);
            self.rates
                .ask_for_patience(&patience_key(method, params), until);
        }
    }

    /// Notes the outcome; returns the whole answer.
    fn note(&mut self, call: usize, method: Method, result: Result<Value, Refusal>) -> Value {
        let (outcome, body) = match result {
            Ok(result) => (
                Outcome::Done(result.clone()),
                json!({ "ok": true, "result": result }),
            ),
            Err(refusal) => {
                let body = refusal.json();
                if refusal.mistake {
                    self.complain(format!("{method:?}: {}", refusal.description));
                }
                (Outcome::Refused(refusal.code, refusal.description), body)
            }
        };
        let call = &mut self.calls[call];
        call.answered = Some(Instant::now());
        call.outcome = outcome;
        body
    }
}

/// Returns the key under which a pause is noted: the chat, or the method for calls without a chat.
fn patience_key(method: Method, params: &Params) -> String {
    params
        .text("chat_id")
        .map_or_else(|| format!("{method:?}"), ToOwned::to_owned)
}
