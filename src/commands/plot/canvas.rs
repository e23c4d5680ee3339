//! Draws charts as SVG with the crate `plotters`. Equal charts give identical files.

use std::ops::Range;

use clap::ValueEnum;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::chart::{Axis, Chart, Mark, MarkStyle, Panel};

/// A color theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    /// The theme of the reader's screen
    Auto,
    /// Dark on white
    Light,
    /// Light on black
    Dark,
}

/// The colors of marks, each with a variant for dark backgrounds, distinguishable for color-blind readers (Okabe and
/// Ito 2008). The last color is gray.
const COLORS: [[&str; 2]; 9] = [
    ["#0072B2", "#4FA8E0"],
    ["#E69F00", "#F2B134"],
    ["#009E73", "#2CC79A"],
    ["#D55E00", "#FF7F3A"],
    ["#CC79A7", "#E39BC2"],
    ["#56B4E9", "#9AD5F7"],
    ["#8A7A00", "#F0E442"],
    ["#000000", "#FFFFFF"],
    ["#A0A6AC", "#7A828A"],
];
/// Index of gray in [`COLORS`].
pub(crate) const GRAY: usize = COLORS.len() - 1;

// Further colors, for light and for dark backgrounds.
const BACKGROUND: [&str; 2] = ["#FEFEFE", "#0D1117"];
const FOREGROUND: [&str; 2] = ["#1B1F24", "#E6EDF3"];
const GRID: [&str; 2] = ["#D8DEE4", "#30363D"];

const FONT: &str = "Helvetica, Arial, sans-serif";
// Heights of the title and of a line of the legend, in pixels.
const TITLE_HEIGHT: i32 = 44;
const LINE_HEIGHT: i32 = 22;
/// Average width of a character of the axis labels, in pixels, for estimating widths: the viewer chooses the
/// font.
const CHARACTER_WIDTH: f64 = 6.4;
/// Maximum number of points of a line with a dot at each point.
const MAX_MARKED_POINTS: usize = 60;

/// A rectangle of the picture, in pixels.
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type PlotError = DrawingAreaErrorKind<std::io::Error>;

/// Returns the SVG text of a chart with this width and height in pixels.
pub(super) fn draw(chart: &Chart, theme: Theme, size: (u32, u32)) -> Result<String, String> {
    let mut text = String::new();
    let theme_index = usize::from(theme == Theme::Dark);
    render(chart, Palette(theme_index), size, &mut text).map_err(|error| error.to_string())?;
    // Replace the tag of `plotters`, which has a fixed size, by a tag with a view box, so that the picture is
    // scalable.
    let svg_tag = format!("<svg width=\"{}\" height=\"{}\"", size.0, size.1);
    let tag_start = text.find("<svg").unwrap_or(0);
    let tag_end = tag_start + text[tag_start..].find('>').map_or(0, |end| end + 1);
    let style = if theme == Theme::Auto {
        dark_style()
    } else {
        String::new()
    };
    Ok(format!(
        "{svg_tag} viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\" style=\"max-width: 100%; height: auto\">\n{style}{}\n",
        size.0,
        size.1,
        text[tag_end..].trim()
    ))
}

/// Returns style rules that replace each color by its dark variant on dark screens.
fn dark_style() -> String {
    let mut rules = String::new();
    for [light, dark] in COLORS.iter().chain([&BACKGROUND, &FOREGROUND, &GRID]) {
        rules += &format!(
            "  [fill=\"{light}\"] {{ fill: {dark} }} [stroke=\"{light}\"] {{ stroke: {dark} }}\n"
        );
    }
    format!("<style>@media (prefers-color-scheme: dark) {{\n{rules}}}</style>\n")
}

/// Parses a color such as `#0072B2`.
fn color(hex: &str) -> RGBColor {
    let channel = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    RGBColor(channel(1), channel(3), channel(5))
}

/// The colors of a drawing: index 0 for light, 1 for dark backgrounds.
#[derive(Clone, Copy)]
struct Palette(usize);

impl Palette {
    /// Returns the color of a style. Indices above [`GRAY`] are taken modulo [`GRAY`].
    fn of(self, style: MarkStyle) -> RGBColor {
        color(
            COLORS[if style.color == GRAY {
                GRAY
            } else {
                style.color % GRAY
            }][self.0],
        )
    }

