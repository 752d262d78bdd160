//! See `beckon::fuzzing::telegram`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::telegram(data));
