//! A simulated power cut: it keeps what a program has synced to the disk, and nothing else.
//!
//! A kill keeps everything that a program wrote, since the kernel has it; a power cut keeps only
//! what was synced. A small library is loaded into the program (`power/platter.c`) and copies each
//! file at the moment at which it is synced. The directory can then be restored from these copies.
//!
//! The default is the strictest disk: nothing arrives without a sync, neither bytes nor names. The
//! other disk is as strict with names, and each block of a file that was not synced arrives or not,
//! as the test decides.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, Metadata};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use tempfile::TempDir;

const SOURCE: &str = include_str!("../power/platter.c");

/// The number of bytes that a disk writes as a whole.
const BLOCK: usize = 4096;

/// The disk under one directory.
pub struct Platter {
    of: PathBuf,
    copies: TempDir,
}

impl Platter {
    /// Puts a disk under `of`; everything that is there now counts as synced.
    pub fn under(of: &Path) -> Platter {
        let copies = tempfile::Builder::new()
            .prefix("platter-")
            .tempdir()
            .unwrap();
        let platter = Platter {
            of: of.canonicalize().unwrap(),
            copies,
        };
        platter.sync_all();
        platter
    }

    /// Returns the variables to be set for the program.
    pub fn environment(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("LD_PRELOAD", library().to_owned()),
            ("PLATTER", self.copies.path().to_owned()),
            ("PLATTER_OF", self.of.clone()),
        ]
    }

    /// Restores the directory to what was synced, and to those of the other blocks for which
    /// `arrives` returns true. The program must have ended.
    pub fn restore(&self, mut arrives: impl FnMut() -> bool) {
        let aside = self.of.with_extension("after-the-cut");
        let mut written = HashMap::new();
        read_all(&self.of, &mut written);
        let mut remains = |key: &str, synced: Vec<u8>| match written.get(key) {
            Some(written) => torn(&synced, written, &mut arrives),
            None => synced,
        };
        self.lay_out(&key(&fs::metadata(&self.of).unwrap()), &aside, &mut remains);
        // The directory itself is kept, as on a disk; only its contents are replaced.
        for entry in fs::read_dir(&self.of).unwrap().map(Result::unwrap) {
            if entry.metadata().unwrap().is_dir() {
                fs::remove_dir_all(entry.path()).unwrap()
            } else {
                fs::remove_file(entry.path()).unwrap()
            }
        }
        for entry in fs::read_dir(&aside).unwrap().map(Result::unwrap) {
            fs::rename(entry.path(), self.of.join(entry.file_name())).unwrap();
        }
        fs::remove_dir(&aside).unwrap();
        self.sync_all();
    }

    fn lay_out(&self, key: &str, to: &Path, remains: &mut impl FnMut(&str, Vec<u8>) -> Vec<u8>) {
        DirBuilder::new().mode(0o700).create(to).unwrap();
        let names = fs::read_to_string(self.copy("names", key)).unwrap_or_default();
        for line in names.lines() {
            let mut parts = line.splitn(3, ' ');
            let mut part = || parts.next().unwrap();
            let (kind, key, place) = (part(), part(), to.join(part()));
            match kind {
                "d" => self.lay_out(key, &place, remains),
                _ => {
                    let bytes = fs::read(self.copy("bytes", key)).unwrap_or_default();
                    fs::write(&place, remains(key, bytes)).unwrap();
                    fs::set_permissions(&place, fs::Permissions::from_mode(0o600)).unwrap();
                }
            }
        }
    }

    fn sync_all(&self) {
        for kind in ["names", "bytes"] {
            let _ = fs::remove_dir_all(self.copies.path().join(kind));
            fs::create_dir(self.copies.path().join(kind)).unwrap();
        }
        self.sync(&self.of);
    }

    fn sync(&self, directory: &Path) {
        let mut names = String::new();
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let (metadata, path) = (entry.metadata().unwrap(), entry.path());
            let kind = if metadata.is_dir() { 'd' } else { 'f' };
            let name = entry.file_name().into_string().unwrap();
            names += &format!("{kind} {} {name}\n", key(&metadata));
            if metadata.is_dir() {
                self.sync(&path)
            } else {
                _ = fs::copy(&path, self.copy("bytes", &key(&metadata))).unwrap()
            }
        }
        let key = key(&fs::metadata(directory).unwrap());
        fs::write(self.copy("names", &key), names).unwrap();
    }

    fn copy(&self, kind: &str, key: &str) -> PathBuf {
        self.copies.path().join(kind).join(key)
    }
}

/// Reads what was written to each file, synced or not.
fn read_all(directory: &Path, into: &mut HashMap<String, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let metadata = entry.metadata().unwrap();
        match metadata.is_dir() {
            true => read_all(&entry.path(), into),
            false if metadata.is_file() => {
                into.insert(key(&metadata), fs::read(entry.path()).unwrap());
            }
            // A socket has no bytes.
            false => {}
        }
    }
}

/// Returns a file's contents after the cut: each block, and the length, as it was synced or as it
/// was written last. Where the length has arrived and the bytes have not, there are zeros.
fn torn(synced: &[u8], written: &[u8], arrives: &mut impl FnMut() -> bool) -> Vec<u8> {
    let length = if arrives() {
        written.len()
    } else {
        synced.len()
    };
    let mut bytes = vec![0; length];
    for (number, block) in bytes.chunks_mut(BLOCK).enumerate() {
        let from = if arrives() { written } else { synced };
        let rest = from.get(number * BLOCK..).unwrap_or_default();
        let there = rest.len().min(block.len());
        block[..there].copy_from_slice(&rest[..there]);
    }
    bytes
}

/// Returns the name under which the library keeps the copies of a file.
fn key(file: &Metadata) -> String {
    let born = file
        .created()
        .ok()
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let born = born.unwrap_or_default();
    format!(
        "{}-{}-{}.{}",
        file.dev(),
        file.ino(),
        born.as_secs(),
        born.subsec_nanos()
    )
}

/// Returns the library, which is compiled once for all processes of a run.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/platter");
        fs::create_dir_all(&folder).unwrap();
        let source = folder.join(format!("{}.c", std::process::id()));
        let compiled = source.with_extension("so");
        fs::write(&source, SOURCE).unwrap();
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&compiled)
            .arg(&source);
        assert!(
            compiler.status().expect("a C compiler").success(),
            "the library is compiled"
        );
        let library = folder.canonicalize().unwrap().join("platter.so");
        fs::rename(compiled, &library).unwrap();
        fs::remove_file(source).unwrap();
        library
    })
}
