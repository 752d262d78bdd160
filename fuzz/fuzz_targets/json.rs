//! The fuzz target that reads bytes as JSON: `beckon::fuzzing::json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::json(data));
