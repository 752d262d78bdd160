//! `beckon answer`, `grant`, `deny`, `dismiss`

use super::list::{changed, fetch};
use super::usage::Wrong;
use super::{Context, Done, fail, say, say_json};
use crate::api::Given;
use crate::client::{Refused, encode};
use crate::text::Value;
use crate::text::words;
use crate::wire::{AlsoRejects, Listed, Verdict};
use beckon_core::{Answer, Fingerprint, Grant, InvalidAnswer, Reply, Surface};
use clap::{ArgMatches, Args, FromArgMatches};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// So long a command waits for the agent's proof.
const PROOF_WITHIN: Duration = Duration::from_secs(30);

/// Choices and texts belong to the `--question` before them, so their places in the line count.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    id: String,
    seen: Option<Fingerprint>,
    json: bool,
    replies: BTreeMap<usize, Reply>,
}

#[derive(Debug, Args)]
struct Raw {
    id: String,
    #[arg(long, value_name = "N")]
    question: Vec<usize>,
    #[arg(long, value_name = "N[,N]", value_parser = choices)]
    choice: Vec<Choices>,
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    #[arg(long, value_name = "FINGERPRINT")]
    seen: Option<Fingerprint>,
    #[arg(long)]
    json: bool,
}

impl Args for Arguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        Raw::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Raw::augment_args_for_update(command)
    }
}

impl FromArgMatches for Arguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let raw = Raw::from_arg_matches(matches)?;
        let mut words = Vec::new();
        words.extend(places(matches, "question").zip(raw.question.into_iter().map(Word::Question)));
        words.extend(places(matches, "choice").zip(raw.choice.into_iter().map(Word::Choice)));
        words.extend(places(matches, "text").zip(raw.text.into_iter().map(Word::Text)));
        words.sort_by_key(|(place, _)| *place);
        let replies = replies(words.into_iter().map(|(_, word)| word));
        Ok(Self { id: raw.id, seen: raw.seen, json: raw.json, replies })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

enum Word {
    Question(usize),
    Choice(Choices),
    Text(String),
}

fn places<'a>(matches: &'a ArgMatches, name: &str) -> impl Iterator<Item = usize> + use<'a> {
    matches.indices_of(name).into_iter().flatten()
}

/// Without `--question` the first answer is for the first question, the next for the next.
fn replies(words: impl Iterator<Item = Word>) -> BTreeMap<usize, Reply> {
    let mut replies: BTreeMap<usize, Reply> = BTreeMap::new();
    let (mut current, mut next) = (None, 1);
    for word in words {
        if let Word::Question(number) = word {
            current = Some(number);
            continue;
        }
        let number = current.unwrap_or(next);
        next = number + 1;
        let reply = replies.entry(number).or_default();
        match word {
            Word::Choice(Choices(indices)) => reply.choices.extend(indices),
            Word::Text(text) => reply.text = Some(text),
            Word::Question(_) => {}
        }
    }
    replies
}

/// Indices from 0.
#[derive(Clone, Debug)]
struct Choices(Vec<usize>);

fn choices(text: &str) -> Result<Choices, Wrong> {
    let index = |part: &str| part.trim().parse::<usize>().ok()?.checked_sub(1);
    let indices = text.split(',').map(index).collect::<Option<Vec<_>>>();
    indices.map(Choices).ok_or(Wrong::Numbers)
}

pub(super) async fn run(context: &Context, arguments: Arguments) -> Done {
    let ask = match fetch(context, &arguments.id).await {
        Err(Refused::Problem(_, problem)) if problem.code == "settled" => {
            return over(context, arguments.json, problem.by);
        }
        fetched => fetched?,
    };
    let replies = one_per_question(context, &ask, &arguments.replies)?;
    let seen = seen_of(context, &ask, arguments.seen)?;
    give(context, &ask.id, seen, Answer::Replies(replies), arguments.json).await
}

fn one_per_question(
    context: &Context,
    ask: &Listed,
    given: &BTreeMap<usize, Reply>,
) -> Result<Vec<Reply>, Refused> {
    let count = ask.questions.len();
    if let Some(&question) = given.keys().find(|number| **number == 0 || **number > count) {
        let invalid = InvalidAnswer::NoSuchQuestion { question, count };
        return Err(Refused::Said(words::misfit(&context.texts, &invalid)));
    }
    Ok((1..=count).map(|number| given.get(&number).cloned().unwrap_or_default()).collect())
}

pub(super) async fn grant(
    context: &Context,
    id: &str,
    seen: Option<Fingerprint>,
    always: bool,
    json: bool,
) -> Done {
    let grant = if always { Grant::Always } else { Grant::Once };
    let Whole { id, seen, confirm } = whole(context, id, seen).await?;
    let answer = if confirm { Answer::Continue } else { Answer::Grant(grant) };
    give(context, &id, seen, answer, json).await
}

