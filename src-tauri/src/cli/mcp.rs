//! The command `beckon mcp`: an MCP server on stdio, so that any agent with MCP can ask its human.
//! The tools are here; the questions that are open meanwhile, in `mcp/tickets.rs`.
//!
//! Stdout belongs to the protocol. What the tools say is read by a model, not by a person, so it is
//! here and not among the texts.

mod arguments;
mod tickets;
mod transport;

use super::ask::origin;
use super::ask::waiting::interrupted;
use super::{CommandContext, CommandResult, output};
use crate::api::{AskerBody, NotifyBody, QuestionBody, new_id};
use crate::platform::stdout;
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use anyhow::Context as _;
use arguments::Given;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::{AskedState, LocalAskStatus, NotifyResult};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, ProgressNotificationParam};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};
use serde_json::json;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tickets::{TicketBox, WaitOutcome};
use transport::LineTransport;

/// A client that wants no progress may give a call up after 60 s, as the official SDKs do; before
/// that it gets a ticket.
const PATIENCE: Duration = Duration::from_secs(45);
/// How long until a client that wants progress is told again that the call still lives.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);
/// How long the answers that are due may take to be written after the client has closed stdin.
const LAST_WORDS_WITHIN: Duration = Duration::from_secs(2);
/// Longer than a human sleeps; no sum with it overflows.
const FOR_EVER: Duration = Duration::from_secs(365 * 86_400);

#[derive(Clone, Debug)]
struct McpServer {
    paths: Paths,
    tickets: Arc<TicketBox>,
}

/// Asks a human one question.
#[derive(Debug, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct AskUser {
    /// The whole question. The user sees nothing else of the conversation.
    question: String,
    /// The choices to pick from. Leave them out for an open question.
    #[schemars(default)]
    choices: Vec<McpChoice>,
    /// Several choices may be picked.
    #[schemars(default)]
    multiple: bool,
    /// The user may write an answer of their own; true unless said otherwise.
    #[schemars(default = "yes")]
    free_text: bool,
    /// Return "pending" with a ticket when there is no answer after so many seconds.
    wait_seconds: Option<u64>,
}

/// One choice.
#[derive(Debug, schemars::JsonSchema)]
// Not every client follows references.
#[schemars(crate = "rmcp::schemars", inline)]
struct McpChoice {
    /// A few words; this is what comes back when it is picked.
    label: String,
    /// A sentence about it.
    #[schemars(default)]
    description: String,
}

/// Asks for the answer to an earlier question.
#[derive(Debug, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct CheckAnswer {
    /// The ticket that `ask_user` returned.
    ticket: String,
    /// Return "pending" again when there is no answer after so many seconds.
    wait_seconds: Option<u64>,
}

/// Tells a human something.
#[derive(Debug, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct NotifyUser {
    /// The text of the message.
    message: String,
    /// A few words above it.
    title: Option<String>,
}

fn yes() -> bool {
    true
}

// A client may let its human confirm each tool that changes something; Codex does so in its terminal,
// where nobody is who is to be asked. These tools only ask and tell that human.
#[tool_router]
impl McpServer {
    /// Ask the user a question and wait for the answer. It reaches them as a desktop notification, or
    /// on their phone when they are away. Returns state "answered" with the answers (and, as replies,
    /// the indices of the choices, from 0), "dismissed" when the user will not answer, or "pending" with a ticket: then call `check_answer`. Never
    /// go on as if an unanswered question had been answered.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        open_world_hint = false
    ))]
    async fn ask_user(
        &self,
        Parameters(given): Parameters<Given<AskUser>>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        let asked = match given.read() {
            Ok(asked) => asked,
            Err(unclear) => return unclear.result(),
        };
        let wait = asked.wait_seconds;
        let ticket = self
            .tickets
            .ask(&self.paths, asking(asked, client(&context)));
        self.wait(&ticket, wait, &context).await
    }

    /// Wait for the answer to a question that `ask_user` left pending.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        open_world_hint = false
    ))]
    async fn check_answer(
        &self,
        Parameters(given): Parameters<Given<CheckAnswer>>,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        match given.read() {
            Ok(check) => self.wait(&check.ticket, check.wait_seconds, &context).await,
            Err(unclear) => unclear.result(),
        }
    }

    /// Tell the user something that needs no answer.
    #[tool(annotations(
        read_only_hint = true,
        destructive_hint = false,
        open_world_hint = false
    ))]
    async fn notify_user(
        &self,
        Parameters(given): Parameters<Given<NotifyUser>>,
    ) -> CallToolResult {
        let NotifyUser { message, title } = match given.read() {
            Ok(said) => said,
            Err(unclear) => return unclear.result(),
        };
        let said = NotifyBody {
            title: title.unwrap_or_default(),
            message,
        };
        match notify(&self.paths, &said).await {
            Ok(noted) => CallToolResult::structured(json!({ "shown": noted.shown })),
            Err(refused) => failed(&refused),
        }
    }

    /// Waits for the end while the client is told that the call lives. A call that the client gives
    /// up takes its question with it.
    async fn wait(
        &self,
        ticket: &str,
        seconds: Option<u64>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let hears_progress = context.meta.get_progress_token().is_some();
        let patience = match seconds {
            Some(seconds) => Duration::from_secs(seconds).min(FOR_EVER),
            None if hears_progress => FOR_EVER,
            None => PATIENCE,
        };
        tokio::select! {
            waited = self.tickets.wait(&self.paths, ticket, patience) => result(ticket, waited),
            () = tell_progress(context) => result(ticket, WaitOutcome::Pending),
            () = context.ct.cancelled() => {
                self.tickets.withdraw(&self.paths, ticket).await;
                CallToolResult::error(vec![ContentBlock::text("The question was withdrawn.")])
            }
        }
    }
}

