//! The fuzz target that reads the event stream of an OpenCode: `beckon::fuzzing::frames`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::frames(data));
