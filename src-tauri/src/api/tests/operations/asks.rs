//! The operations that only Beckons and its own programs use.

use super::super::operation::{Operation, delete, get, post};
use crate::api::answers::WaitQuery;
use crate::api::history::{ExportQuery, HistoryQuery};
use crate::api::local_asks::ReceiptBody;
use crate::api::notify::NotifyBody;
use crate::api::presence::PresenceBody;
use crate::api::reads::{DirectoryQuery, StatusQuery};
use crate::api::servers::{RegisteredName, RegistrationBody};
use crate::api::windows::{FocusBody, PauseBody};
use crate::sources::opencode::peer::PeerRequest;
use beckon_client::wire::{
    Activity, AlwaysGrant, AnswerBody, AttentionBody, HistoryPage, ListedAsk, NotifyResult,
    OpenedSession, PageRequest, PresenceStatus, RegisteredServer, Status, Verdict, WatchLine,
    WindowDraft, WindowMessage, WindowSnapshot,
};
use beckon_core::{LoginSession, SecondStart};
use std::collections::BTreeMap;

pub(super) fn operations() -> Vec<Operation> {
    [reads(), answers(), acts(), history(), windows()]
        .into_iter()
        .flatten()
        .collect()
}

fn reads() -> Vec<Operation> {
    vec![
        get("/watch", "Tells what happens to asks, sources and presence")
            .streams::<WatchLine>("A line in the `data` of each event, until the reader lags."),
        get("/status", "Tells how Beckon stands")
            .query::<StatusQuery>()
            .answers::<Status>(),
        get("/list", "Lists what waits for its human").answers::<Vec<ListedAsk>>(),
        get(
            "/show/{id}",
            "Shows one of them; the beginning of its id is enough",
        )
        .answers::<ListedAsk>()
        .refuses(&[404, 410]),
        get("/ask", "Lists what OpenCode's dialect has no word for")
            .query::<DirectoryQuery>()
            .answers::<Vec<PeerRequest>>(),
    ]
}

fn answers() -> Vec<Operation> {
    vec![
        received(post(
            "/question/{id}/receipt",
            "Says what became of a question's answer",
        )),
        received(post(
            "/permission/{id}/receipt",
            "Says what became of a permission's answer",
        )),
        post(
            "/answer/{id}",
            "Answers by index, and tells whether the agent has taken it",
        )
        .query::<WaitQuery>()
        .takes::<AnswerBody>()
        .answers::<Verdict>()
        .refuses(&[404, 409, 502]),
        post(
            "/attention/{id}",
            "Says that its human has seen it, snoozes it, or wants it again",
        )
        .takes::<AttentionBody>()
        .answers::<ListedAsk>()
        .refuses(&[404, 409, 410]),
        post(
            "/open/{id}",
            "Brings the place where its session runs to the front",
        )
        .answers::<OpenedSession>()
        .refuses(&[404, 409]),
    ]
}

fn received(operation: Operation) -> Operation {
    operation
        .takes::<ReceiptBody>()
        .answers::<bool>()
        .refuses(&[400, 404, 409, 503])
}

fn acts() -> Vec<Operation> {
    vec![
        post("/notify", "Tells the human something that needs no answer")
            .takes::<NotifyBody>()
            .answers::<NotifyResult>(),
        post("/presence", "Says where the human is")
            .takes::<PresenceBody>()
            .answers::<PresenceStatus>(),
        get(
            "/servers",
            "Lists the servers that have registered themselves",
        )
        .answers::<Vec<RegisteredServer>>(),
        post("/servers", "Registers a server, which is watched then")
            .takes::<RegistrationBody>()
            .answers_when::<RegisteredName>(201, "It is known by that name.")
            .refuses(&[409]),
        post(
            "/show",
            "Tells that a second Beckon was started, and in which login",
        )
        .takes::<LoginSession>()
        .answers::<SecondStart>(),
        post(
            "/pause",
            "Lets nothing ring for a while, or everything again",
        )
        .takes::<PauseBody>()
        .answers::<bool>(),
    ]
}

fn history() -> Vec<Operation> {
    vec![
        get("/history", "Searches what is over, the newest first")
            .query::<HistoryQuery>()
            .answers::<HistoryPage>()
            .refuses(&[500]),
        get(
            "/history/activity",
            "Sums up how long agents waited on the last seven days",
        )
        .answers::<Activity>()
        .refuses(&[500]),
        get("/history/always", "Lists what was always allowed from here")
            .answers::<Vec<AlwaysGrant>>()
            .refuses(&[500]),
        delete(
            "/history/always/{serial}",
            "Takes one of them back at its agent's server",
        )
        .numbered()
        .answers_when::<Vec<AlwaysGrant>>(200, "The list, as it is then.")
        .refuses(&[404, 409, 500, 502]),
        get(
            "/history/export",
            "Gives the whole history as the text of a file",
        )
        .query::<ExportQuery>()
        .answers::<String>()
        .refuses(&[500]),
    ]
}

fn windows() -> Vec<Operation> {
    vec![
        get(
            "/windows/wish",
            "Tells the window program which pages are wanted",
        )
        .streams::<WindowMessage>("A message in the `data` of each event.")
        .refuses(&[503]),
        post("/windows/open", "Opens a page")
            .takes::<PageRequest>()
            .answers_when::<bool>(200, "Whether a window comes.")
            .refuses(&[404]),
        post(
            "/windows/focus",
            "Says whether the answer window has the keyboard; meanwhile no new notification comes up",
        )
        .takes::<FocusBody>()
        .answers::<bool>(),
        get("/windows/view", "Gives all that a window shows").answers::<WindowSnapshot>(),
        get(
            "/windows/drafts",
            "Gives what was typed into windows, by the ids of the asks",
        )
        .answers::<BTreeMap<String, WindowDraft>>(),
        post("/windows/drafts/{id}", "Keeps what was typed into a window")
            .takes::<WindowDraft>()
            .answers::<bool>()
            .refuses(&[404, 410, 500]),
    ]
}
