//! Charts as SVG. Colours are classes (`c0` ...), which the page gives a value for light and for dark.

use super::{Chart, Form, Line, escape};
use std::fmt::Write;

/// How large a chart is, in pixels of its own.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) class: &'static str,
}

/// For windows of a desk, and of a phone.
pub(super) const SIZES: [Size; 2] =
    [Size { width: 720.0, height: 280.0, class: "wide" }, Size { width: 340.0, height: 230.0, class: "narrow" }];

const LEFT: f64 = 62.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 40.0;

/// From values to places.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    fn at(&self, v: f64) -> f64 {
        let f = |v: f64| if self.log { v.max(1e-9).ln() } else { v };
        let (low, high) = (f(self.low), f(self.high));
        let share = if high > low { (f(v) - low) / (high - low) } else { 0.5 };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }
}

/// A step of 1, 2 or 5 times a power of ten of which about `count` fit into `span`.
fn nice(span: f64, count: f64) -> f64 {
    let raw = (span / count).max(1e-9);
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|f| f * power).find(|s| *s >= raw * 0.999_999).unwrap_or(power * 10.0)
}

/// A number on an axis.
fn short(v: f64) -> String {
    let a = v.abs();
    let (value, unit) = if a >= 1e6 {
        (v / 1e6, " M")
    } else if a >= 1e4 {
        (v / 1e3, " k")
    } else {
        (v, "")
    };
    let text = if value.abs() < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    text + unit
}

/// The y axis of these values.
fn y_scale(chart: &Chart, values: &[f64], size: Size) -> (Scale, Vec<f64>) {
    let good = || values.iter().copied().filter(|v| v.is_finite());
    let high = good().fold(0.0, f64::max);
    let (from, to) = (size.height - BOTTOM, TOP);
    if chart.grows {
        let low = good().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let low = if low.is_finite() { 10f64.powf(low.log10().floor()) } else { 0.1 };
        let high = 10f64.powf(high.max(low * 10.0).log10().ceil());
        let mut ticks = vec![low];
        while let Some(last) = ticks.last().copied().filter(|l| *l < high * 0.99) {
            ticks.push(last * 10.0);
        }
        return (Scale { low, high, from, to, log: true }, ticks);
    }
    let low = good().fold(0.0, f64::min);
    let span = if high > low { high - low } else { 1.0 };
    let step = nice(span, 5.0);
    // what is a hair above a tick needs no tick more
    let (low, high) = ((low / step + 1e-6).floor() * step, (high.max(low + span) / step - 1e-6).ceil() * step);
    let count = ((high - low) / step).round() as i32;
    (Scale { low, high, from, to, log: false }, (0..=count).map(|i| low + f64::from(i) * step).collect())
}

/// A chart of one size; `color` gives each name its number.
pub(super) fn draw(chart: &Chart, size: Size, color: &dyn Fn(&str) -> usize) -> String {
    let Size { width, height, class } = size;
    let values: Vec<f64> = match &chart.form {
        Form::Lines(lines) => lines.iter().flat_map(|l| l.points.iter().map(|p| p.1)).collect(),
        Form::Bars { bars, .. } => bars.iter().flat_map(|b| b.1.iter().flatten().copied()).collect(),
    };
    let (y, ticks) = y_scale(chart, &values, size);
    let title = escape(&chart.title);
    let mut out = format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n<text class=\"unit\" \
         x=\"2\" y=\"11\">{}</text>\n",
        escape(&chart.unit)
    );
    for t in &ticks {
        let at = y.at(*t);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            width - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            short(*t)
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"tick middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        (LEFT + width - RIGHT) / 2.0,
        height - 5.0,
        escape(&chart.x)
    );
    match &chart.form {
        Form::Lines(lines) => out += &draw_lines(chart, lines, &y, size, color),
        Form::Bars { groups, bars } => out += &draw_bars(groups, bars, &y, size, color),
    }
    out + "</svg>\n"
}

/// Labels along x that do not run into each other.
fn x_labels(out: &mut String, labels: &[(f64, String)], size: Size) {
    let mut free = f64::NEG_INFINITY;
    for (at, text) in labels {
        let half = text.chars().count() as f64 * 3.4;
        if at - half < free {
            continue;
        }
        free = at + half + 6.0;
        let y = size.height - BOTTOM + 15.0;
        let _ = writeln!(out, "<text class=\"tick middle\" x=\"{at:.1}\" y=\"{y:.1}\">{}</text>", escape(text));
    }
}

