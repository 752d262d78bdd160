//! How many of the dangerous commands that people reported are marked, and how many everyday ones are.

use super::{PROJECT, marks};

#[test]
fn print_rates() {
    for path in std::env::var("LISTS")
        .unwrap_or_default()
        .split(' ')
        .filter(|p| !p.is_empty())
    {
        let text = std::fs::read_to_string(path).unwrap();
        let (mut all, mut marked) = (0, 0);
        for line in text
            .lines()
            .filter(|l| !l.trim().is_empty() && !l.starts_with("# "))
        {
            let line = line.replace('␤', "\n");
            let found = marks(&line);
            all += 1;
            marked += usize::from(!found.is_empty());
            if found.is_empty() == path.contains("dangerous") {
                println!("{line} {found:?}");
            }
        }
        println!("== {path}: {marked} of {all} {PROJECT}");
    }
}
