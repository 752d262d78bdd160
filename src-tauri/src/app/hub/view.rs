//! The view of the hub (`GET /hub`). It only reads.

use super::*;
use crate::app::hub::watching::shown_name;
use beckon_client::wire::{
    BotServing, DeviceTrust, HubBot, HubConnection, HubDevice, HubMachine, HubPerson, HubRefused,
    HubRoute, HubTeam, HubView, MachineState, WireWord,
};
use beckon_core::hub::team::{Person, Team};

impl App {
    /// Returns the connection to the hub, and the other machines on it.
    pub(in crate::app) fn hub_view(&self) -> HubView {
        let built = hub::IS_BUILT;
        let Some(hub) = &self.hub else {
            return HubView {
                built,
                ..HubView::default()
            };
        };
        let (state, detail) = match &hub.state {
            HubState::Connecting => (HubConnection::Connecting, None),
            HubState::Reading(bytes) => (
                HubConnection::Connecting,
                Some(Warning::HubReading(*bytes).words(&self.texts)),
            ),
            HubState::Connected => (HubConnection::Connected, None),
            HubState::Down(why) => (HubConnection::Down, Some(why.clone())),
            HubState::Odd(odd) => (HubConnection::Down, Some(odd.words(&self.texts))),
            HubState::OtherUser => (HubConnection::Down, Some(self.texts.get("hub-other-user"))),
            HubState::UnusableCa(ca) => (HubConnection::Down, Some(ca.words(&self.texts))),
            HubState::OtherRules(stream) => (HubConnection::Rules, Some(stream.clone())),
            HubState::Unknown => (HubConnection::Unknown, None),
            HubState::Forbidden(what) => (HubConnection::Forbidden, Some(what.clone())),
        };
        HubView {
            built,
            state: state.into(),
            detail,
            url: Some(hub.config.url.clone()),
            key: hub.key.clone(),
            no_key: hub.no_key.clone(),
            machines: self.machines(hub),
            devices: hub.devices(),
            bot: self.shared_bot(),
            team: hub.told_team(&self.texts),
            refused: hub.refused_by_reason(),
        }
    }

    fn machines(&self, hub: &HubRoom) -> Vec<HubMachine> {
        let device = hub.own_device();
        let this = HubMachine {
            node: self.instance.to_string(),
            name: device.clone().or_else(account::machine).unwrap_or_default(),
            this: true,
            state: MachineState::There.into(),
            person: hub.told_person(device.as_deref()),
            device,
            version: Some(env!("CARGO_PKG_VERSION").into()),
            last_heard: None,
            serves_bot: self.channels.telegram.bot_id().is_some() && self.serves_bot(None),
            open: self.open_of(|entry| entry.ask.is_own()),
        };
        let mut others: Vec<HubMachine> = hub
            .nodes()
            .into_iter()
            .map(|node| self.machine(hub, node))
            .collect();
        others.sort_by(|one, other| one.name.cmp(&other.name));
        let mut all: Vec<HubMachine> = std::iter::once(this).chain(others).collect();
        tell_apart(&mut all);
        all
    }

    fn machine(&self, hub: &HubRoom, node: &str) -> HubMachine {
        let signer = hub.signers.get(node);
        let state = match hub.heard.contains_key(node) {
            _ if signer.is_some_and(|signer| !hub.is_listed(&signer.device)) => {
                MachineState::Removed
            }
            _ if !hub.is_connected() => MachineState::Unknown,
            true => MachineState::There,
            false => MachineState::Away,
        };
        let device = signer.map(|signer| signer.device.clone());
        let named = hub.remote.machines().find(|(other, _)| *other == node);
        let name = device
            .clone()
            .or_else(|| named.map(|(_, machine)| machine.to_owned()));
        HubMachine {
            node: node.to_owned(),
            name: name.unwrap_or_else(|| "?".into()),
            this: false,
            state: state.into(),
            person: hub.told_person(device.as_deref()),
            device,
            version: signer.and_then(|signer| signer.version.clone()),
            last_heard: signer.and_then(Signer::last_heard),
            serves_bot: self.serves_bot(Some(node)),
            open: self.open_of(|entry| {
                let ask = &entry.ask;
                ask.id.source.0.starts_with(HUB_SOURCE)
                    && ask.session.via.first().is_some_and(|via| via == node)
            }),
        }
    }

    /// Whether that machine serves the bot; `None` stands for this one.
    fn serves_bot(&self, node: Option<&str>) -> bool {
        match (self.channels.telegram.holder(), node) {
            (Some(LeaseHolder::Own(_) | LeaseHolder::Alone), None) => true,
            (Some(LeaseHolder::Other { node: holder, .. }), Some(node)) => holder == node,
            _ => false,
        }
    }

    fn shared_bot(&self) -> Option<HubBot> {
        self.hub.as_ref()?;
        let telegram = self.channels.telegram.view(clock::now());
        let (served, machine) = match self.channels.telegram.holder()? {
            LeaseHolder::Own(_) | LeaseHolder::Alone => (BotServing::Here, None),
            LeaseHolder::Other { machine, .. } => (BotServing::Elsewhere, Some(machine.clone())),
            LeaseHolder::Nobody => (BotServing::Nobody, None),
            LeaseHolder::Unknown | LeaseHolder::Left => (BotServing::Unknown, None),
            LeaseHolder::Foreign => (BotServing::Foreign, None),
        };
        Some(HubBot {
            name: telegram.bot?,
            served: served.into(),
            machine,
        })
    }