fn draw_lines(chart: &Chart, lines: &[Line], y: &Scale, size: Size, color: &dyn Fn(&str) -> usize) -> String {
    let mut out = String::new();
    let mut xs: Vec<f64> = lines.iter().flat_map(|l| l.points.iter().map(|p| p.0)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let (Some(low), Some(high)) = (xs.first().copied(), xs.last().copied()) else { return out };
    let x = Scale { low, high, from: LEFT, to: size.width - RIGHT, log: chart.doubles };
    let labels: Vec<f64> = if chart.doubles {
        xs.clone()
    } else {
        let step = nice(high - low, 6.0);
        (0..=((high - low) / step) as i32).map(|i| low + f64::from(i) * step).collect()
    };
    x_labels(&mut out, &labels.iter().map(|v| (x.at(*v), short(*v))).collect::<Vec<_>>(), size);
    if let Some((from, to, name)) = &chart.shade {
        let (a, b) = (x.at(*from), x.at(*to));
        let (h, text) = (size.height - BOTTOM - TOP, escape(name));
        let _ = writeln!(
            out,
            "<rect class=\"shade\" x=\"{a:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{h:.1}\"/><text class=\"tick\" \
             x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            b - a,
            a + 4.0,
            TOP + 12.0
        );
    }
    let many = lines.iter().any(|l| l.points.len() > 40);
    for l in lines {
        let class = if l.quoted { "quoted".to_owned() } else { format!("c{}", color(&l.name)) };
        let (mut path, mut pen_down) = (String::new(), false);
        let mut dots = String::new();
        for (a, b) in &l.points {
            if !b.is_finite() {
                pen_down = false;
                continue;
            }
            let (px, py) = (x.at(*a), y.at(*b));
            let _ = write!(path, "{}{px:.1} {py:.1}", if pen_down { "L" } else { "M" });
            pen_down = true;
            if !many {
                let _ = write!(
                    dots,
                    "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"2.6\"><title>{}: {} at {}</title></circle>",
                    escape(&l.name),
                    crate::experiments::figure(*b),
                    short(*a)
                );
            }
        }
        let _ = writeln!(out, "<g class=\"line {class}\"><path d=\"{path}\"/>{dots}</g>");
    }
    out
}

fn draw_bars(
    groups: &[String],
    bars: &[(String, Vec<Option<f64>>)],
    y: &Scale,
    size: Size,
    color: &dyn Fn(&str) -> usize,
) -> String {
    let mut out = String::new();
    let room = (size.width - LEFT - RIGHT) / groups.len().max(1) as f64;
    let each = (room * 0.8 / bars.len().max(1) as f64).min(60.0);
    let labels: Vec<(f64, String)> =
        groups.iter().enumerate().map(|(i, g)| (LEFT + room * (i as f64 + 0.5), g.clone())).collect();
    x_labels(&mut out, &labels, size);
    let zero = y.at(if y.log { y.low } else { 0.0 });
    for (b, (name, values)) in bars.iter().enumerate() {
        let _ = write!(out, "<g class=\"bar c{}\">", color(name));
        for (g, v) in values.iter().enumerate() {
            let Some(v) = v.filter(|v| v.is_finite()) else { continue };
            let from = LEFT + room * (g as f64 + 0.5) + each * (b as f64 - bars.len() as f64 / 2.0);
            let (top, bottom) = (y.at(v).min(zero), y.at(v).max(zero));
            let group = groups.get(g).map_or("", String::as_str);
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}, {}: {}</title></rect>",
                from + 1.0,
                (each - 2.0).max(1.0),
                (bottom - top).max(0.5),
                escape(name),
                escape(group),
                crate::experiments::figure(v)
            );
        }
        out += "</g>\n";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_numbers_of_axes() {
        let chart = Chart::lines("t", "x", "u", Vec::new());
        let high = |v: f64| y_scale(&chart, &[v], SIZES[0]).0.high;
        assert_eq!([high(100.0), high(100.000_000_000_000_01), high(101.0), high(0.0)], [100.0, 100.0, 150.0, 1.0]);
        assert_eq!([nice(9.0, 5.0), nice(1000.0, 5.0), nice(0.03, 5.0)], [2.0, 200.0, 0.01]);
        assert_eq!(
            [0.0, 0.25, 100.0, 2500.0, 12000.0, 2.5e6].map(short),
            ["0", "0.25", "100", "2500", "12 k", "2.5 M"]
        );
    }

    #[test]
    fn lines_lie_where_their_values_are() {
        let chart =
            Chart::lines("t", "x", "u", vec![Line::of("a", vec![(1.0, 0.0), (2.0, f64::NAN), (4.0, 10.0)])]).doubling();
        let svg = draw(&chart, SIZES[0], &|_| 3);
        // from the lower left corner to the upper right one, broken where nothing was measured
        assert!(svg.contains("<g class=\"line c3\"><path d=\"M62.0 240.0M700.0 20.0\"/>"), "{svg}");
    }

    #[test]
    fn bars_stand_on_zero() {
        let chart = Chart::bars("t", "x", "u", vec!["g".into(), "h".into()])
            .bar("a", vec![Some(10.0), None])
            .bar("b", vec![Some(-5.0), Some(5.0)]);
        let svg = draw(&chart, SIZES[1], &|n| usize::from(n == "b"));
        assert_eq!(svg.matches("<rect ").count(), 3);
        assert!(svg.contains("class=\"bar c0\"") && svg.contains("class=\"bar c1\"") && svg.contains("b, g: -5.00"));
    }

    #[test]
    fn a_chart_without_values_is_empty_but_whole() {
        let svg = draw(&Chart::lines("t", "x", "u", Vec::new()).growing(), SIZES[0], &|_| 0);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
