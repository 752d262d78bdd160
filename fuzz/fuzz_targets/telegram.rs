//! The fuzz target that reads what Telegram sends: `beckon::fuzzing::telegram`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::telegram(data));
