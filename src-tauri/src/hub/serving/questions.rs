//! The questions of devices to the keeper of the desk, and its answers: who may come onto it, and
//! who goes off.

use super::ServeEvent;
use super::door;
use super::keeper::{Keeper, NotLoaded, named};
use crate::hub::fault::DeskRefusal;
use crate::hub::invite::GOOD_FOR;
use crate::hub::login::{self, WITHIN};
use crate::hub::requests::{self, DeskReply, DeskRequest, HeardQuestion};
use anyhow::Result;
use async_nats::{Message, Subject};
use beckon_client::platform::clock;
use beckon_core::hub::DeviceEntry;
use tokio::time::timeout;

impl Keeper {
    pub(super) async fn on_question(&mut self, message: Message) {
        let subject = message.subject.to_string();
        let Some((question, proof)) = heard(&subject, &message.payload) else {
            return;
        };
        let done = self.do_for_device(&subject, &question, proof).await;
        if let Some(to) = message.reply {
            let answer = requests::answer(&self.kept.key, &subject, &question, told(done));
            self.reply(to, answer).await;
        }
        self.admit_if_stale().await;
    }

    /// Answers the questions of this machine's own commands. The door lets in no other user, and
    /// the question must be signed with the admin's key: a pipe may have been opened by another
    /// program before us.
    pub(super) async fn on_local_question(&mut self, payload: &[u8]) -> Option<String> {
        let question = requests::read(door::SUBJECT, payload)?;
        let is_the_admin = question.key == self.kept.key.public();
        let done = if is_the_admin {
            self.do_for_admin(&question.request).await
        } else {
            Ok(DeskReply::Refused(DeskRefusal::Invalid))
        };
        Some(requests::answer(
            &self.kept.key,
            door::SUBJECT,
            &question,
            told(done),
        ))
    }

    async fn reply(&self, to: Subject, answer: String) {
        let sent = async {
            self.client.publish(to, answer.into()).await?;
            self.client.flush().await?;
            anyhow::Ok(())
        };
        if !matches!(timeout(WITHIN, sent).await, Ok(Ok(()))) {
            tracing::warn!("the reply to a request was not sent");
        }
    }