// Without these its name and version would be those of the library.
#[tool_handler(name = "beckon")]
impl ServerHandler for McpServer {}

/// Tells the client that the call goes on, and ends only with the connection.
async fn tell_progress(context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    let mut ticks = tokio::time::interval(PROGRESS_EVERY);
    let mut told = 0.0;
    loop {
        ticks.tick().await;
        let progress = ProgressNotificationParam::new(token.clone(), told)
            .with_message("Waiting for the user to answer");
        if context.peer.notify_progress(progress).await.is_err() {
            return;
        }
        told += 1.0;
    }
}

/// Returns the program that speaks MCP with us, as it calls itself.
fn client(context: &RequestContext<RoleServer>) -> Option<String> {
    let about = context.client_info()?;
    let title = about.title.filter(|title| !title.trim().is_empty());
    Some(title.unwrap_or(about.name)).filter(|name| !name.trim().is_empty())
}

fn asking(asked: AskUser, agent: Option<String>) -> QuestionBody {
    let option = |choice: McpChoice| OptionInfo {
        label: choice.label,
        description: choice.description,
    };
    let question = QuestionInfo {
        question: asked.question,
        header: String::new(),
        options: asked.choices.into_iter().map(option).collect(),
        multiple: Some(asked.multiple),
        custom: Some(asked.free_text),
    };
    let asker = AskerBody {
        id: Some(new_id()),
        agent,
        directory: origin::directory(),
        pid: Some(std::process::id()),
        ..AskerBody::default()
    };
    QuestionBody {
        questions: vec![question],
        limits: Vec::new(),
        asker,
    }
}

async fn notify(paths: &Paths, said: &NotifyBody) -> Result<NotifyResult, ClientError> {
    Client::new(paths)?
        .post("/notify", said, Duration::ZERO)
        .await
}

fn result(ticket: &str, waited: WaitOutcome) -> CallToolResult {
    match waited {
        WaitOutcome::Pending => CallToolResult::structured(json!({
            "state": "pending",
            "ticket": ticket,
            "next": "The user has not answered yet. Call check_answer with this ticket.",
        })),
        WaitOutcome::Ended(asked) => ended(&asked),
        WaitOutcome::Failed(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
    }
}

fn ended(asked: &LocalAskStatus) -> CallToolResult {
    let answers: Vec<&String> = asked.answers.iter().flatten().flatten().collect();
    CallToolResult::structured(match asked.state {
        AskedState::Answered => {
            json!({ "state": "answered", "answers": answers, "replies": asked.replies })
        }
        state => json!({ "state": state, "next": "There is no answer to this question." }),
    })
}

fn failed(refused: &ClientError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(refused.to_string())])
}

pub(super) async fn run(context: &CommandContext) -> CommandResult {
    let server = McpServer {
        paths: context.paths.clone(),
        tickets: Arc::default(),
    };
    let tickets = server.tickets.clone();
    let lines = LineTransport::new(tokio::io::stdin(), tokio::io::stdout());
    let input_ended = lines.ended();
    let running = server.serve(lines).await;
    let running = running.context("Failed to speak MCP on stdin and stdout")?;
    let mut running = pin!(running.waiting());

    // The library waits for the calls under way before it ends, and these wait for a human. A
    // client that closes stdin needs no answer any more, so the questions go first. One that has
    // died may leave stdin open in the hands of a wrapper
    // (<https://github.com/web-infra-dev/midscene/pull/2157>): then nobody reads any more.
    let ended = tokio::select! {
        ended = &mut running => Some(ended),
        () = input_ended.notified() => None,
        () = output::client_goes() => None,
        () = interrupted() => None,
    };
    tickets.withdraw_all(&context.paths).await;

    match ended {
        Some(ended) => _ = ended.context("Failed to go on speaking MCP")?,
        None if stdout::has_lost_its_reader() => {}
        // Other answers that were asked for are still written, for a client that reads on.
        None => _ = tokio::time::timeout(LAST_WORDS_WITHIN, running).await,
    }
    Ok(ExitCode::SUCCESS)
}
