//! What `beckon doctor` finds, from the program beside this one: it works where no Beckon runs, too.

use anyhow::{Context, Result, bail};
use beckon_client::platform::{children, paths};
use beckon_client::wire::Finding;
use std::time::Duration;

/// It looks at every leg by itself and gives up on each that is silent; this is for a program that
/// hangs.
const WITHIN: Duration = Duration::from_secs(60);

pub(crate) async fn findings() -> Result<Vec<Finding>> {
    let mut command = std::process::Command::new(paths::beside_us("beckon")?);
    command.args(["doctor", "--json"]);
    children::hide_console(&mut command);
    let mut command = tokio::process::Command::from(command);
    let output = tokio::time::timeout(WITHIN, command.kill_on_drop(true).output()).await;
    let output = output.context("Failed to wait for beckon doctor")?;
    let output = output.context("Failed to start beckon doctor")?;
    // Its exit code says whether all is well, which the findings say as well.
    match serde_json::from_slice(&output.stdout) {
        Ok(findings) => Ok(findings),
        Err(_) => {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("Failed to read what beckon doctor found: {}", said.trim())
        }
    }
}
