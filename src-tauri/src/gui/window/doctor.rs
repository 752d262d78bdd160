//! What `beckon doctor` finds, from the program beside this one: it works where no Beckon runs, too.

use anyhow::{Context, Result, bail};
use beckon_client::platform::children::Program;
use beckon_client::platform::paths;
use beckon_client::wire::Finding;
use std::time::Duration;

/// It looks at every leg by itself and gives up on each that is silent; this is for a program that
/// hangs.
const WITHIN: Duration = Duration::from_secs(60);

pub(crate) async fn findings() -> Result<Vec<Finding>> {
    let beckon = Program::at(&paths::beside_us("beckon")?)?.args(["doctor", "--json"]);
    let asked = tokio::task::spawn_blocking(move || beckon.ask(WITHIN));
    let answer = asked.await?.context("Failed to run beckon doctor")?;
    // Its exit code says whether all is well, which the findings say as well.
    match serde_json::from_slice(&answer.output) {
        Ok(findings) => Ok(findings),
        Err(_) => {
            let said = String::from_utf8_lossy(&answer.errors);
            bail!("Failed to read what beckon doctor found: {}", said.trim())
        }
    }
}
