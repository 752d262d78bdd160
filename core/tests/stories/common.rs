//! The common parts of the stories: a desk with a clock that is moved by hand, and asks to put on
//! it.

use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, AskView, Card, CardSight, CardTap, Channel, Choice,
    DeliveryFailure, Desk, Effect, Entry, Event, News, Outcome, Permission, Policy, Presence,
    PresenceReading, PresenceSource, Question, Reminder, Reply, RowChange, SavedState, SeenStep,
    Session, SettledAsk, SourceId, SourceListing, SourceReport, Span, Step, Surface, Timestamp,
};

pub const START: Timestamp = Timestamp(1_000_000);

/// A desk with the time.
pub struct Story {
    pub desk: Desk,
    pub policy: Policy,
    pub now: Timestamp,
}

impl Story {
    /// Returns a desk whose channels both work, and whose human has said that they are here; there
    /// is no other evidence.
    pub fn new() -> Self {
        let mut story = Self::with(Policy::default());
        story.feed(Event::Said {
            said: beckon_core::PresenceOverride::Here,
            until: None,
        });
        story.feed(Event::ChannelUp(Channel::Desktop));
        story.feed(Event::ChannelUp(Channel::Telegram));
        story
    }

    /// Returns a desk without working channels, at which nothing is known.
    pub fn with(policy: Policy) -> Self {
        Self {
            desk: Desk::new(policy),
            policy,
            now: START,
        }
    }

    /// Returns a desk with one question, shown on the desktop.
    pub fn asked() -> Self {
        let mut story = Self::new();
        story.ask(single("q1"));
        story.shown("q1", "h1");
        story
    }

    pub fn feed(&mut self, event: Event) -> Step {
        let step = self.desk.handle(event, self.now);
        let late = self.desk.next_deadline().filter(|at| *at <= self.now);
        assert_eq!(late, None, "a deadline of the past");
        step
    }

    pub fn report(&mut self, report: SourceReport) -> Step {
        self.report_of("local", report)
    }

    pub fn report_of(&mut self, source: &str, report: SourceReport) -> Step {
        self.feed(Event::Source(SourceId(source.into()), report))
    }

    pub fn ask(&mut self, ask: Ask) -> Step {
        let ask = Ask {
            asked_at: self.now,
            ..ask
        };
        self.report_of(&ask.id.source.0.clone(), SourceReport::Asked(ask))
    }

    /// Reports a complete list: each ask, and whether its session is busy.
    pub fn list(&mut self, asks: &[(&str, bool)]) -> Step {
        let asked = |own| {
            self.desk
                .entry(&id(own))
                .map_or_else(|| single(own), |e| e.ask.clone())
        };
        let asks = asks.iter().map(|(own, busy)| (asked(own), *busy)).collect();
        self.report(SourceReport::Listed(SourceListing {
            asks,
            ..SourceListing::default()
        }))
    }

    pub fn answer(&mut self, own: &str, answer: Answer, by: Surface) -> Step {
        self.feed(Event::Answered {
            ask: id(own),
            answer,
            seen: None,
            by,
            responder: None,
        })
    }

    pub fn sent(&mut self, own: &str) -> Step {
        self.report(SourceReport::Sent { own: own.into() })
    }

    pub fn fails(&mut self, own: &str) -> Step {
        let failure = DeliveryFailure::Other("no route".into());
        self.report(SourceReport::NotSent {
            own: own.into(),
            failure,
        })
    }

    pub fn not_found(&mut self, own: &str) -> Step {
        self.report(SourceReport::NotSent {
            own: own.into(),
            failure: DeliveryFailure::NotFound,
        })
    }

    pub fn replied(&mut self, own: &str, answer: &str) -> Step {
        let answers = Some(vec![vec![answer.into()]]);
        self.report(SourceReport::Replied {
            own: own.into(),
            answers,
        })
    }

    pub fn shown(&mut self, own: &str, handle: &str) -> Step {
        let (channel, handle) = (Channel::Desktop, handle.into());
        self.feed(Event::Shown {
            channel,
            ask: id(own),
            handle,
        })
    }

    /// Reports the number of the message in the chat.
    pub fn sent_as(&mut self, own: &str, handle: &str) -> Step {
        let (channel, handle) = (Channel::Telegram, handle.into());
        self.feed(Event::Shown {
            channel,
            ask: id(own),
            handle,
        })
    }

    pub fn tap(&mut self, own: &str, tap: CardTap) -> Step {
        let target = self.entry(own).target();
        self.feed(Event::Tapped {
            target,
            tap,
            sight: CardSight::Clear,
            by: Surface::Telegram,
            responder: None,
        })
    }

