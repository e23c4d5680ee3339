//! The evaluation networks of the engine Puli for hunt games. The package `puli-engine` reads them.

/// Network of `aadu-puli`.
pub static AADU_PULI: &[u8] = include_bytes!("aadu-puli.net");
/// Network of `bagh-chal`.
pub static BAGH_CHAL: &[u8] = include_bytes!("bagh-chal.net");
/// Network of `demala-diviyan-keliya`.
pub static DEMALA_DIVIYAN_KELIYA: &[u8] = include_bytes!("demala-diviyan-keliya.net");
/// Network of `el-cazador`.
pub static EL_CAZADOR: &[u8] = include_bytes!("el-cazador.net");
/// Network of `mysore-three-tigers`.
pub static MYSORE_THREE_TIGERS: &[u8] = include_bytes!("mysore-three-tigers.net");
/// Network of `pulijudamu`.
pub static PULIJUDAMU: &[u8] = include_bytes!("pulijudamu.net");
