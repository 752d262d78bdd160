//! The check that every link in the documents leads to a file of the project, and to a heading in
//! it.
//!
//! Addresses on the web are not checked: nobody promises to keep them.

use crate::shell;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The links and headings of a document.
#[derive(Default)]
struct Document {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let documents = documents(&shell::root());
    assert!(documents.len() > 30, "{documents:?}");
    let broken: Vec<String> = documents.iter().flat_map(|file| broken(file)).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn a_heading_is_linked_by_its_words() {
    assert_eq!(slug("Twice a bare `Notify`?"), "twice-a-bare-notify");
    assert_eq!(slug("1. 安装，然后 连接"), "1-安装然后-连接");
}

/// The folders that contain no document of ours.
const PASSED_OVER: [&str; 4] = ["target", "node_modules", "dist", ".git"];

fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let ours = entries.filter(|path| !PASSED_OVER.iter().any(|name| path.ends_with(name)));
    let found = ours.flat_map(|path| {
        if path.is_dir() && !path.is_symlink() {
            documents(&path)
        } else {
            path.extension()
                .is_some_and(|kind| kind == "md")
                .then_some(path)
                .into_iter()
                .collect()
        }
    });
    found.collect()
}

/// Returns the links that lead nowhere, with their file.
fn broken(file: &Path) -> Vec<String> {
    let document = read(file);
    let leads = |link: &&String| leads_somewhere(file, link);
    let broken = document.links.iter().filter(|link| !leads(link));
    broken
        .map(|link| format!("{}: {link}", file.display()))
        .collect()
}

fn leads_somewhere(file: &Path, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (path, anchor) = link
        .split_once('#')
        .map_or((link, None), |(path, at)| (path, Some(at)));
    let target = match path {
        "" => file.to_owned(),
        path => file.with_file_name("").join(path),
    };
    match anchor {
        None => target.exists(),
        Some(anchor) => target.is_file() && read(&target).anchors.contains(anchor),
    }
}

fn read(file: &Path) -> Document {
    let text = std::fs::read_to_string(file).unwrap();
    let (mut document, mut heading) = (Document::default(), None);
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                document.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                document
                    .anchors
                    .extend(heading.take().map(|words| slug(&words)));
            }
            Event::Text(words) | Event::Code(words) => {
                heading
                    .iter_mut()
                    .for_each(|heading| heading.push_str(&words));
            }
            Event::Html(html) | Event::InlineHtml(html) => document.links.extend(sources(&html)),
            _ => {}
        }
    }
    document
}

/// Returns the targets of pictures and links that are written in HTML.
fn sources(html: &str) -> impl Iterator<Item = String> {
    let pointing = ["src=\"", "srcset=\"", "href=\""];
    let values = pointing
        .into_iter()
        .flat_map(|name| html.split(name).skip(1));
    values
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value.to_owned())
}

/// Returns the anchor of a heading, as GitHub and mdBook make it.
fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|it| if it == ' ' { '-' } else { it })
        .collect()
}
