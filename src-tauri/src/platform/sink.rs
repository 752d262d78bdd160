//! How a room says something without knowing who listens: the loop, or a test.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

/// Takes reports of one type. Cheap to clone; posting never blocks, and after the listener has ended
/// there is nobody left to tell.
pub struct Sink<T>(Arc<dyn Fn(T) + Send + Sync>);

impl<T> Sink<T> {
    /// Hands each report to that.
    pub fn new(take: impl Fn(T) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// Says it.
    pub fn post(&self, report: T) {
        (self.0)(report);
    }
}

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Debug for Sink<T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str("Sink")
    }
}
