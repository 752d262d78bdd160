//! The findings of `beckon doctor`, from the program beside this one, so that it works where no
//! Beckon runs, too.

use anyhow::{Context, Result, bail};
use beckon_client::platform::children::Program;
use beckon_client::platform::paths;
use beckon_client::wire::Finding;
use std::time::Duration;

/// The time limit, for a program that hangs. The doctor looks at every leg by itself and gives up
/// on each that is silent.
const WITHIN: Duration = Duration::from_secs(60);

pub(crate) async fn findings() -> Result<Vec<Finding>> {
    let beckon = Program::at(&paths::beside_us("beckon")?)?.args(["doctor", "--json"]);
    let asked = tokio::task::spawn_blocking(move || beckon.ask(WITHIN));
    let answer = asked.await?.context("Failed to run beckon doctor")?;
    // The exit code says whether all is well, which the findings say as well.
    match serde_json::from_slice(&answer.output) {
        Ok(findings) => Ok(findings),
        Err(_) => {
            let said = String::from_utf8_lossy(&answer.errors);
            bail!("Failed to read what beckon doctor found: {}", said.trim())
        }
    }
}
