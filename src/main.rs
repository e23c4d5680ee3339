//! The program `puli`.

fn main() {}
