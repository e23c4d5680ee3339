//! The content of a chart: panels with axes and marks, and a legend.

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// The title.
    pub title: String,
    /// The panels, from top to bottom.
    pub(crate) panels: Vec<Panel>,
    /// The entries of the legend, in order.
    pub(crate) legend: Vec<LegendEntry>,
}

/// A part of a chart: two axes with the marks between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panel {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The marks in drawing order.
    pub marks: Vec<Mark>,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendEntry {
    /// The text.
    pub name: String,
    /// The style of the marks.
    pub style: MarkStyle,
}

/// The color and line style of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarkStyle {
    /// Index of the color in the palette.
    pub color: usize,
    /// `true` if the mark is dashed or hollow instead of solid.
    pub(crate) is_faint: bool,
}

impl MarkStyle {
    /// Returns the style of a solid line or filled area.
    pub(crate) const fn solid(color: usize) -> Self {
        Self {
            color,
            is_faint: false,
        }
    }
}

/// A drawn element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A line through points, with dots at the points unless there are many.
    Line(MarkStyle, Vec<(f64, f64)>),
    /// A horizontal error bar: low end, value, high end and y.
    ErrorAcross(MarkStyle, [f64; 3], f64),
    /// A vertical error bar: x, then low end, value and high end.
    ErrorUp(MarkStyle, f64, [f64; 3]),
    /// A rectangle between two corners.
    Rectangle(MarkStyle, [(f64, f64); 2]),
    /// A horizontal line at a height, with its name.
    HorizontalLine(f64, String),
    /// A vertical line.
    VerticalLine(f64),
    /// A text above a point.
    Text((f64, f64), String),
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// The quantity with its unit.
    pub label: String,
    /// The two ends of the axis; logarithms to base 10 on a logarithmic axis.
    pub range: (f64, f64),
    /// The positions and texts of the ticks.
    pub(crate) ticks: Vec<(f64, String)>,
    /// `true` if positions are logarithms to base 10 of the values.
    pub(crate) is_logarithmic: bool,
}

impl Axis {
    /// Returns a linear axis that contains all numbers, with about six ticks at equal distances.
    pub(super) fn linear(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = min_and_max(numbers);
        let step = step((high - low) / 6.0);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let last = if first < last { last } else { first + 1.0 };
        let ticks = (first as i64..=last as i64).map(|n| {
            let position = n as f64 * step;
            (position, format_number(position, step))
        });
        Self {
            label: label.into(),
            range: (first * step, last * step),
            ticks: ticks.collect(),
            is_logarithmic: false,
        }
    }

    /// Returns a logarithmic axis that contains all numbers, which must be positive.
    pub(crate) fn logarithmic(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = min_and_max(numbers.into_iter().map(f64::log10));
        let (first, last) = (low.floor() as i32, high.ceil() as i32);
        let last = last.max(first + 1);
        // At most nine ticks.
        let tick_distance = (last - first + 7) / 8;
        let ticks = (first..=last).filter(|power| (power - first) % tick_distance == 0);
        Self {
            label: label.into(),
            range: (first.into(), last.into()),
            ticks: ticks
                .map(|power| (power.into(), power_of_ten(power)))
                .collect(),
            is_logarithmic: true,
        }
    }

    /// Returns an axis with named ticks at the positions 0, 1, 2, ….
    pub(super) fn names(label: &str, names: impl IntoIterator<Item = String>) -> Self {
        let ticks: Vec<_> = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| (index as f64, name))
            .collect();
        Self {
            label: label.into(),
            range: (-0.6, ticks.len() as f64 - 0.4),
            ticks,
            is_logarithmic: false,
        }
    }

    /// Removes the ticks at non-integers.
    #[must_use]
    pub(crate) fn with_integer_ticks(mut self) -> Self {
        self.ticks.retain(|(position, _)| position.fract() == 0.0);
        for (position, name) in &mut self.ticks {
            *name = format_number(*position, 1.0);
        }
        self
    }

    /// Returns the position of a value on the axis.
    pub(super) fn position(&self, number: f64) -> f64 {
        if self.is_logarithmic {
            number.log10()
        } else {
            number
        }
    }
}

/// Returns the minimum and the maximum of the finite numbers, or 0 and 1 if there are none.
fn min_and_max(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let numbers = numbers.into_iter().filter(|number| number.is_finite());
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `min`. Returns 1 if `min` is
/// not positive.
fn step(min: f64) -> f64 {
    if min <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(min.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= min);
    factor.unwrap_or(10.0) * power
}

/// Formats a multiple of `step` with the decimals of `step`, and with commas between thousands.
fn format_number(number: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{number:.digits$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, whole) = whole
        .strip_prefix('-')
        .map_or(("", whole), |whole| ("−", whole));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{fraction}")
}

/// Formats a power of ten: as a decimal number from 0.001 to 1,000, otherwise as `10⁴`.
fn power_of_ten(power: i32) -> String {
    match power {
        -3..=-1 => format!("{:.*}", -power as usize, 10_f64.powi(power)),
        0..=3 => format_number(10_f64.powi(power), 1.0),
        _ => {
            let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
            let exponent = power.unsigned_abs().to_string();
            let exponent = exponent
                .bytes()
                .map(|digit| digits[usize::from(digit - b'0')]);
            let sign = if power < 0 { "⁻" } else { "" };
            format!("10{sign}{}", exponent.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn covers_all_numbers_and_ends_at_ticks() {
        let axis = Axis::linear("games", [-0.3, 4.0]);
        assert_eq!(names(&axis), ["−1", "0", "1", "2", "3", "4"]);
        let axis = Axis::linear("score", [0.0, 123_456.0]);
        assert_eq!(axis.range, (0.0, 150_000.0));
        assert_eq!(names(&axis)[1..3], ["50,000", "100,000"]);
        let axis = Axis::logarithmic("nodes", [3.0, 4.5e6]);
        assert_eq!(
            names(&axis),
            ["1", "10", "100", "1,000", "10⁴", "10⁵", "10⁶", "10⁷"]
        );
        assert_eq!(Axis::logarithmic("s", [0.000_5, 0.2]).ticks[0].1, "10⁻⁴");
    }

    #[test]
    fn returns_valid_axis_for_at_most_one_number() {
        for axis in [
            Axis::linear("", [7.0]),
            Axis::linear("", []),
            Axis::logarithmic("", [10.0]),
            Axis::logarithmic("", []),
        ] {
            assert!(
                axis.range.0 < axis.range.1 && axis.ticks.len() > 1,
                "{axis:?}"
            );
        }
    }
}
