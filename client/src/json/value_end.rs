//! The search for the end of the first JSON value in a stream, so that a reader need not wait for
//! the stream's end: an agent may keep its hook's stdin open for as long as it lives.

use super::decoding::{self, Utf16};

/// A search for the end of the first value, over as many pieces as it comes in. It only knows
/// brackets and strings: whether the value makes sense is found out by [`super::read`].
#[derive(Debug, Default)]
pub struct ValueEnd {
    /// The first two bytes, until there are two.
    first: Vec<u8>,
    order: Option<Utf16>,
    /// The first byte of a UTF-16 unit whose second byte is still to come.
    half: Option<u8>,
    depth: usize,
    in_string: bool,
    escaped: bool,
    reached: bool,
}

impl ValueEnd {
    /// Begins a search in what is UTF-8 for certain.
    pub(super) fn of_text() -> Self {
        Self {
            first: vec![0; 2],
            ..Self::default()
        }
    }

    /// Takes the next piece. Returns true once an object, a list or a string is complete.
    pub fn is_reached(&mut self, piece: &[u8]) -> bool {
        let mut rest = piece;
        if self.first.len() < 2 {
            let taken = rest.len().min(2 - self.first.len());
            self.first.extend_from_slice(&rest[..taken]);
            rest = &rest[taken..];

            if self.first.len() < 2 {
                return false;
            }
            self.order = decoding::utf16(&self.first);
            let first = std::mem::take(&mut self.first);
            first.iter().for_each(|byte| self.take_byte(*byte));
            self.first = first;
        }

        for byte in rest {
            if self.reached {
                break;
            }
            self.take_byte(*byte);
        }
        self.reached
    }

    fn take_byte(&mut self, byte: u8) {
        let Some(order) = self.order else {
            self.take_unit(u16::from(byte));
            return;
        };
        match self.half.take() {
            None => self.half = Some(byte),
            Some(half) => self.take_unit(order.unit([half, byte])),
        }
    }

    fn take_unit(&mut self, unit: u16) {
        let ascii = u8::try_from(unit).unwrap_or(b'?');
        if self.in_string {
            self.take_in_string(ascii);
            return;
        }
        match ascii {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                self.reached |= self.depth == 0;
            }
            _ => {}
        }
    }

    fn take_in_string(&mut self, ascii: u8) {
        if self.escaped {
            self.escaped = false;
            return;
        }
        match ascii {
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                self.reached |= self.depth == 0;
            }
            _ => {}
        }
    }
}
