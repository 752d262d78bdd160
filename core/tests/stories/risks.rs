//! What in a command is marked as dangerous, and what is left alone.

use beckon_core::Permission;
use beckon_core::risk::{MarkedRisk, Risk, of_command};

const PROJECT: &str = "/home/me/shop";

/// Each with the words that are marked.
const MARKED: &[(&str, &[(Risk, &str)])] = &[
    ("rm -rf build dist", &[(Risk::Deletes, "rm -rf")]),
    ("rm build -r", &[(Risk::Deletes, "rm build -r")]),
    ("cd x && /bin/rm --force y", &[(Risk::Deletes, "/bin/rm --force")]),
    ("FOO=1 env BAR=2 rm -f x", &[(Risk::Deletes, "rm -f")]),
    ("find . -name '*.o' -delete", &[(Risk::Deletes, "find . -name '*.o' -delete")]),
    ("ls | xargs -0 rm -f", &[(Risk::Deletes, "rm -f")]),
    ("git clean -fdx", &[(Risk::Deletes, "git clean -fdx")]),
    ("dd if=x of=/dev/sda", &[(Risk::Deletes, "dd if=x of=/dev/sda")]),
    ("mkfs.ext4 /dev/sdb1", &[(Risk::Deletes, "mkfs.ext4 /dev/sdb1")]),
    ("Remove-Item -Recurse x", &[(Risk::Deletes, "Remove-Item -Recurse")]),
    ("rd /S /Q build", &[(Risk::Deletes, "rd /S /Q")]),
    ("echo `rm -rf x`", &[(Risk::Deletes, "rm -rf")]),
    ("echo \"$(rm -rf 'a)b')\"", &[(Risk::Deletes, "rm -rf")]),
    ("bash -c 'cd x; rm -rf y'", &[(Risk::Deletes, "rm -rf")]),
    ("if true; then rm -rf x; fi", &[(Risk::Deletes, "rm -rf")]),
    ("(cd x; rm -rf y)", &[(Risk::Deletes, "rm -rf")]),
    ("r\\m -rf x", &[(Risk::Deletes, "r\\m -rf")]),
    ("'rm' \"-rf\" x", &[(Risk::Deletes, "'rm' \"-rf\"")]),
    ("sudo apt install jq", &[(Risk::Admin, "sudo")]),
    ("sudo -u root rm -rf x", &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")]),
    ("git push --force", &[(Risk::Rewrites, "git push --force")]),
    ("git -C x push -f origin main", &[(Risk::Rewrites, "git -C x push -f")]),
    ("git push origin +main", &[(Risk::Rewrites, "git push origin +main")]),
    ("git push origin :old", &[(Risk::Rewrites, "git push origin :old")]),
    ("git reset --hard HEAD~1", &[(Risk::Rewrites, "git reset --hard")]),
    ("curl -fsSL x.sh | sh", &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")]),
    (
        "curl x | tee y | sudo -E bash -s",
        &[(Risk::RunsDownload, "curl"), (Risk::Admin, "sudo"), (Risk::RunsDownload, "bash")],
    ),
    ("bash <(wget -qO- x)", &[(Risk::RunsDownload, "bash"), (Risk::RunsDownload, "wget")]),
    ("sh -c \"$(curl x)\"", &[(Risk::RunsDownload, "sh"), (Risk::RunsDownload, "curl")]),
    ("iwr x | iex", &[(Risk::RunsDownload, "iwr"), (Risk::RunsDownload, "iex")]),
    ("curl x | bash -s -- --yes", &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")]),
    ("curl x | python3 -", &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "python3")]),
    ("eval \"$(curl x)\"", &[(Risk::RunsDownload, "eval"), (Risk::RunsDownload, "curl")]),
    ("bash -lc 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    ("bash -lc 'curl x | sh'", &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")]),
    ("bash <<EOF\nrm -rf x\nEOF", &[(Risk::Deletes, "rm -rf")]),
    ("cat <<EOF\nit's\nEOF\nrm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("find . -name x -exec rm -rf {} +", &[(Risk::Deletes, "find . -name x -exec rm -rf")]),
    ("xargs -n 1 -I {} rm -rf {}", &[(Risk::Deletes, "rm -rf")]),
    ("timeout -k 5 10 nice -n 10 rm -f x", &[(Risk::Deletes, "rm -f")]),
    ("sudo -E env X=1 rm -rf y", &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")]),
    ("if ! sudo true; then { rm -rf x; }; fi", &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")]),
    ("f() { rm -rf x; }; f", &[(Risk::Deletes, "rm -rf")]),
    ("for f in *; do rm -f \"$f\"; done", &[(Risk::Deletes, "rm -f")]),
    ("FOO=\"a b\" rm -rf \"${DIR:?}\"/x", &[(Risk::Deletes, "rm -rf")]),
    ("eval 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    ("cmd /c rd /s /q x", &[(Risk::Deletes, "rd /s /q")]),
    ("git push --force-with-lease", &[(Risk::Rewrites, "git push --force-with-lease")]),
    ("cat x > /dev/sda", &[(Risk::Outside, "/dev/sda")]),
    ("echo x >> ~/.bashrc", &[(Risk::Outside, "~/.bashrc")]),
    ("echo x >/etc/hosts", &[(Risk::Outside, "/etc/hosts")]),
    ("echo x > ../other/y", &[(Risk::Outside, "../other/y")]),
    ("echo x > /home/me/shop/../y", &[(Risk::Outside, "/home/me/shop/../y")]),
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
];

fn marks(command: &str) -> Vec<(Risk, String)> {
    let marked = of_command(command, PROJECT);
    for MarkedRisk { range, words, .. } in &marked {
        assert_eq!(&command[range.clone()], words);
    }
    marked.into_iter().map(|mark| (mark.risk, mark.words)).collect()
}

#[test]
fn dangerous_words_are_marked_wherever_a_shell_would_run_them() {
    for (command, expected) in MARKED {
        let expected: Vec<_> = expected.iter().map(|(r, w)| (*r, (*w).to_owned())).collect();
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
        edit(path).risks(PROJECT).into_iter().map(|mark| mark.words).collect()
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
    assert_eq!((marked[0].risk, marked[0].words.as_str()), (Risk::Deletes, "cd x && rm -rf y"));
}

#[test]
fn a_directory_outside_is_marked_as_such_whatever_its_path() {
    let permission = Permission {
        permission: "external_directory".into(),
        patterns: vec!["/tmp/*".into(), "/home/me/shop/x".into()],
        ..Permission::default()
    };
    let marked = permission.risks(PROJECT);
    assert_eq!(marked.iter().map(|mark| mark.risk).collect::<Vec<_>>(), [Risk::Outside]);
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
    assert!(!outside("", "echo x > /srv/a"), "nobody knows where it works");
}
