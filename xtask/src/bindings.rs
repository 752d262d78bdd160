//! `cargo xtask bindings`: writes the TypeScript types of the windows and the API's
//! `docs/openapi.json` anew. The tests that write them also fail when somebody forgot to.

use anyhow::Result;

use crate::shell;

pub(crate) fn bindings() -> Result<()> {
    let arguments = ["test", "--package", "beckon-client", "bindings"];
    shell::execute(shell::cargo(&arguments).env("BECKON_WRITE_BINDINGS", "1"))?;
    let arguments = [
        "test",
        "--package",
        "beckon",
        "--no-default-features",
        "--lib",
        "the_openapi_document",
    ];
    shell::execute(shell::cargo(&arguments).env("BECKON_WRITE_OPENAPI", "1"))
}
