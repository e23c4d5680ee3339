//! A line of the protocol is parsed, or rejected at a column of the line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puli::protocol::parse;

fuzz_target!(|line: &str| {
    if let Err(error) = parse(line) {
        assert!(line.is_char_boundary(error.offset), "{error}");
    }
});
