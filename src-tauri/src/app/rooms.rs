//! What the loop begins with. Who starts the rooms is `cli/resident.rs`.

use super::*;
use crate::app::servers::told_turns::ToldTurns;

/// The rooms, started, and what was kept of the last run.
pub(crate) struct Rooms {
    /// The decisions.
    pub desk: Desk,
    /// The database.
    pub store: Store,
    /// The sources by name.
    pub sources: BTreeMap<SourceId, Source>,
    /// What is asked through Beckon itself.
    pub asks: LocalAsks,
    /// This Beckon's name among Beckons.
    pub instance: Arc<str>,
    /// Where asks are shown.
    pub channels: Channels,
    /// Where the human is.
    pub presence: presence::PresenceHandle,
    /// The file that is there while the human is.
    pub marker: presence::PresenceMarker,
    /// Opens windows.
    pub opener: GuiProcess,
    /// The tray, unless headless.
    pub tray: Option<Tray>,
    /// Whether a newer Beckon is there.
    pub updates: UpdatesHandle,
    /// Where the loop is told things, for rooms that start later.
    pub mailbox: Mailbox,
    /// The words.
    pub texts: Arc<Texts>,
    /// What a person should know already.
    pub warnings: Vec<Warning>,
    /// What is wrong with the settings file.
    pub config_warning: Option<Warning>,
}

impl App {
    /// The loop with these rooms; servers and hot key come with the settings.
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
