//! The fuzz target that reads lists of requests: `beckon::fuzzing::lists`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::lists(data));
