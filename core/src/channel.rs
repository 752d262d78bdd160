//! The channels on which a human sees and answers asks, and the traits of each.
//!
//! The rules ask for a channel's traits and never which one it is: a new channel is a variant, its
//! place in [`Channel::ALL`] and a row in [`Channel::traits`].

use serde::{Deserialize, Serialize};

/// A place where a human sees and answers asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Desktop notifications.
    Desktop,
    /// Telegram.
    Telegram,
}

/// The traits of a channel, as far as a rule depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelTraits {
    /// The channel's name in the database.
    pub name: &'static str,
    /// The place of a human who sees it.
    pub reach: Reach,
    /// The time for which a card is there.
    pub lifetime: CardLifetime,
    /// Whether a card can come without a sound, as it does in quiet hours. Where it cannot, the
    /// system decides what is heard.
    pub can_be_silent: bool,
}

/// The place of a human who sees a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The human at this computer.
    Here,
    /// Anywhere: asks go there by [`crate::ForwardMode`], and when they have waited for too long.
    Away,
}

/// The time for which a card is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardLifetime {
    /// The card is there while its ask is to be answered there, as a notification is. It goes with
    /// the answer; shown once more it is a new card, which rings.
    WhileWanted,
    /// The card is there until its ask is over, as a message is: it is edited from the first to the
    /// last line, says what becomes of the answer and how the ask ended, and rings once.
    UntilSettled,
}

impl Channel {
    /// The channels, in the order in which they ring.
    pub const ALL: [Self; 2] = [Self::Desktop, Self::Telegram];

    /// Returns the channel's traits.
    pub const fn traits(self) -> ChannelTraits {
        match self {
            Self::Desktop => ChannelTraits {
                name: "desktop",
                reach: Reach::Here,
                lifetime: CardLifetime::WhileWanted,
                can_be_silent: false,
            },
            Self::Telegram => ChannelTraits {
                name: "telegram",
                reach: Reach::Away,
                lifetime: CardLifetime::UntilSettled,
                can_be_silent: true,
            },
        }
    }

    /// Returns the channel's name in the database.
    pub const fn name(self) -> &'static str {
        self.traits().name
    }

    /// Returns the channel of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name() == name)
    }

    /// Returns the place of a human who sees it.
    pub const fn reach(self) -> Reach {
        self.traits().reach
    }

    /// Whether a card stays until its ask is over.
    pub fn stays_until_settled(self) -> bool {
        self.traits().lifetime == CardLifetime::UntilSettled
    }

    /// Whether a card can come without a sound.
    pub const fn can_be_silent(self) -> bool {
        self.traits().can_be_silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_is_found_by_its_name_which_the_api_writes_too() {
        for channel in Channel::ALL {
            assert_eq!(Channel::named(channel.name()), Some(channel));
            let written = serde_json::to_value(channel).unwrap();
            assert_eq!(written, channel.name());
        }
        assert_eq!(Channel::named("pigeon"), None);
    }
}
