//! The list of all that is to be done after a step: the desk's effects, and then what its news mean
//! for rooms of which the desk knows nothing.

use super::{App, saved};
use crate::sources::selftest;
use beckon_client::text::words;
use beckon_core::{
    AskId, AskState, Effect, Entry, Event, LateAnswer, News, Outcome, Reach, SourceReport, Step,
    Surface, Timestamp,
};

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LoopEffect {
    /// An effect that the desk has asked for.
    Desk(Effect),
    /// The presence file says where the human is now.
    MarkPresence,
    /// The log says that an answer is not taken, and why.
    WarnUndelivered(AskId),
    /// The desktop takes back its note that the answer was not delivered.
    EndUndelivered(AskId),
    /// The tray lists the answer among the last ones.
    RememberAnswer(Box<Entry>),
}

/// Takes the effects out of a step, and returns them with what follows from its news.
pub(super) fn of(step: &mut Step) -> Vec<LoopEffect> {
    let desk = std::mem::take(&mut step.effects)
        .into_iter()
        .map(LoopEffect::Desk);
    desk.chain(step.news.iter().flat_map(|news| of_news(news, step)))
        .collect()
}

fn of_news(news: &News, step: &Step) -> Vec<LoopEffect> {
    match news {
        News::Standing => vec![LoopEffect::MarkPresence],
        News::Undelivered(ask) => vec![LoopEffect::WarnUndelivered(ask.clone())],
        News::Returned(ask) => vec![LoopEffect::EndUndelivered(ask.clone())],
        News::Settled(ask, outcome) => {
            let remembered = remembered(ask, outcome, step).map(LoopEffect::RememberAnswer);
            std::iter::once(LoopEffect::EndUndelivered(ask.clone()))
                .chain(remembered)
                .collect()
        }
        News::Asked(_)
        | News::Shown(..)
        | News::Answered(..)
        | News::Sent(_)
        | News::Reopened(_)
        | News::Attention(_)
        | News::Held(_)
        | News::Agreed(_)
        | News::Changed(_)
        | News::CallTold(_)
        | News::Source(_) => Vec::new(),
    }
}

/// Returns the entry for the tray's list of last answers. An answer to the self-test is no
/// person's, and an ask that its agent gave up has no answer.
fn remembered(ask: &AskId, outcome: &Outcome, step: &Step) -> Option<Box<Entry>> {
    let counts = *outcome != Outcome::Gone && ask.source.0 != selftest::NAME;
    saved(ask, step).filter(|_| counts).cloned().map(Box::new)
}

impl App {
    pub(super) fn run_loop_effect(&mut self, effect: LoopEffect, now: Timestamp) {
        match effect {
            LoopEffect::Desk(effect) => self.run_effect(effect),
            LoopEffect::MarkPresence => {
                self.marker.tell(&self.desk.presence(now));
                self.tell_standing(now);
            }
            LoopEffect::WarnUndelivered(ask) => self.warn_undelivered(&ask),
            LoopEffect::EndUndelivered(ask) => self.channels.desktop.no_longer_undelivered(&ask),
            LoopEffect::RememberAnswer(entry) => {
                self.tray.iter().for_each(|tray| tray.remember(&entry));
            }
        }
    }

    fn run_effect(&mut self, effect: Effect) {
        match effect {
            Effect::Show {
                channel,
                entry,
                replaces,
                silent,
            } => {
                if channel.reach() == Reach::Here {
                    self.expect_window(&entry.ask);
                }
                self.channels.get(channel).show(entry, replaces, silent);
            }
            Effect::Update { channel, entry } => self.channels.get(channel).update(entry),
            Effect::Withdraw {
                channel,
                ask,
                handle,
                ending,
            } => {
                self.channels.get(channel).withdraw(ask, handle, ending);
            }
            Effect::Remind {
                channel,
                entry,
                reminder,
                silent,
            } => {
                self.channels.get(channel).remind(entry, reminder, silent);
            }
            Effect::Tell {
                channel,
                source,
                turn,
            } => self.tell_turn(channel, &source, &turn),
            Effect::Digest {
                channel,
                answered,
                waiting,
            } => {
                self.channels.get(channel).tell_absence(answered, waiting);
            }
            Effect::EndDigest { channel } => self.channels.get(channel).end_absence(),
            Effect::Deliver { entry, answer } => {
                let (ask, serial) = (&entry.ask.id, entry.serial);
                tracing::debug!(%ask, serial, "an answer goes to its agent");
                match self.sources.get(&ask.source) {
                    Some(source) => source.deliver(entry, answer),
                    None => self.not_sent(entry.ask.id),
                }
            }
            Effect::GiveBack { entry, late } => self.give_back(&entry, &late),
            Effect::Refresh(source) => {
                if let Some(handle) = self.sources.get(&source) {
                    handle.refresh(source);
                }
            }
            Effect::Inquire(entry) => {
                let id = entry.ask.id.clone();
                let source = self.sources.get(&id.source);
                if !source.is_some_and(|source| source.inquire(entry)) {
                    let report = SourceReport::Unexplained { own: id.own };
                    self.mailbox.post(Event::Source(id.source, report));
                }
            }
        }
    }

