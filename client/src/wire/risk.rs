//! The dangers of a permission, as other programs and the windows' pages get them.

use super::codes::WireWord;
use beckon_core::risk::{MarkedRisk, Risk};
use beckon_core::{Ask, AskContent};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A kind of harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RiskCode {
    /// Deletes files, recursively or without asking.
    Deletes,
    /// Runs with the rights of an administrator.
    Admin,
    /// Discards or overwrites existing work.
    Rewrites,
    /// Runs what it has just downloaded.
    RunsDownload,
    /// Runs what is not written in the command: what another program says, or a program that is
    /// only known when it runs.
    RunsUnseen,
    /// Reaches outside the project.
    Outside,
}

/// A mark on dangerous words. It helps, and is no guard: if nothing is marked, there may still be
/// danger.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RiskMark {
    /// The kind of danger.
    #[cfg_attr(test, ts(as = "RiskCode"))]
    pub risk: WireWord<RiskCode>,
    /// The dangerous words; without a command, a whole pattern.
    pub words: String,
    /// The place in the command where they begin, in UTF-16 units; 0 without a command.
    pub start: usize,
    /// The place where they end.
    pub end: usize,
}

/// Returns the marks of an ask, in the order in which they are in its command.
pub(super) fn marks(ask: &Ask, risks: &[MarkedRisk]) -> Vec<RiskMark> {
    let AskContent::Permission(permission) = &ask.kind else {
        return Vec::new();
    };
    let command = permission.command.as_deref().unwrap_or_default();
    let ends = risks.iter().flat_map(|it| [it.range.start, it.range.end]);
    let units = units(command, ends.collect());
    let unit = |at: usize| units.get(&at).copied().unwrap_or_default();
    let mark = |mark: &MarkedRisk| RiskMark {
        risk: code(mark.risk).into(),
        start: unit(mark.range.start),
        end: unit(mark.range.end),
        words: mark.words.clone(),
    };
    risks.iter().map(mark).collect()
}

/// Converts places in a text from bytes to UTF-16 units. Goes through the text once for all of
/// them; a byte that the text does not have has no place.
fn units(text: &str, bytes: BTreeSet<usize>) -> BTreeMap<usize, usize> {
    let mut places = BTreeMap::new();
    let mut byte = 0;
    let mut unit = 0;
    for at in bytes {
        let Some(between) = text.get(byte..at) else {
            continue;
        };
        unit += between.encode_utf16().count();
        byte = at;
        places.insert(at, unit);
    }
    places
}

fn code(risk: Risk) -> RiskCode {
    match risk {
        Risk::Deletes => RiskCode::Deletes,
        Risk::Admin => RiskCode::Admin,
        Risk::Rewrites => RiskCode::Rewrites,
        Risk::RunsDownload => RiskCode::RunsDownload,
        Risk::RunsUnseen => RiskCode::RunsUnseen,
        Risk::Outside => RiskCode::Outside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskId, Permission, Session, Timestamp};

    #[test]
    fn marks_stand_where_a_page_counts_them() {
        let command = Some("echo 𝕏é && rm -rf dist".to_owned());
        let kind = AskContent::Permission(Permission {
            command,
            ..Permission::default()
        });
        let (id, session) = (AskId::new("local", "per_1"), Session::default());
        let ask = Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        };
        let marks = marks(&ask, &ask.risks());
        let told = r#"[{"risk":"deletes","words":"rm -rf","start":12,"end":18}]"#;
        assert_eq!(serde_json::to_string(&marks).unwrap(), told);
    }
}
