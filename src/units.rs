//! Formats times and sizes in readable units: `36 h`, `1.5 GiB`.

/// Returns `bytes` in whole MiB, rounded up, or in GiB or TiB with one decimal from 1 GiB and 1 TiB on.
pub(crate) fn memory(bytes: u128) -> String {
    let mebibytes = bytes.div_ceil(1 << 20);
    let large =
        |shift: u32, unit| format!("{:.1} {unit}", mebibytes as f64 / f64::from(1 << shift));
    match mebibytes {
        0..1024 => format!("{mebibytes} MiB"),
        1024..1_048_576 => large(10, "GiB"),
        _ => large(20, "TiB"),
    }
}

/// Returns `seconds` as a whole number of seconds, minutes, hours, days or years, rounded up.
pub(crate) fn duration(seconds: f64) -> String {
    /// For each unit: the number of seconds at which the next larger unit starts, the length of the unit in seconds,
    /// and its name.
    const UNITS: [(f64, f64, &str); 4] = [
        (120.0, 1.0, "s"),
        (120.0 * 60.0, 60.0, "min"),
        (48.0 * 3600.0, 3600.0, "h"),
        (730.0 * 86_400.0, 86_400.0, "days"),
    ];
    let unit = UNITS.iter().find(|(limit, ..)| seconds < *limit);
    let &(_, length, name) = unit.unwrap_or(&(f64::INFINITY, 365.25 * 86_400.0, "years"));
    format!("{:.0} {name}", (seconds / length).ceil())
}

/// Returns points with at most two decimals: `66.96 points`, `1 point`.
pub(crate) fn points(points: f64) -> String {
    let hundredths = (points * 100.0).round() as i64;
    let unit = if hundredths == 100 { "point" } else { "points" };
    format!("{} {unit}", hundredths as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_grow_with_the_amount() {
        for (bytes, text) in [
            (0, "0 MiB"),
            (1, "1 MiB"),
            (120 << 20, "120 MiB"),
            (1 << 30, "1.0 GiB"),
            (3 << 29, "1.5 GiB"),
            (2_000_000 << 20, "1.9 TiB"),
        ] {
            assert_eq!(memory(bytes), text);
        }
        for (seconds, text) in [
            (0.2, "1 s"),
            (90.0, "90 s"),
            (240.0, "4 min"),
            (130_390.0, "37 h"),
            (1e6, "12 days"),
            (1e9, "32 years"),
        ] {
            assert_eq!(duration(seconds), text);
        }
        for (number, text) in [
            (66.964_149, "66.96 points"),
            (1.0, "1 point"),
            (0.999, "1 point"),
            (0.5, "0.5 points"),
            (0.0, "0 points"),
        ] {
            assert_eq!(points(number), text);
        }
    }
}