    /// Tells a human that their answer came too late or did not arrive, on the surface where they
    /// gave it. The history keeps it as well. An answer from another surface of this machine is
    /// told of on its desktop.
    fn give_back(&mut self, entry: &Entry, late: &LateAnswer) {
        let about = words::topic(&self.texts, entry).into();
        let is_lost = matches!(
            entry.state,
            AskState::Settled {
                outcome: Outcome::Gone,
                ..
            }
        );
        let key = match (is_lost, late.may_have_arrived) {
            (false, _) => "too-late-title",
            (true, false) => "not-arrived-title",
            (true, true) => "unproven-title",
        };
        let title = self.texts.with(key, &[("about", about)]);
        let owner = match late.by {
            Surface::Telegram => {
                let responder = late.responder.as_ref();
                self.channels.telegram.owner_of_late(responder)
            }
            _ => words::AnswerOwner::Reader,
        };
        let body = words::too_late(&self.texts, entry, late, owner);
        match late.by {
            Surface::Telegram => {
                self.channels
                    .telegram
                    .tell_late(late.responder.as_ref(), &title, &body);
            }
            // A program is told through its own reply.
            Surface::Api | Surface::Clock => {}
            Surface::Notification | Surface::Tray | Surface::Window | Surface::Cli => {
                self.channels.desktop.tell_late(entry, &title, &body)
            }
        }
    }

    fn warn_undelivered(&self, ask: &AskId) {
        let trouble = self
            .desk
            .entry(ask)
            .and_then(|entry| entry.undelivered.as_ref());
        let error = trouble.and_then(|trouble| trouble.why.as_deref());
        tracing::warn!(%ask, error, "the agent has not taken the answer");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LoopEffect::{Desk, EndUndelivered, MarkPresence, RememberAnswer, WarnUndelivered};
    use beckon_core::{Ask, AskContent, RowChange, Session, SourceId};

    fn entry(source: &str) -> Box<Entry> {
        let (id, kind) = (AskId::new(source, "1"), AskContent::Confirm("Go?".into()));
        let session = Session::default();
        Box::new(Entry::new(
            Ask {
                id,
                kind,
                session,
                call: None,
                asked_at: Timestamp(0),
            },
            1,
        ))
    }

    /// Returns the effects that follow when an ask of that source has ended with that outcome.
    fn settled(source: &str, outcome: Outcome) -> Vec<LoopEffect> {
        let entry = entry(source);
        let news = vec![News::Settled(entry.ask.id.clone(), outcome)];
        of(&mut Step {
            save: vec![RowChange::Ask(entry)],
            news,
            ..Step::default()
        })
    }

    #[test]
    fn an_answer_that_was_taken_is_told_of_by_the_tray_and_no_longer_called_undelivered() {
        let ended = EndUndelivered(AskId::new("local", "1"));
        let effects = settled("local", Outcome::DismissedElsewhere);
        assert_eq!(effects, [ended, RememberAnswer(entry("local"))]);
    }

    #[test]
    fn the_tray_tells_neither_of_what_an_agent_gave_up_nor_of_the_self_test() {
        let ended = |source: &str| EndUndelivered(AskId::new(source, "1"));
        assert_eq!(settled("local", Outcome::Gone), [ended("local")]);
        let tested = settled(selftest::NAME, Outcome::DismissedElsewhere);
        assert_eq!(tested, [ended(selftest::NAME)]);
    }

    #[test]
    fn what_the_desk_wants_done_comes_first_and_news_of_presence_reach_the_file() {
        let refresh = Effect::Refresh(SourceId("local".into()));
        let ask = AskId::new("local", "1");
        let news = vec![
            News::Standing,
            News::Undelivered(ask.clone()),
            News::Sent(ask.clone()),
        ];
        let mut step = Step {
            effects: vec![refresh.clone()],
            news,
            ..Step::default()
        };
        assert_eq!(
            of(&mut step),
            [Desk(refresh), MarkPresence, WarnUndelivered(ask)]
        );
        assert_eq!(step.effects, []);
    }

    #[test]
    fn an_answer_that_came_back_is_no_longer_called_undelivered() {
        let ask = AskId::new("local", "1");
        let mut step = Step {
            news: vec![News::Returned(ask.clone())],
            ..Step::default()
        };
        assert_eq!(of(&mut step), [EndUndelivered(ask)]);
    }
}
