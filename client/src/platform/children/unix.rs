//! The process group of a program, which is ended as one, and its pipes. They are read without
//! waiting, so that no thread stays behind with a pipe that another program keeps open.

use rustix::fs::{Access, OFlags};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

pub(super) fn hide_console(_: &mut Command) {}

pub(super) fn set_apart(command: &mut Command) {
    command.process_group(0);
}

pub(super) fn is_program(file: &Path) -> bool {
    file.is_file() && rustix::fs::access(file, Access::EXEC_OK).is_ok()
}

/// Whether the program has ended. It is not reaped yet: its process id, which is also its group's,
/// stays taken.
pub(super) fn has_ended(child: &mut Child) -> Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(rustix::process::waitid(WaitId::Pid(pid(child)?), options)?.is_some())
}

/// Ends the program and those that it has started, unless they are in groups of their own.
pub(super) fn end_group(child: &mut Child) {
    if let Ok(group) = pid(child) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}

fn pid(child: &Child) -> Result<Pid> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| ErrorKind::NotFound.into())
}

/// The reader of one pipe.
pub(super) struct Ear<P> {
    pipe: Option<P>,
    heard: Vec<u8>,
}

impl<P: AsFd + Read> Ear<P> {
    pub(super) fn of(pipe: Option<P>) -> Result<Self> {
        if let Some(pipe) = &pipe {
            let flags = rustix::fs::fcntl_getfl(pipe)?;
            rustix::fs::fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
        }
        Ok(Self {
            pipe,
            heard: Vec::new(),
        })
    }

    /// Reads what there is, and returns whether that was all.
    pub(super) fn hear(&mut self, most: usize) -> Result<bool> {
        let mut part = [0; 16 * 1024];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut part) {
                Ok(0) => self.pipe = None,
                Ok(read) => self.heard.extend_from_slice(&part[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
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
