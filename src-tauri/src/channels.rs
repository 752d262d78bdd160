//! Where a human sees and answers asks. One folder for each channel, and one arm here; what the
//! decisions ask of a channel stands in `core/src/channel.rs`.

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
    /// The one that the decisions mean.
    pub fn get(&mut self, channel: Channel) -> &mut dyn CardChannel {
        match channel {
            Channel::Desktop => &mut self.desktop,
            Channel::Telegram => &mut self.telegram,
        }
    }
}

/// What the loop asks of every channel. What comes of it is posted as an event: shown, closed,
/// withdrawn, and whatever a human answers.
pub trait CardChannel {
    /// Shows a card, in place of the one that `replaces` names if that still stands.
    fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, silent: bool);

    /// Redraws a card if it would look different now.
    fn update(&mut self, entry: Box<Entry>);

    /// Takes a card away, or gives it its last look. Where it stood is known from `handle` after a
    /// restart.
    fn withdraw(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>);

    /// Rings once more for an ask.
    fn remind(&mut self, entry: Box<Entry>, why: Reminder, silent: bool);

    /// Tells of a finished turn; `opens` is the serial by which a press goes to its session.
    fn tell_turn(&mut self, turn: &FinishedTurn, opens: Option<u64>);

    /// Tells a human who is back what was answered meanwhile, and what waits.
    fn tell_absence(&mut self, answered: usize, waiting: usize);

    /// Takes that away again.
    fn end_absence(&mut self);

    /// Tells what an agent says that asks nothing.
    fn tell_message(&mut self, title: &str, message: &str);
}
