//! Zstandard: the C library on systems, and a decoder in Rust in WebAssembly, where no C compiler is needed and
//! nothing is written.

#[cfg(not(target_family = "wasm"))]
pub(crate) use zstd::{
    Decoder,
    bulk::{Compressor, Decompressor, compress, decompress, decompress_to_buffer},
};

#[cfg(target_family = "wasm")]
mod portable;
#[cfg(target_family = "wasm")]
pub(crate) use portable::{
    Compressor, Decoder, Decompressor, compress, decompress, decompress_to_buffer,
};
