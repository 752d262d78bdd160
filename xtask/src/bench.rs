//! `cargo xtask bench`: measures the budgets. The measurements are in `benches/`.

use anyhow::Result;

use crate::shell;

pub(crate) fn bench() -> Result<()> {
    shell::execute(&mut shell::cargo(&[
        "bench",
        "--no-default-features",
        "--bench",
        "budgets",
    ]))
}
