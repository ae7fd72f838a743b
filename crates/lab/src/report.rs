//! A study's findings as text, JSON and one page of HTML with its plots inside.

use crate::statistics::{Mean, Score, wilson};
use crate::study::{DECISIVE, Findings};
use plotters::coord::Shift;
use plotters::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;

impl Findings {
    /// What the games were, in one line.
    #[must_use]
    pub fn setting(&self) -> String {
        let study = &self.study;
        let mut text = format!(
            "{} games of {}, {} against itself, seed {}",
            self.played.len(),
            study.rules.text(),
            study.budget,
            study.seed
        );
        if study.rules.seats() == 2 {
            let _ = write!(text, ", {} random plies first", study.opening);
        }
        if let Some(fen) = &study.fen {
            let _ = write!(text, ", from {fen}");
        }
        text
    }

    /// The findings as lines of text.
    #[must_use]
    pub fn text(&self) -> String {
        let games = self.played.len() as u64;
        let mut out = format!("{}\n", self.setting());
        let share = |out: &mut String, name: &str, n: u64| {
            let (low, high) = wilson(n, games);
            let percent = percent(n, games);
            let _ = writeln!(
                out,
                "{name}: {n}, {percent:.1} % [{:.1}, {:.1}]",
                low * 100.0,
                high * 100.0
            );
        };
        for (name, n) in self.results() {
            share(&mut out, &name, n);
        }
        let _ = writeln!(out, "{} scores {}", self.sides[0], rate(&self.score()));
        for (name, mean) in self.means() {
            let [low, middle, high] = mean.quantiles;
            let _ = writeln!(
                out,
                "{name}: mean {:.1} ±{:.1}, median {middle:.0}, most from {low:.0} to {high:.0} ({} games)",
                mean.mean, mean.error, mean.count
            );
        }
        for (name, n) in self.reasons() {
            share(&mut out, &name, n);
        }
        for (kind, n) in self.events() {
            let _ = writeln!(out, "event {kind}: {n:.2} a game");
        }
        out
    }

    /// The findings and every game in short, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let games = self.played.len() as u64;
        let share = |(name, n): (String, u64)| {
            let (low, high) = wilson(n, games);
            json!({"name": name, "games": n, "share": percent(n, games) / 100.0, "interval": [low, high]})
        };
        let mean = |(name, mean): (String, Mean)| {
            let (low, high) = (mean.mean - mean.error, mean.mean + mean.error);
            json!({
                "name": name, "games": mean.count, "mean": mean.mean, "interval": [low, high],
                "quantiles": {"0.1": mean.quantiles[0], "0.5": mean.quantiles[1], "0.9": mean.quantiles[2]},
            })
        };
        let score = self.score();
        let (low, high) = score.interval();
        let events: serde_json::Map<String, Value> = self
            .events()
            .into_iter()
            .map(|(kind, n)| (kind.to_owned(), n.into()))
            .collect();
        let played = self.played.iter().map(|game| {
            json!({
                "game": game.number + 1,
                "result": game.outcome.map_or(Value::Null, |o| self.study.rules.result(o)),
                "length": game.length,
                "first": game.first,
                "decided": game.decided(),
            })
        });
        json!({
            "rules": self.study.rules.text(),
            "fen": self.study.fen,
            "budget": self.study.budget.to_string(),
            "seed": self.study.seed,
            "opening": self.study.opening,
            "games": games,
            "results": self.results().into_iter().map(share).collect::<Vec<_>>(),
            "first_score": {"rate": score.rate(), "interval": [low, high]},
            "reasons": self.reasons().into_iter().map(share).collect::<Vec<_>>(),
            "means": self.means().into_iter().map(mean).collect::<Vec<_>>(),
            "events": events,
            "played": played.collect::<Vec<_>>(),
        })
    }

    /// The findings as one page that needs nothing else.
    #[must_use]
    pub fn html(&self) -> String {
        let games = self.played.len() as u64;
        let rules = escape(self.study.rules.text());
        let mut body = format!(
            "<h1>{rules}</h1>\n<p class=\"lead\">{}.</p>\n",
            escape(&self.setting())
        );
        let score = self.score();
        body.push_str("<div class=\"cards\">\n");
        let (low, high) = score.interval();
        let note = format!("between {:.1} and {:.1}", low * 100.0, high * 100.0);
        let figure = format!("{:.1} %", score.rate() * 100.0);
        card(&mut body, &figure, &format!("{} scores", self.sides[0]), &note);
        for (name, mean) in self.means() {
            let note = format!("mean, ±{:.1}; median {:.0}", mean.error, mean.quantiles[1]);
            card(&mut body, &format!("{:.1}", mean.mean), &name, &note);
        }
        body.push_str("</div>\n<h2>Results</h2>\n");
        bars(&mut body, &self.results(), games);
        body.push_str("<h2>How games end</h2>\n");
        bars(&mut body, &self.reasons(), games);
        self.plots(&mut body);
        self.tables(&mut body);
        let _ = writeln!(
            body,
            "<footer><p>Intervals are of 95 %: Wilson's for shares, normal for means. A game is decided at the ply from which \
             on its winner led by {DECISIVE} hundredths of a pawn or more, as the engine judged. What an engine finds in a \
             game is not what people will find in it; a stronger engine may find otherwise.</p></footer>"
        );
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{rules}: a study</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
        )
    }

    fn plots(&self, body: &mut String) {
        let unit = self.unit();
        let lengths = self.lengths();
        figure(
            body,
            &format!("Length of games, in {unit}"),
            &histogram(&lengths, unit),
        );
        let series =
            |of: &dyn Fn(usize) -> Vec<(u32, f64)>| (0..self.played.len()).map(of).collect::<Vec<_>>();
        let choices = series(&|i| {
            let choices = self.played[i].choices.iter();
            (1..).zip(choices).map(|(ply, &n)| (ply, f64::from(n))).collect()
        });
        if choices.iter().any(|game| !game.is_empty()) {
            let title = "Plies to choose from: median, and where most lie";
            figure(body, title, &band(&choices, "choices", false));
        }
        let scores = series(&|i| {
            let scores = self.played[i].scores.iter();
            scores
                .map(|&(ply, score)| (ply, f64::from(score.clamp(-1000, 1000)) / 100.0))
                .collect()
        });
        if scores.iter().any(|game| !game.is_empty()) {
            let title = format!(
                "Lead of {}, in pawns, as the engine judged: median, and where most lie",
                self.sides[0]
            );
            figure(body, &title, &band(&scores, "pawns", true));
        }
        let decided = self.decided();
        if !decided.is_empty() {
            figure(body, "The ply that decided", &histogram(&decided, "ply"));
        }
    }

    fn tables(&self, body: &mut String) {
        let events = self.events();
        if !events.is_empty() {
            body.push_str(
                "<h2>Events</h2>\n<table><thead><tr><th>event</th><th>a game</th></tr></thead><tbody>\n",
            );
            for (kind, n) in events {
                let _ = writeln!(body, "<tr><td>{}</td><td>{n:.2}</td></tr>", escape(kind));
            }
            body.push_str("</tbody></table>\n");
        }
        let openings = self.openings();
        if openings.len() > 1 && self.study.rules.seats() == 2 {
            let _ = writeln!(
                body,
                "<h2>First actions</h2>\n<table><thead><tr><th>action</th><th>games</th><th>{} scores</th></tr></thead><tbody>",
                escape(&self.sides[0])
            );
            for (text, score) in openings.iter().take(20) {
                let _ = writeln!(
                    body,
                    "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                    escape(text),
                    score.games(),
                    interval(score)
                );
            }
            body.push_str("</tbody></table>\n");
            if openings.len() > 20 {
                let _ = writeln!(body, "<p>… and {} more.</p>", openings.len() - 20);
            }
        }
    }
}

