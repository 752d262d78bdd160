//! The table of the walls: what each room may name, and why. From the ground up: a room stands above
//! all that it names, so there is no circle.

/// One room.
pub(super) struct Row {
    pub(super) room: &'static str,
    pub(super) may_name: &'static [&'static str],
}

pub(super) const ALLOWED: &[Row] = &[
    // The system knows nothing of Beckon.
    Row { room: "platform", may_name: &[] },
    // Secrets are kept apart from settings; where files lie.
    Row { room: "config", may_name: &["platform"] },
    // The JSON that others read: kinds and values of settings are part of it.
    Row { room: "wire", may_name: &["config"] },
    // Sentences: of settings that do not fit, of what failed, of what was decided.
    Row { room: "text", may_name: &["config", "platform", "wire"] },
    // Whoever talks to the running Beckon.
    Row { room: "client", may_name: &["platform", "text", "wire"] },
    // The rooms of the world outside. They report, and know neither each other nor the loop.
    Row { room: "channels", may_name: &["config", "platform", "text", "wire"] },
    Row { room: "gui", may_name: &["platform", "wire"] },
    Row { room: "presence", may_name: &["platform", "wire"] },
    Row { room: "sources", may_name: &["config", "platform", "text", "wire"] },
    Row { room: "tray", may_name: &["text", "wire"] },
    // Keeps pairings and what was asked through Beckon, as those rooms define them.
    Row { room: "store", may_name: &["channels", "platform", "sources", "wire"] },
    // The loop: the only one that knows every room.
    Row {
        room: "app",
        may_name: &[
            "channels", "config", "gui", "platform", "presence", "sources", "store", "text",
            "tray", "wire",
        ],
    },
    // The server: asks the loop, reads the history beside it, sets secrets and settings.
    Row {
        room: "api",
        may_name: &[
            "app", "channels", "client", "config", "platform", "sources", "store", "text", "tray",
            "wire",
        ],
    },
    // The command line, and `resident.rs`, which starts all rooms.
    Row {
        room: "cli",
        may_name: &[
            "api", "app", "channels", "client", "config", "gui", "platform", "presence", "sources",
            "store", "text", "tray", "wire",
        ],
    },
];
