//! The evaluation network of the engine Puli for 2048. The package `puli-engine` reads it.

/// Network of boards with 4×4 cells.
pub static TWENTY48: &[u8] = include_bytes!("2048.net");
