//! A child process in its own group that cannot outlive the tests. What is started, and with which
//! environment, is up to the callers.

use std::io::{self, BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

/// The time that a process has to end by itself before it is killed.
const PATIENCE: Duration = Duration::from_secs(4);

type Spawned = io::Result<Child>;

/// An order to start a process, for the thread that starts all of them.
struct SpawnOrder {
    command: Command,
    /// The signal that the process gets when these tests end.
    death_signal: i32,
    reply: mpsc::Sender<Spawned>,
}

/// A running child, leader of its own process group; the whole group ends on drop.
#[derive(Debug)]
pub struct Process {
    child: Option<Child>,
    group: i32,
}

impl Process {
    /// Starts `command` in a process group of its own, which is killed when this process ends.
    pub fn spawn(command: Command) -> Process {
        Process::spawn_ended_by(command, libc::SIGKILL)
    }

    /// Starts `command` likewise, with SIGTERM instead of SIGKILL at the end, for a program that
    /// ends its own children when it is told to end.
    pub fn spawn_terminated(command: Command) -> Process {
        Process::spawn_ended_by(command, libc::SIGTERM)
    }

    fn spawn_ended_by(mut command: Command, death_signal: i32) -> Process {
        command.process_group(0);
        let name = command.get_program().to_string_lossy().into_owned();
        let child = spawn_on_keeper(command, death_signal)
            .unwrap_or_else(|error| panic!("failed to start {name}: {error}"));
        let group = i32::try_from(child.id()).unwrap();
        Process {
            child: Some(child),
            group,
        }
    }

    /// Returns the process id, or `None` once the process has ended and been reaped.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Whether it is still running.
    pub fn is_running(&mut self) -> bool {
        self.child
            .as_mut()
            .is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Returns the exit status if the process has ended and was not reaped by `kill` or `stop`.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child
            .as_mut()
            .and_then(|child| child.try_wait().ok().flatten())
    }

    /// Reads one line of its piped stdout, which stays open afterwards.
    pub fn first_line(&mut self) -> String {
        let stdout = self.child.as_mut().and_then(|child| child.stdout.take());
        let mut reader = BufReader::new(stdout.expect("stdout was piped"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("failed to read stdout");
        // The pipe is read on: a process that goes on writing must not die of a closed pipe.
        std::thread::spawn(move || io::copy(&mut reader, &mut io::sink()));
        line.trim().to_owned()
    }

    /// Takes the piped outputs, to be read by the caller.
    pub fn take_output(&mut self) -> Vec<Box<dyn io::Read + Send>> {
        let Some(child) = &mut self.child else {
            return Vec::new();
        };
        let mut streams: Vec<Box<dyn io::Read + Send>> = Vec::new();
        streams.extend(
            child
                .stdout
                .take()
                .map(|it| Box::new(it) as Box<dyn io::Read + Send>),
        );
        streams.extend(
            child
                .stderr
                .take()
                .map(|it| Box::new(it) as Box<dyn io::Read + Send>),
        );
        streams
    }

    /// Sends SIGINT to the process alone, like a Ctrl+C that the other programs in the terminal
    /// ignore.
    pub fn interrupt(&self) {
        self.alone(libc::SIGINT);
    }

    /// Sends SIGKILL to the process alone; its children go on.
    pub fn kill_alone(&mut self) {
        self.alone(libc::SIGKILL);
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
    }

    #[allow(unsafe_code, reason = "libc::kill has no safe counterpart")]
    fn alone(&self, signal: i32) {
        if self.child.is_some() {
            // SAFETY: kill takes plain numbers and touches no memory of ours.
            unsafe { libc::kill(self.group, signal) };
        }
    }

    /// Sends `signal` to the whole group.
    pub fn signal(&self, signal: i32) {
        if self.child.is_some() {
            send(self.group, signal);
        }
    }

    /// Sends SIGKILL to the group and reaps the process.
    pub fn kill(&mut self) {
        let Some(mut child) = self.child.take() else {
            return;
        };
        send(self.group, libc::SIGKILL);
        let _ = child.wait();
    }

    /// Sends SIGTERM to the group; kills whatever has not ended after a few seconds.
    pub fn stop(&mut self) {
        // A stopped process would only see SIGTERM once continued.
        self.signal(libc::SIGTERM);
        self.signal(libc::SIGCONT);
        let deadline = Instant::now() + PATIENCE;
        while self.is_running() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

#[allow(
    unsafe_code,
    reason = "libc::kill has no safe counterpart for process groups"
)]
fn send(group: i32, signal: i32) {
    // SAFETY: kill takes plain numbers and touches no memory of ours.
    unsafe { libc::kill(-group, signal) };
}

/// Starts a process on a thread that never ends. The death signal fires when the parent *thread*
/// ends, not the parent process: a shared child that one test's thread had started would die with
/// that test.
fn spawn_on_keeper(command: Command, death_signal: i32) -> Spawned {
    static KEEPER: OnceLock<mpsc::Sender<SpawnOrder>> = OnceLock::new();
    let keeper = KEEPER.get_or_init(|| {
        let (sender, orders) = mpsc::channel::<SpawnOrder>();
        std::thread::spawn(move || {
            for order in orders {
                let child = spawn_dying_with_parent(order.command, order.death_signal);
                let _ = order.reply.send(child);
            }
        });
        sender
    });
    let (reply, spawned) = mpsc::channel();
    let order = SpawnOrder {
        command,
        death_signal,
        reply,
    };
    keeper
        .send(order)
        .expect("the keeper thread lives for ever");
    spawned.recv().expect("the keeper thread answers")
}

#[allow(unsafe_code, reason = "prctl in the child has no safe counterpart")]
fn spawn_dying_with_parent(mut command: Command, death_signal: i32) -> Spawned {
    // SAFETY: between fork and exec only prctl is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(
            move || match libc::prctl(libc::PR_SET_PDEATHSIG, death_signal) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            },
        );
    }
    command.spawn()
}
