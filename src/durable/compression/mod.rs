//! Zstandard compression. Native programs use the C library. WebAssembly uses a decoder in Rust, which needs no C
//! compiler, and writes no files.

#[cfg(not(target_family = "wasm"))]
pub(crate) use zstd::{
    Decoder, Encoder,
    bulk::{Compressor, Decompressor, compress, decompress, decompress_to_buffer},
};

#[cfg(target_family = "wasm")]
mod portable;
#[cfg(target_family = "wasm")]
pub(crate) use portable::{
    Compressor, Decoder, Decompressor, Encoder, compress, decompress, decompress_to_buffer,
};
