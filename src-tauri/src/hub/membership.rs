//! How this machine joins a hub and leaves it, and takes others off: what is done there, in the keychain
//! and in the settings, whoever wishes it. Either all of it is done, or nothing stays that is seen; the
//! device's key stays, as it belongs to the device and not to a hub.
//!
//! Not here: what is said at the hub (`joining.rs`), and what a Beckon that runs makes of other settings
//! (`app/hub.rs`).

use super::fault::{DeskRefusal, HubFault, MembershipFault};
use super::invite::{InviteCode, PresentedCode};
use super::joining::{self, Enrolled, NotEnrolled};
use super::{key, settings};
use beckon_client::config::HubConfig;
use beckon_client::config::edit::JoinedHub;
use beckon_client::platform::paths::{Paths, write_private};
use beckon_client::platform::private;
use std::path::{Path, PathBuf};

/// What has become of joining.
#[derive(Debug)]
pub(crate) struct JoinedMachine {
    /// The hub, as the settings have it.
    pub(crate) hub: HubConfig,
    /// What this machine is called there.
    pub(crate) device: String,
    /// Whose it is there.
    pub(crate) person: Option<String>,
}

/// Joins the hub of that code, under that name where it is free.
///
/// # Errors
/// When it doesn't come to it; then the settings are as they were, and the hub has nobody more, as far
/// as it could still be told.
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
    // What was joined before stands as it did, whatever becomes of joining it again.
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

/// The hub has nobody more.
async fn is_taken_back(presented: &PresentedCode) -> bool {
    let taken_back = joining::take_back(presented).await;
    if let Err(fault) = &taken_back {
        tracing::warn!(?fault, "the hub may list this device");
    }
    taken_back.is_ok()
}

/// One that was joined before is left first; by the same code it may be joined again, for whoever has
/// not seen the end of the first time.
fn look_at_former(former: Option<&HubConfig>, code: &InviteCode) -> Result<(), MembershipFault> {
    match former {
        Some(hub) if hub.url != code.url() => Err(MembershipFault::OtherHub(hub.url.clone())),
        _ => Ok(()),
    }
}

/// The settings come last: without them nothing of it is used.
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

/// The certificate in its file, with what lay there.
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

/// Takes the hub out of the settings. Who serves the bot lets go of it next, and then the hub is told
/// ([`tell`]): of a device that is off its list nothing is believed, also not that.
///
/// # Errors
/// When this machine is on none, or the settings can't be changed; then nothing has.
pub(crate) fn leave(paths: &Paths) -> Result<HubConfig, MembershipFault> {
    let hub = settings::joined(paths)?;
    settings::leave(paths)?;
    Ok(hub)
}

/// Takes that device off the hub, where this machine may.
///
/// # Errors
/// When it is on none or does not serve it, or its admin doesn't do it.
pub(crate) async fn remove(paths: &Paths, device: String) -> Result<(), MembershipFault> {
    let hub = settings::joined(paths)?;
    Ok(joining::remove(&hub, &settings::folder(paths), device).await?)
}

/// Tells the hub that this machine has left: whoever leaves is not kept by a hub that is away.
///
/// # Errors
/// When it still lists this machine.
pub(crate) async fn tell(hub: &HubConfig) -> Result<(), HubFault> {
    let own = key::public().await.ok();
    match &hub.admin {
        // Nobody else could take it off.
        Some(admin) if own.as_ref() == Some(admin) => Err(HubFault::Refused(DeskRefusal::Admin)),
        Some(_) => joining::leave(hub).await,
        None => Ok(()),
    }
}
