//! The commands `beckon answer`, `grant`, `deny`, `dismiss`.

pub(super) mod attention;
mod no_question;
pub(super) mod opening;
mod outcome;

use super::list::{changed, fetch, untold};
use super::say;
use super::usage::WrongValue;
use super::{CommandContext, CommandResult};
use beckon_client::connection::{ClientError, encode};
use beckon_client::text::{Value, words};
use beckon_client::wire::AnswerBody;
use beckon_client::wire::{AskKind, ListedAsk, ProblemCode, Verdict};
use beckon_core::visible::exact;
use beckon_core::{Answer, Fingerprint, Grant, InvalidAnswer, Reply, Surface};
use clap::{ArgMatches, Args, FromArgMatches};
use outcome::{already, over, tell};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// How long a command waits for the agent's proof.
const PROOF_WITHIN: Duration = Duration::from_secs(30);

/// The arguments of an answer. Choices and texts belong to the `--question` before them, so their
/// places in the line count.
#[derive(Clone, Debug)]
pub(super) struct AnswerArguments {
    id: String,
    seen: Option<Fingerprint>,
    json: bool,
    words: Vec<AnswerWord>,
}

#[derive(Debug, Args)]
struct RawArguments {
    id: String,
    #[arg(long, value_name = "N")]
    question: Vec<usize>,
    #[arg(long, value_name = "N[,N]", value_parser = choices)]
    choice: Vec<ChoiceIndices>,
    // A text may begin with a hyphen, and so does one fingerprint in 64.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,
    #[arg(long, value_name = "FINGERPRINT", allow_hyphen_values = true)]
    seen: Option<Fingerprint>,
    #[arg(long)]
    json: bool,
}

impl Args for AnswerArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        RawArguments::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        RawArguments::augment_args_for_update(command)
    }
}

impl FromArgMatches for AnswerArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let raw = RawArguments::from_arg_matches(matches)?;
        let mut words = Vec::new();
        words.extend(
            places(matches, "question").zip(raw.question.into_iter().map(AnswerWord::Question)),
        );
        words.extend(places(matches, "choice").zip(raw.choice.into_iter().map(AnswerWord::Choice)));
        words.extend(places(matches, "text").zip(raw.text.into_iter().map(AnswerWord::Text)));
        words.sort_by_key(|(place, _)| *place);
        let words = words.into_iter().map(|(_, word)| word).collect();
        Ok(Self {
            id: raw.id,
            seen: raw.seen,
            json: raw.json,
            words,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Debug)]
enum AnswerWord {
    Question(usize),
    Choice(ChoiceIndices),
    Text(String),
}

fn places<'a>(matches: &'a ArgMatches, name: &str) -> impl Iterator<Item = usize> + use<'a> {
    matches.indices_of(name).into_iter().flatten()
}

/// The error of two texts for that question: one of them would get lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SecondText(usize);

/// Returns the replies by the number of their question. Without `--question` the first answer is
/// for the first question, the next for the next; where there is only one question, all of them are
/// for that.
fn replies(words: &[AnswerWord], count: usize) -> Result<BTreeMap<usize, Reply>, SecondText> {
    let mut replies: BTreeMap<usize, Reply> = BTreeMap::new();
    let mut current = (count == 1).then_some(1);
    let mut next = 1;
    for word in words {
        if let AnswerWord::Question(number) = word {
            current = Some(*number);
            continue;
        }

        let number = current.unwrap_or(next);
        next = number.saturating_add(1);
        let reply = replies.entry(number).or_default();
        match word {
            AnswerWord::Choice(ChoiceIndices(indices)) => reply.choices.extend(indices),
            AnswerWord::Text(_) if reply.text.is_some() => return Err(SecondText(number)),
            AnswerWord::Text(text) => reply.text = Some(text.clone()),
            AnswerWord::Question(_) => {}
        }
    }
    Ok(replies)
}

/// The indices of choices, from 0.
#[derive(Clone, Debug)]
struct ChoiceIndices(Vec<usize>);

