//! The rules of who is rung where, and when: (ask, situation, time) → here or away, and deadlines.
//! The place of each channel is in `channel.rs`.

use crate::hub::Elsewhere;
use crate::{AskContent, Channel, Reach, Span, Timestamp};
use serde::{Deserialize, Serialize};

/// The longest time between the warning of an expiry and the expiry; it is shorter if the ask's
/// time is short.
const LONGEST_WARNING: Span = Span::minutes(5);

/// The times when cards are sent to where a human is reached who is away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForwardMode {
    /// Forwards if the human counts as away, or if it is unknown where they are.
    #[default]
    Away,
    /// Forwards always, and at once.
    Always,
    /// Forwards never.
    Never,
}

/// The asks that may be allowed with a single press, on a button or in a menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnePress {
    /// An ask that is shown beside the button in full, and cannot be taken for anything else.
    #[default]
    Unmarked,
    /// Any ask.
    All,
}

/// The asks that come through while the desktop is told not to disturb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BreakThrough {
    /// No asks.
    #[default]
    Never,
    /// Permissions only.
    Permissions,
    /// All asks.
    Always,
}

impl BreakThrough {
    /// Whether an ask of that kind comes through.
    pub fn lets(self, kind: &AskContent) -> bool {
        match self {
            Self::Never => false,
            Self::Permissions => matches!(kind, AskContent::Permission(_)),
            Self::Always => true,
        }
    }
}

/// The settings that decide; the defaults are those of an empty `config.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The times when asks are forwarded to where a human is reached who is away.
    pub forward: ForwardMode,
    /// The time without input after which the human counts as away.
    pub away_after: Span,
    /// Whether a locked screen counts as away.
    pub lock_is_away: bool,
    /// The time after which an unanswered ask is forwarded although the human is here.
    pub escalate_after: Option<Span>,
    /// The time after which an ask is rejected at its source; off unless the human set it.
    pub expire_after: Option<Span>,
    /// The interval at which it rings again while an ask waits.
    pub remind_every: Option<Span>,
    /// The hours in which channels that can be silent make no sound.
    pub quiet: Option<QuietHours>,
    /// The time by which local time is ahead of UTC now.
    pub utc_offset: Span,
    /// The least length of a turn of which a human who is here is told.
    pub turns_here_after: Option<Span>,
    /// Whether a human who is away is told of finished turns.
    pub turns_away: bool,
    /// Whether the human's other machines are told whether they are here.
    pub shares_presence: bool,
}

/// A stretch of every local day, in minutes since midnight. It may go over midnight; one that
/// begins when it ends is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The first quiet minute, 0 to 1439.
    pub from: u16,
    /// The first that is not, 0 to 1439.
    pub to: u16,
}

/// The times when channels that can be silent make no sound: quiet hours and a pause. A waiting
/// message is judged by the moment at which it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuietTimes {
    /// The quiet hours of every local day.
    pub hours: Option<QuietHours>,
    /// The time by which local time is ahead of UTC.
    pub utc_offset: Span,
    /// The end of a pause.
    pub paused_until: Option<Timestamp>,
}

impl QuietTimes {
    /// Returns true if there is to be no sound at that moment.
    pub fn covers(&self, at: Timestamp) -> bool {
        let minute = (at + self.utc_offset).minute_of_day();
        let is_quiet_hour = self.hours.is_some_and(|hours| hours.contains(minute));
        let is_paused = self.paused_until.is_some_and(|until| at < until);
        is_quiet_hour || is_paused
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            forward: ForwardMode::Away,
            away_after: Span::minutes(3),
            lock_is_away: true,
            escalate_after: Some(Span::minutes(10)),
            expire_after: None,
            remind_every: None,
            quiet: None,
            utc_offset: Span::millis(0),
            turns_here_after: Some(Span::seconds(60)),
            turns_away: false,
            shares_presence: true,
        }
    }
}

/// The situation that counts for every ask alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyInput {
    /// The human counts as away.
    pub away: bool,
    /// Whether it is unknown where they are.
    pub unknown: bool,
    /// No ringing.
    pub paused: bool,
    /// Nothing here can show an ask, as far as is known; "not heard of yet" is something else.
    pub none_here: bool,
    /// The word of the human's other machines.
    pub elsewhere: Elsewhere,
    /// The human has said that they are away, here or at another machine.
    pub said_away: bool,
    /// The human has paused another machine.
    pub paused_elsewhere: bool,
}

impl PolicyInput {
    /// Whether the human sits at none of their machines, as far as is known.
    pub fn is_gone(&self) -> bool {
        self.away && self.elsewhere.is_nobody_seated()
    }

    /// Whether the human sits where it rings.
    fn is_seated(&self) -> bool {
        match self.elsewhere {
            Elsewhere::Seated | Elsewhere::Beside => true,
            Elsewhere::Deaf => false,
            Elsewhere::Unheard | Elsewhere::Gone => !self.away && !self.unknown && !self.none_here,
        }
    }

