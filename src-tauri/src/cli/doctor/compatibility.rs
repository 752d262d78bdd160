//! The check of what the servers of `config.toml` support, whatever version they say they are:
//! `--probe`.

use super::super::CommandContext;
use super::Finding;
use crate::platform::secrets;
use crate::sources::opencode::ApiPart;
use crate::sources::opencode::PartSupport;
use crate::sources::opencode::survey;
use crate::sources::probe::{FoundServer, probe};
use beckon_client::config::{Config, OpenCodeServer, OriginTable};
use beckon_client::text::Value;

/// Returns a line for each server, and one for each part of its API. Servers behind the plugin's
/// door are only checked by the running Beckon, which alone knows their secrets.
pub(super) async fn probed(context: &CommandContext) -> Vec<Finding> {
    let config = Config::read(&context.paths.config)
        .map(|(config, _)| config)
        .unwrap_or_default();
    let mut findings = Vec::new();
    for server in config.opencode {
        findings.extend(of_server(context, server).await);
    }
    findings
}

async fn of_server(context: &CommandContext, server: OpenCodeServer) -> Vec<Finding> {
    let origin = OriginTable::OpenCode(server.clone());
    let password = secrets::read(&origin.secret()).await.ok().flatten();
    let version = match probe(origin, password.clone()).await {
        Ok(FoundServer::OpenCode(version)) => version,
        // Another Beckon is no OpenCode of any version, and a server that cannot be reached has a
        // line above.
        _ => return Vec::new(),
    };
    let args = [
        ("name", Value::from(server.name.clone())),
        (
            "version",
            Value::from(version.unwrap_or_else(|| "?".into())),
        ),
    ];
    let head = line(context.texts.with("doctor-probe", &args), true, true);
    let parts = survey(&server, password).await;
    let lines = parts
        .into_iter()
        .map(|(part, how)| of_part(context, part, &how));
    std::iter::once(head).chain(lines).collect()
}

fn of_part(context: &CommandContext, part: ApiPart, how: &PartSupport) -> Finding {
    let name = context.texts.get(match part {
        ApiPart::Events => "doctor-probe-events",
        ApiPart::Questions => "doctor-probe-questions",
        ApiPart::Permissions => "doctor-probe-permissions",
        ApiPart::Status => "doctor-probe-status",
        ApiPart::Answers => "doctor-probe-answers",
        ApiPart::SecondCore => "doctor-probe-second-core",
        ApiPart::Forms => "doctor-probe-forms",
    });
    let (key, detail) = match how {
        PartSupport::Known => ("doctor-probe-known", ""),
        PartSupport::Absent => ("doctor-probe-absent", ""),
        PartSupport::Odd(detail) => ("doctor-probe-odd", detail.as_str()),
    };
    let args = [
        ("part", Value::from(name)),
        ("path", Value::from(part.path())),
        ("detail", Value::from(detail.to_owned())),
    ];
    let known = *how == PartSupport::Known;
    let text = context.texts.with(key, &args);
    line(text, known || part.is_optional(), !known)
}

fn line(text: String, ok: bool, note: bool) -> Finding {
    Finding {
        leg: "probe".into(),
        ok,
        note,
        text,
        hint: None,
    }
}