fn choices(text: &str) -> Result<ChoiceIndices, WrongValue> {
    let index = |part: &str| part.trim().parse::<usize>().ok()?.checked_sub(1);
    let indices = text.split(',').map(index).collect::<Option<Vec<_>>>();
    indices.map(ChoiceIndices).ok_or(WrongValue::Numbers)
}

pub(super) async fn run(context: &CommandContext, arguments: AnswerArguments) -> CommandResult {
    let ask = match fetch(context, &arguments.id).await {
        Err(ClientError::Problem(_, problem)) if problem.code == ProblemCode::Settled => {
            return over(context, arguments.json, problem);
        }
        fetched => fetched?,
    };
    let replies = one_per_question(context, &ask, &arguments.words)?;
    let seen = seen_of(context, &ask, arguments.seen)?;
    give(
        context,
        &ask.id,
        seen,
        Answer::Replies(replies),
        arguments.json,
    )
    .await
}

fn one_per_question(
    context: &CommandContext,
    ask: &ListedAsk,
    words: &[AnswerWord],
) -> Result<Vec<Reply>, ClientError> {
    let count = ask.questions.len();
    if count == 0 {
        return Err(ClientError::Misused(no_question::words(
            &context.texts,
            ask,
        )));
    }
    let given = replies(words, count).map_err(|SecondText(question)| {
        let question = [("number", Value::from(question))];
        ClientError::Misused(context.texts.with("answer-second-text", &question))
    })?;
    if let Some(&question) = given
        .keys()
        .find(|number| **number == 0 || **number > count)
    {
        let invalid = InvalidAnswer::NoSuchQuestion { question, count };
        return Err(ClientError::Misused(words::invalid_answer(
            &context.texts,
            &invalid,
        )));
    }
    Ok((1..=count)
        .map(|number| given.get(&number).cloned().unwrap_or_default())
        .collect())
}

pub(super) async fn grant(
    context: &CommandContext,
    id: &str,
    seen: Option<Fingerprint>,
    always: bool,
    json: bool,
) -> CommandResult {
    let grant = if always { Grant::Always } else { Grant::Once };
    let is_seen = seen.is_some();
    let NamedAsk {
        id,
        seen,
        kind,
        always: means,
    } = whole(context, id, seen).await?;
    if kind == NamedKind::Untold && !is_seen {
        return Err(ClientError::Said(untold(&context.texts, seen)));
    }
    if kind == NamedKind::Questions {
        return Err(asks(context, &id));
    }
    if always && means.is_empty() && kind != NamedKind::Unknown {
        let invalid = InvalidAnswer::NoAlways;
        return Err(ClientError::Misused(words::invalid_answer(
            &context.texts,
            &invalid,
        )));
    }
    let confirm = kind == NamedKind::Confirm;
    let answer = if confirm {
        Answer::Continue
    } else {
        Answer::Grant(grant)
    };
    let given = give(context, &id, seen, answer, json).await?;
    if always && !json && !means.is_empty() && given == ExitCode::SUCCESS {
        let means = Value::from(exact(&means.join(", ")).text);
        say(&context
            .texts
            .with("grant-always-means", &[("patterns", means)]));
    }
    Ok(given)
}

pub(super) async fn deny(
    context: &CommandContext,
    id: &str,
    seen: Option<Fingerprint>,
    reason: Option<String>,
    json: bool,
) -> CommandResult {
    let reject = Answer::Grant(Grant::Reject { reason });
    let NamedAsk { id, seen, kind, .. } = whole(context, id, seen).await?;
    if kind == NamedKind::Questions {
        return Err(asks(context, &id));
    }
    let answer = if kind == NamedKind::Confirm {
        Answer::Cancel
    } else {
        reject
    };
    give(context, &id, seen, answer, json).await
}