    /// Taps a button on a card that hides something.
    pub fn tap_obscured(&mut self, own: &str, tap: CardTap) -> Step {
        let (target, sight) = (self.entry(own).target(), CardSight::Obscured);
        self.feed(Event::Tapped {
            target,
            tap,
            sight,
            by: Surface::Telegram,
            responder: None,
        })
    }

    pub fn write_obscured(&mut self, own: &str, text: &str) -> Step {
        let (target, sight) = (self.entry(own).target(), CardSight::Obscured);
        self.feed(Event::Wrote {
            target,
            seen: SeenStep::Whole,
            text: text.into(),
            sight,
            by: Surface::Telegram,
            responder: None,
        })
    }

    pub fn write(&mut self, own: &str, text: &str) -> Step {
        let target = self.entry(own).target();
        self.feed(Event::Wrote {
            target,
            seen: SeenStep::Whole,
            text: text.into(),
            sight: CardSight::Clear,
            by: Surface::Telegram,
            responder: None,
        })
    }

    /// Changes the settings.
    pub fn set(&mut self, change: impl FnOnce(&mut Policy)) -> Step {
        change(&mut self.policy);
        self.feed(Event::Policy(self.policy))
    }

    pub fn presence(&mut self, presence: Presence) -> Step {
        self.feed(reading(presence, None))
    }

    pub fn closed(&mut self, own: &str) -> Step {
        self.feed(Event::Closed {
            channel: Channel::Desktop,
            ask: id(own),
        })
    }

    /// Reports that the channel has removed a card.
    pub fn withdrawn(&mut self, channel: Channel, own: &str) -> Step {
        self.feed(Event::Withdrawn {
            channel,
            ask: id(own),
        })
    }

    /// Lets time pass, with a tick at its end.
    pub fn wait(&mut self, span: Span) -> Step {
        self.now = self.now + span;
        self.feed(Event::Tick)
    }

    /// Waits for the next deadline; returns how long that took, and what followed.
    pub fn next(&mut self) -> (Span, Step) {
        let at = self.desk.next_deadline().expect("something is due");
        let span = at - self.now;
        (span, self.wait(span))
    }

    /// Waits for the next try to deliver; returns how long that took, and what followed.
    pub fn next_try(&mut self) -> (Span, Step) {
        let (mut span, mut step) = self.next();
        while deliveries(&step).is_empty() {
            let (more, next) = self.next();
            (span, step) = (Span(span.0 + more.0), next);
        }
        (span, step)
    }

    /// Restarts Beckon with these entries.
    pub fn restart(&mut self, entries: Vec<Entry>) {
        let saved = SavedState {
            entries,
            ..SavedState::default()
        };
        self.restart_with(saved);
    }

    pub fn restart_with(&mut self, saved: SavedState) {
        self.desk = Desk::restore(self.policy, saved, self.now);
    }

    pub fn entry(&self, own: &str) -> &Entry {
        self.desk.entry(&id(own)).expect("it is on the desk")
    }

    pub fn memory(&self, own: &str) -> &SettledAsk {
        self.desk.memory(&id(own)).expect("it is remembered")
    }

    pub fn outcome(&self, own: &str) -> Outcome {
        self.memory(own).outcome.clone()
    }

    pub fn is_open(&self, own: &str) -> bool {
        self.desk
            .entry(&id(own))
            .is_some_and(|entry| entry.state == AskState::Open)
    }

    pub fn waiting(&self) -> Vec<AskView> {
        self.desk.view(self.now).waiting().cloned().collect()
    }
}

pub fn id(own: &str) -> AskId {
    AskId::new("local", own)
}

pub fn ask(own: &str, kind: AskContent) -> Ask {
    let session = Session {
        id: "ses".into(),
        directory: "/home/me/shop".into(),
        ..Session::default()
    };
    Ask {
        id: id(own),
        kind,
        session,
        call: None,
        asked_at: START,
    }
}

/// Returns an ask with one single-choice question that allows own text: Red, Green, Blue.
pub fn single(own: &str) -> Ask {
    ask(
        own,
        AskContent::Questions(vec![question(&["Red", "Green", "Blue"])]),
    )
}

pub fn permission(own: &str) -> Ask {
    let permission = Permission {
        permission: "bash".into(),
        always: vec!["npm *".into()],
        ..Permission::default()
    };
    ask(own, AskContent::Permission(permission))
}

