//! `cargo xtask setup`: installs what building and testing need. The lists are in `packages.rs`,
//! the agents in `agents.rs`.

use anyhow::Result;

use crate::{agents, langgraph, nats, packages};

pub(crate) fn setup() -> Result<()> {
    packages::install(&[packages::BUILD, packages::TEST, packages::npm()])?;
    agents::install()?;
    langgraph::install()?;
    nats::install()
}