/// The ask that a name means at the moment.
struct NamedAsk {
    /// The whole id, so that a beginning of one means the same ask when the answer arrives.
    id: String,
    /// The fingerprint of its content, for the same reason.
    seen: Fingerprint,
    kind: NamedKind,
    /// The patterns that "always" lets pass besides.
    always: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NamedKind {
    /// An interrupt without questions, which is granted or denied like a permission.
    Confirm,
    /// Questions, which are answered by choice or in words.
    Questions,
    /// A permission of which not all is told or kept.
    Untold,
    Permission,
    /// Nothing is known of it, as of one that is settled.
    Unknown,
}

impl NamedKind {
    fn of(ask: &ListedAsk) -> Self {
        let wish = ask.permission.as_ref();
        if ask.kind == AskKind::Confirm {
            Self::Confirm
        } else if ask.unknown.is_some() {
            Self::Unknown
        } else if !ask.questions.is_empty() {
            Self::Questions
        } else if wish.is_some_and(|wish| wish.is_partial || wish.left_out > 0) {
            Self::Untold
        } else if wish.is_some() {
            Self::Permission
        } else {
            Self::Unknown
        }
    }
}

/// Returns the refusal to grant or deny questions, with the commands that answer them.
fn asks(context: &CommandContext, id: &str) -> ClientError {
    let id = [("id", Value::from(id))];
    ClientError::Misused(context.texts.with("answer-questions", &id))
}

/// Returns the ask that a name means. If it is settled, the refusal of the answer says how. Nothing
/// was seen of it then, so an ask that is open under that name when the answer arrives is not
/// meant.
async fn whole(
    context: &CommandContext,
    id: &str,
    seen: Option<Fingerprint>,
) -> Result<NamedAsk, ClientError> {
    match fetch(context, id).await {
        Ok(ask) => {
            let seen = seen_of(context, &ask, seen)?;
            let kind = NamedKind::of(&ask);
            Ok(NamedAsk {
                id: ask.id,
                seen,
                kind,
                always: ask.permission.map(|it| it.always).unwrap_or_default(),
            })
        }
        Err(ClientError::Problem(..)) => Ok(NamedAsk {
            id: id.to_owned(),
            seen: Fingerprint::default(),
            kind: NamedKind::Unknown,
            always: Vec::new(),
        }),
        Err(refused) => Err(refused),
    }
}

/// Returns the fingerprint of what the human saw: the one that they give, else that of the ask now.
/// If something else was asked under its id before, an id alone may have been typed for that, so
/// the fingerprint is asked for.
fn seen_of(
    context: &CommandContext,
    ask: &ListedAsk,
    seen: Option<Fingerprint>,
) -> Result<Fingerprint, ClientError> {
    match seen {
        None if ask.changed => Err(ClientError::Said(changed(&context.texts, ask))),
        seen => Ok(seen.unwrap_or(ask.fingerprint)),
    }
}

pub(super) async fn dismiss(
    context: &CommandContext,
    id: &str,
    seen: Option<Fingerprint>,
    json: bool,
) -> CommandResult {
    let fetched = fetch(context, id).await.ok();
    if let Some(ask) =
        fetched.filter(|ask| ask.permission.is_some() || ask.kind == AskKind::Confirm)
    {
        return Err(ClientError::Misused(no_question::words(
            &context.texts,
            &ask,
        )));
    }
    let NamedAsk { id, seen, .. } = whole(context, id, seen).await?;
    give(context, &id, seen, Answer::Dismiss, json).await
}

async fn give(
    context: &CommandContext,
    id: &str,
    seen: Fingerprint,
    answer: Answer,
    json: bool,
) -> CommandResult {
    let path = format!("/answer/{}?wait={}", encode(id), PROOF_WITHIN.as_secs());
    let given = AnswerBody::new(answer, Some(seen), Surface::Cli);
    match context
        .client()?
        .post::<_, Verdict>(&path, &given, PROOF_WITHIN)
        .await
    {
        Ok(verdict) => tell(context, json, &verdict),
        Err(ClientError::Problem(_, problem)) if problem.code == ProblemCode::AlreadyAnswered => {
            already(context, json, problem)
        }
        Err(refused) => Err(refused),
    }
}
