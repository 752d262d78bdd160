//! The memory of the last look for updates, in a file of its own: nothing else depends on it, and
//! without it the project is asked once more.

use beckon_client::platform::paths::write_private;
use beckon_core::{UpdateMemory, Version};
use std::path::PathBuf;

/// The memory, and its file.
#[derive(Debug)]
pub(super) struct MemoryFile {
    file: PathBuf,
    memory: UpdateMemory,
}

impl MemoryFile {
    /// Reads the memory, as the running version goes on with it. A file that is missing or not
    /// understood counts as an empty memory.
    pub(super) fn read(file: PathBuf, running: Option<&Version>) -> Self {
        let read = std::fs::read(&file).ok();
        let memory = read.and_then(|json| serde_json::from_slice(&json).ok());
        let memory: UpdateMemory = memory.unwrap_or_default();
        let memory = running.map_or_else(UpdateMemory::default, |it| memory.continued_by(it));
        Self { file, memory }
    }

    pub(super) fn known(&self) -> &UpdateMemory {
        &self.memory
    }

    /// Changes the memory. If the disk refuses, the change holds until Beckon ends.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut UpdateMemory)) {
        change(&mut self.memory);
        let written = serde_json::to_vec(&self.memory)
            .map_err(anyhow::Error::from)
            .and_then(|json| write_private(&self.file, &json));
        if let Err(error) = written {
            tracing::warn!(
                error = format!("{error:#}"),
                "the memory of the search for updates can't be saved"
            );
        }
    }
}