    /// Whether a notification on this desk would reach them, or at least harm nobody.
    fn is_wanted_here(&self) -> bool {
        match self.elsewhere {
            // Where they sit it rings already; otherwise the phone rings.
            Elsewhere::Seated => false,
            Elsewhere::Gone => !self.away,
            Elsewhere::Unheard | Elsewhere::Beside | Elsewhere::Deaf => true,
        }
    }
}

/// The places where one ask rings now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingTargets {
    /// Whether it rings at this computer.
    pub here: bool,
    /// Whether it rings where a human is reached who is not there.
    pub away: bool,
    /// Whether a card that rang at this computer may go on standing there: its human has only gone
    /// elsewhere, and when they come back it is there and rings no second time.
    pub stays_here: bool,
}

impl RingTargets {
    /// Whether a card that stands on that channel may stay.
    pub fn keeps(self, channel: Channel) -> bool {
        self.includes(channel) || (channel.reach() == Reach::Here && self.stays_here)
    }

    /// Whether that channel is among them.
    pub fn includes(self, channel: Channel) -> bool {
        match channel.reach() {
            Reach::Here => self.here,
            Reach::Away => self.away,
        }
    }
}

impl QuietHours {
    /// Whether that minute of the day is a quiet one.
    pub fn contains(&self, minute: u16) -> bool {
        match self.from <= self.to {
            true => (self.from..self.to).contains(&minute),
            false => minute >= self.from || minute < self.to,
        }
    }
}

impl Policy {
    /// Returns where an ask of `asked_at` rings at `now`.
    ///
    /// - Here: almost always. A notification on an empty desk harms nobody, a missing one does. It
    ///   does not ring here only if the human is known to sit at another machine, or at none and is
    ///   reached by one of them.
    /// - Away: if the human is away, if that is unknown, if the ask has waited for too long, or if
    ///   nothing can ring where they sit.
    pub fn ring(
        &self,
        asked_at: Timestamp,
        situation: &PolicyInput,
        now: Timestamp,
    ) -> RingTargets {
        let paused = situation.paused;
        let waited = self.escalation(asked_at).is_some_and(|at| now >= at);
        let forwarded = match self.forward {
            ForwardMode::Always => true,
            ForwardMode::Never => false,
            ForwardMode::Away => situation.said_away || waited || !situation.is_seated(),
        };
        RingTargets {
            here: situation.is_wanted_here() && !paused,
            away: forwarded && !paused && !situation.paused_elsewhere,
            stays_here: !paused,
        }
    }

    /// Returns where a turn that took so long is told, if anywhere. At the desk only a turn that
    /// took a while; on the phone only for those who want it. A human who sits at another machine
    /// is not away: they find it where it ran.
    pub fn tells(&self, took: Span, situation: &PolicyInput) -> Option<Reach> {
        let (reach, wanted) = if situation.is_gone() {
            (
                Reach::Away,
                self.turns_away && self.forward != ForwardMode::Never,
            )
        } else {
            (
                Reach::Here,
                self.turns_here_after.is_some_and(|s| took >= s),
            )
        };
        let paused = situation.paused || (reach == Reach::Away && situation.paused_elsewhere);
        (wanted && !paused).then_some(reach)
    }

    /// Whether anything new may go to that channel.
    pub fn permits(&self, channel: Channel) -> bool {
        channel.reach() == Reach::Here || self.forward != ForwardMode::Never
    }

    /// Whether that time is quiet, so that cards that can come without a sound do.
    pub fn is_quiet(&self, now: Timestamp) -> bool {
        let times = QuietTimes {
            hours: self.quiet,
            utc_offset: self.utc_offset,
            paused_until: None,
        };
        times.covers(now)
    }

    /// Returns the time at which an ask is forwarded although the human is here.
    pub fn escalation(&self, asked_at: Timestamp) -> Option<Timestamp> {
        self.escalate_after.map(|span| asked_at + span)
    }

    /// Returns the time at which an ask is rejected at its source.
    pub fn expiry(&self, asked_at: Timestamp) -> Option<Timestamp> {
        self.expire_after.map(|span| asked_at + span)
    }

    /// Returns the time at which the human is warned of that expiry: with a sixth of the time left,
    /// at most five minutes.
    pub fn warning(&self, asked_at: Timestamp) -> Option<Timestamp> {
        let span = self.expire_after?;
        let left = Span::millis(span.0 / 6).min(LONGEST_WARNING);
        Some(asked_at + Span::millis(span.0 - left.0))
    }

    /// Returns the time to ring again: the next whole multiple of the interval after the last time.
    pub fn reminder(&self, asked_at: Timestamp, last: Option<Timestamp>) -> Option<Timestamp> {
        let every = self.remind_every.filter(|every| every.0 > 0)?;
        let since = last.map_or(0, |last| (last - asked_at).0.max(0));
        Some(asked_at + Span::millis((since / every.0 + 1).saturating_mul(every.0)))
    }
}