pub fn confirm(own: &str) -> Ask {
    ask(own, AskContent::Confirm("Shall I go on?".into()))
}

pub fn question(labels: &[&str]) -> Question {
    let choice = |label: &&str| Choice {
        label: (*label).into(),
        ..Choice::default()
    };
    Question {
        question: "Which colour?".into(),
        custom: true,
        choices: labels.iter().map(choice).collect(),
        ..Question::default()
    }
}

pub fn choose(index: usize) -> Answer {
    Answer::Replies(vec![Reply::choice(index)])
}

pub fn shows(step: &Step) -> Vec<(Channel, &str, Option<&str>)> {
    let show = step.effects.iter().filter_map(|effect| match effect {
        Effect::Show {
            channel,
            entry,
            replaces,
            ..
        } => Some((*channel, entry.ask.id.own.as_str(), replaces.as_deref())),
        _ => None,
    });
    show.collect()
}

pub fn withdraws(step: &Step) -> Vec<(Channel, &str, Option<&str>)> {
    let withdraw = step.effects.iter().filter_map(|effect| match effect {
        Effect::Withdraw {
            channel,
            ask,
            handle,
            ..
        } => Some((*channel, ask.own.as_str(), handle.as_deref())),
        _ => None,
    });
    withdraw.collect()
}

pub fn deliveries(step: &Step) -> Vec<(&str, &Answer)> {
    let deliver = step.effects.iter().filter_map(|effect| match effect {
        Effect::Deliver { entry, answer } => Some((entry.ask.id.own.as_str(), answer)),
        _ => None,
    });
    deliver.collect()
}

pub fn inquires(step: &Step) -> bool {
    step.effects
        .iter()
        .any(|effect| matches!(effect, Effect::Inquire(_)))
}

pub fn refreshes(step: &Step) -> bool {
    step.effects
        .iter()
        .any(|effect| matches!(effect, Effect::Refresh(_)))
}

pub fn saved_state(step: &Step, own: &str) -> Option<AskState> {
    let rows = step.save.iter().rev();
    rows.filter_map(|row| match row {
        RowChange::Ask(entry) if entry.ask.id.own == own => Some(entry.state.clone()),
        _ => None,
    })
    .next()
}

pub fn settled(step: &Step) -> Vec<&Outcome> {
    let settled = step.news.iter().filter_map(|news| match news {
        News::Settled(_, outcome) => Some(outcome),
        _ => None,
    });
    settled.collect()
}

/// Returns the redrawn cards.
pub fn updates(step: &Step) -> Vec<(Channel, &str)> {
    let update = step.effects.iter().filter_map(|effect| match effect {
        Effect::Update { channel, entry } => Some((*channel, entry.ask.id.own.as_str())),
        _ => None,
    });
    update.collect()
}

/// Returns the cards that are removed, with the end of their ask that they are to show.
pub fn endings(step: &Step) -> Vec<(Channel, Option<&AskState>)> {
    let ending = step.effects.iter().filter_map(|effect| match effect {
        Effect::Withdraw {
            channel, ending, ..
        } => Some((*channel, ending.as_ref().map(|entry| &entry.state))),
        _ => None,
    });
    ending.collect()
}

/// Returns the reminders, and whether they are silent.
pub fn reminders(step: &Step) -> Vec<(Channel, &str, Reminder, bool)> {
    let reminder = step.effects.iter().filter_map(|effect| match effect {
        Effect::Remind {
            channel,
            entry,
            reminder,
            silent,
        } => Some((*channel, entry.ask.id.own.as_str(), *reminder, *silent)),
        _ => None,
    });
    reminder.collect()
}

pub fn reading(presence: Presence, last_input: Option<Timestamp>) -> Event {
    Event::Presence(PresenceReading {
        presence,
        evidence: PresenceSource::X11,
        last_input,
    })
}

/// Returns an entry as the store would read it back.
pub fn stored(entry: &Entry) -> Entry {
    let mut stored = Entry::new(entry.ask.clone(), entry.serial);
    stored.state = entry.state.clone();
    stored.draft = entry.draft.clone();
    (stored.reminded_at, stored.warned_at) = (entry.reminded_at, entry.warned_at);
    stored.attention = entry.attention;
    stored.agreed = entry.agreed.clone();
    stored.undelivered = entry.undelivered.clone();
    for (&channel, card) in &entry.cards {
        let (handle, closed) = (card.handle.clone(), card.closed);
        stored.cards.insert(
            channel,
            Card {
                handle,
                closed,
                ..Card::default()
            },
        );
    }
    stored
}
