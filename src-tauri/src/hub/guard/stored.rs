//! A record that is read back by its subject, as the server puts it into JSON. Its head is left
//! out, like that of a record that a stream delivers: the library fails on a broken head, so the
//! record would never be seen, and the reader would look for it again and again.

use serde_json::Value;
use std::borrow::Cow;

/// The beginning of the server's answer to `$JS.API.STREAM.MSG.GET`
/// (<https://docs.nats.io/reference/reference-protocols/nats_api_reference>).
const READ_BACK: &[u8] = br#"{"type":"io.nats.jetstream.api.v1.stream_msg_get_response""#;

/// Returns that payload without the head of a record, if it is such an answer.
pub(super) fn without_head(payload: &[u8]) -> Cow<'_, [u8]> {
    let read = payload.starts_with(READ_BACK).then(|| removed(payload));
    read.flatten().map_or(Cow::Borrowed(payload), Cow::Owned)
}

fn removed(payload: &[u8]) -> Option<Vec<u8>> {
    let mut answer: Value = serde_json::from_slice(payload).ok()?;
    answer.get_mut("message")?.as_object_mut()?.remove("hdrs")?;
    serde_json::to_vec(&answer).ok()
}
