//! Settings and checks.

use super::super::operation::{Operation, delete, get, patch, post};
use crate::api::local_asks::WaitQuery;
use crate::api::settings::integrations::{AutostartBody, IntegrationBody, PluginSettings};
use crate::api::settings::origins::OriginBody;
use crate::api::settings::{LoggedInBot, LoginBody, SecretBody};
use beckon_client::config::edit::OriginChange;
use beckon_client::wire::{
    CardTested, Finding, HubJoined, HubLeft, HubView, Integrations, JoinBody, LocalAgent,
    LocalAskStatus, Nearby, PairingLink, RemoveBody, ServerTested, SettingChange, Settings,
    TelegramInfo,
};

pub(super) fn operations() -> Vec<Operation> {
    [
        settings(),
        servers(),
        hub(),
        integrations(),
        checks(),
        telegram(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn settings() -> Vec<Operation> {
    vec![
        get("/settings", "Gives the settings")
            .answers::<Settings>()
            .refuses(&[500]),
        changed(patch("/settings", "Changes a setting").takes::<SettingChange>())
            .refuses(&[404, 409, 500]),
        changed(post(
            "/settings/autostart",
            "Lets Beckon start at login, or not any more",
        ))
        .takes::<AutostartBody>()
        .refuses(&[500, 503]),
        post("/secrets/{name}", "Puts a secret into the keychain")
            .takes::<SecretBody>()
            .answers::<bool>()
            .refuses(&[503]),
        delete("/secrets/{name}", "Takes a secret out of the keychain")
            .answers::<bool>()
            .refuses(&[503]),
    ]
}

fn changed(operation: Operation) -> Operation {
    operation.answers_when::<Settings>(200, "The settings, as they are then.")
}

fn servers() -> Vec<Operation> {
    vec![
        get(
            "/nearby",
            "Lists the servers that announce themselves on the local network",
        )
        .answers::<Vec<Nearby>>()
        .refuses(&[502]),
        post("/servers/test", "Tells what answers at an address")
            .takes::<OriginBody>()
            .answers::<ServerTested>(),
        changed(post("/settings/servers", "Adds a server or service").takes::<OriginBody>())
            .refuses(&[409, 500]),
        changed(delete(
            "/settings/servers/{name}",
            "Removes a server or service",
        ))
        .refuses(&[404, 409, 500]),
        changed(patch(
            "/settings/servers/{name}",
            "Gives it another name or address",
        ))
        .takes::<OriginChange>()
        .refuses(&[404, 409, 500, 503]),
    ]
}

fn hub() -> Vec<Operation> {
    let about =
        "Tells of the machines that share what they ask, and how this one stands among them";
    vec![
        get("/hub", about).answers::<HubView>(),
        post("/hub/join", "Joins a hub by a code")
            .takes::<JoinBody>()
            .answers::<HubJoined>()
            .refuses(&[409, 500, 501, 502, 503]),
        post(
            "/hub/leave",
            "Leaves the hub, and gives the Telegram bot to another machine at once",
        )
        .answers::<HubLeft>()
        .refuses(&[409, 500, 503]),
        post(
            "/hub/remove",
            "Takes a device off the hub that this machine serves",
        )
        .takes::<RemoveBody>()
        .answers::<bool>()
        .refuses(&[409, 500, 501, 502, 503]),
    ]
}

fn integrations() -> Vec<Operation> {
    vec![
        get(
            "/integrations/opencode",
            "Tells OpenCode's plugin its settings",
        )
        .answers::<PluginSettings>(),
        changed(post(
            "/integrations/opencode",
            "Installs or removes OpenCode's plugin",
        ))
        .takes::<IntegrationBody>()
        .refuses(&[409, 500]),
        get("/agents", "Lists the OpenCodes that run on this machine").answers::<Vec<LocalAgent>>(),
        get(
            "/integrations",
            "Tells how Beckon stands in the settings of agents",
        )
        .answers::<Integrations>(),
        post(
            "/integrations/claude-code",
            "Installs or removes the hooks of Claude Code",
        )
        .takes::<IntegrationBody>()
        .answers::<Integrations>()
        .refuses(&[500, 503]),
    ]
}

fn checks() -> Vec<Operation> {
    vec![
        post("/selftest", "Sends a pretended question through every leg").answers::<Vec<Finding>>(),
        post(
            "/selftest/question",
            "Asks the human something, as an agent would",
        )
        .answers_when::<LocalAskStatus>(200, "It has ended.")
        .answers_when::<LocalAskStatus>(202, "Nobody has answered within two minutes.")
        .refuses(&[503]),
    ]
}

fn telegram() -> Vec<Operation> {
    vec![
        post(
            "/telegram/login",
            "Takes the token of a bot, once Telegram has said whose it is",
        )
        .takes::<LoginBody>()
        .answers::<LoggedInBot>()
        .refuses(&[503]),
        get("/telegram", "Tells how Telegram stands, and who is paired").answers::<TelegramInfo>(),
        post("/telegram/reload", "Reads the bot's token anew").answers::<bool>(),
        post(
            "/telegram/pair",
            "Gives a link that pairs whoever opens it first",
        )
        .answers_when::<PairingLink>(201, "The link.")
        .refuses(&[409]),
        delete("/telegram/people/{id}", "Lets somebody answer no more")
            .numbered()
            .answers::<bool>()
            .refuses(&[404]),
        post("/telegram/test", "Sends a card with a button")
            .query::<WaitQuery>()
            .answers::<CardTested>(),
    ]
}
