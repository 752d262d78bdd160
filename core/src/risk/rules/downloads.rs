//! Downloads that are written to a file, or into a program's own code, and then run.
//!
//! Not here: downloads that are run without a file between (`feeds.rs`).

use super::super::Risk;
use super::super::shell::{Command, Line, Word};
use super::feeds::downloader;
use super::{Found, name, unseen_at};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

/// Returns what a line downloads and runs later.
pub(super) fn found(line: &Line) -> Vec<Found> {
    let mut found = Vec::new();
    let mut files: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    for command in super::in_order(line) {
        for runner in run_files(command) {
            let Some(download) = files.get(bare(runner.file)) else {
                continue;
            };
            found.push((Risk::RunsDownload, download.clone()));
            found.push((Risk::RunsDownload, runner.range));
        }
        if let Some(download) = downloader(command) {
            let range = &download.range;
            let written = written(command, name(download).as_ref());
            files.extend(written.into_iter().map(|file| (bare(file), range.clone())));
        }
        found.extend(of_code(command));
    }
    found.extend(expressions(line));
    found
}

/// A file that is run, and the place of the program that runs it.
struct RunFile<'a> {
    file: &'a str,
    range: Range<usize>,
}

fn run_files(command: &Command) -> Vec<RunFile<'_>> {
    let words = &command.words;
    let scripts = command.reading.files.iter().filter_map(|(file, runner)| {
        Some(RunFile {
            file: words.get(*file)?.text(),
            range: words.get(*runner)?.range.clone(),
        })
    });
    let programs = command.reading.runs.iter().filter_map(|run| {
        let word = words.get(run.from)?;
        let is_path = word.text().contains('/');
        is_path.then(|| RunFile {
            file: word.text(),
            range: word.range.clone(),
        })
    });
    scripts.chain(programs).collect()
}

fn bare(file: &str) -> &str {
    file.strip_prefix("./").unwrap_or(file)
}

/// Returns the files that a download is written to.
fn written<'a>(command: &'a Command, program: &str) -> Vec<&'a str> {
    let mut files: Vec<&str> = command.writes_to.iter().map(Word::text).collect();
    let words: Vec<&str> = command.words.iter().map(Word::text).collect();
    for two in words.windows(2) {
        let is_option = match program {
            "curl" | "xh" | "http" => matches!(two[0], "--output") || is_short(two[0], 'o'),
            "wget" => two[0] == "--output-document" || is_short(two[0], 'O'),
            _ => matches!(
                two[0].to_ascii_lowercase().as_str(),
                "-o" | "-outfile" | "-out"
            ),
        };
        if is_option {
            files.push(two[1]);
        }
    }
    // The file gets the last part of the address as its name.
    let keeps_name = program == "wget" || words.iter().any(|word| is_short(word, 'O'));
    if keeps_name && files.is_empty() {
        let addresses = words.iter().filter(|word| word.contains('/'));
        let names = addresses.filter_map(|address| address.rsplit('/').next());
        files.extend(names.filter(|name| !name.is_empty()));
    }
    files.retain(|file| !file.is_empty() && *file != "-" && !file.starts_with("/dev/"));
    files
}

/// Whether a word has that letter as the last of its short options, as in `-fsSLo file`.
fn is_short(word: &str, letter: char) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.ends_with(letter) && letters.chars().all(|c| c.is_ascii_alphabetic())
}

/// Finds code that evaluates what it fetches.
fn of_code(command: &Command) -> Vec<Found> {
    const RUNS: [&str; 5] = ["exec(", "eval(", "Function(", "os.system(", "instance_eval"];
    const FETCHES: [&str; 7] = [
        "urlopen(",
        "requests.get(",
        "httpx.get(",
        "fetch(",
        "https.get(",
        "URI.open(",
        "LWP::Simple",
    ];
    let code = command.reading.code.iter();
    let words = code.filter_map(|at| command.words.get(*at));
    let of_word = |word: &Word| {
        let at = RUNS.iter().find_map(|call| {
            let at = word.text().find(call)?;
            Some(at..at + call.len() - 1)
        })?;
        let fetches = FETCHES.iter().any(|call| word.text().contains(call));
        fetches.then(|| (Risk::RunsDownload, word.script.places(&at)))
    };
    words.filter_map(of_word).collect()
}

/// Finds PowerShell's `iex (…)` and `[scriptblock]::Create(…)`: the text in the brackets is read as
/// commands of their own, so the command that runs it has no words.
fn expressions(line: &Line) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, command) in line.commands.iter().enumerate() {
        let Some(runner) = evaluates(command) else {
            continue;
        };
        let rest = line.commands.get(at + 1..).unwrap_or_default();
        let download = rest.iter().take(4).find_map(fetched);
        match download {
            Some(download) => {
                found.push((Risk::RunsDownload, runner));
                found.push((Risk::RunsDownload, download));
            }
            None => found.push(unseen_at(runner)),
        }
    }
    found
}

fn evaluates(command: &Command) -> Option<Range<usize>> {
    let word = command.words.last()?;
    let text = word.text().to_ascii_lowercase();
    let is_expression = matches!(text.as_str(), "iex" | "invoke-expression") && !command.is_fed;
    let is_block = text.starts_with("[scriptblock]::create");
    (is_expression || is_block).then(|| word.range.clone())
}

fn fetched(command: &Command) -> Option<Range<usize>> {
    let is_method = |word: &&Word| {
        let text = word.text().to_ascii_lowercase();
        text.contains(".downloadstring") || text.contains("webclient")
    };
    let word = downloader(command).or_else(|| command.words.iter().find(is_method))?;
    Some(word.range.clone())
}
