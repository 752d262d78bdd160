//! See `beckon::fuzzing::json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::json(data));
