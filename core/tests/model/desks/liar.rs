//! A server that lies, as far as a server can: it withholds what is on its way to a Beckon, shows it
//! an older record of the same place, and shows it what none of the believed devices has signed.
//! When it is honest again, those who were deceived connect anew.

use super::hub::Sealed;
use super::sharing::Described;
use super::{COUNT, Desks};
use beckon_core::hub::{AskRecord, AskSubject};
use beckon_core::{Ask, AskContent, Permission, shown_hash};

/// The command in what nobody has asked.
const FORGED: &str = "make forged";

impl Desks {
    pub fn lie(&mut self) {
        let member = self.rng.below(COUNT);
        if self.members[member].line.is_none() {
            return;
        }
        let is_told = match self.rng.below(3) {
            0 => self.withhold(member),
            1 => self.show_older(member),
            _ => self.show_forged(member),
        };
        if is_told {
            self.hub.deceived.insert(member);
        }
    }

    fn withhold(&mut self, member: usize) -> bool {
        let Self { members, rng, .. } = self;
        let line = members[member].line.as_mut();
        let is_lost = line.is_some_and(|line| line.lose_one(rng));
        self.tally.withheld += u64::from(is_lost);
        is_lost
    }

    fn show_older(&mut self, member: usize) -> bool {
        let Some((subject, sealed)) = self.rng.pick(&self.hub.ever) else {
            return false;
        };
        self.note(|| format!("{member}: is shown an older {subject:?}"));
        self.tally.older_shown += 1;
        self.show(member, subject, sealed)
    }

    fn show_forged(&mut self, member: usize) -> bool {
        let Some((subject, sealed)) = self.rng.pick(&self.hub.ever) else {
            return false;
        };
        let device = self.device_off_the_list();
        let record = forged(&subject, sealed.record, self.now);
        self.note(|| format!("{member}: is shown {subject:?}, forged by {device:?}"));
        self.tally.forged_shown += 1;
        let sealed = Sealed {
            device,
            subject: subject.subject(),
            record,
        };
        self.show(member, subject, sealed)
    }

    /// Returns a device that is not believed now, or none.
    fn device_off_the_list(&mut self) -> Option<usize> {
        let off: Vec<usize> = (0..=COUNT)
            .filter(|device| !self.hub.trusted.contains(device))
            .collect();
        if self.rng.one_in(3) {
            return None;
        }
        self.rng.pick(&off)
    }

    fn show(&mut self, member: usize, subject: AskSubject, sealed: Sealed<AskRecord>) -> bool {
        let line = self.members[member].line.as_mut();
        line.map(|line| line.show(subject, sealed)).is_some()
    }

    /// Makes the server honest: whoever was deceived hears everything anew.
    pub fn be_honest(&mut self) {
        for member in std::mem::take(&mut self.hub.deceived) {
            self.line_trouble(member);
        }
    }

    /// Checks that no desk shows what no agent has asked.
    pub fn nothing_forged_is_shown(&self) {
        for member in &self.members {
            for (_, entry) in member.desk.asks() {
                let kind = format!("{:?}", entry.ask.kind);
                assert!(
                    !kind.contains(FORGED),
                    "{}: nobody asked {kind}",
                    member.index
                );
            }
        }
    }
}

/// Returns that record with another content, in itself as sound as any.
fn forged(subject: &AskSubject, mut record: AskRecord, now: beckon_core::Timestamp) -> AskRecord {
    let described: Result<Described, _> = serde_json::from_str(&record.ask);
    let session = described.map(|it| it.session).unwrap_or_default();
    let kind = AskContent::Permission(Permission {
        permission: "bash".into(),
        command: Some(FORGED.into()),
        ..Permission::default()
    });
    let ask = Ask {
        id: record.id(subject),
        kind: kind.clone(),
        session: session.clone(),
        call: None,
        asked_at: now,
    };
    let seen = ask.fingerprint();
    record.shown = shown_hash(&kind, seen);
    record.state = beckon_core::hub::SharedState::Open;
    record.ask = serde_json::to_string(&Described {
        kind,
        seen,
        session,
    })
    .expect("it is written");
    record
}
