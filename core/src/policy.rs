//! Who is rung where, and when: (ask, standing, time) → channels and deadlines.

use crate::{Override, Presence, Span, Standing, Timestamp};
use serde::{Deserialize, Serialize};

/// When Telegram cards are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forward {
    /// When the human counts as away, or nobody can tell.
    #[default]
    Away,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The settings that decide; the defaults are those of an empty `config.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// When to forward to Telegram.
    pub forward: Forward,
    /// Idle for so long counts as away.
    pub away_after: Span,
    /// A locked screen counts as away.
    pub lock_is_away: bool,
    /// Unanswered for so long although here: forward as well.
    pub escalate_after: Option<Span>,
    /// Reject at the source after so long; off unless the human set it.
    pub expire_after: Option<Span>,
    /// Ring again every so long while an ask waits.
    pub remind_every: Option<Span>,
    /// Telegram makes no sound then.
    pub quiet: Option<QuietHours>,
    /// How far local time is ahead of UTC now.
    pub utc_offset: Span,
    /// Tell of turns that took at least so long on the desktop.
    pub turns_desktop_after: Option<Span>,
    /// Tell of finished turns on Telegram, when the human is away.
    pub turns_on_telegram: bool,
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

impl Default for Policy {
    fn default() -> Self {
        Self {
            forward: Forward::Away,
            away_after: Span::minutes(3),
            lock_is_away: true,
            escalate_after: Some(Span::minutes(10)),
            expire_after: None,
            remind_every: None,
            quiet: None,
            utc_offset: Span::millis(0),
            turns_desktop_after: Some(Span::seconds(60)),
            turns_on_telegram: false,
        }
    }
}

/// Where one ask rings now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// A desktop notification is to be open.
    pub desktop: bool,
    /// A Telegram card is to be open.
    pub telegram: bool,
}

impl Policy {
    /// Where an ask of `asked_at` rings at `now`. The desktop always rings: a notification on an
    /// empty desk harms nobody, a missing one does. Telegram joins when the human is away, when
    /// nobody can tell, or when the ask has waited for too long.
    pub fn ring(&self, asked_at: Timestamp, standing: &Standing, now: Timestamp) -> Ring {
        let unknown =
            standing.said == Override::Auto && standing.reading.presence == Presence::Unknown;
        let away = standing.away(now, self.away_after, self.lock_is_away);
        let waited = self.escalation(asked_at).is_some_and(|at| now >= at);
        let telegram = match self.forward {
            Forward::Always => true,
            Forward::Never => false,
            Forward::Away => away || unknown || waited,
        };
        Ring { desktop: true, telegram }
    }

    /// When an ask climbs to Telegram although the human is here.
    pub fn escalation(&self, asked_at: Timestamp) -> Option<Timestamp> {
        self.escalate_after.map(|span| asked_at + span)
    }

    /// When an ask is rejected at its source.
    pub fn expiry(&self, asked_at: Timestamp) -> Option<Timestamp> {
        self.expire_after.map(|span| asked_at + span)
    }
}