pub(super) async fn deny(
    context: &Context,
    id: &str,
    seen: Option<Fingerprint>,
    reason: Option<String>,
    json: bool,
) -> Done {
    let reject = Answer::Grant(Grant::Reject { reason });
    let Whole { id, seen, confirm } = whole(context, id, seen).await?;
    give(context, &id, seen, if confirm { Answer::Cancel } else { reject }, json).await
}

/// The ask that a name means at the moment.
struct Whole {
    /// The whole id, so that a beginning of one means the same ask when the answer arrives.
    id: String,
    /// What it asks, for the same reason.
    seen: Fingerprint,
    /// An interrupt without questions, which is granted or denied like a permission.
    confirm: bool,
}

/// What is settled is told apart when the answer is refused. Nothing was seen of it, so what is open
/// under that name when the answer arrives is not meant.
async fn whole(context: &Context, id: &str, seen: Option<Fingerprint>) -> Result<Whole, Refused> {
    match fetch(context, id).await {
        Ok(ask) => {
            let seen = seen_of(context, &ask, seen)?;
            Ok(Whole { id: ask.id, seen, confirm: ask.kind == "confirm" })
        }
        Err(Refused::Problem(..)) => {
            Ok(Whole { id: id.to_owned(), seen: Fingerprint::default(), confirm: false })
        }
        Err(refused) => Err(refused),
    }
}

/// What the human saw of it: what they say, else what it asks now. Where something else was asked
/// under its id before, an id alone may have been typed for that.
fn seen_of(
    context: &Context,
    ask: &Listed,
    seen: Option<Fingerprint>,
) -> Result<Fingerprint, Refused> {
    match seen {
        None if ask.changed => Err(Refused::Said(changed(&context.texts, ask))),
        seen => Ok(seen.unwrap_or(ask.fingerprint)),
    }
}

pub(super) async fn dismiss(
    context: &Context,
    id: &str,
    seen: Option<Fingerprint>,
    json: bool,
) -> Done {
    let Whole { id, seen, .. } = whole(context, id, seen).await?;
    give(context, &id, seen, Answer::Dismiss, json).await
}

async fn give(context: &Context, id: &str, seen: Fingerprint, answer: Answer, json: bool) -> Done {
    let path = format!("/answer/{}?wait={}", encode(id), PROOF_WITHIN.as_secs());
    let given = Given::new(answer, Some(seen), Surface::Cli);
    match context.client()?.post::<_, Verdict>(&path, &given, PROOF_WITHIN).await {
        Ok(verdict) => tell(context, json, &verdict),
        Err(Refused::Problem(_, problem)) if problem.code == "already answered" => {
            already(context, json, problem.by)
        }
        Err(refused) => Err(refused),
    }
}

/// Where nobody has answered it, it ended because nobody waits any more.
fn over(context: &Context, json: bool, by: Option<String>) -> Done {
    match by {
        Some(_) => already(context, json, by),
        None => tell(context, json, &Verdict::new("gone", by)),
    }
}

fn already(context: &Context, json: bool, by: Option<String>) -> Done {
    tell(context, json, &Verdict::new("already answered", by))
}

fn tell(context: &Context, json: bool, verdict: &Verdict) -> Done {
    let by = verdict.by.clone().unwrap_or_default();
    let place = context.texts.get(&format!("by-{by}"));
    let key = format!("answer-{}", verdict.state.replace(' ', "-"));
    let line = match &verdict.undelivered {
        Some(trouble) => words::undelivered_told(&context.texts, trouble),
        None => context.texts.with(&key, &[("by", Value::from(place))]),
    };
    let arrived = verdict.undelivered.is_none();
    let ok = arrived && matches!(verdict.state.as_str(), "taken" | "sent");
    match (json, ok) {
        (true, _) => say_json(verdict),
        (false, true) => {
            say(&line);
            also_rejected(context, verdict).iter().for_each(|also| say(also));
        }
        (false, false) => return Ok(fail(&line, 1)),
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was rejected with it; of an answer that nobody has confirmed, what would be.
fn also_rejected(context: &Context, verdict: &Verdict) -> Option<String> {
    let AlsoRejects { count, certain } = verdict.also_rejects?;
    let key = match (verdict.state == "taken", certain) {
        (true, true) => "answer-also-rejected",
        (true, false) => "answer-also-rejected-perhaps",
        (false, true) => "also-rejects",
        (false, false) => "also-rejects-perhaps",
    };
    Some(context.texts.with(key, &[("count", Value::from(count))]))
}
