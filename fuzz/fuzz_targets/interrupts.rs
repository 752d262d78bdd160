//! The fuzz target that reads the stream of a service with interrupts:
//! `beckon::fuzzing::interrupts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::interrupts(data));
