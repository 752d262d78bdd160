//! The tests of the texts: every language says everything, with the same arguments, and each text
//! is there once.

use super::*;
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Message, Pattern, PatternElement, VariantKey,
};
use std::collections::{BTreeMap, BTreeSet};

/// The arguments of a text: what can be compared between languages.
type Arguments = BTreeSet<String>;

/// The figures that select every plural and every numbered arm.
const FIGURES: [i64; 5] = [0, 1, 2, 3, 21];

#[test]
fn a_system_locale_finds_its_folder_and_a_strange_one_finds_english() {
    assert_eq!(folder_for("en_GB.UTF-8"), "en");
    assert_eq!(folder_for("zh_CN.UTF-8"), "zh-CN");
    assert_eq!(folder_for("zh-Hans-CN"), "zh-CN");
    assert_eq!(folder_for("zh"), "zh-CN");
    assert_eq!(folder_for("tlh"), "en");
}

#[test]
fn an_unknown_key_is_shown_as_itself() {
    assert_eq!(Texts::load("en").get("no-such-key"), "no-such-key");
}

#[test]
fn whoever_shares_the_texts_speaks_the_other_language_after_a_switch() {
    let texts = std::sync::Arc::new(Texts::load("en"));
    let shared = texts.clone();
    assert!(texts.switch("zh-CN"));
    assert_eq!(shared.get("tray-quit"), "退出 Beckon");
    assert!(!texts.switch("zh"), "that is the language already spoken");
    assert!(texts.switch("en"));
    assert_eq!(shared.get("tray-quit"), "Quit Beckon");
}

#[test]
fn no_key_is_there_twice() {
    for language in languages() {
        let mut keys = BTreeSet::new();
        for file in files(language) {
            for message in messages(&file.1) {
                assert!(
                    keys.insert(message.0.clone()),
                    "{language}: {} is there twice",
                    message.0
                );
            }
        }
    }
}

/// The names of other programs that begin like keys of ours.
const NO_KEYS: [&str; 5] = [
    "desktop-entry",
    "list-clients",
    "list-panes",
    "show-banners",
    "status-desktop-disturb",
];

/// Checks the keys in the code: a key without a text would be shown to a person as itself. Keys
/// that are put together are not seen here.
#[test]
fn every_key_that_stands_in_the_code_has_a_text() {
    let known: BTreeSet<String> = all(FALLBACK).into_keys().collect();
    let kinds: BTreeSet<&str> = known
        .iter()
        .filter_map(|key| key.split('-').next())
        .collect();
    let (mut seen, mut unknown) = (0, BTreeSet::new());
    for (file, code) in sources() {
        let page = !file.ends_with(".rs");
        for literal in code
            .split('"')
            .skip(1)
            .step_by(2)
            .filter(|it| is_key(it, &kinds))
        {
            // The scenes of the pages have names as well.
            if page && !literal.starts_with("ui-") {
                continue;
            }
            seen += 1;
            if !known.contains(literal) && !NO_KEYS.contains(&literal) {
                unknown.insert(format!("{file}: {literal}"));
            }
        }
    }
    assert!(seen > 500, "only {seen} keys were found");
    assert_eq!(unknown, BTreeSet::new());
}

fn is_key(literal: &str, kinds: &BTreeSet<&str>) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    let parts: Vec<&str> = literal.split('-').collect();
    parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
        && kinds.contains(parts[0])
        && literal.chars().all(fits)
}

/// Returns the code of the programs without its tests, line by line, so that an odd quotation mark
/// does not turn the rest inside out.
fn sources() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = ["src-tauri/src", "client/src", "ui/src"]
        .map(|it| root.join(it))
        .to_vec();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let code = std::fs::read_to_string(&path).unwrap();
                let code = code
                    .split("#[cfg(test)]\nmod tests")
                    .next()
                    .unwrap_or_default();
                found.push((name, by_line(code)));
            } else if name.ends_with(".svelte") || name.ends_with(".ts") && !name.contains(".test.")
            {
                found.push((name, by_line(&std::fs::read_to_string(&path).unwrap())));
            }
        }
    }
    found
}

/// Keeps of each line only what is between its own pairs of quotation marks.
fn by_line(code: &str) -> String {
    let quoted = |line: &str| {
        let parts: Vec<&str> = line.split('"').collect();
        let whole = parts.len() - (parts.len() + 1) % 2;
        parts[..whole]
            .iter()
            .skip(1)
            .step_by(2)
            .map(|it| format!("\"{it}\"\n"))
            .collect::<String>()
    };
    code.lines().map(quoted).collect()
}

#[test]
fn every_text_file_parses() {
    for (name, resource) in languages().into_iter().flat_map(files) {
        let junk: Vec<_> = resource
            .entries()
            .filter(|entry| matches!(entry, Entry::Junk { .. }))
            .collect();
        assert!(junk.is_empty(), "{name}: {junk:?}");
    }
}

#[test]
fn every_language_has_every_text_in_the_same_file() {
    let english = keys_by_file(FALLBACK);
    for language in languages() {
        let other = keys_by_file(language);
        let lacking: Vec<_> = english.difference(&other).collect();
        let foreign: Vec<_> = other.difference(&english).collect();
        assert!(lacking.is_empty(), "{language} lacks {lacking:?}");
        assert!(
            foreign.is_empty(),
            "{language} says what English does not: {foreign:?}"
        );
    }
}

