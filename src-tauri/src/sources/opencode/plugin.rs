//! Beckon's plugin among OpenCode's own files: installed, looked at, removed. The plugin itself is
//! `integrations/opencode/beckon.js`.

use anyhow::{Context, Result, ensure};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::foreign;
use beckon_client::wire::Installed;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The plugin, as this Beckon has it.
const TEXT: &str = include_str!("../../../../integrations/opencode/beckon.js");
/// The first line of each of our versions. A file that begins otherwise is somebody else's.
const BEGINS: &str = "// Beckon's plugin for OpenCode";

/// The variable that names the folder of everybody's settings.
const CONFIG: &str = "XDG_CONFIG_HOME";

/// The plugin in OpenCode's global folder, which all versions read, whatever directory they run in.
#[derive(Clone, Debug)]
pub(crate) struct Plugin {
    file: PathBuf,
}

impl Plugin {
    /// Finds the place where OpenCode looks for the plugin: below `XDG_CONFIG_HOME`, else
    /// `~/.config`, on every system.
    ///
    /// # Errors
    /// When there is no home directory, or when `XDG_CONFIG_HOME` is another place in each
    /// directory: OpenCode takes it as it is.
    pub(crate) fn from_env() -> Result<Self> {
        let var = |name: &str| {
            std::env::var_os(name)
                .filter(|v| !v.is_empty())
                .map(PathBuf::from)
        };
        let home = || {
            var("HOME")
                .or_else(|| var("USERPROFILE"))
                .map(|home| home.join(".config"))
        };
        let config = var(CONFIG).or_else(home);
        let config = config.ok_or(SystemFailure::NoHome("HOME"))?;
        ensure!(config.is_absolute(), SystemFailure::NotWhole(CONFIG));
        Ok(Self::below(&config))
    }

    fn below(config: &Path) -> Self {
        Self {
            file: config.join("opencode").join("plugin").join("beckon.js"),
        }
    }

    /// Returns the path of the file, whether it is there or not.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Tells whether the plugin is installed, and whether as this Beckon has it.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub(crate) fn installed(&self) -> Result<Installed> {
        let text = foreign::read(&self.file);
        let text = text.with_context(|| SystemFailure::Read(self.file.clone()))?;
        Ok(match text {
            None => Installed::No,
            Some(text) if text == TEXT.as_bytes() => Installed::Yes,
            Some(text) if text.starts_with(BEGINS.as_bytes()) => Installed::Outdated,
            Some(_) => Installed::Foreign,
        })
    }

    /// Returns when the plugin was installed. An OpenCode that started before has not read it.
    pub(crate) fn installed_at(&self) -> Option<SystemTime> {
        std::fs::metadata(&self.file)
            .and_then(|file| file.modified())
            .ok()
    }

    /// Installs the plugin, unless somebody else's file is in the way. Returns how it stood before.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn install(&self) -> Result<Installed> {
        let before = self.installed()?;
        if matches!(before, Installed::No | Installed::Outdated) {
            foreign::change(&self.file, |there| {
                let is_ours = there.is_none_or(|text| text.starts_with(BEGINS.as_bytes()));
                Ok(is_ours.then(|| TEXT.into()))
            })?;
        }
        Ok(before)
    }

    /// Removes the plugin, if it is ours. Returns how it stood before.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn remove(&self) -> Result<Installed> {
        let before = self.installed()?;
        if matches!(before, Installed::Yes | Installed::Outdated) {
            std::fs::remove_file(&self.file)
                .with_context(|| SystemFailure::Remove(self.file.clone()))?;
        }
        Ok(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_installed_once_renewed_and_removed() {
        let config = tempfile::tempdir().unwrap();
        let plugin = Plugin::below(config.path());
        assert_eq!(plugin.remove().unwrap(), Installed::No);
        assert_eq!(plugin.install().unwrap(), Installed::No);
        assert_eq!(plugin.install().unwrap(), Installed::Yes);
        std::fs::write(plugin.file(), format!("{BEGINS}, an older one")).unwrap();
        assert_eq!(plugin.installed().unwrap(), Installed::Outdated);
        assert_eq!(plugin.install().unwrap(), Installed::Outdated);
        assert_eq!(plugin.installed().unwrap(), Installed::Yes);
        assert_eq!(plugin.remove().unwrap(), Installed::Yes);
        assert!(!plugin.file().exists());
    }

    #[test]
    fn somebody_elses_file_is_neither_replaced_nor_removed() {
        let config = tempfile::tempdir().unwrap();
        let plugin = Plugin::below(config.path());
        std::fs::create_dir_all(plugin.file().parent().unwrap()).unwrap();
        std::fs::write(plugin.file(), "export const Mine = async () => ({})").unwrap();
        assert_eq!(plugin.install().unwrap(), Installed::Foreign);
        assert_eq!(plugin.remove().unwrap(), Installed::Foreign);
        assert!(
            std::fs::read_to_string(plugin.file())
                .unwrap()
                .contains("Mine")
        );
    }

    #[test]
    fn the_plugin_is_known_again_by_its_first_words() {
        assert!(TEXT.starts_with(BEGINS));
    }
}