fn percent(n: u64, of: u64) -> f64 {
    100.0 * n as f64 / of.max(1) as f64
}

fn rate(score: &Score) -> String {
    let ((low, high), (elo_low, elo, elo_high)) = (score.interval(), score.elo());
    format!(
        "{:.3} [{low:.3}, {high:.3}], as {elo:+.0} [{elo_low:+.0}, {elo_high:+.0}] Elo",
        score.rate()
    )
}

fn interval(score: &Score) -> String {
    let (low, high) = score.interval();
    format!(
        "{:.1} % [{:.1}, {:.1}]",
        score.rate() * 100.0,
        low * 100.0,
        high * 100.0
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn card(body: &mut String, figure: &str, name: &str, note: &str) {
    let (figure, name, note) = (escape(figure), escape(name), escape(note));
    let _ = writeln!(
        body,
        "<div class=\"card\"><strong>{figure}</strong><span>{name}</span><small>{note}</small></div>"
    );
}

/// Shares as bars with their intervals.
fn bars(body: &mut String, shares: &[(String, u64)], games: u64) {
    body.push_str("<div class=\"bars\">\n");
    for (name, n) in shares {
        let (low, high) = wilson(*n, games);
        let (percent, low, high) = (percent(*n, games), low * 100.0, high * 100.0);
        let _ = writeln!(
            body,
            "<div class=\"bar\"><span>{}</span><div class=\"track\"><i style=\"width:{percent:.2}%\"></i>\
             <b style=\"left:{low:.2}%;width:{:.2}%\"></b></div><span>{n} · {percent:.1} % [{low:.1}, {high:.1}]</span></div>",
            escape(name),
            high - low
        );
    }
    body.push_str("</div>\n");
}

fn figure(body: &mut String, title: &str, svg: &str) {
    let title = escape(title);
    let svg = svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{title}\" "), 1);
    let _ = writeln!(body, "<figure><figcaption>{title}</figcaption>{svg}</figure>");
}

const SIZE: (u32, u32) = (760, 260);
const INK: RGBColor = RGBColor(0x2b, 0x5d, 0x8a);
const GRID: RGBColor = RGBColor(0xe4, 0xe0, 0xd8);
const AXIS: RGBColor = RGBColor(0x7a, 0x74, 0x69);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// What `draw` draws, as SVG.
fn plot(draw: impl Fn(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        if draw(&area).and_then(|()| area.present()).is_err() {
            unreachable!("drawing into memory does not fail")
        }
    }
    svg
}

