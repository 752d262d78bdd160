//! What goes wrong on script. When the network itself is down is decided in `telegram.rs`.

use super::methods::Method;

/// A fault of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Refused: 429 with `parameters.retry_after`, in seconds.
    TooManyRequests(u64),
    /// Refused: 400 with this description, after `Bad Request: `.
    BadRequest(&'static str),
    /// Refused: this status, with the HTML page of a proxy instead of JSON.
    ServerError(u16),
    /// Done, but the connection breaks in the middle of the answer.
    Cut,
    /// Not done, and never answered.
    Hang,
    /// Done, and answered after so many milliseconds.
    DoneThenLate(u64),
    /// Done, but never answered.
    DoneThenHang,
    /// Done, and in the answer half an emoji stands in each first name, as in a text that JavaScript
    /// has cut.
    HalfEmoji,
    /// Done, and in the answer no message has a date.
    NoDates,
}

struct Scripted {
    /// `None`: any method.
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

    /// The fault of this call, which is used up by it.
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
