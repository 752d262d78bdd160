//! The decisions that a graph allows about a call, and its own words for them.
//!
//! Where the graph says nothing of it, the middleware's plainest setting holds, since a card that
//! nobody can answer holds the graph for ever. Where it says that nothing is allowed, or nothing
//! that is known, no answer would be taken: the middleware fails on a decision that is not in its
//! list.

use super::ReviewDecision;
use super::call::NAMES;
use super::spelling::Spelling;
use beckon_client::json::fields;
use serde_json::Value;

/// A decision that may be made, and the graph's word for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AllowedDecision {
    pub(super) decision: ReviewDecision,
    pub(super) word: String,
}

const PLAIN: [ReviewDecision; 2] = [ReviewDecision::Approve, ReviewDecision::Reject];

fn plain(spelling: Spelling) -> Vec<AllowedDecision> {
    PLAIN.map(|decision| own(spelling, decision)).into()
}

fn own(spelling: Spelling, decision: ReviewDecision) -> AllowedDecision {
    let word = spelling.word(decision).to_owned();
    AllowedDecision { decision, word }
}

/// Returns the config of a call: the one of its name, at its place if there are several. A config
/// without a name belongs to the call at its place, as the middleware writes one for each call.
pub(super) fn config_of<'a>(
    call: Option<&str>,
    place: usize,
    calls: usize,
    configs: &[&'a Value],
) -> Option<&'a Value> {
    const CONFIG_NAMES: [&str; 2] = ["action_name", "actionName"];

    let name = |config: &Value| {
        let mut names = CONFIG_NAMES.iter().chain(NAMES.iter());
        names.find_map(|key| fields::text(config, key))
    };
    let is_of_call =
        |config: &&Value| call.is_some() && name(config).as_deref() == call && config.is_object();
    let at_place = configs
        .get(place)
        .copied()
        .filter(|config| config.is_object() && configs.len() == calls);

    at_place
        .filter(is_of_call)
        .or_else(|| configs.iter().copied().find(is_of_call))
        .or_else(|| at_place.filter(|config| name(config).is_none()))
}

/// Reads the decisions out of the middleware's config: a list of words, or the words in a text.
/// Returns `None` where nothing that is known is allowed.
pub(super) fn by_config(
    spelling: Spelling,
    config: Option<&Value>,
) -> Option<Vec<AllowedDecision>> {
    let said = ["allowed_decisions", "allowedDecisions"]
        .iter()
        .find_map(|field| config?.get(*field));
    let words: Vec<&str> = match said {
        None | Some(Value::Null) => return Some(plain(spelling)),
        Some(Value::String(text)) => text.split(',').collect(),
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        Some(_) => return None,
    };

    let by_word = |decision: ReviewDecision| {
        let word = words
            .iter()
            .find(|word| Spelling::decision(word) == Some(decision))?;
        let word = word.trim().to_owned();
        Some(AllowedDecision { decision, word })
    };
    let allowed: Vec<AllowedDecision> = ReviewDecision::ALL
        .into_iter()
        .filter_map(by_word)
        .collect();
    (!allowed.is_empty()).then_some(allowed)
}

/// Reads the decisions out of the Agent Inbox's config, which has a flag for each. Returns `None`
/// where all that is said is no.
pub(super) fn by_flags(config: &Value) -> Option<Vec<AllowedDecision>> {
    let is_readable = config.is_object() || config.is_null();
    if !is_readable {
        return None;
    }

    let flag = |decision: &ReviewDecision| {
        let names = match decision {
            ReviewDecision::Approve => ["allow_accept", "allowAccept"],
            ReviewDecision::Edit => ["allow_edit", "allowEdit"],
            ReviewDecision::Reject => ["allow_ignore", "allowIgnore"],
            ReviewDecision::Respond => ["allow_respond", "allowRespond"],
        };
        names.iter().find_map(|name| fields::flag(config, name))
    };
    let is_said = ReviewDecision::ALL
        .iter()
        .any(|decision| flag(decision).is_some());
    if !is_said {
        return Some(plain(Spelling::Inbox));
    }

    let allowed: Vec<AllowedDecision> = ReviewDecision::ALL
        .into_iter()
        .filter(|decision| flag(decision) == Some(true))
        .map(|decision| own(Spelling::Inbox, decision))
        .collect();
    (!allowed.is_empty()).then_some(allowed)
}
