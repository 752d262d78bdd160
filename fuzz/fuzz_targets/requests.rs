//! The fuzz target that sends requests to the local API: `beckon::fuzzing::requests`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::requests(data));
