//! What there is to see of the hub (`GET /hub`). Nothing here changes anything.

use super::*;
use crate::app::hub::watching::shown_name;
use beckon_client::wire::{
    DeviceTrust, HubConnection, HubDevice, HubMachine, HubRefused, HubView, MachineState, WireWord,
};

impl App {
    /// How this Beckon stands with the hub, and who else is there.
    pub(in crate::app) fn hub_view(&self) -> HubView {
        let Some(hub) = &self.hub else { return HubView::default() };
        let (state, detail) = match &hub.state {
            HubState::Connecting => (HubConnection::Connecting, None),
            HubState::Connected => (HubConnection::Connected, None),
            HubState::Down(why) => (HubConnection::Down, Some(why.clone())),
            HubState::OtherRules(stream) => (HubConnection::Rules, Some(stream.clone())),
            HubState::Unknown => (HubConnection::Unknown, None),
            HubState::Forbidden(what) => (HubConnection::Forbidden, Some(what.clone())),
        };
        HubView {
            state: state.into(),
            detail,
            url: Some(hub.config.url.clone()),
            key: hub.key.clone(),
            no_key: hub.no_key.clone(),
            machines: self.machines(hub),
            devices: hub.devices(),
            refused: hub.refused_by_reason(),
        }
    }

    fn machines(&self, hub: &HubRoom) -> Vec<HubMachine> {
        let this = HubMachine {
            name: account::machine().unwrap_or_default(),
            this: true,
            state: MachineState::There.into(),
            device: hub.own_device(),
            open: self.open_of(|entry| entry.ask.is_own()),
        };
        let mut others: Vec<HubMachine> =
            hub.nodes().into_iter().map(|node| self.machine(hub, node)).collect();
        others.sort_by(|one, other| one.name.cmp(&other.name));
        std::iter::once(this).chain(others).collect()
    }

    fn machine(&self, hub: &HubRoom, node: &str) -> HubMachine {
        let state = match hub.heard.contains_key(node) {
            _ if !hub.is_connected() => MachineState::Unknown,
            true => MachineState::There,
            false => MachineState::Away,
        };
        let signer = hub.signers.get(node);
        let device = signer.map(|signer| signer.device.clone());
        let named = hub.remote.machines().find(|(other, _)| *other == node);
        let name = signer.map(|signer| signer.machine.clone());
        let name = name.or_else(|| named.map(|(_, machine)| machine.to_owned()));
        HubMachine {
            name: name.unwrap_or_else(|| "?".into()),
            this: false,
            state: state.into(),
            device,
            open: self.open_of(|entry| {
                let ask = &entry.ask;
                ask.id.source.0.starts_with(HUB_SOURCE)
                    && ask.session.via.first().is_some_and(|via| via == node)
            }),
        }
    }

    fn open_of(&self, is_such: impl Fn(&Entry) -> bool) -> usize {
        self.desk.asks().filter(|(_, entry)| entry.waits() && is_such(entry)).count()
    }
}

impl HubRoom {
    /// Those that were heard of, and those that share something.
    fn nodes(&self) -> BTreeSet<&str> {
        let own = self.owner.node();
        let sharing = self.remote.machines().map(|(node, _)| node);
        let known = self.heard.keys().map(String::as_str).chain(sharing);
        known.filter(|node| *node != own).collect()
    }

    /// Those of the list, and then those that the admin of the desk names.
    fn devices(&self) -> Vec<HubDevice> {
        let device = |name: &str, key: &str, person: Option<&str>, by| HubDevice {
            name: shown_name(name),
            person: person.map(shown_name),
            key: key.trim().to_owned(),
            by: WireWord::from(by),
            this: self.key.as_deref() == Some(key.trim()),
        };
        let listed = self.config.devices.iter();
        let mut all: Vec<HubDevice> =
            listed.map(|(name, key)| device(name, key, None, DeviceTrust::List)).collect();
        for (name, entry) in self.desk.iter().flat_map(|desk| &desk.devices) {
            if !all.iter().any(|known| known.key == entry.key) {
                all.push(device(name, &entry.key, entry.person.as_deref(), DeviceTrust::Desk));
            }
        }
        all
    }

    fn own_device(&self) -> Option<String> {
        self.devices().into_iter().find(|device| device.this).map(|device| device.name)
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
