//! Stories of what is marked as dangerous in a command, and what is not.

mod alone;
mod rates;
mod starters;
mod table;
mod time;

use beckon_core::risk::{MarkedRisk, Risk, of_command};
use beckon_core::{Argument, CallInput, Permission};

use alone::LEFT_ALONE;
use table::MARKED;

const PROJECT: &str = "/home/me/shop";

fn marks(command: &str) -> Vec<(Risk, String)> {
    let marked = of_command(command, PROJECT);
    for MarkedRisk { range, words, .. } in &marked {
        assert_eq!(&command[range.clone()], words);
    }
    marked
        .into_iter()
        .map(|mark| (mark.risk, mark.words))
        .collect()
}

#[test]
fn dangerous_words_are_marked_wherever_a_shell_would_run_them() {
    let words = |marks: &[(Risk, &str)]| -> Vec<(Risk, String)> {
        let owned = |(risk, words): &(Risk, &str)| (*risk, (*words).to_owned());
        marks.iter().map(owned).collect()
    };
    let others = MARKED.iter().filter(|row| marks(row.0) != words(row.1));
    let others: Vec<_> = others.map(|row| (row.0, marks(row.0))).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn what_is_harmless_or_merely_mentioned_is_left_alone() {
    let marked = LEFT_ALONE.iter().map(|command| (command, marks(command)));
    let marked: Vec<_> = marked.filter(|(_, marks)| !marks.is_empty()).collect();
    assert!(marked.is_empty(), "{marked:#?}");
}

#[test]
fn an_edit_outside_the_project_is_marked_and_one_inside_is_not() {
    let edit = |path: &str| Permission {
        permission: "edit".into(),
        patterns: vec![path.into()],
        ..Permission::default()
    };
    let words = |path: &str| -> Vec<String> {
        edit(path)
            .risks(PROJECT)
            .into_iter()
            .map(|mark| mark.words)
            .collect()
    };
    assert_eq!(words("/home/me/.ssh/config"), ["/home/me/.ssh/config"]);
    assert_eq!(words("/home/me/shop-2/a.rs"), ["/home/me/shop-2/a.rs"]);
    assert!(words("/home/me/shop/src/a.rs").is_empty());
    assert!(words("src/a.rs").is_empty());
}

#[test]
fn a_command_that_is_told_as_a_pattern_alone_is_marked_as_a_whole() {
    let permission = Permission {
        permission: "bash".into(),
        patterns: vec!["ls".into(), "cd x && rm -rf y".into()],
        ..Permission::default()
    };
    let marked = permission.risks(PROJECT);
    assert_eq!(marked.len(), 1);
    assert_eq!(
        (marked[0].risk, marked[0].words.as_str()),
        (Risk::Deletes, "cd x && rm -rf y")
    );
    assert_eq!(marked[0].range, 0.."cd x && rm -rf y".len());
    let blank = Permission {
        command: Some(" ".into()),
        ..permission.clone()
    };
    assert_eq!(blank.risks(PROJECT), marked);
    // The text that is searched for may look like a command.
    let search = Permission {
        permission: "grep".into(),
        ..permission
    };
    assert_eq!(search.risks(PROJECT), []);
}

#[test]
fn a_command_line_among_the_arguments_of_a_tool_is_marked() {
    let risks = |given: &[(&str, &str)]| {
        let arguments = given.iter().map(|&(name, value)| Argument {
            name: name.into(),
            value: value.into(),
        });
        let permission = Permission {
            permission: "shell_execute_command".into(),
            patterns: vec!["*".into()],
            input: CallInput::told(arguments.collect()),
            ..Permission::default()
        };
        let marks = permission.risks(PROJECT).into_iter();
        marks.map(|mark| mark.risk).collect::<Vec<_>>()
    };
    let deletes = [Risk::Deletes];
    assert_eq!(risks(&[("command", "cd /tmp && rm -rf x")]), deletes);
    assert_eq!(risks(&[("Command_Line", "rm -rf x")]), deletes);
    assert_eq!(risks(&[("cmd", r#"["rm","-rf","x"]"#)]), deletes);
    assert_eq!(
        risks(&[("args", r#"["-rf", "x"]"#), ("command", "rm")]),
        deletes
    );
    assert_eq!(
        risks(&[("command", "cargo test"), ("query", "rm -rf x")]),
        []
    );
    for nested in [
        ("commands", r#"["ls", "rm -rf x"]"#),
        ("commands", r#"[{"name": "a", "command": "rm -rf x"}]"#),
        ("input", r#"{"options": {"command": "rm -rf x"}}"#),
        ("input", r#"{"command": "rm", "args": ["-rf", "x"]}"#),
        ("argv", r#"["rm", "-rf", "x"]"#),
        ("steps", r#"[{"script": "cd x\nrm -rf y"}]"#),
        ("bash", "rm -rf x"),
        ("code", "rm -rf x"),
    ] {
        assert_eq!(risks(&[nested]), deletes, "{nested:?}");
    }
    for program in ["executable", "program"] {
        let given = [(program, "rm"), ("args", r#"["-rf", "x"]"#)];
        assert_eq!(risks(&given), deletes, "{program}");
    }
    assert_eq!(risks(&[("command", "cd x"), ("cmd", "rm -rf y")]), deletes);
    let quoted = [
        ("command", "echo"),
        ("args", r#"["a; rm -rf x", "{\"cmd\": 1}"]"#),
    ];
    assert_eq!(risks(&quoted), [], "a word is no line");
}

#[test]
fn what_a_call_is_given_besides_its_command_is_marked_as_well() {
    let risks = |command: &str, given: (&str, &str)| {
        let argument = Argument {
            name: given.0.into(),
            value: given.1.into(),
        };
        let permission = Permission {
            permission: "run_process".into(),
            command: Some(command.into()),
            input: CallInput::told(vec![argument]),
            ..Permission::default()
        };
        let marks = permission.risks(PROJECT);
        for mark in &marks {
            assert_eq!(command[mark.range.clone()], mark.words);
        }
        let risks = marks.iter().map(|mark| mark.risk);
        risks.collect::<Vec<_>>()
    };
    assert_eq!(risks("cd x", ("cmd", "rm -rf y")), [Risk::Deletes]);
    let words = ("args", r#"["-rf", "/home/ada"]"#);
    assert!(risks("rm", words).contains(&Risk::Deletes));
    assert_eq!(risks("ls", ("description", "rm -rf y")), []);
}

#[test]
fn a_directory_outside_is_marked_as_such_whatever_its_path() {
    let permission = Permission {
        permission: "external_directory".into(),
        patterns: vec!["/tmp/*".into(), "/home/me/shop/x".into()],
        ..Permission::default()
    };
    let marked = permission.risks(PROJECT);
    assert_eq!(
        marked.iter().map(|mark| mark.risk).collect::<Vec<_>>(),
        [Risk::Outside]
    );
    assert_eq!(marked[0].words, "/tmp/*");
}

#[test]
fn scripts_in_scripts_are_read_as_far_as_people_write_them() {
    let nested = |depth: usize| {
        let inner = "rm -rf x".to_owned();
        (0..depth).fold(inner, |script, _| format!("sh -c \"ls; echo $({script})\""))
    };
    for depth in 1..4 {
        assert_eq!(
            marks(&nested(depth)),
            [(Risk::Deletes, "rm -rf".to_owned())],
            "{depth}"
        );
    }
}

#[test]
fn what_stands_deeper_than_anybody_writes_is_marked_unread() {
    let within = |depth: usize, inner: &str| {
        marks(&(0..depth).fold(inner.to_owned(), |line, _| format!("echo $({line})")))
    };
    assert_eq!(
        within(8, "rm -rf x"),
        [(Risk::Deletes, "rm -rf".to_owned())]
    );
    let unread = |words: &str| [(Risk::RunsUnseen, words.to_owned())];
    assert_eq!(within(9, "rm -rf x"), unread("rm -rf x"));
    assert_eq!(
        within(7, "eval 'rm -rf x'"),
        [(Risk::Deletes, "rm -rf".to_owned())]
    );
    assert_eq!(within(8, "eval 'rm -rf x'"), unread("rm -rf x"));
    assert_eq!(
        within(7, "eval 'echo $(rm -rf x)'"),
        unread("rm -rf x"),
        "a script is one deeper"
    );
}

#[test]
fn many_substitutions_at_the_end_of_a_long_line_are_all_read() {
    let line = format!("echo {}{}$(rm -rf x)", "a ".repeat(50), "$(ls) ".repeat(20));
    assert_eq!(marks(&line), [(Risk::Deletes, "rm -rf".to_owned())]);
}

#[test]
fn whatever_the_pieces_a_command_is_made_of_it_is_read_without_a_panic() {
    const PIECES: [&str; 64] = [
        "rm",
        " -rf ",
        "é",
        "'",
        "\"",
        "`",
        "$(",
        ")",
        "<(",
        "\\",
        "\n",
        "bash -c ",
        "eval ",
        "中",
        "<<EOF\n",
        "EOF\n",
        "|",
        "&",
        ";",
        ">",
        "<",
        "2>",
        " ",
        "sudo ",
        "curl ",
        "sh",
        "#",
        "{",
        "🦀",
        "=",
        "-",
        "\r",
        "find . ",
        "-exec ",
        "xargs ",
        "cmd /c ",
        "$x ",
        "ssh h ",
        "parallel ::: ",
        "git -c a=!",
        "python -c ",
        "nice -Z ",
        "env -S",
        "{ ",
        "^",
        "$'",
        "<<<",
        "rd/s ",
        "powershell ",
        "-e ",
        "-- ",
        "\u{1a}",
        "docker exec ",
        ">(",
        "trap ",
        "&> ",
        "~/x ",
        "../ ",
        "*",
        "/c",
        "%{",
        "C:\\",
        ":",
        "su -c ",
    ];
    let mut dice = 42_u64;
    for _ in 0..20_000 {
        let mut command = String::new();
        for _ in 0..12 {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            command.push_str(PIECES[usize::try_from(dice >> 58).unwrap()]);
        }
        marks(&command);
    }
}

#[test]
fn where_a_project_lies_is_compared_as_its_system_does() {
    let outside = |directory: &str, command: &str| !of_command(command, directory).is_empty();
    assert!(!outside("C:\\Me\\shop", "echo x > 'c:/me/shop/a'"));
    assert!(outside("C:\\Me\\shop", "echo x > 'c:/me/other/a'"));
    assert!(
        !outside("", "echo x > /srv/a"),
        "nobody knows where it works"
    );
}
