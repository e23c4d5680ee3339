//! The functions of `zstd` that the crate uses, implemented with `ruzstd`. Compression is not supported.

use std::io::{self, Read, Write};
use std::marker::PhantomData;

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// Reads the decompressed bytes of a frame.
pub(crate) struct Decoder<'a>(StreamingDecoder<&'a [u8], FrameDecoder>);

impl<'a> Decoder<'a> {
    /// Starts to read a frame.
    ///
    /// # Errors
    /// If `bytes` do not begin with the head of a frame.
    pub(crate) fn with_buffer(bytes: &'a [u8]) -> io::Result<Self> {
        StreamingDecoder::new(bytes).map(Self).map_err(invalid)
    }
}

impl Read for Decoder<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

/// Decompresses several frames. The lifetime is that of the dictionary in `zstd`; dictionaries are not supported
/// here.
pub(crate) struct Decompressor<'a>(FrameDecoder, PhantomData<&'a ()>);

impl Decompressor<'_> {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the decompressor of zstd can fail"
    )]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(FrameDecoder::new(), PhantomData))
    }

    /// Decompresses `bytes` to the beginning of `out` and returns the number of bytes written.
    ///
    /// # Errors
    /// If `bytes` are damaged or decompress to more bytes than `out` can hold.
    pub(crate) fn decompress_to_buffer(
        &mut self,
        bytes: &[u8],
        out: &mut [u8],
    ) -> io::Result<usize> {
        self.0.decode_all(bytes, out).map_err(invalid)
    }

    /// Decompresses `bytes` to at most `capacity` bytes.
    ///
    /// # Errors
    /// If `bytes` are damaged or decompress to more bytes.
    pub(crate) fn decompress(&mut self, bytes: &[u8], capacity: usize) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        out.try_reserve_exact(capacity)?;
        out.resize(capacity, 0);
        let length = self.decompress_to_buffer(bytes, &mut out)?;
        out.truncate(length);
        Ok(out)
    }
}

/// [`Decompressor::decompress_to_buffer`] for a single frame.
pub(crate) fn decompress_to_buffer(bytes: &[u8], out: &mut [u8]) -> io::Result<usize> {
    Decompressor::new()?.decompress_to_buffer(bytes, out)
}

/// [`Decompressor::decompress`] for a single frame.
pub(crate) fn decompress(bytes: &[u8], capacity: usize) -> io::Result<Vec<u8>> {
    Decompressor::new()?.decompress(bytes, capacity)
}

/// A compressor. It cannot be created, because WebAssembly writes no files.
pub(crate) enum Compressor {}

impl Compressor {
    pub(crate) fn new(_level: i32) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn include_contentsize(&mut self, _include: bool) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn compress(&mut self, _bytes: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// A compressor of a stream. It cannot be created, as [`Compressor`] cannot.
pub(crate) struct Encoder<'a, W: Write> {
    compressor: Compressor,
    /// The type of the output.
    _out: PhantomData<&'a W>,
}

impl<W: Write> Encoder<'_, W> {
    pub(crate) fn new(_out: W, level: i32) -> io::Result<Self> {
        Ok(Self {
            compressor: Compressor::new(level)?,
            _out: PhantomData,
        })
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.compressor {}
    }
}

impl<W: Write> Write for Encoder<'_, W> {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match self.compressor {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.compressor {}
    }
}

/// Fails, as [`Compressor::new`] does.
pub(crate) fn compress(_bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    Compressor::new(level)?.compress(&[])
}
