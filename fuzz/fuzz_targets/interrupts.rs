//! See `beckon::fuzzing::interrupts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::interrupts(data));
