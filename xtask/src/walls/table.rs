//! The table of the walls: what each room may name, and why. It is ordered from the ground up: a
//! room stands above all that it names, so there is no circle.

/// A room with the rooms that it may name; `client::` are those of `beckon-client`.
pub(super) struct Row {
    pub(super) room: &'static str,
    pub(super) may_name: &'static [&'static str],
}

pub(super) const ALLOWED: &[Row] = &[
    // The operating system; it knows nothing of Beckon.
    Row {
        room: "client::platform",
        may_name: &[],
    },
    // Reading of JSON that somebody else wrote; it knows no one's messages.
    Row {
        room: "client::json",
        may_name: &[],
    },
    // Settings, secrets kept apart from them, and the places of files.
    Row {
        room: "client::config",
        may_name: &["client::platform"],
    },
    // The JSON that others read; kinds and values of settings are part of it.
    Row {
        room: "client::wire",
        may_name: &["client::config"],
    },
    // Sentences about settings that do not fit, about what failed, and about what was decided.
    Row {
        room: "client::text",
        may_name: &["client::config", "client::platform", "client::wire"],
    },
    // The connection to the running Beckon.
    Row {
        room: "client::connection",
        may_name: &["client::platform", "client::text", "client::wire"],
    },
    // The window program: a client, without anything of the resident.
    Row {
        room: "window",
        may_name: &[
            "client::config",
            "client::connection",
            "client::platform",
            "client::text",
            "client::wire",
        ],
    },
    // The parts of the system that only the resident uses: keychain, processes, signals, logs.
    Row {
        room: "platform",
        may_name: &["client::platform"],
    },
    // The rooms of the world outside. They report, and know neither each other nor the loop.
    Row {
        room: "channels",
        may_name: &[
            "client::config",
            "client::json",
            "client::platform",
            "client::text",
            "client::wire",
            "platform",
        ],
    },
    Row {
        room: "gui",
        may_name: &["client::platform", "client::wire", "platform"],
    },
    // The entries in the settings of agents.
    Row {
        room: "integrations",
        may_name: &[
            "client::json",
            "client::platform",
            "client::wire",
            "platform",
        ],
    },
    Row {
        room: "presence",
        may_name: &["client::platform", "client::wire", "platform"],
    },
    Row {
        room: "sources",
        may_name: &[
            "client::config",
            "client::json",
            "client::platform",
            "client::text",
            "client::wire",
            "platform",
        ],
    },
    // The place where an ask's session runs; the sources know which OpenCode listens where.
    Row {
        room: "destination",
        may_name: &[
            "client::config",
            "client::platform",
            "client::text",
            "platform",
            "sources",
        ],
    },
    Row {
        room: "tray",
        may_name: &["client::text", "client::wire"],
    },
    // The question to the project, where its human wants it, whether there is a newer Beckon.
    Row {
        room: "updates",
        may_name: &["client::platform", "client::wire", "platform"],
    },
    // The connection to the hub, over which the Beckons of one person share their asks.
    Row {
        room: "hub",
        may_name: &[
            "client::config",
            "client::platform",
            "client::text",
            "platform",
        ],
    },
    // The storage of pairings and of what was asked through Beckon, as those rooms define them.
    Row {
        room: "store",
        may_name: &["channels", "client::platform", "client::wire", "sources"],
    },
    // The loop, the only room that knows every other.
    Row {
        room: "app",
        may_name: &[
            "channels",
            "client::config",
            "client::platform",
            "client::text",
            "client::wire",
            "destination",
            "gui",
            "hub",
            "platform",
            "presence",
            "sources",
            "store",
            "tray",
            "updates",
        ],
    },
    // The local server: it asks the loop, reads the history beside it, sets secrets and settings,
    // joins a hub.
    Row {
        room: "api",
        may_name: &[
            "app",
            "channels",
            "client::config",
            "client::connection",
            "client::json",
            "client::platform",
            "client::text",
            "client::wire",
            "destination",
            "hub",
            "integrations",
            "platform",
            "sources",
            "store",
            "tray",
            "updates",
        ],
    },
    // The command line, and `resident.rs`, which starts all rooms.
    Row {
        room: "cli",
        may_name: &[
            "api",
            "app",
            "channels",
            "client::config",
            "client::connection",
            "client::json",
            "client::platform",
            "client::text",
            "client::wire",
            "gui",
            "hub",
            "integrations",
            "platform",
            "presence",
            "sources",
            "store",
            "tray",
            "updates",
        ],
    },
    // The targets of fuzzing, which are part of no program.
    Row {
        room: "fuzzing",
        may_name: &[
            "api",
            "channels",
            "cli",
            "client::config",
            "client::json",
            "client::text",
            "hub",
            "sources",
        ],
    },
];
