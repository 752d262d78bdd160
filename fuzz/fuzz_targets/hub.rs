//! See `beckon::fuzzing::hub`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::hub(data));
