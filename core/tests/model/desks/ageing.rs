//! The passing of whole days: the hub forgets what is old, and connected Beckons publish anew what
//! matters. Re-enacts `app/hub/renewing.rs`, which is not part of the core, and the ages of the
//! hub's streams.

use super::{COUNT, Desks, START};
use beckon_core::hub::{ANSWER_LIVES, ASK_LIVES};
use beckon_core::{Event, Span};

const DAY: Span = Span::minutes(24 * 60);

impl Desks {
    /// Returns the time by a clock that nobody sets.
    pub fn steady(&self) -> Span {
        self.now - START
    }

    /// Lets days pass: mostly a few, now and then as many as an answer is kept.
    pub fn some_days(&mut self) {
        let most = [3, 10, 35][self.rng.below(3)];
        for _ in 0..=self.rng.below(most) {
            self.next_day();
            (0..self.rng.below(8)).for_each(|_| self.traffic());
        }
    }

    pub fn next_day(&mut self) {
        self.tally.days += 1;
        self.now = self.now + DAY;
        self.forget_old();
        for member in 0..COUNT {
            self.renew(member);
            // Many deadlines have passed at once, as after a machine's sleep.
            if self.members[member]
                .desk
                .next_deadline()
                .is_some_and(|at| at <= self.local(member))
            {
                self.handle(member, Event::Tick);
            }
        }
    }

    fn forget_old(&mut self) {
        let Self {
            hub, now, tally, ..
        } = self;
        let told_at = &hub.told_at;
        let is_young = |subject: &String, lives: Span| {
            told_at.get(subject).is_none_or(|at| *now - *at < lives)
        };
        let before = (hub.asks.len(), hub.answers.len());
        hub.asks
            .retain(|subject, _| is_young(&subject.subject(), ASK_LIVES));
        hub.answers
            .retain(|subject, _| is_young(subject, ANSWER_LIVES));
        tally.aged_asks += (before.0 - hub.asks.len()) as u64;
        tally.aged_answers += (before.1 - hub.answers.len()) as u64;
    }

    fn renew(&mut self, member: usize) {
        let now = self.steady();
        let it = &mut self.members[member];
        if !it.connected || !it.renewal.is_due(now) {
            return;
        }
        let desk = &it.desk;
        it.owner
            .forget_rounds(|serial| desk.id_of(serial).is_some());
        let (gone, doubted) = (it.remote.forget_old(), it.remote.doubt_sent());
        let told = self.share_open(member);
        if told.and_then(|()| self.follow(member, gone)).is_some() {
            doubted
                .into_iter()
                .for_each(|source| self.list_machine(member, &source));
        }
    }
}
