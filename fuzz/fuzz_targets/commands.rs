//! The fuzz target that looks for risks in shell commands: `beckon::fuzzing::commands`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::commands(data));
