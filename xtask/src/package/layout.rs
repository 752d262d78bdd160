//! The layout of the files below `/usr`, or below a home's `.local`: the same for every package of
//! Linux.

use super::licences::{self, LinkedInto};
use super::{Release, completions, man, outline, template, template_file};
use crate::shell;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// A file and its place, counted from the prefix: `bin/beckon`.
pub(super) struct PlacedFile {
    pub(super) source: PathBuf,
    pub(super) target: String,
    pub(super) is_program: bool,
}

impl PlacedFile {
    pub(super) fn plain(source: PathBuf, target: impl Into<String>) -> Self {
        Self {
            source,
            target: target.into(),
            is_program: false,
        }
    }

    pub(super) fn program(source: PathBuf) -> Self {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        Self {
            target: format!("bin/{name}"),
            source: source.clone(),
            is_program: true,
        }
    }
}

/// The folder in which zsh looks for completions; Debian has its own.
#[derive(Clone, Copy)]
pub(super) enum ZshFolder {
    Debian,
    Usual,
}

impl ZshFolder {
    fn path(self) -> &'static str {
        match self {
            Self::Debian => "share/zsh/vendor-completions/_beckon",
            Self::Usual => "share/zsh/site-functions/_beckon",
        }
    }
}

/// Returns the man page in each language, and the completions of each shell.
pub(super) fn command_line(
    release: &Release,
    program: &Path,
    workshop: &Path,
    zsh: ZshFolder,
) -> Result<Vec<PlacedFile>> {
    let english = outline::of(program, "en_US.UTF-8")?;
    let chinese = outline::of(program, "zh_CN.UTF-8")?;
    let page = |language, outline| man::page(language, outline, release);
    let shop = |name: &str, text: &str| write(workshop, name, text);
    Ok(vec![
        PlacedFile::plain(
            packed(&shop("beckon.1", &page("en", &english)?)?)?,
            "share/man/man1/beckon.1.gz",
        ),
        PlacedFile::plain(
            packed(&shop("beckon.zh.1", &page("zh-CN", &chinese)?)?)?,
            "share/man/zh_CN/man1/beckon.1.gz",
        ),
        PlacedFile::plain(
            shop("beckon.bash", &completions::bash(&english))?,
            "share/bash-completion/completions/beckon",
        ),
        PlacedFile::plain(shop("_beckon", &completions::zsh(&english))?, zsh.path()),
        PlacedFile::plain(
            shop("beckon.fish", &completions::fish(&english))?,
            "share/fish/vendor_completions.d/beckon.fish",
        ),
    ])
}

/// Returns the menu entry, the description for software centres, and the icon.
pub(super) fn desktop(release: &Release, workshop: &Path) -> Result<Vec<PlacedFile>> {
    let metainfo = template("dev.beckon.desk.metainfo.xml")?;
    let metainfo = metainfo
        .replace("@VERSION@", &release.version)
        .replace("@DATE@", &day(release));
    let icon = |size: &str, name: &str| {
        let end = name.rsplit('.').next().unwrap_or_default();
        let target = format!("share/icons/hicolor/{size}/apps/beckon.{end}");
        PlacedFile::plain(shell::root().join("icons").join(name), target)
    };
    Ok(vec![
        PlacedFile::plain(
            template_file("beckon.desktop"),
            "share/applications/beckon.desktop",
        ),
        PlacedFile::plain(
            write(workshop, "dev.beckon.desk.metainfo.xml", &metainfo)?,
            "share/metainfo/dev.beckon.desk.metainfo.xml",
        ),
        icon("32x32", "32x32.png"),
        icon("128x128", "128x128.png"),
        icon("512x512", "icon.png"),
        icon("scalable", "icon.svg"),
    ])
}

/// Returns Beckon's own licence, those of all that is in the programs, and the changes.
pub(super) fn papers(workshop: &Path, with_windows: bool) -> Result<Vec<PlacedFile>> {
    let linked = LinkedInto {
        windows: with_windows,
        target: None,
    };
    let others = write(workshop, "licences-of-others", &licences::of_all(linked)?)?;
    let changes = workshop.join("changelog");
    fs::copy(shell::root().join("CHANGELOG.md"), &changes)
        .context("failed to copy CHANGELOG.md")?;
    let doc = |name: &str| format!("share/doc/beckon/{name}");
    Ok(vec![
        PlacedFile::plain(shell::root().join("LICENSE"), doc("copyright")),
        PlacedFile::plain(packed(&others)?, doc("licences-of-others.gz")),
        PlacedFile::plain(packed(&changes)?, doc("changelog.gz")),
    ])
}

/// Returns the day of the commit, as in `2026-11-23`.
pub(super) fn day(release: &Release) -> String {
    let at = format!("--date=@{}", release.time);
    let told = shell::output(&mut shell::command("date", &["--utc", &at, "+%F"]));
    told.map(|day| day.trim().to_owned()).unwrap_or_default()
}

pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let file = folder.join(name);
    fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))?;
    Ok(file)
}

/// Compresses a file as Debian's policy demands (chapter 12): at the highest level, and without
/// name and time.
fn packed(file: &Path) -> Result<PathBuf> {
    shell::output(shell::command("gzip", &["-9", "--no-name", "--force"]).arg(file))?;
    Ok(PathBuf::from(format!("{}.gz", file.display())))
}
