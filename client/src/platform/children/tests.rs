//! The tests of starting programs: those that answer, and those that hang, talk without end or
//! leave another program behind.

use super::*;

#[test]
fn a_program_that_is_started_is_told_no_secret() {
    let names = [
        "BECKON_TELEGRAM_TOKEN",
        "BECKON_HOME",
        "BECKON_OPENCODE_PASSWORD_X",
        "PATH",
    ];
    let mut command = Command::new("true");
    withhold(&mut command, names.into_iter().map(OsString::from));
    let mut removed: Vec<_> = command.get_envs().collect();
    removed.sort_unstable();
    let gone = |name| (OsStr::new(name), None);
    assert_eq!(
        removed,
        [
            gone("BECKON_OPENCODE_PASSWORD_X"),
            gone("BECKON_TELEGRAM_TOKEN")
        ]
    );
}

#[test]
fn a_program_is_named_from_the_root_on() {
    assert!(Program::at(Path::new("sh")).is_err());
    assert!(Program::at(Path::new("./sh")).is_err());
    assert!(Program::named("no-such-program-anywhere").is_err());
}

#[cfg(unix)]
mod unix {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);
    const AT_ONCE: Duration = Duration::from_secs(5);

    fn sh(script: &str) -> Program {
        Program::named("sh").unwrap().args(["-c", script])
    }

    fn text(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[test]
    fn what_a_program_says_is_told_with_how_it_ended() {
        let answer = sh("echo one; echo two >&2; exit 3").ask(LIMIT).unwrap();
        let said = (text(&answer.output), text(&answer.errors));
        assert_eq!(said, ("one\n".into(), "two\n".into()));
        assert_eq!(answer.status.code(), Some(3));
    }

    #[test]
    fn a_program_works_at_the_root_and_is_handed_its_input() {
        let answer = sh("pwd; cat").ask_with(b"input", LIMIT).unwrap();
        assert_eq!(text(&answer.output), "/\ninput");
    }

    #[test]
    fn more_than_a_pipe_holds_is_heard_whole() {
        let answer = sh("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2").ask(LIMIT);
        let answer = answer.unwrap();
        assert_eq!(
            (answer.output.len(), answer.errors.len()),
            (300_000, 300_000)
        );
    }

    #[test]
    fn one_that_does_not_end_is_ended_with_what_it_has_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 1000 & echo $! > '{}'; wait", file.display());
        let refused = sh(&script).ask(Duration::from_millis(300)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::TimedOut);
        let sleeper: i32 = std::fs::read_to_string(&file)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        assert_ends(sleeper);
    }

    #[test]
    fn one_that_leaves_its_output_to_another_holds_nobody_up() {
        let begun = Instant::now();
        let answer = sh("sleep 1000 & echo $!").ask(LIMIT).unwrap();
        assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
        assert_ends(text(&answer.output).trim().parse().unwrap());
    }

    #[test]
    fn one_that_talks_without_end_is_ended() {
        let begun = Instant::now();
        assert!(sh("cat /dev/zero").ask(LIMIT).is_err());
        assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    }

    fn assert_ends(pid: i32) {
        let begun = Instant::now();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ")
                .is_some_and(|(_, state)| !state.starts_with('Z'))
        };
        while runs() {
            assert!(begun.elapsed() < AT_ONCE, "it still runs");
            std::thread::sleep(FIRST_LOOK);
        }
    }

    #[test]
    fn only_whole_folders_are_looked_through() {
        let folders = |path: Option<&str>| folders_of(path.map(OsString::from));
        let usual: Vec<PathBuf> = USUAL_FOLDERS.iter().map(PathBuf::from).collect();
        for path in [None, Some(""), Some(":"), Some(".:bin::./x")] {
            assert_eq!(folders(path), usual, "{path:?}");
        }
        let own = folders(Some("/own:.::/usr/bin"));
        assert_eq!(own, ["/own", "/usr/bin"].map(PathBuf::from));
    }
}
