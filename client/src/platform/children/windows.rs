//! A program without a console window. There are no process groups that could be ended as one: only
//! the program itself is ended, and each pipe has a thread, which ends with it.

use std::io::{Error, ErrorKind, Read, Result};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// The flag `CREATE_NO_WINDOW`, without which a console would flash up.
const NO_WINDOW: u32 = 0x0800_0000;
/// The number of parts of the output that may wait to be read.
const PARTS: usize = 4;

pub(super) fn hide_console(command: &mut Command) {
    command.creation_flags(NO_WINDOW);
}

pub(super) fn set_apart(_: &mut Command) {}

pub(super) fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Whether the program has ended.
pub(super) fn has_ended(child: &mut Child) -> Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Ends the program.
pub(super) fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// The reader of one pipe.
pub(super) struct Ear {
    parts: Option<Receiver<Vec<u8>>>,
    heard: Vec<u8>,
}

impl Ear {
    pub(super) fn of<P: Read + Send + 'static>(pipe: Option<P>) -> Result<Self> {
        let (told, parts) = sync_channel(PARTS);
        if let Some(mut pipe) = pipe {
            std::thread::spawn(move || {
                let mut part = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = pipe.read(&mut part) {
                    if told.send(part[..read].to_vec()).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Self {
            parts: Some(parts),
            heard: Vec::new(),
        })
    }

    /// Takes what was read, and returns whether that was all.
    pub(super) fn hear(&mut self, most: usize) -> Result<bool> {
        while let Some(parts) = &self.parts {
            match parts.try_recv() {
                Ok(part) => self.heard.extend(part),
                Err(TryRecvError::Empty) => return Ok(false),
                Err(TryRecvError::Disconnected) => self.parts = None,
            }
            if self.heard.len() > most {
                return Err(Error::new(ErrorKind::FileTooLarge, "it says too much"));
            }
        }
        Ok(true)
    }

    pub(super) fn heard(self) -> Vec<u8> {
        self.heard
    }
}
