//! Rows that the disk refuses for the moment: when saving is tried again, who waits for it, and
//! what a person is told meanwhile. The rows themselves are kept in the store until then.

use super::*;
use anyhow::Result;
use tokio::sync::oneshot;

/// The state of what is not saved.
#[derive(Debug, Default)]
pub(super) struct Unsaved {
    /// The warning that is shown as long as the disk refuses.
    warning: Option<Warning>,
    /// Callers that have done something, and are told when it is saved.
    waiters: Vec<oneshot::Sender<()>>,
}

impl Unsaved {
    /// Returns what a person should know, as long as something is not saved.
    pub(super) fn warning(&self) -> Option<&Warning> {
        self.warning.as_ref()
    }
}

impl App {
    /// Returns how long it is until saving is tried again.
    pub(super) fn saving_due(&self) -> Option<Duration> {
        let at = self.store.next_attempt()?;
        Some(at.saturating_duration_since(Instant::now()))
    }

    /// Tries to save what the disk has refused, when that is due.
    pub(super) fn save_again_if_due(&mut self) {
        let is_due = self.saving_due().is_some_and(|pause| pause.is_zero());
        if !is_due {
            return;
        }

        let saved = self.store.save_again();
        if saved.is_ok()
            && let Some(hub) = &self.hub
        {
            hub.noted();
        }
        self.note_saving(saved);
    }

    /// Tries to save for some seconds, at the end, when nobody waits for the loop any more.
    pub(super) fn save_before_end(&mut self) {
        if self.store.refusal().is_none() {
            return;
        }

        tracing::info!("ending: what the disk has refused is tried for some seconds more");
        let saved = self.store.save_before_end();
        self.note_saving(saved);
    }

    /// Notes how a commit went, and returns whether all is saved.
    pub(super) fn note_saving(&mut self, committed: Result<()>) -> bool {
        match committed {
            Ok(()) => {
                self.note_saved();
                true
            }
            Err(error) => {
                self.note_unsaved(&error);
                false
            }
        }
    }

    fn note_saved(&mut self) {
        // A step without rows counts as saved even while others wait.
        if self.store.refusal().is_some() {
            return;
        }

        if self.unsaved.warning.take().is_some() {
            tracing::info!("what the disk had refused is saved");
            self.opener.changed();
        }
        for waiter in self.unsaved.waiters.drain(..) {
            // A caller that has given up waiting has said so already.
            let _ = waiter.send(());
        }
    }

    fn note_unsaved(&mut self, error: &anyhow::Error) {
        let reason = format!("{error:#}");
        // A step that can never be saved is not kept, and its warning stays until the next start.
        if self.store.refusal().is_none() {
            tracing::warn!(error = reason, "a step can't be saved");
            self.on_amiss(Warning::NotSaved(reason));
            return;
        }

        if self.unsaved.warning.is_none() {
            tracing::warn!(
                error = reason,
                "the database can't be written: it is tried again"
            );
        }
        let warning = Some(Warning::NotSaved(reason));
        if self.unsaved.warning != warning {
            self.unsaved.warning = warning;
            self.opener.changed();
        }
    }

    /// Whether all that has happened is saved.
    pub(super) fn is_all_saved(&self) -> bool {
        self.store.refusal().is_none()
    }

    /// Says at this machine that a press counts and is not saved, if the disk goes on refusing. No
    /// agent's server knows the answer to an ask through Beckon itself, so it has to be saved.
    pub(super) fn tell_unless_saved(&self, pressed: &AskId) {
        if pressed.source.0 != config::LOCAL_ASKS || self.is_all_saved() {
            return;
        }

        let mailbox = self.mailbox.clone();
        tokio::spawn(async move {
            if !mailbox.is_saved().await {
                mailbox.input(LoopInput::PressNotSaved);
            }
        });
    }

    /// Replies when all that has happened is saved.
    pub(super) fn await_saved(&mut self, saved: oneshot::Sender<()>) {
        if self.is_all_saved() {
            let _ = saved.send(());
            return;
        }
        self.unsaved.waiters.retain(|waiter| !waiter.is_closed());
        self.unsaved.waiters.push(saved);
    }
}
