//! `cargo xtask bindings`: writes the TypeScript of what the windows are told anew. The types stand in
//! `client/src/wire`; the test that writes them also fails when somebody forgot to.

use anyhow::Result;

use crate::shell;

pub(crate) fn bindings() -> Result<()> {
    let arguments = ["test", "--package", "beckon-client", "bindings"];
    shell::execute(shell::cargo(&arguments).env("BECKON_WRITE_BINDINGS", "1"))
}
