//! The loop's handling of updates from Telegram, and of its set-up.

use super::*;
use beckon_core::ChannelView;

impl App {
    /// Takes a batch of updates. It is committed together with the offset that acknowledges it: an
    /// answer is never lost between the two, and never taken twice.
    pub(super) fn take_updates(&mut self, batch: telegram::UpdateBatch) {
        let now = clock::now();
        let (mut whole, mut replies, mut cards) = (Step::default(), Vec::new(), Vec::new());
        let (updates, mut pairings) = self.channels.telegram.take_batch(&batch);
        for heard in updates {
            let adopted = self
                .channels
                .telegram
                .adopt(&heard, ChannelView::of(&self.desk, now));
            if let Some(event) = adopted {
                cards.extend(telegram_card(&event).cloned());
                whole.append(self.decide(event, now));
            }
            match self
                .channels
                .telegram
                .dispatch(&heard, ChannelView::of(&self.desk, now))
            {
                Reaction::Nothing => {}
                Reaction::Enter(entries) => pairings.extend(entries),
                Reaction::Tell(event) => {
                    let mut step = self.decide(event, now);
                    let verdict = step.verdict.take();
                    log_verdict(&heard, verdict.as_ref());
                    replies.push((heard, verdict));
                    whole.append(step);
                }
            }
        }
        if self.commit(&whole, &pairings, now) {
            let _ = batch.committed.send(());
        }
        self.tell_once_saved();
        self.carry_out(whole, now);
        cards.iter().for_each(|ask| self.publish_card(ask));
        for (heard, verdict) in replies {
            let view = ChannelView::of(&self.desk, now);
            self.channels.telegram.reply(&heard, verdict.as_ref(), view);
        }
        self.tell_once_saved();
    }

    /// Tells people on Telegram what they have done, as soon as that is saved. If the disk goes on
    /// refusing, they are told so.
    pub(super) fn tell_once_saved(&mut self) {
        let words = self.channels.telegram.take_held_words();
        if words.is_empty() {
            return;
        }
        if self.is_all_saved() {
            self.channels.telegram.say_held_words(words, true);
            return;
        }

        let mailbox = self.mailbox.clone();
        tokio::spawn(async move {
            let is_saved = mailbox.is_saved().await;
            mailbox.input(LoopInput::HeldWords { words, is_saved });
        });
    }

    /// Tells Telegram's list what was said of presence, wherever it was said.
    pub(super) fn tell_standing(&mut self, now: Timestamp) {
        let view = self.desk.outline(now);
        let said = (view.presence.standing.said, view.presence.said_until);
        let telegram = &mut self.channels.telegram;
        telegram.note_standing(said, view.paused_until);
    }

    pub(super) fn on_telegram(&mut self, report: telegram::TelegramReport) {
        self.tell_standing(clock::now());
        self.telling_windows(|app| match report {
            telegram::TelegramReport::Updates(batch) => app.take_updates(batch),
            report => {
                app.tell_of_polls(&report);
                let pairings = app.channels.telegram.on_report(report);
                app.commit(&Step::default(), &pairings, clock::now());
                app.tell_bot();
                app.draw_at.get_or_insert(Instant::now() + DRAW_AFTER);
            }
        });
    }

    pub(super) fn set_up(&mut self, wish: SetUp) {
        self.telling_windows(|app| app.carry_out_set_up(wish));
    }

    /// Makes a change, and has the windows drawn again if it changed the bot or who is paired: they
    /// show both, and there is no news of either.
    fn telling_windows(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.channels.telegram.view(clock::now());
        change(self);
        if self.channels.telegram.view(clock::now()) != before {
            self.opener.changed();
        }
    }

    fn carry_out_set_up(&mut self, wish: SetUp) {
        match wish {
            SetUp::Reload => {
                self.channels.telegram.reload(None);
                self.tell_bot();
            }
            SetUp::Test(reply) => _ = reply.send(self.channels.telegram.test()),
            SetUp::Pair(reply) => _ = reply.send(self.channels.telegram.pair(clock::now())),
            SetUp::Unpair(id, reply) => {
                let pairings = self.channels.telegram.unpair(id);
                let known = pairings.is_some();
                self.commit(
                    &Step::default(),
                    &pairings.unwrap_or_default(),
                    clock::now(),
                );
                self.tell_once_saved();
                let _ = reply.send(known);
            }
        }
    }
}

/// Returns the ask whose card the event reports as shown.
fn telegram_card(event: &Event) -> Option<&AskId> {
    match event {
        Event::Shown { ask, .. } => Some(ask),
        _ => None,
    }
}

/// Logs the verdict on an update: one link in the chain from a tap to the agent. The answer itself
/// is not logged.
fn log_verdict(heard: &telegram::IncomingUpdate, verdict: Option<&Result<AskId, AnswerRefusal>>) {
    let update = heard.update;
    match verdict {
        Some(Ok(ask)) => tracing::debug!(update, %ask, "it is for that ask"),
        Some(Err(_)) => tracing::debug!(update, "it was not taken"),
        None => {}
    }
}