    /// Answers a question that came over the hub's server. The server's holder may send it again,
    /// later or never: a code knows what was asked by it, and a list has one revision.
    async fn do_for_device(
        &mut self,
        subject: &str,
        question: &HeardQuestion,
        proven: Option<(String, String)>,
    ) -> Result<DeskReply> {
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
                    person: invitation.map(|invitation| invitation.person.clone()),
                };
                if let Err(refusal) = self.may_enrol(subject, question, proven, &entry) {
                    return Ok(DeskReply::Refused(refusal));
                }
                self.enrol(subject, named(name), entry).await
            }
            DeskRequest::Leave { revision } if *revision == self.desk.record().revision => {
                let desk = self.desk.record();
                let device = desk.device_of(&question.key);
                let name = device.map(|(name, _)| name.to_owned());
                self.let_go(name).await
            }
            _ => Ok(DeskReply::Refused(DeskRefusal::Invalid)),
        }
    }

    async fn do_for_admin(&mut self, request: &DeskRequest) -> Result<DeskReply> {
        match request {
            DeskRequest::Remove { device } => {
                let desk = self.desk.record();
                let key = desk.devices.get(device).map(|device| device.key.clone());
                // The device cannot come back by its code; a device that has left by itself can.
                self.invitations
                    .retain(|_, it| it.used_by.is_none() || it.used_by != key);
                let reply = self.take_off(device).await?;
                if let (DeskReply::Removed, Some(key)) = (&reply, key) {
                    self.clear_place(&key).await;
                }
                Ok(reply)
            }
            DeskRequest::Rules { team } => {
                self.desk.set_team(team)?;
                self.publish().await?;
                Ok(DeskReply::Ruled)
            }
            DeskRequest::Invite { person } => {
                let (code, person) = self.invite(person.as_deref().map(named)).await?;
                Ok(DeskReply::Invited {
                    code,
                    seconds: GOOD_FOR.as_secs(),
                    person,
                })
            }
            DeskRequest::Enrol { .. } | DeskRequest::Leave { .. } => {
                Ok(DeskReply::Refused(DeskRefusal::Invalid))
            }
        }
    }

    async fn enrol(
        &mut self,
        subject: &str,
        name: String,
        entry: DeviceEntry,
    ) -> Result<DeskReply> {
        let revision = self.desk.record().revision;
        let is_new = self.desk.record().device_of(&entry.key).is_none();
        let name = self.desk.put(&name, &entry)?;
        if self.desk.record().revision == revision {
            // The device may have asked to be taken off before, and nobody may send that request
            // again now.
            self.desk.renew()?;
        }

        if let Err(error) = self.give_out().await {
            if is_new {
                self.desk.remove(&name)?;
                self.publish().await?;
            }
            return Err(error);
        }
        if let Some(invitation) = self.invitations.get_mut(subject) {
            invitation.used_by = Some(entry.key);
        }
        let _ = self.kept.events.send(ServeEvent::Joined(name.clone()));
        Ok(DeskReply::Enrolled {
            name,
            person: entry.person,
            ca: self.kept.ca.as_ref().map(|ca| ca.text.clone()),
        })
    }

    fn may_enrol(
        &mut self,
        subject: &str,
        question: &HeardQuestion,
        proven: Option<(String, String)>,
        entry: &DeviceEntry,
    ) -> Result<(), DeskRefusal> {
        let invitation = self.invitations.get_mut(subject);
        let invitation = invitation.ok_or(DeskRefusal::Expired)?;
        let (words, proof) = proven.ok_or(DeskRefusal::Invalid)?;
        if !invitation.code.is_proof(&words, &proof) {
            return Err(DeskRefusal::Invalid);
        }
        if !invitation.is_good(clock::steady()) {
            return Err(DeskRefusal::Expired);
        }
        if !invitation.heard.insert(question.nonce.clone()) {
            return Err(DeskRefusal::Invalid);
        }
        let is_anothers = |key: &String| *key != entry.key;
        if invitation.used_by.as_ref().is_some_and(is_anothers) {
            return Err(DeskRefusal::Used);
        }

        let devices = self.desk.record().devices;
        let mut others = devices.values().filter(|it| it.key != entry.key);
        if others.any(|it| it.login == entry.login) {
            return Err(DeskRefusal::LoginTaken);
        }
        Ok(())
    }

    /// Takes a device off because the admin says so. The reply is sent only when the server no
    /// longer lets the device in.
    async fn take_off(&mut self, name: &str) -> Result<DeskReply> {
        if let Err(refusal) = self.unlist(name)? {
            return Ok(DeskReply::Refused(refusal));
        }
        self.give_out().await?;
        let _ = self.kept.events.send(ServeEvent::Left(name.to_owned()));
        Ok(DeskReply::Removed)
    }

    /// Takes a device off because it asked for that itself: it has its answer before the server
    /// sends it away.
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

/// Returns the reply for a result.
fn told(done: Result<DeskReply>) -> DeskReply {
    done.unwrap_or_else(|error| {
        tracing::warn!(
            error = format!("{error:#}"),
            "a request to the desk is not done"
        );
        match error.downcast() {
            Ok(NotLoaded(why)) => DeskReply::NotLoaded(why),
            Err(_) => DeskReply::Refused(DeskRefusal::Failed),
        }
    })
}

/// Reads a question; if it bears a proof, also the words that are proven and the proof.
fn heard(subject: &str, payload: &[u8]) -> Option<(HeardQuestion, Option<(String, String)>)> {
    if !subject.starts_with("bk.enrol.") {
        return Some((requests::read(subject, payload)?, None));
    }
    let (proof, words) = std::str::from_utf8(payload).ok()?.split_once('\n')?;
    let question = requests::read(subject, words.as_bytes())?;
    Some((question, Some((words.to_owned(), proof.to_owned()))))
}
