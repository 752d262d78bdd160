//! The counts of events: a world in which nothing happens proves nothing.

/// Defines a `Tally` with a count for each name.
macro_rules! tally {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Tally {
            $($(#[$doc])* pub $name: u64,)+
        }

        impl $crate::lives::Counts for Tally {
            fn counts(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),+]
            }

            fn add(&mut self, more: &Self) {
                $(self.$name += more.$name;)+
            }
        }
    };
}

pub(crate) use tally;

tally! {
    crashes,
    /// Crashes that took the un-synced tail of the disk with them.
    power_cuts,
    /// Steps that were lost in these crashes.
    lost_steps,
    /// Steps that a full disk refused.
    refused_steps,
    /// Answers of refused steps that were lost at the next start.
    forgotten_answers,
    /// Cards that could not be found again after a start and kept their buttons.
    strays,
    answers,
    /// Taps and texts that moved a draft.
    moves,
    /// Taps and texts that completed an answer.
    completed,
    /// Taps on buttons of asks that are forgotten, or that have changed since.
    refused_taps,
    /// Updates that were read twice, since their step was not saved.
    read_again,
    /// Times at which Telegram numbered its updates anew.
    renumbered,
    /// Words that answered a card.
    replies,
    /// Words that answered nothing.
    words_alone,
    /// Words that answered something else, while a card waited for words.
    words_elsewhere,
    messages,
    /// Asks that were seen, snoozed, or wanted again.
    attended,
    /// Asks that were wanted again, by hand or at the end of a snooze.
    called_again,
    digests,
    reminders,
    warnings,
    lost_acks,
    reopened,
    /// Closed notifications that were shown again.
    brought_back,
    told_turns,
    /// Answers whose delivery took so long that their human was told.
    undelivered,
    /// Answers that came back because something else is asked since.
    came_back,
    /// Answers that came back because something else is asked under the name of a vanished ask.
    came_back_in_place,
    /// Names of ended asks that were given to new ones.
    named_again,
    /// Names of ended asks that were given to new ones with the same content.
    same_again,
    clocks_set,
    /// Changes of the clock while Beckon did not run.
    clocks_set_unseen,
}
