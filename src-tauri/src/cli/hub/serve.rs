//! The command `beckon hub serve`: a hub of one's own, as long as this runs.

use super::invite::{Invitation, shown};
use super::settings;
use crate::cli::keychain::out_of_reach;
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::fault::HubFault;
use crate::hub::key;
use crate::hub::serving::{
    HostName, HubPlan, Listen, NatsServer, NoServer, ServeEnd, ServeEvent, ServingAt, serve,
};
use beckon_client::config::HubConfig;
use beckon_client::config::edit::JoinedHub;
use beckon_client::connection::ClientError;
use beckon_client::text::Value;
use clap::Args;
use std::process::ExitCode;
use tokio::sync::mpsc::unbounded_channel;

/// The minutes for which the first code is good.
const MINUTES: u64 = 10;

/// The words of systems for a port that has a listener already.
const TAKEN: &str = "address already in use";

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ServeArguments {
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4223")]
    listen: Listen,
    #[arg(long, value_name = "HOST")]
    address: Option<HostName>,
    #[arg(long)]
    tls: bool,
}

pub(super) async fn run(context: &CommandContext, arguments: ServeArguments) -> CommandResult {
    let server = NatsServer::find().map_err(|none| ClientError::Said(no_server(context, &none)))?;
    let config = settings::read(context)?;
    look_at_former(context, config.hub.as_ref()).await?;
    let plan = HubPlan {
        folder: settings::folder(context),
        listen: arguments.listen,
        address: arguments.address.map(|HostName(address)| address),
        tls: arguments.tls,
        device: settings::machine(context),
        person: settings::person(context, &config),
    };
    let opened = plan.is_here_only().then(|| plan.listen.everywhere());
    let person = plan.person.clone();
    let (events, mut happened) = unbounded_channel();
    let mut serving = Box::pin(serve(plan, server.clone(), events));
    loop {
        tokio::select! {
            ended = &mut serving => return ended_with(context, ended),
            Some(event) = happened.recv() => match event {
                ServeEvent::Ready(at) => ready(context, &server, &at, (&opened, person.clone()))?,
                ServeEvent::Joined(device) => tell(context, "hub-serve-joined", device),
                ServeEvent::Left(device) => tell(context, "hub-serve-left", device),
                ServeEvent::NotLoaded(why) => {
                    let fault = HubFault::NotLoaded(why);
                    say(&fault.words(&context.texts));
                }
            },
        }
    }
}

fn tell(context: &CommandContext, key: &str, device: String) {
    say(&context.texts.with(key, &[("device", Value::from(device))]));
}

fn no_server(context: &CommandContext, none: &NoServer) -> String {
    match none {
        NoServer::Missing => context.texts.get("hub-serve-missing"),
        NoServer::TooOld(version) => {
            let version = Value::from(version.clone());
            context
                .texts
                .with("hub-serve-too-old", &[("version", version)])
        }
    }
}

/// Refuses to serve a hub while this machine is on another one: somebody else's hub is not
/// forgotten in passing.
async fn look_at_former(
    context: &CommandContext,
    former: Option<&HubConfig>,
) -> Result<(), ClientError> {
    let Some(former) = former else { return Ok(()) };
    let own = key::public()
        .await
        .map_err(|trouble| out_of_reach(context, "hub", &trouble))?;
    if former.admin.as_ref() == Some(&own) {
        return Ok(());
    }
    let url = Value::from(former.url.clone());
    Err(ClientError::Said(
        context.texts.with("hub-joined-already", &[("url", url)]),
    ))
}

fn ready(
    context: &CommandContext,
    server: &NatsServer,
    at: &ServingAt,
    (opened, person): (&Option<String>, String),
) -> Result<(), ClientError> {
    let ca = at.ca.as_ref().map(|ca| ca.to_string_lossy());
    let hub = JoinedHub {
        url: &at.url,
        admin: &at.admin,
        ca: ca.as_deref(),
    };
    settings::join(context, &hub)?;
    let args = [
        ("version", Value::from(server.name.clone())),
        ("url", at.url.clone().into()),
    ];
    say(&context.texts.with("hub-serve-ready", &args));
    if !server.syncs() {
        say(&context.texts.get("hub-serve-syncs-not"));
    }
    shown(
        context,
        &Invitation {
            code: at.code.clone(),
            minutes: MINUTES,
            person,
        },
    )?;
    let with = |key: &str, name, what: &str| {
        context
            .texts
            .with(key, &[(name, Value::from(what.to_owned()))])
    };
    say(&match opened {
        Some(listen) => with("hub-serve-here-only", "listen", listen),
        None => with("hub-serve-others", "url", &at.others),
    });
    Ok(())
}

fn ended_with(context: &CommandContext, ended: anyhow::Result<()>) -> CommandResult {
    let Err(error) = ended else {
        say(&context.texts.get("hub-serve-stopped"));
        return Ok(ExitCode::SUCCESS);
    };
    let because = |key: &str, why: &str| {
        context
            .texts
            .with(key, &[("reason", Value::from(why.to_owned()))])
    };
    Err(match error.downcast_ref() {
        Some(ServeEnd::AlreadyServed) => ClientError::Said(context.texts.get("hub-serve-already")),
        Some(ServeEnd::ServerEnded(why)) if why.contains(TAKEN) => {
            ClientError::Said(because("hub-serve-taken", why))
        }
        Some(ServeEnd::ServerEnded(why)) => ClientError::Said(because("hub-serve-ended", why)),
        Some(ServeEnd::Silent(why)) => ClientError::Said(because("hub-serve-silent", why)),
        None => ClientError::Other(error),
    })
}
