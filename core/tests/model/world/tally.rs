//! How much happened: a world in which nothing does proves nothing.

/// Counts by name.
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
    /// Steps that were lost by that.
    lost_steps,
    /// Steps that a full disk refused.
    refused_steps,
    /// Answers of such a step that nobody knew after the next start.
    forgotten_answers,
    /// Cards that nobody could find again after a start, with their buttons.
    strays,
    answers,
    /// Taps and texts that moved a draft.
    moves,
    /// Taps and texts that completed an answer.
    completed,
    /// Taps on buttons of asks that nobody knows any more, or that ask something else by now.
    refused_taps,
    /// Updates that were read twice, since their step was not saved.
    read_again,
    /// Telegram numbered its updates anew.
    renumbered,
    /// Words that answered a card, …
    replies,
    /// … nothing at all, …
    words_alone,
    /// … and something else, while a card waited for words.
    words_elsewhere,
    messages,
    /// Asks that were seen, snoozed, or wanted again, …
    attended,
    /// … the last of these, by hand or at the end of a snooze.
    called_again,
    digests,
    reminders,
    warnings,
    lost_acks,
    reopened,
    /// Closed notifications that came back.
    brought_back,
    told_turns,
    /// Answers that did not arrive for so long that their human was told.
    undelivered,
    /// Answers that came back since something else is asked by now.
    came_back,
    /// The same, when that is asked under the name of one that was gone.
    came_back_in_place,
    /// Names of asks that had ended were given once more, …
    named_again,
    /// … to what had been asked under them before.
    same_again,
    clocks_set,
    /// The same, while Beckon was not there to see it.
    clocks_set_unseen,
}
