//! What devices ask of the one who keeps the desk, and what each is told: who may come onto it, and who
//! goes off.

use super::ServeEvent;
use super::configuration::ADMIN;
use super::keeper::{Keeper, NotLoaded, named};
use crate::hub::fault::DeskRefusal;
use crate::hub::invite::GOOD_FOR;
use crate::hub::login::{self, WITHIN};
use crate::hub::requests::{self, DeskReply, DeskRequest, HeardQuestion};
use anyhow::Result;
use async_nats::{Message, Subject};
use beckon_core::hub::DeviceEntry;
use tokio::time::{Instant, timeout};

impl Keeper {
    pub(super) async fn on_question(&mut self, message: Message) {
        let subject = message.subject.to_string();
        let Some((question, proof)) = heard(&subject, &message.payload) else {
            return;
        };
        let done = self.do_for(&subject, &question, proof).await;
        let reply = done.unwrap_or_else(|error| {
            tracing::warn!(
                error = format!("{error:#}"),
                "a request to the desk is not done"
            );
            match error.downcast() {
                Ok(NotLoaded(why)) => DeskReply::NotLoaded(why),
                Err(_) => DeskReply::Refused(DeskRefusal::Failed),
            }
        });
        if let Some(to) = message.reply {
            let answer = requests::answer(&self.kept.key, &subject, &question, reply);
            self.reply(to, answer).await;
        }
        self.admit_if_stale().await;
    }

    async fn reply(&self, to: Subject, answer: String) {
        let sent = async {
            self.client.publish(to, answer.into()).await?;
            self.client.flush().await?;
            anyhow::Ok(())
        };
        if !matches!(timeout(WITHIN, sent).await, Ok(Ok(()))) {
            tracing::warn!("whoever asked is not told");
        }
    }

    async fn do_for(
        &mut self,
        subject: &str,
        question: &HeardQuestion,
        proven: Option<(String, String)>,
    ) -> Result<DeskReply> {
        let is_admin = subject.starts_with(ADMIN) && question.key == self.kept.key.public();
        match &question.request {
            DeskRequest::Enrol { name, login, proof } => {
                let words = requests::enrolling(subject, &question.key);
                if !login::is_proven(login, &words, proof) {
                    return Ok(DeskReply::Refused(DeskRefusal::Invalid));
                }
                let invitation = self.invitations.get(subject);
                let entry = DeviceEntry {
                    key: question.key.clone(),
                    login: login.clone(),
                    person: invitation.and_then(|invitation| invitation.person.clone()),
                };
                self.enrol(subject, proven, (named(name), entry)).await
            }
            DeskRequest::Leave { revision } if *revision == self.desk.record().revision => {
                let desk = self.desk.record();
                let name = desk
                    .device_of(&question.key)
                    .map(|(name, _)| name.to_owned());
                self.let_go(name).await
            }
            DeskRequest::Remove { device } if is_admin => {
                let key = self
                    .desk
                    .record()
                    .devices
                    .get(device)
                    .map(|device| device.key.clone());
                // Its code brings it back no more; who has left by itself may come again by it.
                self.invitations
                    .retain(|_, it| it.used_by.is_none() || it.used_by != key);
                self.take_off(device).await
            }
            DeskRequest::Rules { team } if is_admin => {
                self.desk.set_team(team)?;
                self.publish().await?;
                Ok(DeskReply::Ruled)
            }
            DeskRequest::Invite { person } if is_admin => {
                let (code, person) = self.invite(person.as_deref().map(named)).await?;
                Ok(DeskReply::Invited {
                    code,
                    seconds: GOOD_FOR.as_secs(),
                    person,
                })
            }
            _ => Ok(DeskReply::Refused(DeskRefusal::Invalid)),
        }
    }

    async fn enrol(
        &mut self,
        subject: &str,
        proven: Option<(String, String)>,
        (name, entry): (String, DeviceEntry),
    ) -> Result<DeskReply> {
        if let Err(refusal) = self.may_enrol(subject, proven, &entry) {
            return Ok(DeskReply::Refused(refusal));
        }
        let (key, person) = (entry.key.clone(), entry.person.clone());
        let is_new = self.desk.record().device_of(&key).is_none();
        let name = self.desk.put(&name, &entry)?;
        if let Err(error) = self.give_out().await {
            if is_new {
                self.desk.remove(&name)?;
                self.publish().await?;
            }
            return Err(error);
        }
        if let Some(invitation) = self.invitations.get_mut(subject) {
            invitation.used_by = Some(key);
        }
        let _ = self.kept.events.send(ServeEvent::Joined(name.clone()));
        let ca = self.kept.ca.as_ref().map(|ca| ca.text.clone());
        Ok(DeskReply::Enrolled { name, person, ca })
    }

    fn may_enrol(
        &self,
        subject: &str,
        proven: Option<(String, String)>,
        entry: &DeviceEntry,
    ) -> Result<(), DeskRefusal> {
        let invitation = self.invitations.get(subject).ok_or(DeskRefusal::Expired)?;
        let (words, proof) = proven.ok_or(DeskRefusal::Invalid)?;
        if !invitation.code.is_proof(&words, &proof) {
            return Err(DeskRefusal::Invalid);
        }
        if Instant::now() >= invitation.until {
            return Err(DeskRefusal::Expired);
        }
        if invitation
            .used_by
            .as_ref()
            .is_some_and(|key| *key != entry.key)
        {
            return Err(DeskRefusal::Used);
        }

        let devices = self.desk.record().devices;
        let mut others = devices.values().filter(|it| it.key != entry.key);
        if others.any(|it| it.login == entry.login) {
            return Err(DeskRefusal::LoginTaken);
        }
        Ok(())
    }

    /// Takes a device off because the admin says so. Whoever asked is told only when the server lets it in
    /// no more.
    async fn take_off(&mut self, name: &str) -> Result<DeskReply> {
        if let Err(refusal) = self.unlist(name)? {
            return Ok(DeskReply::Refused(refusal));
        }
        self.give_out().await?;
        let _ = self.kept.events.send(ServeEvent::Left(name.to_owned()));
        Ok(DeskReply::Removed)
    }

    /// Takes a device off because it says so itself: it has its answer before the server sends it away.
    async fn let_go(&mut self, name: Option<String>) -> Result<DeskReply> {
        let Some(name) = name else {
            return Ok(DeskReply::Refused(DeskRefusal::NoSuchDevice));
        };
        if let Err(refusal) = self.unlist(&name)? {
            return Ok(DeskReply::Refused(refusal));
        }
        self.give_out_later().await?;
        let _ = self.kept.events.send(ServeEvent::Left(name));
        Ok(DeskReply::Removed)
    }

    fn unlist(&mut self, name: &str) -> Result<Result<(), DeskRefusal>> {
        let own = self.kept.key.public();
        let desk = self.desk.record();
        if desk.device_of(&own).is_some_and(|(own, _)| own == name) {
            return Ok(Err(DeskRefusal::Admin));
        }

        let was_there = self.desk.remove(name)?;
        Ok(was_there.then_some(()).ok_or(DeskRefusal::NoSuchDevice))
    }
}

/// What is asked; where it bears a proof, with the words that are proven.
fn heard(subject: &str, payload: &[u8]) -> Option<(HeardQuestion, Option<(String, String)>)> {
    if !subject.starts_with("bk.enrol.") {
        return Some((requests::read(subject, payload)?, None));
    }
    let (proof, words) = std::str::from_utf8(payload).ok()?.split_once('\n')?;
    let question = requests::read(subject, words.as_bytes())?;
    Some((question, Some((words.to_owned(), proof.to_owned()))))
}
