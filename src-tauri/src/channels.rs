//! The channels on which a human sees and answers asks. Each has one folder, and one arm here; what
//! the decisions ask of a channel is in `core/src/channel.rs`.

pub(crate) mod desktop;
pub mod telegram;

use beckon_core::{AskId, Channel, Entry, FinishedTurn, Reminder};

use desktop::DesktopChannel;
use telegram::TelegramChannel;

/// All channels.
pub struct Channels {
    /// Desktop notifications.
    pub desktop: DesktopChannel,
    /// Telegram.
    pub telegram: TelegramChannel,
}

impl Channels {
    /// Returns the channel that the decisions mean.
    pub fn get(&mut self, channel: Channel) -> &mut dyn CardChannel {
        match channel {
            Channel::Desktop => &mut self.desktop,
            Channel::Telegram => &mut self.telegram,
        }
    }
}

/// The calls that the loop makes on every channel. What comes of them is posted as an event: shown,
/// closed, withdrawn, and whatever a human answers.
pub trait CardChannel {
    /// Shows a card, in place of the one that `replaces` names if that still stands.
    fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, silent: bool);

    /// Redraws a card if it would look different now.
    fn update(&mut self, entry: Box<Entry>);

    /// Takes a card away, or gives it its last look if there is an `ending`. After a restart only
    /// `handle` tells where the card was shown.
    fn withdraw(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>);

    /// Rings once more for an ask.
    fn remind(&mut self, entry: Box<Entry>, why: Reminder, silent: bool);

    /// Tells of a finished turn; `opens` is the serial by which a press goes to its session.
    fn tell_turn(&mut self, turn: &FinishedTurn, opens: Option<u64>);

    /// Tells a human who is back what was answered meanwhile, and what waits.
    fn tell_absence(&mut self, answered: usize, waiting: usize);

    /// Takes away what [`Self::tell_absence`] showed.
    fn end_absence(&mut self);

    /// Shows a message of an agent that asks nothing.
    fn tell_message(&mut self, title: &str, message: &str);
}
