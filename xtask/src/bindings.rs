//! `cargo xtask bindings`: writes the TypeScript of what the windows are told anew. The types stand in
//! `src-tauri/src/wire`; the test that writes them also fails when somebody forgot to.

use anyhow::Result;

use crate::shell;

pub(crate) fn bindings() -> Result<()> {
    let arguments = ["test", "--no-default-features", "--lib", "bindings"];
    shell::execute(shell::cargo(&arguments).env("BECKON_WRITE_BINDINGS", "1"))
}
