//! Tests of every refusal with its status, its code and its sentence.

use super::*;
use crate::hub::fault::{DeskRefusal, HubFault};
use anyhow::anyhow;
use beckon_client::config::{AddressFault, ConfigError, UnusableConfig};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::text::languages;
use beckon_core::{InvalidAnswer, Surface};
use std::collections::{BTreeMap, BTreeSet};

fn all() -> Vec<ApiError> {
    use ApiError as O;
    let invalid = || ConfigError::Unreadable {
        line: 1,
        reason: "no".into(),
    };
    let asked = [
        AskRefusal::NoQuestions,
        AskRefusal::Question(1),
        AskRefusal::NoPermission,
        AskRefusal::Id(64),
        AskRefusal::Timeout,
        AskRefusal::Surplus(QuestionSurplus::Questions),
        AskRefusal::Surplus(QuestionSurplus::Choices(1)),
        AskRefusal::Surplus(QuestionSurplus::AllChoices),
        AskRefusal::Surplus(QuestionSurplus::Label(1)),
        AskRefusal::Surplus(QuestionSurplus::AllLabels),
    ];
    let mut all: Vec<O> = asked.map(O::Unaskable).into();
    all.extend([
        O::Unauthorized,
        O::Shape("x".into()),
        O::Refused(AnswerRefusal::Unknown, None),
    ]);
    all.extend([O::Refused(
        AnswerRefusal::Settled {
            outcome: Outcome::Expired,
        },
        None,
    )]);
    all.extend([
        O::Refused(InvalidAnswer::WrongKind.into(), None),
        O::Returned(ReturnReason::Forbidden),
    ]);
    all.extend([
        O::Ambiguous(2),
        O::Grant,
        O::UntilAndFor,
        O::For,
        O::Auto,
        O::SnoozeTime,
        O::IdTaken,
        O::ProofUsed,
    ]);
    let not_shown = [
        DestinationError::Elsewhere("x".into()),
        DestinationError::Unknown("/x".into()),
        DestinationError::Ended,
        DestinationError::Detached {
            session: "x".into(),
            command: "y".into(),
        },
        DestinationError::NoPane("/x".into()),
        DestinationError::NotRaised {
            directory: "/x".into(),
            pane: false,
        },
        DestinationError::NotRaised {
            directory: "/x".into(),
            pane: true,
        },
        DestinationError::NoBrowser("http://x".into()),
    ];
    all.extend(not_shown.map(O::NotShown));
    all.extend([
        O::NotOpen,
        O::NotAsked,
        O::NoSession,
        O::Stopping,
        O::Ending,
    ]);
    all.extend([
        O::Over(None, None),
        O::Over(Some(Outcome::Gone), None),
        O::Settled,
        O::NotKept,
        O::NotSaved,
    ]);
    all.extend([
        O::EmptyNotice,
        O::NotPaired,
        O::NoBot(None),
        O::BotToken,
        O::Address(AddressFault::Form),
        O::Address(AddressFault::Blank),
        O::Address(AddressFault::Query),
        O::Address(AddressFault::Fragment),
    ]);
    all.extend([
        O::BotRefused(anyhow!("x")),
        O::NameTaken("x".into()),
        O::Nameless,
        O::NoResume,
        O::NoSecret,
        O::EmptySecret,
    ]);
    all.extend([
        O::Keychain("telegram".into(), KeychainError::Silent),
        O::Foreign("x".into()),
    ]);
    all.extend([O::Setting(edit::EditError::Broken(invalid()))]);
    all.extend([O::Setting(edit::EditError::Invalid(invalid()))]);
    all.extend([O::Setting(edit::EditError::NoSuchServer("x".into()))]);
    all.extend([
        O::Setting(edit::EditError::Changed),
        O::EnvironmentSecret("X".into()),
    ]);
    let refused = [
        AnswerRefusal::Answering { by: Surface::Tray },
        AnswerRefusal::Settled {
            outcome: Outcome::Gone,
        },
        AnswerRefusal::Changed,
    ];
    all.extend(refused.map(|refusal| O::Refused(refusal, None)));
    all.extend([O::Over(Some(Outcome::Expired), None)]);
    all.extend([
        O::File(SystemFailure::NoHome("HOME").into()),
        O::File(anyhow!("x")),
    ]);
    all.extend([O::Database(anyhow!("x")), O::Network(anyhow!("x"))]);
    all.extend([O::NoGrant, O::Irrevocable, O::NotRevoked(anyhow!("x"))]);
    all.extend(of_the_hub().map(O::Hub));
    all
}

