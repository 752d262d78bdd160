//! The table of the walls: what each room may name, and why. From the ground up: a room stands above
//! all that it names, so there is no circle.

/// One room; `client::` are those of `beckon-client`.
pub(super) struct Row {
    pub(super) room: &'static str,
    pub(super) may_name: &'static [&'static str],
}

pub(super) const ALLOWED: &[Row] = &[
    // The system knows nothing of Beckon.
    Row {
        room: "client::platform",
        may_name: &[],
    },
    // How to read JSON that somebody else wrote. It knows no message of anybody.
    Row {
        room: "client::json",
        may_name: &[],
    },
    // Secrets are kept apart from settings; where files lie.
    Row {
        room: "client::config",
        may_name: &["client::platform"],
    },
    // The JSON that others read: kinds and values of settings are part of it.
    Row {
        room: "client::wire",
        may_name: &["client::config"],
    },
    // Sentences: of settings that do not fit, of what failed, of what was decided.
    Row {
        room: "client::text",
        may_name: &["client::config", "client::platform", "client::wire"],
    },
    // Whoever talks to the running Beckon.
    Row {
        room: "client::connection",
        may_name: &["client::platform", "client::text", "client::wire"],
    },
    // The window program: a client, and nothing of the resident.
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
    // What only the resident takes from the system: keychain, processes, signals, logs.
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
    // What stands in the settings of agents.
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
    // Where an ask's session runs; which OpenCode listens where, the sources know.
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
    // Asks the project, where its human wants it, whether there is a newer Beckon.
    Row {
        room: "updates",
        may_name: &["client::platform", "client::wire", "platform"],
    },
    // The way to where the Beckons of one person share what they ask.
    Row {
        room: "hub",
        may_name: &[
            "client::config",
            "client::platform",
            "client::text",
            "platform",
        ],
    },
    // Keeps pairings and what was asked through Beckon, as those rooms define them.
    Row {
        room: "store",
        may_name: &["channels", "client::platform", "client::wire", "sources"],
    },
    // The loop: the only one that knows every room.
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
    // The server: asks the loop, reads the history beside it, sets secrets and settings, joins a hub.
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
    // What is tried with bytes that nobody thought of; in no program.
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
