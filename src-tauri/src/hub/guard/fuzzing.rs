//! The properties of the reader of what a hub's server sends.

use super::operations::{Operation, OperationReader, PING, PONG};
use crate::hub::fault::OddServer;

/// Reads a server's bytes. The result must be the same wherever they are cut, and must be plain
/// already.
pub(crate) fn server(data: &[u8]) {
    let whole = read(data, data.len().max(1));
    let piece = 1 + data.len() % 7;
    assert_eq!(read(data, piece), whole, "in pieces of {piece}");
    let (plain, _) = whole;
    let again = read(&plain, plain.len().max(1));
    assert_eq!(again, (plain, None), "what is plain stays as it is");
}

fn read(data: &[u8], piece: usize) -> (Vec<u8>, Option<OddServer>) {
    let mut reader = OperationReader::default();
    let mut plain = Vec::new();
    for piece in data.chunks(piece) {
        reader.push(piece);
        loop {
            match reader.next() {
                Ok(Some(Operation::Greeting(greeting))) => plain.extend(greeting.write()),
                Ok(Some(Operation::Plain(written))) => plain.extend(written),
                Ok(Some(Operation::Message(message))) => plain.extend(message.written),
                Ok(Some(Operation::Ping)) => plain.extend(PING),
                Ok(Some(Operation::Pong)) => plain.extend(PONG),
                Ok(None) => break,
                Err(odd) => return (plain, Some(odd)),
            }
        }
    }
    (plain, None)
}
