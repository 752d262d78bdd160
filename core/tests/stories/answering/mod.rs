//! Stories of answers: from the first tap to the proof that an answer was taken, and what comes
//! back.

mod answers;
mod delivery;
mod drafts;
mod limits;
mod responders;
mod returned;
mod together;
mod unanswered;
mod undelivered;
