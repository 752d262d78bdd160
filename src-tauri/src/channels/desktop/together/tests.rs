//! Tests of what the notification of many requests says.

use super::*;
use beckon_core::{Ask, AskContent, Question, Session, Timestamp};

fn entry(serial: u64) -> Box<Entry> {
    let question = Question {
        question: format!("Number {serial}?"),
        ..Question::default()
    };
    let ask = Ask {
        id: AskId::new("local", format!("que_{serial}")),
        kind: AskContent::Questions(vec![question]),
        session: Session {
            directory: "/home/me/shop".into(),
            ..Session::default()
        },
        call: None,
        asked_at: Timestamp(0),
    };
    Box::new(Entry::new(ask, serial))
}

#[test]
fn it_says_how_many_wait_and_names_the_next_ones() {
    let mut common = CommonNotification::default();
    for serial in 1..=27 {
        let entry = entry(serial);
        let _ = common.places.admit(serial, &entry.ask.id, false);
        common.entries.insert(entry.ask.id.clone(), entry);
    }
    let notice = common.notice(&Texts::load("en"));
    assert_eq!(notice.title, "22 more requests are waiting");
    assert_eq!(
        notice.body,
        "shop · Number 6?\nshop · Number 7?\nshop · Number 8?"
    );
    let labels: Vec<&str> = notice.buttons.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["Open inbox"]);
    let chinese = common.notice(&Texts::load("zh-CN"));
    assert_eq!(chinese.title, "还有 22 个请求待处理");
}