#[test]
fn a_text_has_the_same_arguments_in_every_language() {
    let english = all(FALLBACK);
    for language in languages() {
        for (key, arguments) in all(language) {
            assert_eq!(Some(&arguments), english.get(&key), "{language}: {key}");
        }
    }
}

#[test]
fn every_text_can_be_said_with_its_arguments() {
    for language in languages() {
        let bundle = bundle(language);
        for (key, names) in all(language) {
            for figure in FIGURES {
                let arguments: FluentArgs<'_> = names
                    .iter()
                    .map(|name| (name.as_str(), Value::from(figure)))
                    .collect();
                let pattern = bundle.get_message(&key).and_then(|message| message.value());
                let pattern = pattern.unwrap_or_else(|| panic!("{language}: {key} has no text"));
                let mut errors = Vec::new();
                bundle.format_pattern(pattern, Some(&arguments), &mut errors);
                assert!(errors.is_empty(), "{language}: {key}: {errors:?}");
            }
        }
    }
}

#[test]
fn placeholders_and_menu_texts_keep_to_the_limits_of_telegram() {
    for language in languages() {
        let texts = Texts::load(language);
        for (key, _) in all(language) {
            // <https://core.telegram.org/bots/api#forcereply>, #botcommand
            let limit = match key.as_str() {
                key if key.starts_with("telegram-placeholder-") => 64,
                key if key.starts_with("telegram-menu-") => 256,
                // A toast is cut there, which must not happen to a text without a stranger's words.
                key if key.starts_with("telegram-refusal-") => 200,
                key if key.starts_with("telegram-invalid-") => 200,
                key if key.starts_with("invalid-") => 200,
                _ => continue,
            };
            assert!(
                texts.get(&key).chars().count() <= limit,
                "{language}: {key} is too long"
            );
        }
    }
}

/// Checks for half-width commas and question marks between Han characters, which are typing errors.
#[test]
fn chinese_has_full_width_marks_and_a_space_before_latin() {
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    for (name, resource) in files("zh-CN") {
        let lines = resource
            .source()
            .lines()
            .filter(|line| !line.starts_with('#'));
        for line in lines {
            let pairs = line.chars().zip(line.chars().skip(1));
            for (left, right) in pairs {
                let slip = han(left) && matches!(right, ',' | ';' | ':' | '?' | '!' | '(')
                    || han(left) && right.is_ascii_alphanumeric()
                    || left.is_ascii_alphanumeric() && han(right)
                    || matches!(left, ',' | ';' | '?' | '!' | ')') && han(right);
                assert!(!slip, "{name}: {left}{right} in {line}");
            }
        }
    }
}

fn files(language: &'static str) -> Vec<(String, FluentResource)> {
    let folder = LOCALES
        .get_dir(language)
        .expect("the language has a folder");
    let resource = |file: &include_dir::File<'_>| {
        let text = file
            .contents_utf8()
            .expect("text files are UTF-8")
            .to_owned();
        let name = file
            .path()
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (
            name,
            FluentResource::try_new(text).unwrap_or_else(|(resource, _)| resource),
        )
    };
    folder.files().map(resource).collect()
}

fn messages(resource: &FluentResource) -> Vec<(String, Arguments)> {
    let message = |entry: &Entry<&str>| match entry {
        Entry::Message(message) => Some(read(message)),
        _ => None,
    };
    resource.entries().filter_map(message).collect()
}

fn keys_by_file(language: &'static str) -> BTreeSet<(String, String)> {
    let of = |(name, resource): (String, FluentResource)| {
        messages(&resource)
            .into_iter()
            .map(move |(key, _)| (name.clone(), key))
            .collect::<Vec<_>>()
    };
    files(language).into_iter().flat_map(of).collect()
}

fn all(language: &'static str) -> BTreeMap<String, Arguments> {
    files(language)
        .iter()
        .flat_map(|(_, resource)| messages(resource))
        .collect()
}

fn read(message: &Message<&str>) -> (String, Arguments) {
    let mut arguments = Arguments::new();
    message
        .value
        .iter()
        .for_each(|pattern| in_pattern(pattern, &mut arguments));
    (message.id.name.to_owned(), arguments)
}

fn in_pattern(pattern: &Pattern<&str>, found: &mut Arguments) {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable { expression } => in_expression(expression, found),
        }
    }
}

fn in_expression(expression: &Expression<&str>, found: &mut Arguments) {
    match expression {
        Expression::Inline(inline) => in_inline(inline, found),
        Expression::Select { selector, variants } => {
            in_inline(selector, found);
            // What is picked by a word of a program, and not by a number, is called a kind, or is
            // yes or no.
            let kind = |id: &fluent_syntax::ast::Identifier<&str>| id.name == "kind";
            let by_kind =
                matches!(selector, InlineExpression::VariableReference { id } if kind(id));
            for variant in variants {
                let word = matches!(
                    &variant.key,
                    VariantKey::Identifier {
                        name: "one" | "other" | "yes" | "no"
                    }
                );
                let figure = matches!(&variant.key, VariantKey::NumberLiteral { .. });
                assert!(
                    word || figure || by_kind,
                    "no number is of the kind {:?}",
                    variant.key
                );
                in_pattern(&variant.value, found);
            }
        }
    }
}

fn in_inline(inline: &InlineExpression<&str>, found: &mut Arguments) {
    match inline {
        InlineExpression::VariableReference { id } => _ = found.insert(id.name.to_owned()),
        InlineExpression::Placeable { expression } => in_expression(expression, found),
        _ => {}
    }
}
