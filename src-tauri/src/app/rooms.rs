//! The rooms with which the loop begins. `cli/resident.rs` starts them.

use super::*;
use crate::app::servers::told_turns::ToldTurns;

/// The started rooms, and what was kept of the last run.
pub(crate) struct Rooms {
    /// The desk, which decides.
    pub desk: Desk,
    /// The database.
    pub store: Store,
    /// The sources by name.
    pub sources: BTreeMap<SourceId, Source>,
    /// The asks that are made through Beckon itself.
    pub asks: LocalAsks,
    /// The name by which this Beckon is known among Beckons.
    pub instance: Arc<str>,
    /// The channels on which asks are shown.
    pub channels: Channels,
    /// The backends that tell where the human is.
    pub presence: presence::PresenceHandle,
    /// The file that exists while the human is here.
    pub marker: presence::PresenceMarker,
    /// The starter of the window program.
    pub opener: GuiProcess,
    /// The tray, unless headless.
    pub tray: Option<Tray>,
    /// The search for a newer Beckon.
    pub updates: UpdatesHandle,
    /// The sender of inputs to the loop, kept for rooms that start later.
    pub mailbox: Mailbox,
    /// The texts.
    pub texts: Arc<Texts>,
    /// Warnings from the start that a person should know.
    pub warnings: Vec<Warning>,
    /// The fault in the settings file, if there is one.
    pub config_warning: Option<Warning>,
}

impl App {
    /// Makes the loop with these rooms; servers and hot key come with the settings.
    pub(crate) fn new(rooms: Rooms) -> Self {
        Self {
            desk: rooms.desk,
            store: rooms.store,
            sources: rooms.sources,
            asks: rooms.asks,
            registry: SourceRegistry::default(),
            instance: rooms.instance,
            peers: BTreeMap::new(),
            turns: ToldTurns::new(clock::now()),
            gaps: BTreeMap::new(),
            unreadable: 0,
            channels: rooms.channels,
            presence: rooms.presence,
            marker: rooms.marker,
            hotkey: Hotkey::default(),
            hotkey_warning: None,
            opener: rooms.opener,
            tray: rooms.tray,
            updates: rooms.updates,
            hub: None,
            leaving: hub::LeavingHubs::default(),
            mailbox: rooms.mailbox,
            texts: rooms.texts,
            warnings: rooms.warnings,
            unsaved: saving::Unsaved::default(),
            config_warning: rooms.config_warning,
            clocks: clock::ClockWatch::start(),
            utc_offset: clock::utc_offset(),
            draw_at: None,
        }
    }
}
