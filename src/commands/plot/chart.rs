//! What a picture shows, before anything is drawn: panels with their axes, and what stands in them.

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above.
    pub title: String,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// What the colours mean, in the order in which they are explained.
    pub legend: Vec<Key>,
}

/// A pair of axes and what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The first is drawn first.
    pub marks: Vec<Mark>,
}

/// What a colour means.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// In words.
    pub name: String,
    /// How it looks.
    pub look: MarkStyle,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkStyle {
    /// The number of its colour.
    pub color: usize,
    /// Whether it is the fainter one of two that share a colour: dashed, or hollow.
    pub is_faint: bool,
}

impl MarkStyle {
    /// A full line, or a solid surface.
    pub const fn solid(color: usize) -> Self {
        Self {
            color,
            is_faint: false,
        }
    }
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points, each of which is marked unless there are many.
    Line(MarkStyle, Vec<(f64, f64)>),
    /// A point with the ends of its error across the x axis.
    ErrorAcross(MarkStyle, [f64; 3], f64),
    /// A point with the ends of its error along the y axis.
    ErrorUp(MarkStyle, f64, [f64; 3]),
    /// A surface between two corners.
    Surface(MarkStyle, [(f64, f64); 2]),
    /// A line across the panel at this height, with its name.
    Level(f64, String),
    /// The same upright.
    Upright(f64),
    /// A few words to the right of a point.
    Note((f64, f64), String),
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit.
    pub label: String,
    /// Where it begins and ends; of a logarithmic axis the logarithms to base ten.
    pub range: (f64, f64),
    /// Where a number or a word stands.
    pub ticks: Vec<(f64, String)>,
    /// Whether places are logarithms of what is measured.
    pub is_logarithmic: bool,
}

impl Axis {
    /// An axis of even steps that holds all these numbers.
    pub fn linear(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = span(numbers);
        let step = step((high - low) / 6.0);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let last = if first < last { last } else { first + 1.0 };
        let ticks = (first as i64..=last as i64).map(|n| {
            let place = n as f64 * step;
            (place, spelled(place, step))
        });
        Self {
            label: label.into(),
            range: (first * step, last * step),
            ticks: ticks.collect(),
            is_logarithmic: false,
        }
    }

    /// An axis of powers of ten that holds all these numbers, which are greater than zero.
    pub fn logarithmic(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = span(numbers.into_iter().map(f64::log10));
        let (first, last) = (low.floor() as i32, high.ceil() as i32);
        let last = last.max(first + 1);
        let apart = (last - first + 7) / 8;
        let ticks = (first..=last).filter(|power| (power - first) % apart == 0);
        Self {
            label: label.into(),
            range: (first.into(), last.into()),
            ticks: ticks
                .map(|power| (power.into(), power_of_ten(power)))
                .collect(),
            is_logarithmic: true,
        }
    }

    /// An axis of names, around the whole numbers from zero.
    pub fn names(label: &str, names: impl IntoIterator<Item = String>) -> Self {
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

    /// The same with whole numbers alone.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.ticks.retain(|(place, _)| place.fract() == 0.0);
        for (place, name) in &mut self.ticks {
            *name = spelled(*place, 1.0);
        }
        self
    }

    /// Where a number stands.
    pub fn place(&self, number: f64) -> f64 {
        if self.is_logarithmic {
            number.log10()
        } else {
            number
        }
    }
}

/// The least and the greatest, or from 0 to 1 where there is none.
fn span(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let numbers = numbers.into_iter().filter(|number| number.is_finite());
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// A step of 1, 2 or 5 times a power of ten, at least this large.
fn step(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= least);
    factor.unwrap_or(10.0) * power
}

/// With as many digits as tell steps apart, and the thousands apart.
fn spelled(number: f64, step: f64) -> String {
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

fn power_of_ten(power: i32) -> String {
    match power {
        -3..=-1 => format!("{:.*}", -power as usize, 10_f64.powi(power)),
        0..=3 => spelled(10_f64.powi(power), 1.0),
        _ => {
            let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
            let raised = power.unsigned_abs().to_string();
            let raised = raised
                .bytes()
                .map(|digit| digits[usize::from(digit - b'0')]);
            let sign = if power < 0 { "⁻" } else { "" };
            format!("10{sign}{}", raised.collect::<String>())
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
    fn an_axis_holds_all_its_numbers_and_begins_and_ends_at_a_tick() {
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
    fn an_axis_of_one_number_or_of_none_is_one_all_the_same() {
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
