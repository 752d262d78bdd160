//! What in a command is marked as dangerous, and what is left alone.

use beckon_core::Permission;
use beckon_core::risk::{MarkedRisk, Risk, of_command};

const PROJECT: &str = "/home/me/shop";

/// Each with the words that are marked.
const MARKED: &[(&str, &[(Risk, &str)])] = &[
    ("rm -rf build dist", &[(Risk::Deletes, "rm -rf")]),
    ("function f { rm -rf x; }; f", &[(Risk::Deletes, "rm -rf")]),
    ("rm build -r", &[(Risk::Deletes, "rm build -r")]),
    (
        "cd x && /bin/rm --force y",
        &[(Risk::Deletes, "/bin/rm --force")],
    ),
    ("FOO=1 env BAR=2 rm -f x", &[(Risk::Deletes, "rm -f")]),
    (
        "find . -name '*.o' -delete",
        &[(Risk::Deletes, "find . -name '*.o' -delete")],
    ),
    ("ls | xargs -0 rm -f", &[(Risk::Deletes, "rm -f")]),
    ("git clean -fdx", &[(Risk::Deletes, "git clean -fdx")]),
    (
        "dd if=x of=/dev/sda",
        &[(Risk::Deletes, "dd if=x of=/dev/sda")],
    ),
    (
        "mkfs.ext4 /dev/sdb1",
        &[(Risk::Deletes, "mkfs.ext4 /dev/sdb1")],
    ),
    ("mkfs /dev/sdb1", &[(Risk::Deletes, "mkfs /dev/sdb1")]),
    ("shred -u key.pem", &[(Risk::Deletes, "shred -u key.pem")]),
    ("git clean --force", &[(Risk::Deletes, "git clean --force")]),
    (
        "find . -execdir rm -rf {} ;",
        &[(Risk::Deletes, "find . -execdir rm -rf")],
    ),
    ("rm --recursive x", &[(Risk::Deletes, "rm --recursive")]),
    ("del /f x", &[(Risk::Deletes, "del /f")]),
    ("ri -r x", &[(Risk::Deletes, "ri -r")]),
    (
        "Remove-Item -Recurse x",
        &[(Risk::Deletes, "Remove-Item -Recurse")],
    ),
    ("rd /S /Q build", &[(Risk::Deletes, "rd /S /Q")]),
    ("echo `rm -rf x`", &[(Risk::Deletes, "rm -rf")]),
    ("echo \"$(rm -rf 'a)b')\"", &[(Risk::Deletes, "rm -rf")]),
    ("bash -c 'cd x; rm -rf y'", &[(Risk::Deletes, "rm -rf")]),
    ("if true; then rm -rf x; fi", &[(Risk::Deletes, "rm -rf")]),
    ("(cd x; rm -rf y)", &[(Risk::Deletes, "rm -rf")]),
    ("r\\m -rf x", &[(Risk::Deletes, "r\\m -rf")]),
    ("'rm' \"-rf\" x", &[(Risk::Deletes, "'rm' \"-rf\"")]),
    ("sudo apt install jq", &[(Risk::Admin, "sudo")]),
    (
        "sudo -u root rm -rf x",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    ("git push --force", &[(Risk::Rewrites, "git push --force")]),
    (
        "git -C x push -f origin main",
        &[(Risk::Rewrites, "git -C x push -f")],
    ),
    (
        "git push origin +main",
        &[(Risk::Rewrites, "git push origin +main")],
    ),
    (
        "git push origin :old",
        &[(Risk::Rewrites, "git push origin :old")],
    ),
    ("git push -d origin old", &[(Risk::Rewrites, "git push -d")]),
    (
        "git push --delete origin old",
        &[(Risk::Rewrites, "git push --delete")],
    ),
    (
        "git push --mirror backup",
        &[(Risk::Rewrites, "git push --mirror")],
    ),
    (
        "git push --prune backup",
        &[(Risk::Rewrites, "git push --prune")],
    ),
    (
        "git -c a=b --no-pager push -f",
        &[(Risk::Rewrites, "git -c a=b --no-pager push -f")],
    ),
    (
        "git reset --hard HEAD~1",
        &[(Risk::Rewrites, "git reset --hard")],
    ),
    (
        "curl -fsSL x.sh | sh",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | tee y | sudo -E bash -s",
        &[
            (Risk::RunsDownload, "curl"),
            (Risk::Admin, "sudo"),
            (Risk::RunsDownload, "bash"),
        ],
    ),
    (
        "bash <(wget -qO- x)",
        &[(Risk::RunsDownload, "bash"), (Risk::RunsDownload, "wget")],
    ),
    (
        "sh -c \"$(curl x)\"",
        &[(Risk::RunsDownload, "sh"), (Risk::RunsDownload, "curl")],
    ),
    (
        "source <(curl x)",
        &[(Risk::RunsDownload, "source"), (Risk::RunsDownload, "curl")],
    ),
    (
        ". <(curl x)",
        &[(Risk::RunsDownload, "."), (Risk::RunsDownload, "curl")],
    ),
    (
        "curl x |& sh",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "iwr x | iex",
        &[(Risk::RunsDownload, "iwr"), (Risk::RunsDownload, "iex")],
    ),
    (
        "curl x | bash -s -- --yes",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | python3 -",
        &[
            (Risk::RunsDownload, "curl"),
            (Risk::RunsDownload, "python3"),
        ],
    ),
    (
        "eval \"$(curl x)\"",
        &[(Risk::RunsDownload, "eval"), (Risk::RunsDownload, "curl")],
    ),
    ("bash -lc 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    (
        "bash -lc 'curl x | sh'",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    ("bash <<EOF\nrm -rf x\nEOF", &[(Risk::Deletes, "rm -rf")]),
    (
        "cat <<EOF\nit's\nEOF\nrm -rf x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "find . -name x -exec rm -rf {} +",
        &[(Risk::Deletes, "find . -name x -exec rm -rf")],
    ),
    ("xargs -n 1 -I {} rm -rf {}", &[(Risk::Deletes, "rm -rf")]),
    (
        "timeout -k 5 10 nice -n 10 rm -f x",
        &[(Risk::Deletes, "rm -f")],
    ),
    (
        "sudo -E env X=1 rm -rf y",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    (
        "if ! sudo true; then { rm -rf x; }; fi",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    ("f() { rm -rf x; }; f", &[(Risk::Deletes, "rm -rf")]),
    (
        "for f in *; do rm -f \"$f\"; done",
        &[(Risk::Deletes, "rm -f")],
    ),
    (
        "FOO=\"a b\" rm -rf \"${DIR:?}\"/x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    ("eval 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    ("cmd /c rd /s /q x", &[(Risk::Deletes, "rd /s /q")]),
    (
        "git push --force-with-lease",
        &[(Risk::Rewrites, "git push --force-with-lease")],
    ),
    ("cat x > /dev/sda", &[(Risk::Outside, "/dev/sda")]),
    ("echo x >> ~/.bashrc", &[(Risk::Outside, "~/.bashrc")]),
    ("echo x >/etc/hosts", &[(Risk::Outside, "/etc/hosts")]),
    ("echo x > ../other/y", &[(Risk::Outside, "../other/y")]),
    (
        "echo x > /home/me/shop/../y",
        &[(Risk::Outside, "/home/me/shop/../y")],
    ),
    (
        "curl x | bash -x",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | bash --norc",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | sh 2>/dev/null",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | sh 2>&1",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | sh &>/dev/null",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "rm &>/dev/null -rf x",
        &[(Risk::Deletes, "rm &>/dev/null -rf")],
    ),
    (
        "npm run build &>/tmp/log; rm -rf x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    ("rm 3<(ls) -rf x", &[(Risk::Deletes, "rm 3<(ls) -rf")]),
    ("xargs < list rm -f", &[(Risk::Deletes, "rm -f")]),
    ("npm start & rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("ls # it's\nrm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("command rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("MY_DIR=1 rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("echo $(echo ')'; rm -rf x)", &[(Risk::Deletes, "rm -rf")]),
    (
        "echo \"$(echo $(ls); rm -rf x)\"",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "echo \"$(echo \\); rm -rf x)\"",
        &[(Risk::Deletes, "rm -rf")],
    ),
];

const LEFT_ALONE: &[&str] = &[
    "",
    "npm test -- cart --reporter=dot",
    "rm build/one-file",
    "echo 'rm -rf x'",
    "echo \"rm -rf x\"",
    "grep -rf patterns .",
    "git commit -m 'rm -rf; sudo'",
    "git push origin main",
    "git push -u origin main",
    "git push origin :",
    "git -C clean status -f",
    "pushd packages/a; echo x > ../log",
    "git clean -n",
    "git checkout -f",
    "find . -name rm -newer x",
    "curl x -o y",
    "curl x | jq .",
    "cat x.sh | sh",
    "wget x && sh y.sh",
    "make 2>/dev/null >/tmp/log",
    "echo x > out.txt",
    "echo x > /home/me/shop/out.txt",
    "echo x > $OUT",
    "diff <(ls a) <(ls b)",
    "curl x | python3 -m json.tool",
    "curl x | node -e 'process.stdin.pipe(process.stdout)'",
    "curl x | bash -c 'cat'",
    "curl x | sh deploy.sh",
    "bash -lc 'curl -s localhost:3000/health'",
    "sh deploy.sh \"$(curl -s x)\"",
    "bash -c \"echo $(curl x)\"",
    "cat > Dockerfile <<'EOF'\nRUN sudo rm -rf x\nEOF",
    "python - <<EOF\nimport os; rm -rf\nEOF",
    "git commit -m \"$(cat <<'EOF'\ndon't\nsudo rm -rf x\nEOF\n)\"",
    "echo $((1<<4))",
    "command -v sudo",
    "git clean -ndf",
    "git push --dry-run --force",
    "rm -- -rf",
    "rm -Verbose x",
    "dd if=x of=/dev/null",
    "cd packages/a && npm test > ../log",
    "[[ a > b ]] && [ $x -gt 3 ]",
    "# rm -rf x",
    "ls # && rm -rf x",
    "man sudo",
    "cat < /etc/hosts",
    "cat <<< 'rm -rf x'",
    "docker run --rm -f x",
    "echo 1 >&2",
    "curl x | sort",
    "diff <(curl x) saved.html",
    "a-b=c rm -rf x",
    "bash -c '",
    "echo \"$x; rm -rf y\"",
    "echo \"<(rm -rf x)\"",
    "echo \"$(echo 'b')\" \"; rm -rf x\"",
    "echo \"$(echo $(ls))\" \"; rm -rf x\"",
    "echo \"$(echo '\\')\" \"; rm -rf x\"",
];

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
    for (command, expected) in MARKED {
        let expected: Vec<_> = expected
            .iter()
            .map(|(r, w)| (*r, (*w).to_owned()))
            .collect();
        assert_eq!(marks(command), expected, "{command}");
    }
}

#[test]
fn what_is_harmless_or_merely_mentioned_is_left_alone() {
    for command in LEFT_ALONE {
        assert_eq!(marks(command), [], "{command}");
    }
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
    // What is looked for may look like a command.
    let search = Permission {
        permission: "grep".into(),
        ..permission
    };
    assert_eq!(search.risks(PROJECT), []);
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
fn what_nobody_wrote_by_hand_is_read_to_its_end() {
    let piled: String = "$(".repeat(100_000);
    let quotes = "\"`'\\".repeat(50_000);
    let wide = "é|".repeat(60_000);
    let shells = "bash -c \"".repeat(10_000);
    let words = "a ".repeat(30_000);
    let pipes = "curl|".repeat(12_000);
    let options = "git ".to_owned() + &"- ".repeat(30_000);
    for odd in [piled, quotes, wide, shells, words, pipes, options] {
        let marked = of_command(&odd, PROJECT);
        assert!(marked.len() < odd.len(), "{}", &odd[..8]);
    }
}

/// It took eleven seconds while what one of them leads to was looked up anew for each of the others.
#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "how long it takes is the question"
)]
fn thousands_who_feed_one_that_has_thousands_of_words_are_read_at_once() {
    let count = 6_000;
    let fed = format!("{}sh <({})", "env ".repeat(count), "curl;".repeat(count));
    let began = std::time::Instant::now();
    assert_eq!(of_command(&fed, PROJECT).len(), count + 1);
    assert!(began.elapsed().as_secs() < 3, "{:?}", began.elapsed());
}

/// On a stack as the program's threads have it.
#[test]
fn programs_that_start_programs_are_no_deeper_than_the_stack() {
    let found = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let found = of_command(&"find -exec ".repeat(5_900), PROJECT);
        assert_eq!(of_command("find . -exec rm -rf {} +", PROJECT).len(), 1);
        found.len()
    });
    assert_eq!(found.unwrap().join().unwrap(), 0);
}

#[test]
fn scripts_in_scripts_are_read_as_far_as_people_write_them() {
    let nested = |depth: usize| {
        let inner = "rm -rf x".to_owned();
        (0..depth).fold(inner, |script, _| format!("sh -c \"$({script})\""))
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
fn what_stands_deeper_than_anybody_writes_is_read_no_further() {
    let within = |depth: usize, inner: &str| {
        marks(&(0..depth).fold(inner.to_owned(), |line, _| format!("echo $({line})")))
    };
    assert_eq!(
        within(8, "rm -rf x"),
        [(Risk::Deletes, "rm -rf".to_owned())]
    );
    assert_eq!(within(9, "rm -rf x"), []);
    assert_eq!(
        within(7, "eval 'rm -rf x'"),
        [(Risk::Deletes, "rm -rf".to_owned())]
    );
    assert_eq!(within(8, "eval 'rm -rf x'"), []);
    assert_eq!(
        within(7, "eval 'echo $(rm -rf x)'"),
        [],
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
    const PIECES: [&str; 32] = [
        "rm", " -rf ", "é", "'", "\"", "`", "$(", ")", "<(", "\\", "\n", "bash -c ", "eval ", "中",
        "<<EOF\n", "EOF\n", "|", "&", ";", ">", "<", "2>", " ", "sudo ", "curl ", "sh", "#", "{",
        "🦀", "=", "-", "\r",
    ];
    let mut dice = 42_u64;
    for _ in 0..20_000 {
        let mut command = String::new();
        for _ in 0..12 {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            command.push_str(PIECES[usize::try_from(dice >> 59).unwrap()]);
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
