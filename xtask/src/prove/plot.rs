//! The picture of a soak's readings (`tests/app/durability/days/soak/gauge.rs`), in a few panels.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 84.0;
const LEFT: f64 = 60.0;
const BETWEEN: f64 = 34.0;

/// A panel: its title, the factor between its unit and that of the file, and its lines.
type Panel = (&'static str, f64, &'static [(&'static str, &'static str)]);

const PANELS: [Panel; 4] = [
    (
        "memory, MiB",
        1_024.0,
        &[("resident", "with the program's file"), ("own", "its own")],
    ),
    (
        "open files, threads",
        1.0,
        &[("files", "files"), ("threads", "threads")],
    ),
    (
        "on the disk, MiB",
        1_024.0,
        &[("database", "database"), ("logs", "log")],
    ),
    ("asks so far", 1.0, &[("asks", "asks")]),
];

const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, sans-serif\" \
    font-size=\"13\"";
const STYLE: &str = "<style>text{fill:#24292f}polyline{fill:none;stroke-width:1.5}.l0{stroke:#4a7ebb}\
    .l1{stroke:#c2571a}.t0{fill:#4a7ebb}.t1{fill:#c2571a}.g{stroke:#8c959f}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.l0{stroke:#6ea8e0}.l1{stroke:#f0883e}\
    .t0{fill:#6ea8e0}.t1{fill:#f0883e}}</style>";

/// The readings, by column.
struct Readings {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

/// Writes the picture of the readings in `csv`.
pub(super) fn draw(csv: &Path, svg: &Path) -> Result<()> {
    let text = std::fs::read_to_string(csv).with_context(|| format!("Failed to read {csv:?}"))?;
    let picture = picture(&Readings::parse(&text)?)?;
    std::fs::write(svg, picture).with_context(|| format!("Failed to write {svg:?}"))?;
    println!("{}", svg.display());
    Ok(())
}

impl Readings {
    fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let names = lines
            .next()
            .context("no readings")?
            .split(',')
            .map(str::to_owned)
            .collect();
        let row = |line: &str| {
            line.split(',')
                .map(|cell| Ok(cell.parse::<f64>()?))
                .collect()
        };
        let rows: Vec<Vec<f64>> = lines.map(row).collect::<Result<_>>()?;
        Ok(Self { names, rows })
    }

    fn column(&self, name: &str) -> Result<Vec<f64>> {
        let at = self.names.iter().position(|known| known == name);
        let at = at.with_context(|| format!("no column {name}"))?;
        Ok(self
            .rows
            .iter()
            .filter_map(|row| row.get(at).copied())
            .collect())
    }
}

fn picture(readings: &Readings) -> Result<String> {
    let seconds = readings.column("seconds")?;
    let all = seconds.last().copied().unwrap_or_default().max(1.0);
    let high = 24.0 + (HEIGHT + BETWEEN) * PANELS.len() as f64;
    let mut svg = format!("{HEAD} viewBox=\"0 0 860 {high}\">\n{STYLE}\n");
    for (number, panel) in PANELS.iter().enumerate() {
        let top = 24.0 + (HEIGHT + BETWEEN) * number as f64;
        panel_at(&mut svg, top, panel, readings, &seconds)?;
    }
    let (x, y) = (LEFT + WIDTH, high - 14.0);
    writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{:.0} minutes</text>",
        all / 60.0
    )?;
    Ok(svg + "</svg>\n")
}

fn panel_at(
    svg: &mut String,
    top: f64,
    (title, unit, lines): &Panel,
    readings: &Readings,
    seconds: &[f64],
) -> Result<()> {
    let all = seconds.last().copied().unwrap_or_default().max(1.0);
    let columns: Vec<Vec<f64>> = lines
        .iter()
        .map(|(name, _)| readings.column(name))
        .collect::<Result<_>>()?;
    let most = columns.iter().flatten().copied().fold(1.0, f64::max) * 1.1;
    let (bottom, right) = (top + HEIGHT, LEFT + WIDTH);
    writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.0}\">{title}</text>",
        top - 6.0
    )?;
    writeln!(svg, "<path class=\"g\" d=\"M{LEFT} {bottom}H{right}\"/>")?;
    for (number, (values, (_, label))) in columns.iter().zip(lines.iter()).enumerate() {
        let height = |value: f64| bottom - value / most * HEIGHT;
        let point = |(at, value): (&f64, &f64)| {
            format!("{:.1},{:.1}", LEFT + at / all * WIDTH, height(*value))
        };
        let points: Vec<String> = seconds.iter().zip(values).map(point).collect();
        writeln!(
            svg,
            "<polyline class=\"l{number}\" points=\"{}\"/>",
            points.join(" ")
        )?;
        let (first, last) = (
            values.first().unwrap_or(&0.0),
            values.last().unwrap_or(&0.0),
        );
        let (x, y) = (right + 8.0, height(*last) + 4.0);
        let said = format!("{label}: {:.0} → {:.0}", first / unit, last / unit);
        writeln!(
            svg,
            "<text class=\"t{number}\" x=\"{x}\" y=\"{y:.0}\">{said}</text>"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Readings, picture};

    #[test]
    fn every_panel_has_its_lines_and_their_first_and_last_values() {
        let text = "seconds,asks,resident,own,files,threads,database,ahead,logs\n\
            0,1,40960,10240,24,7,2048,0,1024\n60,200,41984,10240,25,7,4096,0,2048\n";
        let picture = picture(&Readings::parse(text).unwrap()).unwrap();
        assert_eq!(picture.matches("<polyline").count(), 7);
        for said in [
            "its own: 10 → 10",
            "files: 24 → 25",
            "database: 2 → 4",
            "1 minutes",
        ] {
            assert!(picture.contains(said), "{said} in {picture}");
        }
        assert!(
            Readings::parse("seconds\n")
                .unwrap()
                .column("asks")
                .is_err()
        );
    }
}
