//! Tests of when the window program is started, and what it is told first.

use super::*;

fn settings() -> PageRequest {
    PageRequest::here(Page::Settings { tab: Tab::History }, None)
}

fn nobody() -> Sink<()> {
    Sink::new(|()| {})
}

#[test]
fn without_a_program_there_is_no_window() {
    assert!(!GuiProcess::new(None, nobody()).open(settings()));
}

#[tokio::test]
async fn a_page_wanted_while_the_program_starts_is_the_first_thing_it_is_told() {
    let mut opener = GuiProcess::new(Some("/bin/true".into()), nobody());
    assert!(opener.open(PageRequest::here(Page::oldest(), None)));
    assert!(opener.open(settings()));
    let mut told = opener.attach();
    assert_eq!(told.try_recv(), Ok(WindowMessage::Wish(settings())));
}

#[tokio::test]
async fn a_program_that_is_made_ready_shows_the_page_that_is_wanted_meanwhile() {
    let mut opener = GuiProcess::new(Some("/bin/true".into()), nobody());
    opener.keep_warm(Some(Span::minutes(5)));
    opener.prepare();
    assert!(opener.open(settings()));
    let mut told = opener.attach();
    assert_eq!(told.try_recv(), Ok(WindowMessage::Wish(settings())));
    opener.prepare();
    assert_eq!(told.try_recv(), Ok(WindowMessage::Prepare));
}

#[tokio::test]
async fn nothing_is_made_ready_that_would_not_stay() {
    let mut opener = GuiProcess::new(Some("/bin/true".into()), nobody());
    opener.keep_warm(None);
    opener.prepare();
    assert!(matches!(opener.state, ProcessState::Absent));
}

#[test]
fn the_program_that_came_last_is_told_also_when_the_death_of_the_first_was_not_noticed() {
    let mut opener = GuiProcess::new(None, nobody());
    let mut first = opener.attach();
    let mut second = opener.attach();
    assert!(opener.open(settings()));
    assert!(first.try_recv().is_err());
    assert_eq!(second.try_recv(), Ok(WindowMessage::Wish(settings())));
}

#[test]
fn a_program_that_listens_gets_the_page_and_the_token_of_the_click() {
    let mut opener = GuiProcess::new(None, nobody());
    let mut told = opener.attach();
    let wish = PageRequest {
        activation: Some("token".into()),
        ..settings()
    };
    assert!(opener.open(wish.clone()));
    assert_eq!(told.try_recv(), Ok(WindowMessage::Wish(wish)));
    opener.end();
    assert_eq!(told.try_recv(), Ok(WindowMessage::Bye));
}

#[tokio::test]
async fn a_page_that_is_wanted_on_another_screen_comes_up_there_once_the_windows_here_are_gone() {
    let mut opener = GuiProcess::new(Some("/bin/true".into()), nobody());
    let mut told = opener.attach();
    let there = LoginSession {
        display: Some(":4711".into()),
        ..LoginSession::default()
    };
    let wish = PageRequest {
        login: Some(there.clone()),
        ..settings()
    };
    assert!(opener.open(wish));
    assert_eq!(told.try_recv(), Ok(WindowMessage::Bye));
    assert!(matches!(opener.state, ProcessState::Leaving(_)));
    drop(told);
    assert_eq!(opener.attach().try_recv(), Ok(WindowMessage::Bye));
    opener.ended();
    assert!(matches!(opener.state, ProcessState::Starting(None)));
    assert_eq!(opener.login, Some(there));
}

#[test]
fn arguments_name_the_page() {
    let ask = Page::answer(Some("que_1".into()));
    assert_eq!(arguments(Some(&ask)), ["answer", "que_1"]);
    let welcome = Page::Settings { tab: Tab::Welcome };
    assert_eq!(arguments(Some(&welcome)), ["settings", "welcome"]);
    assert_eq!(arguments(None), ["prepare"]);
}
