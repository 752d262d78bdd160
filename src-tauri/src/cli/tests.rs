//! The command line in every language, and what it lets through to a terminal.

use super::output::{escaped, harmless};
use super::*;
use beckon_core::visible::is_unprintable;

fn missing(command: &clap::Command, key: &str, texts: &Texts) -> Vec<String> {
    let about = [format!("{key}-about")];
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let args = args.map(|arg| arg.get_id().to_string());
    let args = args.filter(|id| id != "help" && id != "version");
    let keys = about
        .into_iter()
        .chain(args.map(|id| format!("{key}-{id}")));
    let here = keys.filter(|key| !texts.has(key)).collect::<Vec<_>>();
    let below = command
        .get_subcommands()
        .filter(|c| c.get_name() != "help")
        .flat_map(|c| missing(c, &format!("{key}-{}", c.get_name()), texts));
    here.into_iter().chain(below).collect()
}

#[test]
fn every_command_and_argument_has_its_words() {
    let lacking = missing(&CliArguments::command(), "cli", &Texts::load("en"));
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn the_help_and_its_refusals_are_in_the_language_of_the_settings() {
    let texts = Texts::load("zh-CN");
    let command = || spoken(&texts);
    for name in ["beckon", "ask", "telegram"] {
        let mut command = command();
        let command = command
            .find_subcommand_mut(name)
            .map(|c| c.clone())
            .unwrap_or(command);
        let help = command.clone().render_help().to_string();
        for english in [
            "Print",
            "Usage",
            "Options:",
            "Commands:",
            "Arguments:",
            "possible",
        ] {
            assert!(!help.contains(english), "{help}");
        }
        assert!(
            help.contains("用法：") && help.contains("显示帮助"),
            "{help}"
        );
    }
    let table: [(&[&str], &str); 9] = [
        (&["nothing"], "没有“nothing”这个命令。"),
        (&["list", "--nothing"], "这里没有 --nothing。"),
        (&["grant"], "缺少 <ID>。"),
        (&["presence", "gone"], "只接受 auto, here, away。"),
        (&["answer", "x", "--choice", "0"], "要写从 1 数起的号码"),
        (
            &["answer", "x", "--question", "y"],
            "--question <N> 不接受“y”。",
        ),
        (
            &["ask", "--question", "x", "--timeout", "soon"],
            "而不是“soon”",
        ),
        (&["show", "x", "--json", "--window"], "不能和"),
        (&["show", "--window=yes"], "--window 后面不带值。"),
    ];
    for (words, told) in table {
        let words = ["beckon"].into_iter().chain(words.iter().copied());
        let error = command().try_get_matches_from(words).unwrap_err();
        let said = usage::wrong(&error, &texts).unwrap_or_else(|| panic!("{error}"));
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn fingerprints_and_words_that_begin_with_a_hyphen_are_taken_as_they_are() {
    let lines: [&[&str]; 7] = [
        &[
            "answer",
            "que_1",
            "--seen",
            "-5IuE0G2vG",
            "--json",
            "--choice",
            "2",
        ],
        &["grant", "que_1", "--seen", "-5IuE0G2vG", "--json"],
        &[
            "deny",
            "que_1",
            "--seen",
            "--uE0G2vG_",
            "--reason",
            "- not today",
        ],
        &["dismiss", "que_1", "--seen", "-5IuE0G2vG"],
        &["answer", "que_1", "--text", "-1"],
        &[
            "ask",
            "--question",
            "-x or -y?",
            "--choice",
            "-x",
            "--choice",
            "-y",
            "--json",
        ],
        &["ask", "--question", "x?", "--title", "- a list"],
    ];
    for line in lines {
        let words = ["beckon"].into_iter().chain(line.iter().copied());
        let taken = CliArguments::command().try_get_matches_from(words);
        assert!(taken.is_ok(), "{line:?}: {}", taken.unwrap_err());
    }
}

#[test]
fn an_agents_text_cannot_steer_the_terminal() {
    let shown = harmless("a\u{1b}[31mb\u{9b}\r\nAllowed.\u{202e}");
    assert_eq!(shown, "a⟨U+001B⟩[31mb⟨U+009B⟩\n      Allowed.⟨U+202E⟩");
}

#[test]
fn json_shows_nothing_that_steers_and_means_the_same() {
    let text = "a\u{9b}31m\u{202e}\u{200b}\u{feff}\u{e0041}\u{7f}\u{1b}\n数据库 é";
    let json = serde_json::to_string_pretty(&[text]).unwrap();
    let shown = escaped(&json);
    assert!(
        !shown.chars().any(|c| is_unprintable(c) && c != '\n'),
        "{shown}"
    );
    assert!(
        shown.contains(r"\u202e") && shown.contains(r"\udb40\udc41"),
        "{shown}"
    );
    assert!(shown.contains("数据库 é"), "{shown}");
    assert_eq!(
        serde_json::from_str::<[String; 1]>(&shown).unwrap()[0],
        text
    );
}

#[test]
fn the_command_line_is_well_formed() {
    CliArguments::command().debug_assert();
}