    fn foreground(self) -> RGBColor {
        color(FOREGROUND[self.0])
    }

    fn background(self) -> RGBColor {
        color(BACKGROUND[self.0])
    }

    fn grid(self) -> RGBColor {
        color(GRID[self.0])
    }

    fn text_style(self, size: i32) -> TextStyle<'static> {
        let mut style = TextStyle::from((FONT, size).into_font());
        style.color = self.foreground().to_backend_color();
        style
    }
}

/// Draws a chart and appends the SVG text to `text`.
fn render(
    chart: &Chart,
    palette: Palette,
    size: (u32, u32),
    text: &mut String,
) -> Result<(), PlotError> {
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&palette.background())?;
    root.draw_text(&chart.title, &palette.text_style(18), (16, 16))?;
    let max_characters = chart
        .legend
        .iter()
        .map(|entry| entry.name.chars().count())
        .max();
    let legend_width = max_characters.map_or(16, |characters| {
        56 + (characters as f64 * CHARACTER_WIDTH) as i32
    });
    let (_, body) = root.split_vertically(TITLE_HEIGHT);
    let (left, right) = body.split_horizontally(size.0 as i32 - legend_width);
    for (row, entry) in chart.legend.iter().enumerate() {
        let y = 14 + LINE_HEIGHT * row as i32;
        draw_legend_sample(&right, entry.style, has_areas(chart), y, palette)?;
        right.draw_text(&entry.name, &palette.text_style(12), (40, y - 6))?;
    }
    let label_width = label_width(&chart.panels);
    for (area, panel) in left
        .split_evenly((chart.panels.len(), 1))
        .iter()
        .zip(&chart.panels)
    {
        draw_panel(area, panel, label_width, palette)?;
    }
    root.present()
}

/// Returns `true` if a chart has rectangles, which its legend then shows as samples.
fn has_areas(chart: &Chart) -> bool {
    let is_area = |mark: &Mark| matches!(mark, Mark::Rectangle(..));
    chart
        .panels
        .iter()
        .any(|panel| panel.marks.iter().any(is_area))
}

/// Draws the sample of a legend entry at height `y`: a rectangle if `is_area`, otherwise a line with a
/// dot.
fn draw_legend_sample(
    area: &Area,
    style: MarkStyle,
    is_area: bool,
    y: i32,
    palette: Palette,
) -> Result<(), PlotError> {
    let color = palette.of(style);
    if is_area {
        let corners = [(10, y - 6), (30, y + 6)];
        area.draw(&Rectangle::new(corners, color.mix(opacity(style)).filled()))?;
        return area.draw(&Rectangle::new(corners, color));
    }
    let ends = [(6, y), (34, y)];
    if style.is_faint {
        area.draw(&DashedPathElement::new(ends, 6, 4, color.stroke_width(2)))?;
        area.draw(&Circle::new((20, y), 3, palette.background().filled()))?;
        return area.draw(&Circle::new((20, y), 3, color.stroke_width(2)));
    }
    area.draw(&PathElement::new(ends, color.stroke_width(2)))?;
    area.draw(&Circle::new((20, y), 3, color.filled()))
}

fn opacity(style: MarkStyle) -> f64 {
    if style.is_faint { 0.25 } else { 1.0 }
}

/// Returns the common width of the labels of all y axes, in pixels, which aligns the x axes of the panels.
fn label_width(panels: &[Panel]) -> u32 {
    let width = |panel: &Panel| {
        let names = panel.y.ticks.iter().map(|(_, name)| name.chars().count());
        let text_width = names.max().unwrap_or(0) as f64 * CHARACTER_WIDTH;
        18 + text_width as u32 + if panel.y.label.is_empty() { 0 } else { 24 }
    };
    panels.iter().map(width).max().unwrap_or(0)
}

fn draw_panel(
    area: &Area,
    panel: &Panel,
    label_width: u32,
    palette: Palette,
) -> Result<(), PlotError> {
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, label_width)
        .set_label_area_size(LabelAreaPosition::Bottom, 44)
        .build_cartesian_2d(Scale::of(&panel.x), Scale::of(&panel.y))?;
    chart
        .configure_mesh()
        .axis_style(palette.foreground())
        .bold_line_style(palette.grid())
        .light_line_style(TRANSPARENT)
        .max_light_lines(0)
        .label_style(palette.text_style(12))
        .axis_desc_style(palette.text_style(12))
        .x_labels(panel.x.ticks.len())
        .y_labels(panel.y.ticks.len())
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .draw()?;
    let draw = |mark: &Mark| draw_mark(chart.plotting_area(), panel, mark, palette);
    panel.marks.iter().try_for_each(draw)
}

