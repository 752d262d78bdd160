//! The messages to a hub for a person's commands: join its desk by a code, leave it, send its admin
//! a request, read who is on it.
//!
//! Not here: the settings that follow, and what a person reads of it (`cli/hub`).

use super::fault::{DeskRefusal, HubFault};
use super::invite::{InviteCode, PresentedCode};
use super::key::DeviceKey;
use super::login::{self, Login, WITHIN};
use super::reaching::{AtHub, Member, NewestDesk};
use super::requests::{self, DeskReply, DeskRequest, NoReply};
use super::serving::configuration::LEAVE;
use super::tls;
use beckon_client::config::HubConfig;
use beckon_core::hub::DeskRecord;
use beckon_core::hub::team::Team;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The longest time that the server takes to accept a new code's login.
const ENTERED: Duration = Duration::from_secs(1);
/// The pause before the next try.
const SOON: Duration = Duration::from_millis(50);

/// The longest time that joining takes, in seconds. It is requested twice and then taken back, each
/// time with a connection of its own.
pub(crate) const LONGEST: u64 =
    2 * (ENTERED.as_secs() + 2 * WITHIN.as_secs()) + 4 * WITHIN.as_secs();

impl From<NoReply> for HubFault {
    fn from(none: NoReply) -> Self {
        match none {
            NoReply::NotServed => Self::NotServed,
            NoReply::Forged => Self::Forged,
            NoReply::Silent | NoReply::Failed(_) => Self::Failed(none.to_string()),
        }
    }
}

/// The facts that a device knows once it has joined.
#[derive(Clone, Debug)]
pub(super) struct Enrolled {
    /// The device's name on the desk.
    pub(super) name: String,
    /// The person to whom it belongs there, if its admin says so.
    pub(super) person: Option<String>,
    /// The address of the hub.
    pub(super) url: String,
    /// The admin's public key.
    pub(super) admin: String,
    /// The certificate that signs the server's.
    pub(super) ca: Option<String>,
}

/// The reason why a device is not known to have joined.
#[derive(Debug)]
pub(super) struct NotEnrolled {
    pub(super) why: HubFault,
    /// Whether the desk may have the device all the same: the request may have been carried out,
    /// and the reply lost.
    pub(super) may_be_listed: bool,
}

impl NotEnrolled {
    fn nothing_asked(why: HubFault) -> Self {
        Self {
            why,
            may_be_listed: false,
        }
    }

    /// Makes the failure of a request that was sent, and so may have been carried out.
    fn asked(why: HubFault) -> Self {
        let may_be_listed = match &why {
            HubFault::Refused(refusal) => *refusal == DeskRefusal::Failed,
            HubFault::NotServed | HubFault::Forbidden(_) => false,
            _ => true,
        };
        Self { why, may_be_listed }
    }

    /// Combines the failure of this request with that of a second one by the same code.
    fn then(self, next: Self) -> Self {
        // Another device has used the code, so this one is not listed.
        let is_anothers = matches!(next.why, HubFault::Refused(DeskRefusal::Used));
        let may_be_listed = (self.may_be_listed && !is_anothers) || next.may_be_listed;
        Self {
            may_be_listed,
            ..next
        }
    }
}

/// Joins the desk by that code, under that name if it is free. The same device may send the request
/// again as long as the code is valid.
///
/// # Errors
/// When the code is not valid any more, or no admin is online to accept it; then nothing has
/// changed, as far as is known.
pub(super) async fn join(presented: &PresentedCode, name: String) -> Result<Enrolled, NotEnrolled> {
    let key = DeviceKey::read_or_make().await.map_err(HubFault::Keychain);
    let key = key.map_err(NotEnrolled::nothing_asked)?;
    let request = enrolment(&presented.code, &key, name);
    let request = request.map_err(|error| NotEnrolled::nothing_asked(error.into()))?;
    match enrol(presented, &key, request.clone()).await {
        // The server may just have loaded a change of its logins, and have closed all connections
        // that use a code.
        Err(first) if first.may_be_listed || matches!(first.why, HubFault::Unreachable(_)) => {
            enrol(presented, &key, request)
                .await
                .map_err(|next| first.then(next))
        }
        enrolled => enrolled,
    }
}

fn enrolment(code: &InviteCode, key: &DeviceKey, name: String) -> anyhow::Result<DeskRequest> {
    let login = Login::of(key)?;
    let proof = login.prove(&requests::enrolling(&code.subject(), &key.public()))?;

    Ok(DeskRequest::Enrol {
        name,
        login: login.public(),
        proof,
    })
}

async fn enrol(
    presented: &PresentedCode,
    key: &DeviceKey,
    request: DeskRequest,
) -> Result<Enrolled, NotEnrolled> {
    let entered = let_in(ENTERED, || enter(presented)).await.map_err(of_code);
    let hub = entered.map_err(NotEnrolled::nothing_asked)?;
    ask_to_enrol(&hub, &presented.code, key, request)
        .await
        .map_err(NotEnrolled::asked)
}

/// Turns the refusal of a code's login into its expiry: an expired code has no login any more.
fn of_code(fault: HubFault) -> HubFault {
    match fault {
        HubFault::NotLetIn => HubFault::Refused(DeskRefusal::Expired),
        other => other,
    }
}

