//! The archive that is unpacked anywhere and started there. Settings and history are where they
//! always are.

use super::{PlacedFile, Release, name};
use anyhow::{Context, Result};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) fn pack(release: &Release, files: &[PlacedFile]) -> Result<PathBuf> {
    let archive = release.folder.join(format!("{}.zip", name(release)));
    let failed = || format!("failed to write {}", archive.display());
    let mut zip = ZipWriter::new(File::create(&archive).with_context(failed)?);
    for file in files {
        // The files have a fixed time, so that the same programs make the same bytes.
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::DEFAULT);
        let inside = format!("{}/{}", name(release), file.target);
        zip.start_file(inside, options).with_context(failed)?;
        let mut source = File::open(&file.source)
            .with_context(|| format!("failed to read {}", file.source.display()))?;
        io::copy(&mut source, &mut zip).with_context(failed)?;
    }
    zip.finish().with_context(failed)?;
    Ok(archive)
}