fn of_the_hub() -> [MembershipFault; 13] {
    use MembershipFault as M;
    let broken = || ConfigError::Unreadable {
        line: 1,
        reason: "no".into(),
    };
    [
        M::NotBuilt,
        M::NoCode,
        M::OtherHub("x".into()),
        M::NotJoined,
        M::Unusable(UnusableConfig::Invalid(broken())),
        M::Edit(edit::EditError::Invalid(broken())),
        M::File(anyhow!("x")),
        M::StillListed(Box::new(M::File(anyhow!("x")))),
        M::MayBeListed(HubFault::Failed("x".into())),
        M::Hub(HubFault::Keychain(KeychainError::Silent)),
        M::Hub(HubFault::NotLetIn),
        M::Hub(HubFault::Refused(DeskRefusal::Used)),
        M::Hub(HubFault::Unreachable("x".into())),
    ]
}

/// Returns the codes that a status comes with.
pub(in crate::api) fn codes() -> BTreeMap<u16, BTreeSet<String>> {
    let texts = Texts::load("en");
    let mut codes = BTreeMap::<u16, BTreeSet<String>>::new();
    for error in all() {
        let ErrorRow { status, code, .. } = error.row(&texts);
        codes
            .entry(status.as_u16())
            .or_default()
            .insert(beckon_client::wire::word(&code));
    }
    codes
}

#[test]
fn every_objection_has_a_sentence_of_its_own_in_every_language() {
    let english = Texts::load("en");
    for language in languages() {
        let texts = Texts::load(language);
        for objection in all() {
            let said = objection.words(&texts);
            assert!(!said.is_empty(), "{language}: {objection:?}");
            let same = said == objection.words(&english);
            assert_eq!(same, language == "en", "{language}: {objection:?}: {said}");
        }
    }
}

/// Programs go by these: none may change.
#[test]
fn every_error_keeps_its_status_and_its_code() {
    let texts = Texts::load("en");
    let rows = all().into_iter().map(|error| {
        let ErrorRow {
            status, code, by, ..
        } = error.row(&texts);
        let by = by
            .as_ref()
            .map(beckon_client::wire::word)
            .unwrap_or_default();
        format!(
            "{} {} {by}",
            status.as_u16(),
            beckon_client::wire::word(&code)
        )
        .trim_end()
        .to_owned()
    });
    let mut counted = BTreeMap::new();
    rows.for_each(|row| *counted.entry(row).or_insert(0) += 1);
    let counted: Vec<String> = counted
        .iter()
        .map(|(row, n)| format!("{n} × {row}"))
        .collect();
    let expected = [
        "1 × 400 ambiguous",
        "30 × 400 invalid",
        "1 × 400 refused",
        "1 × 401 unauthorized",
        "1 × 404 gone",
        "7 × 404 unknown",
        "1 × 409 already answered clock",
        "1 × 409 already answered tray",
        "2 × 409 broken file",
        "2 × 409 changed",
        "1 × 409 foreign",
        "1 × 409 id taken",
        "1 × 409 name taken",
        "1 × 409 no bot",
        "8 × 409 not shown",
        "1 × 409 proof used",
        "6 × 409 refused",
        "3 × 410 settled",
        "1 × 410 settled clock",
        "1 × 500 database",
        "4 × 500 file",
        "1 × 500 not kept",
        "1 × 501 refused",
        "1 × 502 failed",
        "3 × 502 network",
        "1 × 502 returned",
        "1 × 503 ending",
        "2 × 503 keychain",
        "1 × 503 stopping",
        "1 × 507 not saved",
    ];
    assert_eq!(counted, expected);
}