/// How many values lie where.
fn histogram(values: &[f64], unit: &str) -> String {
    let most = values.iter().copied().fold(1.0, f64::max);
    let width = (most / 30.0).ceil().max(1.0);
    let mut counts = vec![0u32; (most / width) as usize + 1];
    for value in values {
        counts[(value / width) as usize] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(1).max(1);
    plot(|area| {
        let (right, top) = (counts.len() as f64 * width, f64::from(tallest) * 1.08);
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..right, 0.0..top)?;
        mesh(&mut chart, unit, "games")?;
        chart.draw_series(counts.iter().enumerate().map(|(i, &n)| {
            let left = i as f64 * width;
            let bar = [(left + width * 0.06, 0.0), (left + width * 0.94, f64::from(n))];
            Rectangle::new(bar, INK.mix(0.85).filled())
        }))?;
        Ok(())
    })
}

/// The median by ply and the band from a tenth to nine tenths, as far as enough games go.
fn band(games: &[Vec<(u32, f64)>], unit: &str, both_ways: bool) -> String {
    let last = games.iter().flatten().map(|(ply, _)| *ply).max().unwrap_or(1);
    let enough = (games.len() / 10).max(3).min(games.len());
    let mut rows: Vec<(f64, [f64; 3])> = Vec::new();
    for ply in 1..=last {
        let values: Vec<f64> = games
            .iter()
            .filter_map(|game| game.iter().find(|(at, _)| *at == ply).map(|(_, value)| *value))
            .collect();
        if values.len() >= enough {
            rows.push((f64::from(ply), Mean::of(&values).quantiles));
        }
    }
    let right = rows.last().map_or(1.0, |(ply, _)| *ply).max(2.0);
    let all = rows.iter().flat_map(|(_, values)| values);
    let extent = all.fold(1.0, |extent: f64, value| extent.max(value.abs())) * 1.05;
    let bottom = if both_ways { -extent } else { 0.0 };
    plot(|area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(1.0..right, bottom..extent)?;
        mesh(&mut chart, "ply", unit)?;
        let upper = rows.iter().map(|(ply, values)| (*ply, values[2]));
        let lower = rows.iter().rev().map(|(ply, values)| (*ply, values[0]));
        chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), INK.mix(0.2))])?;
        if both_ways {
            chart.draw_series(LineSeries::new([(1.0, 0.0), (right, 0.0)], &AXIS))?;
        }
        let middle = rows.iter().map(|(ply, values)| (*ply, values[1]));
        chart.draw_series(LineSeries::new(middle, INK.stroke_width(2)))?;
        Ok(())
    })
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn mesh(chart: &mut Chart<'_, '_>, across: &str, up: &str) -> Drawn {
    let whole = |value: &f64| {
        if value.fract() == 0.0 {
            format!("{value:.0}")
        } else {
            format!("{value:.1}")
        }
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(AXIS)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 13))
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .y_labels(6)
        .x_desc(across)
        .y_desc(up)
        .draw()
}

const STYLE: &str = "
:root{color-scheme:light;--ink:#26231e;--soft:#6d675d;--line:#e4e0d8;--fill:#2b5d8a}
body{margin:0;background:#faf8f4;color:var(--ink);font:16px/1.5 system-ui,'Noto Sans','Noto Sans CJK SC',sans-serif}
main{max-width:800px;margin:0 auto;padding:24px 20px 48px}
h1{font-size:1.7rem;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:36px 0 10px}
.lead{color:var(--soft);margin:0 0 20px;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px}
.card{background:#fff;border:1px solid var(--line);border-radius:8px;padding:12px 14px;display:flex;flex-direction:column}
.card strong{font-size:1.5rem;line-height:1.2}.card small,footer{color:var(--soft);font-size:.85rem}
.bar{display:grid;grid-template-columns:minmax(120px,230px) 1fr 190px;gap:10px;align-items:center;padding:3px 0}
.bar span{font-size:.92rem}.bar span:last-child{text-align:right;font-variant-numeric:tabular-nums}
.track{position:relative;height:18px;background:#fff;border:1px solid var(--line);border-radius:4px}
.track i{position:absolute;inset:0 auto 0 0;background:var(--fill);opacity:.85;border-radius:3px}
.track b{position:absolute;top:7px;height:4px;background:#c8873a;border-radius:2px}
figure{margin:36px 0 0;background:#fff;border:1px solid var(--line);border-radius:8px;padding:12px 12px 4px}
figcaption{font-weight:600;margin:0 0 6px 4px}svg{width:100%;height:auto;display:block}
table{border-collapse:collapse;width:100%;background:#fff;border:1px solid var(--line)}
th,td{text-align:left;padding:5px 12px;border-bottom:1px solid var(--line)}
th+th,td+td{text-align:right;font-variant-numeric:tabular-nums}td code{overflow-wrap:anywhere}
footer{margin-top:36px;border-top:1px solid var(--line)}
@media(max-width:560px){.bar{grid-template-columns:1fr}.bar span:last-child{text-align:left}}
";
