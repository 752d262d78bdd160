//! The steps by which this machine joins a hub, leaves it, and takes other devices off it: at the
//! hub, in the keychain and in the settings, whichever command wants it. Either all steps are done,
//! or nothing visible stays of them. The device's key always stays, as it belongs to the device and
//! not to a hub.
//!
//! Not here: the messages to the hub (`joining.rs`), and what a running Beckon makes of changed
//! settings (`app/hub.rs`).

use super::fault::{DeskRefusal, HubFault, MembershipFault};
use super::invite::{InviteCode, PresentedCode};
use super::joining::{self, Enrolled, NotEnrolled};
use super::{key, settings};
use beckon_client::config::HubConfig;
use beckon_client::config::edit::JoinedHub;
use beckon_client::platform::paths::{Paths, write_private};
use beckon_client::platform::private;
use std::path::{Path, PathBuf};

/// The result of joining.
#[derive(Debug)]
pub(crate) struct JoinedMachine {
    /// The hub, as the settings have it.
    pub(crate) hub: HubConfig,
    /// The machine's name there.
    pub(crate) device: String,
    /// The person to whom it belongs there.
    pub(crate) person: Option<String>,
}

/// Joins the hub of that code, under that name where it is free.
///
/// # Errors
/// When it fails; then the settings are as they were, and the hub has no new device, as far as it
/// could still be told.
pub(crate) async fn join(
    paths: &Paths,
    code: &str,
    name: String,
) -> Result<JoinedMachine, MembershipFault> {
    let code = InviteCode::parse(code).ok_or(MembershipFault::NoCode)?;
    let former = settings::read(paths)?.hub;
    look_at_former(former.as_ref(), &code)?;
    let admin = code.admin();
    let promised = settings::preview(
        paths,
        &JoinedHub {
            url: code.url(),
            admin: &admin,
            ca: None,
        },
    )?;
    let presented = PresentedCode {
        code,
        any_user: promised.any_user,
    };
    // A machine that was on the hub before stays on it, even if joining again fails.
    let is_new = former.is_none();
    let enrolled = match joining::join(&presented, name).await {
        Ok(enrolled) => enrolled,
        Err(NotEnrolled { why, may_be_listed }) if is_new && may_be_listed => {
            return Err(if is_taken_back(&presented).await {
                why.into()
            } else {
                MembershipFault::MayBeListed(why)
            });
        }
        Err(NotEnrolled { why, .. }) => return Err(why.into()),
    };
    match keep(paths, &enrolled) {
        Ok(hub) => Ok(JoinedMachine {
            hub,
            device: enrolled.name,
            person: enrolled.person,
        }),
        Err(why) if is_new && !is_taken_back(&presented).await => {
            Err(MembershipFault::StillListed(Box::new(why)))
        }
        Err(why) => Err(why),
    }
}

/// Takes the new device off the hub again, and returns whether that was done.
async fn is_taken_back(presented: &PresentedCode) -> bool {
    let taken_back = joining::take_back(presented).await;
    if let Err(fault) = &taken_back {
        tracing::warn!(?fault, "the hub may list this device");
    }
    taken_back.is_ok()
}

/// Refuses to join a second hub: the first one must be left before. The same hub may be joined
/// again by the same code, for a user who has not seen the end of the first time.
fn look_at_former(former: Option<&HubConfig>, code: &InviteCode) -> Result<(), MembershipFault> {
    match former {
        Some(hub) if hub.url != code.url() => Err(MembershipFault::OtherHub(hub.url.clone())),
        _ => Ok(()),
    }
}

/// Stores the joined hub. The settings are written last: without them nothing else is used.
fn keep(paths: &Paths, enrolled: &Enrolled) -> Result<HubConfig, MembershipFault> {
    let path = settings::folder(paths).join("ca.pem");
    let ca = enrolled
        .ca
        .as_deref()
        .map(|text| KeptCa::write(paths, path, text))
        .transpose();
    let ca = ca.map_err(MembershipFault::File)?;
    let place = ca.as_ref().map(|ca| ca.path.to_string_lossy());
    let hub = JoinedHub {
        url: &enrolled.url,
        admin: &enrolled.admin,
        ca: place.as_deref(),
    };
    if let Err(fault) = settings::join(paths, &hub) {
        if let Some(ca) = ca {
            ca.put_back();
        }
        return Err(fault);
    }

    settings::joined(paths)
}

/// The certificate in its file, with the former content of that file.
struct KeptCa {
    path: PathBuf,
    former: Option<Vec<u8>>,
}

impl KeptCa {
    fn write(paths: &Paths, path: PathBuf, text: &str) -> anyhow::Result<Self> {
        paths.create()?;
        private::create(path.parent().unwrap_or(Path::new(".")))?;
        let former = std::fs::read(&path).ok();
        write_private(&path, text.as_bytes())?;
        Ok(Self { path, former })
    }

    fn put_back(self) {
        let back = match &self.former {
            Some(former) => write_private(&self.path, former),
            None => std::fs::remove_file(&self.path).map_err(Into::into),
        };
        if let Err(error) = back {
            tracing::warn!(error = format!("{error:#}"), "a certificate is left behind");
        }
    }
}

/// Takes the hub out of the settings. The running Beckon then stops serving the bot, and only after
/// that the hub is told ([`tell`]): once the device is off the list no record of it is believed,
/// not even that it has stopped.
///
/// # Errors
/// When this machine is on no hub, or the settings can't be changed; then nothing has.
pub(crate) fn leave(paths: &Paths) -> Result<HubConfig, MembershipFault> {
    let hub = settings::joined(paths)?;
    settings::leave(paths)?;
    Ok(hub)
}

/// Takes that device off the hub, if this machine may.
///
/// # Errors
/// When this machine is on no hub or does not serve it, or the hub's admin refuses.
pub(crate) async fn remove(paths: &Paths, device: String) -> Result<(), MembershipFault> {
    let hub = settings::joined(paths)?;
    Ok(joining::remove(&hub, &settings::folder(paths), device).await?)
}

/// Tells the hub that this machine has left. The settings have no hub any more by then: an
/// unreachable hub must not keep a machine from leaving.
///
/// # Errors
/// When the hub still lists this machine.
pub(crate) async fn tell(hub: &HubConfig) -> Result<(), HubFault> {
    let own = key::public().await.ok();
    match &hub.admin {
        // No other device could take the admin's off.
        Some(admin) if own.as_ref() == Some(admin) => Err(HubFault::Refused(DeskRefusal::Admin)),
        Some(_) => joining::leave(hub).await,
        None => Ok(()),
    }
}
