//! How much happened: a world in which nothing does proves nothing.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub lives: u64,
    pub crashes: u64,
    pub answers: u64,
    /// Taps and texts that moved a draft.
    pub moves: u64,
    /// Taps and texts that completed an answer.
    pub completed: u64,
    pub messages: u64,
    pub reminders: u64,
    pub warnings: u64,
    pub lost_acks: u64,
    pub reopened: u64,
    /// Closed notifications that came back.
    pub brought_back: u64,
    pub told_turns: u64,
    /// Answers that did not arrive for so long that their human was told.
    pub undelivered: u64,
    /// Answers that came back since something else is asked by now.
    pub came_back: u64,
    pub clocks_set: u64,
}

impl Tally {
    pub fn add(&mut self, mut other: Self) {
        for (sum, more) in self.fields().into_iter().zip(other.fields()) {
            *sum += *more;
        }
    }

    /// How often the rarest thing happened in a thousand lives.
    pub fn rarest(mut self) -> u64 {
        let lives = self.lives.max(1);
        self.fields().into_iter().map(|count| *count * 1_000 / lives).min().unwrap_or(0)
    }

    fn fields(&mut self) -> [&mut u64; 15] {
        [
            &mut self.lives,
            &mut self.crashes,
            &mut self.answers,
            &mut self.moves,
            &mut self.completed,
            &mut self.messages,
            &mut self.reminders,
            &mut self.warnings,
            &mut self.lost_acks,
            &mut self.reopened,
            &mut self.brought_back,
            &mut self.told_turns,
            &mut self.undelivered,
            &mut self.came_back,
            &mut self.clocks_set,
        ]
    }
}