    fn open_of(&self, is_such: impl Fn(&Entry) -> bool) -> usize {
        self.desk
            .asks()
            .filter(|(_, entry)| entry.waits() && is_such(entry))
            .count()
    }
}

/// Makes equal names different. Two machines that sign with one device have one name, such as a
/// machine before and after it was set up anew. The beginning of their names among Beckons is
/// added.
fn tell_apart(machines: &mut [HubMachine]) {
    let names: Vec<String> = machines.iter().map(|it| it.name.clone()).collect();
    for machine in machines.iter_mut().filter(|it| !it.this) {
        if names.iter().filter(|name| **name == machine.name).count() > 1 {
            let short: String = machine.node.chars().take(4).collect();
            machine.name = format!("{} ({short})", machine.name);
        }
    }
}

impl Signer {
    /// Returns when the device was last heard of, by the wall clock as it is set now.
    fn last_heard(&self) -> Option<i64> {
        let ago = clock::steady().0 - self.heard_at?.0;
        Some(clock::now().0 - ago)
    }
}

impl HubRoom {
    /// Returns the other machines: those online, those that share something, and those that have
    /// gone silent.
    fn nodes(&self) -> BTreeSet<&str> {
        let own = self.owner.node();
        let sharing = self.remote.machines().map(|(node, _)| node);
        let known = self
            .heard
            .keys()
            .map(String::as_str)
            .chain(sharing)
            .chain(self.silent());
        known.filter(|node| *node != own).collect()
    }

    /// Returns the machines that are not heard of any more, only the last one of each device. A
    /// machine that was set up anew is not missed under its former name, and one whose device is on
    /// no list is not expected.
    fn silent(&self) -> impl Iterator<Item = &str> {
        let mut last: BTreeMap<&str, (bool, Option<Span>, &str)> = BTreeMap::new();
        for (node, signer) in &self.signers {
            let this = (
                self.heard.contains_key(node),
                signer.heard_at,
                node.as_str(),
            );
            let known = last.entry(&signer.device).or_insert(this);
            *known = (*known).max(this);
        }
        let silent = last
            .into_iter()
            .filter(|(device, (is_heard, ..))| !is_heard && self.is_listed(device));
        silent.map(|(_, (.., node))| node)
    }

    fn is_listed(&self, device: &str) -> bool {
        self.devices().iter().any(|listed| listed.name == device)
    }

    /// Returns the trusted devices: those of the settings' list, and then those that the desk's
    /// admin names.
    fn devices(&self) -> Vec<HubDevice> {
        let device = |name: &str, key: &str, person: Option<&str>, by| HubDevice {
            name: shown_name(name),
            person: person.map(shown_name),
            key: key.trim().to_owned(),
            by: WireWord::from(by),
            this: self.key.as_deref() == Some(key.trim()),
            admin: self.config.admin.as_deref() == Some(key.trim()),
        };
        let listed = self.config.devices.iter();
        let mut all: Vec<HubDevice> = listed
            .map(|(name, key)| device(name, key, None, DeviceTrust::List))
            .collect();
        for (name, entry) in self.desk.iter().flat_map(|desk| &desk.devices) {
            if !all.iter().any(|known| known.key == entry.key) {
                all.push(device(
                    name,
                    &entry.key,
                    entry.person.as_deref(),
                    DeviceTrust::Desk,
                ));
            }
        }
        all
    }

    /// Returns the owner of a device, where there is a team.
    fn told_person(&self, device: Option<&str>) -> Option<String> {
        let device = device.filter(|_| self.is_team())?;
        Some(shown_name(&self.person_of(device)))
    }

    fn told_team(&self, texts: &Texts) -> Option<HubTeam> {
        let seat = self.team.seat.as_ref()?;
        let told = |(name, person)| self.told_member(texts, &seat.team, (name, person));
        let route = |route| {
            let (scope, rule) = words::route(texts, route);
            HubRoute { scope, rule }
        };
        Some(HubTeam {
            people: seat.team.people.iter().map(told).collect(),
            routes: seat.team.routes.iter().map(route).collect(),
        })
    }

    fn told_member(
        &self,
        texts: &Texts,
        team: &Team,
        (name, person): (&String, &Person),
    ) -> HubPerson {
        let devices = self.desk.iter().flat_map(|desk| desk.devices.keys());
        let theirs = devices.filter(|device| self.person_of(device) == *name);
        HubPerson {
            name: shown_name(name),
            this: self
                .team
                .seat
                .as_ref()
                .is_some_and(|seat| seat.person == *name),
            roles: person.roles.iter().map(|role| shown_name(role)).collect(),
            devices: theirs.map(|device| shown_name(device)).collect(),
            shifts: words::shifts(texts, &team.rota, name),
        }
    }

    /// Returns this machine's name, as the others or its own settings call it.
    pub(in crate::app) fn own_device(&self) -> Option<String> {
        self.devices()
            .into_iter()
            .find(|device| device.this)
            .map(|device| device.name)
    }

    fn refused_by_reason(&self) -> HubRefused {
        let refusals = self.owner.refusals();
        HubRefused {
            unreadable: refusals.unreadable + self.refused(RecordFault::Unreadable),
            strange: self.refused(RecordFault::Strange),
            forged: refusals.forged,
            other_content: refusals.other_content,
            unfit: refusals.unfit,
        }
    }
}
