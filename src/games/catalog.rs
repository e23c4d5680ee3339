//! The variants by name, and the engine for each: the one place that knows both games and engines.

/// The variant at the start.
pub const DEFAULT: &str = "aadu-puli";

const VARIANTS: &[&str] = &["aadu-puli", "bagh-chal"];

/// The names of all variants.
pub fn names() -> impl Iterator<Item = &'static str> {
    VARIANTS.iter().copied()
}

/// The variant of this name, in any case.
pub fn find(name: &str) -> Option<&'static str> {
    names().find(|known| known.eq_ignore_ascii_case(name))
}