/// The rectangle between the axes of a panel, in the coordinates of the axes.
type PlotArea<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<Scale, Scale>>;

fn draw_mark(
    plot_area: &PlotArea,
    panel: &Panel,
    mark: &Mark,
    palette: Palette,
) -> Result<(), PlotError> {
    let ends = panel.x.range;
    match mark {
        Mark::Line(style, points) => {
            let color = palette.of(*style);
            let line = color.stroke_width(2);
            if style.is_faint {
                plot_area.draw(&DashedPathElement::new(points.iter().copied(), 6, 4, line))?;
            } else {
                plot_area.draw(&PathElement::new(points.clone(), line))?;
            }
            for &point in points.iter().filter(|_| points.len() <= MAX_MARKED_POINTS) {
                if style.is_faint {
                    plot_area.draw(&Circle::new(point, 3, palette.background().filled()))?;
                    plot_area.draw(&Circle::new(point, 3, line))?;
                } else {
                    plot_area.draw(&Circle::new(point, 3, color.filled()))?;
                }
            }
            Ok(())
        }
        Mark::ErrorAcross(style, [low, value, high], y) => {
            let color = palette.of(*style);
            let line = PathElement::new([(*low, *y), (*high, *y)], color.stroke_width(2));
            plot_area.draw(&line)?;
            for end in [low, high] {
                let whisker = EmptyElement::at((*end, *y))
                    + PathElement::new([(0, -6), (0, 6)], color.stroke_width(2));
                plot_area.draw(&whisker)?;
            }
            plot_area.draw(&Circle::new((*value, *y), 5, color.filled()))
        }
        Mark::ErrorUp(style, x, [low, _, high]) => {
            let color = palette.of(*style);
            plot_area.draw(&PathElement::new(
                [(*x, *low), (*x, *high)],
                color.stroke_width(1),
            ))?;
            for end in [low, high] {
                let whisker = EmptyElement::at((*x, *end))
                    + PathElement::new([(-4, 0), (4, 0)], color.stroke_width(1));
                plot_area.draw(&whisker)?;
            }
            Ok(())
        }
        Mark::Rectangle(style, corners) => {
            let color = palette.of(*style);
            plot_area.draw(&Rectangle::new(
                *corners,
                color.mix(opacity(*style)).filled(),
            ))?;
            if style.is_faint {
                plot_area.draw(&Rectangle::new(*corners, color))?;
            }
            Ok(())
        }
        Mark::HorizontalLine(y, name) => {
            let across = [(ends.0, *y), (ends.1, *y)];
            plot_area.draw(&DashedPathElement::new(
                across,
                3,
                3,
                palette.foreground().stroke_width(1),
            ))?;
            plot_area.draw(
                &(EmptyElement::at((ends.0, *y))
                    + Text::new(name.clone(), (8, -16), palette.text_style(12))),
            )
        }
        Mark::VerticalLine(x) => {
            let up = [(*x, panel.y.range.0), (*x, panel.y.range.1)];
            plot_area.draw(&DashedPathElement::new(
                up,
                3,
                3,
                palette.foreground().stroke_width(1),
            ))
        }
        Mark::Text(point, text) => {
            let middle = palette
                .text_style(11)
                .pos(Pos::new(HPos::Center, VPos::Bottom));
            plot_area.draw(&(EmptyElement::at(*point) + Text::new(text.clone(), (0, -2), middle)))
        }
    }
}

/// An axis for `plotters` with the ticks of [`Axis`] instead of automatic ticks.
struct Scale {
    map: RangedCoordf64,
    ticks: Vec<(f64, String)>,
}

impl Scale {
    fn of(axis: &Axis) -> Self {
        Self {
            map: (axis.range.0..axis.range.1).into(),
            ticks: axis.ticks.clone(),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.map.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|(place, _)| *place).collect()
    }

    fn range(&self) -> Range<f64> {
        self.map.range()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        let tick = self
            .ticks
            .iter()
            .find(|(place, _)| place.to_bits() == value.to_bits());
        tick.map_or_else(|| Self::format(value), |(_, name)| name.clone())
    }
}
