//! The scripted faults of calls. A failure of the network itself is in `telegram.rs`.

use super::methods::Method;

/// A fault of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Refuses with 429 and `parameters.retry_after`, in seconds.
    TooManyRequests(u64),
    /// Refuses with 400 and this description, after `Bad Request: `.
    BadRequest(&'static str),
    /// Refuses with this status and the HTML page of a proxy instead of JSON.
    ServerError(u16),
    /// Executes the call, but the connection breaks in the middle of the answer.
    Cut,
    /// Never answers, and does nothing.
    Hang,
    /// Executes the call, and answers after this many milliseconds.
    DoneThenLate(u64),
    /// Executes the call, but never answers.
    DoneThenHang,
    /// Executes the call, and puts half an emoji into each first name of the answer, like a text
    /// that JavaScript has cut.
    HalfEmoji,
    /// Executes the call, and leaves the date out of each message of the answer.
    NoDates,
}

struct Scripted {
    /// The method; `None` means any.
    method: Option<Method>,
    left: usize,
    fault: Fault,
}

/// The faults to come, the oldest first.
#[derive(Default)]
pub(super) struct Faults {
    script: Vec<Scripted>,
}

impl Faults {
    pub(super) fn add(&mut self, method: Option<Method>, count: usize, fault: Fault) {
        if count > 0 {
            self.script.push(Scripted {
                method,
                left: count,
                fault,
            });
        }
    }

    pub(super) fn clear(&mut self) {
        self.script.clear();
    }

    /// Returns the fault of this call and uses it up.
    pub(super) fn next(&mut self, method: Method) -> Option<Fault> {
        let fits = |scripted: &Scripted| scripted.method.is_none_or(|it| it == method);
        let at = self.script.iter().position(fits)?;
        let scripted = &mut self.script[at];
        scripted.left = scripted.left.saturating_sub(1);
        let (fault, over) = (scripted.fault, scripted.left == 0);
        if over {
            self.script.remove(at);
        }
        Some(fault)
    }
}
