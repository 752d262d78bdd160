//! The human as Beckon was told of them, and where an ask is to ring then. This is the reference
//! that the desk is checked against, written without a look at its code.

use beckon_core::{
    Channel, Event, ForwardMode, Policy, Presence, PresenceOverride, PresenceReading,
    PresenceSource, Timestamp,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct Human {
    pub reading: PresenceReading,
    pub said: PresenceOverride,
    pub said_until: Option<Timestamp>,
    pub paused_until: Option<Timestamp>,
    /// Whether the desktop channel has reported that it does not work.
    pub no_desktop: bool,
}

impl Human {
    pub fn reading(presence: Presence, last_input: Option<Timestamp>) -> Event {
        Event::Presence(PresenceReading {
            presence,
            evidence: PresenceSource::X11,
            last_input,
        })
    }

    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Presence(reading) => self.reading = *reading,
            Event::Said { said, until } => (self.said, self.said_until) = (*said, *until),
            Event::Pause(until) => self.paused_until = *until,
            Event::ChannelUp(Channel::Desktop) => self.no_desktop = false,
            Event::ChannelDown(Channel::Desktop) => self.no_desktop = true,
            _ => {}
        }
    }

    /// Sets the clock. A state that ends at a certain time does not last longer by that.
    pub fn set_clock(&mut self, by: beckon_core::Span) {
        for until in [&mut self.said_until, &mut self.paused_until] {
            *until = until.map(|at| at.min(at + by));
        }
        self.reading.last_input = self.reading.last_input.map(|at| at + by);
    }

    fn says(&self, now: Timestamp) -> PresenceOverride {
        match self.said_until {
            Some(until) if now >= until => PresenceOverride::Auto,
            _ => self.said,
        }
    }

    pub fn away(&self, policy: &Policy, now: Timestamp) -> bool {
        match self.says(now) {
            PresenceOverride::Here => false,
            PresenceOverride::Away => true,
            PresenceOverride::Auto => match self.reading.presence {
                Presence::Here | Presence::Unknown => false,
                Presence::Locked => {
                    let last = self.reading.last_input;
                    policy.lock_is_away || last.is_some_and(|last| last + policy.away_after <= now)
                }
                Presence::Asleep => true,
                Presence::Idle => {
                    let Some(last) = self.reading.last_input else {
                        return true;
                    };
                    last + policy.away_after <= now
                }
            },
        }
    }

    pub fn paused(&self, now: Timestamp) -> bool {
        self.paused_until.is_some_and(|until| until > now)
    }

    /// Tells whether an ask of that time is to ring on that channel.
    pub fn wants(
        &self,
        channel: Channel,
        policy: &Policy,
        asked: Timestamp,
        now: Timestamp,
    ) -> bool {
        if self.paused(now) {
            return false;
        }
        if channel == Channel::Desktop || policy.forward == ForwardMode::Always {
            return true;
        }
        let waited = policy
            .escalate_after
            .is_some_and(|span| asked + span <= now);
        let lost =
            self.says(now) == PresenceOverride::Auto && self.reading.presence == Presence::Unknown;
        let reasons = [self.away(policy, now), lost, waited, self.no_desktop];
        policy.forward == ForwardMode::Away && reasons.contains(&true)
    }

    pub fn quiet(policy: &Policy, now: Timestamp) -> bool {
        let Some(quiet) = policy.quiet else {
            return false;
        };
        let minute = (now.0 + policy.utc_offset.0)
            .div_euclid(60_000)
            .rem_euclid(24 * 60);
        let mut at = i64::from(quiet.from);
        while at != i64::from(quiet.to) {
            if at == minute {
                return true;
            }
            at = (at + 1) % (24 * 60);
        }
        false
    }
}
