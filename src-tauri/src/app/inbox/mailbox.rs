//! The mailbox, in which rooms post inputs to the loop, wait for its replies, and watch its news.

use super::{AskQuery, FoundAsk, LoopInput};
use crate::app::NameTaken;
use crate::app::snapshot::Bulletin;
use crate::app::snapshot::Snapshot;
use crate::platform::sink::Sink;
use crate::sources::opencode::saved::SavedPermissions;
use beckon_client::wire::{HubView, WindowDraft};
use beckon_core::{AnswerRefusal, AskId, AskView, Entry, Event, Session, SourceId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot};

/// A handle by which rooms post to the loop. It is cheap to clone, and posting never blocks.
#[derive(Clone, Debug)]
pub(crate) struct Mailbox {
    inputs: mpsc::UnboundedSender<LoopInput>,
    bulletins: broadcast::Sender<Arc<Bulletin>>,
}

/// The number of bulletins that a watcher may lag behind. Then it loses the oldest, and is told so.
const BACKLOG: usize = 4_096;
/// The longest time that the reply to an action waits until the action is saved; after that the
/// reply says that it is not. A person does not wait for longer for a command, and most programs
/// lock the database for less.
const SAVED_WITHIN: Duration = Duration::from_secs(3);

impl Mailbox {
    /// Makes a mailbox and the end that the loop reads.
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<LoopInput>) {
        let (inputs, inbox) = mpsc::unbounded_channel();
        let (bulletins, _) = broadcast::channel(BACKLOG);
        (Self { inputs, bulletins }, inbox)
    }

    /// Posts an event. After the loop has ended it is dropped.
    pub(crate) fn post(&self, event: Event) {
        self.input(LoopInput::Event(event));
    }

    /// Returns a sink for a room: what is posted there arrives at the loop wrapped as an input.
    pub(crate) fn sink<T: 'static>(
        &self,
        wrap: impl Fn(T) -> LoopInput + Send + Sync + 'static,
    ) -> Sink<T> {
        let mailbox = self.clone();
        Sink::new(move |report| mailbox.input(wrap(report)))
    }

    /// Posts any input.
    pub(crate) fn input(&self, input: LoopInput) {
        let _ = self.inputs.send(input);
    }

    /// Posts an answer, and waits for the desk's verdict.
    pub(crate) async fn answer(&self, event: Event) -> Result<AskId, AnswerRefusal> {
        let (reply, verdict) = oneshot::channel();
        self.input(LoopInput::Answer(event, reply));
        verdict.await.unwrap_or(Err(AnswerRefusal::Unknown))
    }

    /// Registers a server, and waits for the verdict. If the loop has ended there is no refusal.
    pub(crate) async fn register(
        &self,
        server: beckon_client::config::OpenCodeServer,
    ) -> Result<(), NameTaken> {
        let (reply, verdict) = oneshot::channel();
        self.input(LoopInput::Register(server, reply));
        verdict.await.unwrap_or(Ok(()))
    }

    /// Waits until everything that has happened is saved. Returns false if the disk goes on
    /// refusing.
    pub(crate) async fn is_saved(&self) -> bool {
        let (reply, saved) = oneshot::channel();
        self.input(LoopInput::AwaitSaved(reply));
        matches!(tokio::time::timeout(SAVED_WITHIN, saved).await, Ok(Ok(())))
    }

    /// Whether everything that has happened is saved by now.
    pub(crate) async fn is_saved_now(&self) -> bool {
        let (reply, mut saved) = oneshot::channel();
        self.input(LoopInput::AwaitSaved(reply));

        // The loop takes its inputs in order, so it has replied by now if it is going to.
        self.glance().await;
        saved.try_recv().is_ok()
    }

    /// Returns everything that can be seen.
    pub(crate) async fn look(&self) -> Snapshot {
        let (reply, view) = oneshot::channel();
        self.input(LoopInput::Look(reply));
        view.await.unwrap_or_default()
    }

    /// Returns one open ask of that session.
    pub(crate) async fn of_session(&self, session: &str) -> Option<Entry> {
        let (reply, found) = oneshot::channel();
        self.input(LoopInput::Read(AskQuery::OfSession(
            session.to_owned(),
            reply,
        )));
        found.await.unwrap_or_default()
    }

    /// Returns the open asks in a directory, or in all.
    pub(crate) async fn within(&self, directory: Option<String>) -> Vec<AskView> {
        let (reply, asks) = oneshot::channel();
        self.input(LoopInput::Read(AskQuery::Within(directory, reply)));
        asks.await.unwrap_or_default()
    }

    /// Returns the sessions that ask: one for each open ask.
    pub(crate) async fn sessions(&self) -> Vec<Session> {
        let (reply, sessions) = oneshot::channel();
        self.input(LoopInput::Read(AskQuery::Sessions(reply)));
        sessions.await.unwrap_or_default()
    }

    /// Returns a snapshot without the asks, which costs the same however many there are.
    pub(crate) async fn glance(&self) -> Snapshot {
        let (reply, view) = oneshot::channel();
        self.input(LoopInput::Glance(reply));
        view.await.unwrap_or_default()
    }

    /// Returns the view of the hub.
    pub(crate) async fn hub(&self) -> HubView {
        let (reply, view) = oneshot::channel();
        self.input(LoopInput::LookAtHub(reply));
        view.await.unwrap_or_default()
    }

    /// Leaves the hub, and waits until nothing is published there any more.
    pub(crate) async fn leave_hub(&self) {
        let (reply, left) = oneshot::channel();
        self.input(LoopInput::LeaveHub(reply));
        let _ = left.await;
    }

    /// Returns a snapshot without the asks, after the time of the last input was read again.
    pub(crate) async fn glance_fresh(&self) -> Snapshot {
        self.freshen().await;
        self.glance().await
    }

    /// Returns a snapshot of everything, after the time of the last input was read again.
    pub(crate) async fn look_fresh(&self) -> Snapshot {
        self.freshen().await;
        self.look().await
    }

    async fn freshen(&self) {
        let (done, fresh) = oneshot::channel();
        self.input(LoopInput::Freshen(done));
        let _ = fresh.await;
    }

    /// Returns the asks that a person may mean by a name.
    pub(crate) async fn find(&self, name: &str) -> Vec<FoundAsk> {
        let (reply, found) = oneshot::channel();
        self.input(LoopInput::Find(name.to_owned(), reply));
        found.await.unwrap_or_default()
    }

    /// Returns the ask that has this name.
    pub(crate) async fn named(&self, name: &str) -> Option<FoundAsk> {
        let (reply, found) = oneshot::channel();
        self.input(LoopInput::Named(name.to_owned(), reply));
        found.await.ok().flatten()
    }

    /// Returns access to the permissions that "always" has saved at that source.
    pub(crate) async fn saved(&self, source: &SourceId) -> Option<SavedPermissions> {
        let (reply, saved) = oneshot::channel();
        self.input(LoopInput::Saved(source.clone(), reply));
        saved.await.ok().flatten()
    }

    /// Returns the answers that were begun in a window.
    pub(crate) async fn drafts(&self) -> BTreeMap<AskId, WindowDraft> {
        let (reply, drafts) = oneshot::channel();
        self.input(LoopInput::Drafts(reply));
        drafts.await.unwrap_or_default()
    }

    /// Returns the Beckons that are watched from here, directly or through others.
    pub(crate) async fn reaches(&self) -> BTreeSet<String> {
        let (reply, reaches) = oneshot::channel();
        self.input(LoopInput::Reaches(reply));
        reaches.await.unwrap_or_default()
    }

    /// Returns a receiver of all news from now on.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<Bulletin>> {
        self.bulletins.subscribe()
    }

    /// Sends a bulletin to the watchers. If there are none, it is not even made.
    pub(crate) fn tell(&self, bulletin: impl FnOnce() -> Bulletin) {
        if self.bulletins.receiver_count() > 0 {
            let _ = self.bulletins.send(Arc::new(bulletin()));
        }
    }
}
