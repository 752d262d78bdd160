//! A folder with its own `install.sh`, which installs into a home's `.local`. It is the content of
//! the archive, and `cargo xtask install` installs from it.

use super::layout::{self, PlacedFile, ZshFolder};
use super::{Release, programs, template, template_file};
use crate::shell;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The contents of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The resident alone, with a unit of systemd.
    Headless,
    /// Both programs, and an entry in the menu.
    Desktop,
}

/// A laid-out folder.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn installer(&self) -> PathBuf {
        self.path.join("install.sh")
    }
}

/// Builds the contents, and lays them out in a folder.
pub(crate) fn lay_out(release: &Release, shape: Shape, name: &str) -> Result<Folder> {
    let workshop = release.workshop(&format!("{name}-parts"))?;
    let folder = release.workshop("folders")?.join(name);
    for file in contents(release, shape, &workshop)? {
        place(&file, &folder)?;
    }
    let installer = PlacedFile {
        source: template_file("install.sh"),
        target: "install.sh".to_owned(),
        is_program: true,
    };
    place(&installer, &folder)?;
    Ok(Folder { path: folder })
}

fn contents(release: &Release, shape: Shape, workshop: &Path) -> Result<Vec<PlacedFile>> {
    let resident = programs::resident()?;
    let mut files = layout::command_line(release, &resident, workshop, ZshFolder::Usual)?;
    files.extend(layout::papers(workshop, shape == Shape::Desktop)?);
    files.push(PlacedFile::program(resident));
    match shape {
        Shape::Headless => files.push(unit(workshop)?),
        Shape::Desktop => {
            files.push(PlacedFile::program(programs::window()?));
            files.extend(layout::desktop(release, workshop)?);
        }
    }
    Ok(files)
}

fn unit(workshop: &Path) -> Result<PlacedFile> {
    let source = layout::write(workshop, "beckon.service", &template("beckon.service")?)?;
    let target = "share/systemd/user/beckon.service".to_owned();
    Ok(PlacedFile {
        source,
        target,
        is_program: false,
    })
}

fn place(file: &PlacedFile, folder: &Path) -> Result<()> {
    let rights = if file.is_program { "755" } else { "644" };
    let mut install = shell::command("install", &["-D", "-m", rights]);
    shell::output(install.arg(&file.source).arg(folder.join(&file.target)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    /// Runs the script of a folder with one program in it. Returns whether the script succeeded.
    fn run(home: &Path, words: &[&str]) -> bool {
        let parts = home.join("parts");
        fs::create_dir_all(parts.join("bin")).unwrap();
        fs::write(parts.join("bin/beckon"), "ours").unwrap();
        fs::copy(template_file("install.sh"), parts.join("install.sh")).unwrap();
        let mut script = Command::new("sh");
        script.arg(parts.join("install.sh")).args(words);
        script.env("HOME", home).env("PREFIX", home.join("prefix"));
        script.output().unwrap().status.success()
    }

    #[test]
    fn a_program_of_our_name_that_is_somebody_elses_is_neither_replaced_nor_removed() {
        let home = std::env::temp_dir().join(format!("beckon-install-{}", std::process::id()));
        let program = home.join("prefix/bin/beckon");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "theirs").unwrap();
        assert!(!run(&home, &[]));
        assert!(!run(&home, &["--uninstall"]));
        assert_eq!(fs::read_to_string(&program).unwrap(), "theirs");
        fs::remove_file(&program).unwrap();
        assert!(run(&home, &[]) && run(&home, &[]), "once, and once more");
        assert_eq!(fs::read_to_string(&program).unwrap(), "ours");
        assert!(run(&home, &["--uninstall"]));
        assert!(!program.exists());
        fs::remove_dir_all(&home).unwrap();
    }
}
