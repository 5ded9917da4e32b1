#![no_main]

#[path = "../../crates/surefoot/tests/library/fuzz_corpus/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::world_json(bytes));