async fn ask_to_enrol(
    hub: &AtHub,
    code: &InviteCode,
    key: &DeviceKey,
    request: DeskRequest,
) -> Result<Enrolled, HubFault> {
    let subject = code.subject();
    let (words, nonce) = requests::write(key, &subject, request)?;
    let proven = format!("{}\n{words}", code.proof(&words));
    match hub.ask(&code.admin(), &subject, (proven, nonce)).await? {
        DeskReply::Enrolled { name, person, ca } if tls::is_expected(ca.as_deref(), code.ca) => {
            Ok(Enrolled {
                name,
                person,
                url: code.url.clone(),
                admin: code.admin(),
                ca,
            })
        }
        other => Err(unexpected(other)),
    }
}

/// Checks that the server lets this device in now.
///
/// # Errors
/// When it does not.
pub(crate) async fn is_let_in(config: &HubConfig) -> Result<(), HubFault> {
    let_in(WITHIN, || Member::reach(config)).await.map(|_| ())
}

/// Tries to connect for a while: the server learns of a new login a moment after the device does.
async fn let_in<T, F: Future<Output = Result<T, HubFault>>>(
    within: Duration,
    enter: impl Fn() -> F,
) -> Result<T, HubFault> {
    let until = Instant::now() + within;
    loop {
        match enter().await {
            Err(HubFault::NotLetIn) if Instant::now() < until => sleep(SOON).await,
            entered => return entered,
        }
    }
}

/// Connects with the code's login, to the server that the code names and no other.
async fn enter(presented: &PresentedCode) -> Result<AtHub, HubFault> {
    let login = presented.code.login()?;
    let options = login::options(Some(&login))?;

    AtHub::connect(options, &presented.address()).await
}

/// Takes this device off the desk of that hub.
///
/// # Errors
/// When the hub's admin was not reached, or refuses.
pub(super) async fn leave(config: &HubConfig) -> Result<(), HubFault> {
    go_off(&Member::reach(config).await?).await
}

/// Takes this device off the desk that it has just joined by that code, or may have joined, and
/// that is not in the settings yet.
///
/// # Errors
/// As [`leave`].
pub(super) async fn take_back(presented: &PresentedCode) -> Result<(), HubFault> {
    match go_off(&let_in(WITHIN, || Member::by_code(presented)).await?).await {
        Err(HubFault::Refused(DeskRefusal::NoSuchDevice)) => Ok(()),
        gone => gone,
    }
}

async fn go_off(hub: &Member) -> Result<(), HubFault> {
    let revision = hub.desk().await?.map_or(0, |desk| desk.revision);
    match hub.request(LEAVE, DeskRequest::Leave { revision }).await? {
        DeskReply::Removed => Ok(()),
        other => Err(unexpected(other)),
    }
}

/// A code that was made for a device that is to join.
#[derive(Clone, Debug)]
pub(crate) struct GivenCode {
    pub(crate) code: String,
    /// The number of seconds for which the code is valid.
    pub(crate) seconds: u64,
    /// The person whose device joins by it.
    pub(crate) person: String,
}

/// Requests a new code, for a device of that person or, by default, of this device's person.
///
/// # Errors
/// When this device does not administer the hub, or the hub is not served.
pub(crate) async fn invite(
    config: &HubConfig,
    folder: &Path,
    person: Option<String>,
) -> Result<GivenCode, HubFault> {
    match ask_here(config, folder, DeskRequest::Invite { person }).await? {
        DeskReply::Invited {
            code,
            seconds,
            person,
        } => Ok(GivenCode {
            code,
            seconds,
            person,
        }),
        other => Err(unexpected(other)),
    }
}

/// Takes that device off the desk.
///
/// # Errors
/// As [`invite`].
pub(super) async fn remove(
    config: &HubConfig,
    folder: &Path,
    device: String,
) -> Result<(), HubFault> {
    match ask_here(config, folder, DeskRequest::Remove { device }).await? {
        DeskReply::Removed => Ok(()),
        other => Err(unexpected(other)),
    }
}

/// Sets the rules of the team.
///
/// # Errors
/// As [`invite`].
pub(crate) async fn set_rules(
    config: &HubConfig,
    folder: &Path,
    team: Team,
) -> Result<(), HubFault> {
    match ask_here(config, folder, DeskRequest::Rules { team }).await? {
        DeskReply::Ruled => Ok(()),
        other => Err(unexpected(other)),
    }
}

/// Sends a request that only the admin may send. It never leaves this machine.
async fn ask_here(
    config: &HubConfig,
    folder: &Path,
    request: DeskRequest,
) -> Result<DeskReply, HubFault> {
    let key = DeviceKey::read_or_make().await;
    let key = key.map_err(HubFault::Keychain)?;
    if config.admin.as_ref() != Some(&key.public()) {
        return Err(HubFault::Refused(DeskRefusal::Invalid));
    }
    Ok(requests::ask_here(&key, folder, request).await?)
}

/// Reads who is on the desk, and which of the devices are online, each with its Beckon's version.
///
/// # Errors
/// When the hub is not reached.
pub(crate) async fn people(
    config: &HubConfig,
    known: Option<DeskRecord>,
) -> Result<(NewestDesk, BTreeMap<String, Option<String>>), HubFault> {
    let hub = Member::reach(config).await?;
    let newest = hub.newest_desk(known).await?;
    let there = hub.there(newest.desk.as_ref()).await?;
    Ok((newest, there))
}

fn unexpected(reply: DeskReply) -> HubFault {
    match reply {
        DeskReply::Refused(why) => HubFault::Refused(why),
        DeskReply::NotLoaded(why) => HubFault::NotLoaded(why),
        _ => HubFault::Forged,
    }
}
