//! The tests of changing files as people have them: with rights, behind links, on disks that are
//! full, and none at all.

use super::*;

fn set(path: &Path, text: &str) -> Result<bool> {
    change(path, |_| Ok(Some(text.into())))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_made_changed_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    assert!(set(&file, "{}").unwrap());
    let seen = change(&file, |before| {
        assert_eq!(before, Some(b"{}".as_slice()));
        Ok(None)
    });
    assert!(!seen.unwrap());
    assert!(change(&file, |_| anyhow::bail!("no")).is_err());
    assert_eq!(std::fs::read(&file).unwrap(), b"{}");
    assert_eq!(names(folder.path()), ["settings.json"]);
}

#[test]
fn what_somebody_writes_meanwhile_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    std::fs::write(&file, "a").unwrap();
    let mut asked = 0;
    let done = change(&file, |before| {
        asked += 1;
        if asked == 1 {
            std::fs::write(&file, "b").unwrap();
        }
        let before = String::from_utf8_lossy(before.unwrap()).into_owned();
        Ok(Some(format!("{before}+ours").into_bytes()))
    });
    assert!(done.unwrap());
    assert_eq!(std::fs::read(&file).unwrap(), b"b+ours");
    assert_eq!(names(folder.path()), ["settings.json"]);
}

#[test]
fn a_file_without_end_or_sense_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    assert!(read(folder.path()).is_err(), "a folder");
    let large = folder.path().join("large");
    let file = File::create(&large).unwrap();
    file.set_len(LARGEST).unwrap();
    assert!(read(&large).unwrap().is_some());
    file.set_len(LARGEST + 1).unwrap();
    assert!(read(&large).is_err());
    assert!(set(&large, "x").is_err());
    assert_eq!(read(&folder.path().join("none")).unwrap(), None);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn mode(file: &Path) -> u32 {
        std::fs::metadata(file).unwrap().mode() & 0o7777
    }

    fn made(file: &Path, mode: u32) {
        std::fs::write(file, "old").unwrap();
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_named_pipe_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(read(&pipe).is_err());
        assert!(set(&pipe, "x").is_err());
    }

    #[test]
    fn the_mode_stays_and_a_new_file_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        set(&file, "new").unwrap();
        assert_eq!(mode(&file), 0o600);
        for before in [0o600, 0o640, 0o644, 0o664, 0o666, 0o700] {
            made(&file, before);
            set(&file, "new").unwrap();
            assert_eq!(mode(&file), before, "{before:o}");
        }
    }

    /// Checks that nobody else can read the new text at any moment.
    #[test]
    fn a_draft_is_its_owners_alone_and_a_planted_name_is_never_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        let (_open, draft) = Draft::beside(&file).unwrap();
        let name = draft.0.clone().unwrap();
        assert_eq!(mode(&name), 0o600);
        drop(draft);
        assert!(!name.exists());
    }

    #[test]
    fn the_owner_and_the_group_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        made(&file, 0o640);
        if std::os::unix::fs::chown(&file, Some(65_534), Some(65_534)).is_err() {
            eprintln!("skipped: only root gives a file away");
            return;
        }
        set(&file, "new").unwrap();
        let found = std::fs::metadata(&file).unwrap();
        let rights = (found.uid(), found.gid(), found.mode() & 0o777);
        assert_eq!(rights, (65_534, 65_534, 0o640));
    }

    #[test]
    fn links_stay_links_and_what_is_missing_behind_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("dotfiles")).unwrap();
        let (link, between, file) = (at("settings.json"), at("between"), at("dotfiles/claude"));
        symlink("between", &link).unwrap();
        symlink("dotfiles/claude", &between).unwrap();
        for text in ["made", "changed"] {
            assert!(set(&link, text).unwrap());
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
            assert!(link.is_symlink() && between.is_symlink());
        }
        assert_eq!(names(&at("dotfiles")), ["claude"]);
    }

    #[test]
    fn links_that_lead_nowhere_or_in_a_circle_are_refused_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("gone/settings.json", at("nowhere")).unwrap();
        symlink("b", at("a")).unwrap();
        symlink("a", at("b")).unwrap();
        for link in ["nowhere", "a"] {
            assert!(set(&at(link), "x").is_err(), "{link}");
            assert!(at(link).is_symlink(), "{link}");
        }
        assert_eq!(names(folder.path()), ["a", "b", "nowhere"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("taken");
        std::fs::create_dir_all(file.join("by a folder")).unwrap();
        assert!(set(&file, "x").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }
}
