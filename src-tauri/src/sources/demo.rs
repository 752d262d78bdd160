//! A pretend agent for `--demo`: asks of every shape through the real loop, no server needed.

use crate::sources::{Report, ReportSink};
use beckon_client::config;
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_core::{
    AlwaysUntil, Answer, Ask, AskContent, AskId, Choice, Entry, Event, Permission, Question,
    Session, SourceId, SourceListing, SourceReport, SourceState,
};
use std::time::Duration;

/// The source's name.
pub(crate) const NAME: &str = config::DEMO;
/// How long the pretend agent takes to read an answer.
const READS_WITHIN: Duration = Duration::from_millis(300);

/// The pretend agent.
#[derive(Clone, Debug)]
pub struct DemoHandle {
    reports: ReportSink,
}

/// Starts the pretend agent. It asks all its questions at once, as the list of a source.
pub(crate) fn start(reports: ReportSink, texts: &Texts) -> DemoHandle {
    let handle = DemoHandle { reports };
    // The time makes the ids new in each run: a demo begins anew, and the asks of an earlier one
    // must not be taken for these.
    let run = clock::now().0;
    let asks = kinds(texts).into_iter().enumerate();
    let asks = asks
        .map(|(n, (title, kind))| (ask(run, n, title, kind), true))
        .collect();
    handle.tell(SourceReport::Listed(SourceListing {
        asks,
        ..SourceListing::default()
    }));
    handle.tell(SourceReport::State(SourceState::Live { version: None }));
    handle
}

impl DemoHandle {
    /// Takes an answer, and proves it a moment later.
    pub fn deliver(&self, entry: &Entry, answer: &Answer) {
        let (handle, own) = (self.clone(), entry.ask.id.own.clone());
        let answers = entry.ask.to_source_texts(answer);
        self.tell(SourceReport::Sent { own: own.clone() });
        tokio::spawn(async move {
            tokio::time::sleep(READS_WITHIN).await;
            handle.tell(match answers {
                Some(answers) => SourceReport::Replied {
                    own,
                    answers: Some(answers),
                },
                None => SourceReport::Rejected { own },
            });
        });
    }

    fn tell(&self, report: SourceReport) {
        self.reports
            .post(Report::event(Event::Source(SourceId(NAME.into()), report)));
    }
}

fn ask(run: i64, number: usize, title: String, kind: AskContent) -> Ask {
    let session = Session {
        id: format!("{}{number}", config::DEMO_SESSION),
        title: Some(title),
        directory: "/home/demo/shop-api".into(),
        agent: Some("build".into()),
        ..Session::default()
    };
    let id = AskId::new(NAME, format!("que_demo_{run}_{number}"));
    Ask {
        id,
        kind,
        session,
        call: None,
        asked_at: clock::now(),
    }
}

fn kinds(texts: &Texts) -> Vec<(String, AskContent)> {
    let database = question(texts, "demo-database", 2);
    let features = Question {
        multiple: true,
        ..question(texts, "demo-features", 4)
    };
    let deploy = Question {
        custom: false,
        ..question(texts, "demo-deploy", 3)
    };
    let name = question(texts, "demo-name", 0);
    let bash = Permission {
        permission: "bash".into(),
        patterns: vec!["rm -rf build".into()],
        always: vec!["rm *".into()],
        command: Some("rm -rf build".into()),
        always_until: AlwaysUntil::ServerStops,
        ..Permission::default()
    };
    let title = |key: &str| texts.get(key);
    vec![
        (
            title("demo-title-database"),
            AskContent::Questions(vec![database.clone()]),
        ),
        (
            title("demo-title-set"),
            AskContent::Questions(vec![database, features, deploy]),
        ),
        (title("demo-title-name"), AskContent::Questions(vec![name])),
        (title("demo-title-permission"), AskContent::Permission(bash)),
        (
            title("demo-title-confirm"),
            AskContent::Confirm(texts.get("demo-confirm")),
        ),
    ]
}

fn question(texts: &Texts, key: &str, choices: usize) -> Question {
    let choice = |n: usize| Choice {
        label: texts.get(&format!("{key}-{n}")),
        description: texts.get(&format!("{key}-{n}-description")),
        value: None,
    };
    Question {
        header: texts.get(&format!("{key}-header")),
        question: texts.get(key),
        multiple: false,
        custom: true,
        choices: (1..=choices).map(choice).collect(),
        limits: None,
        consent: None,
    }
}
