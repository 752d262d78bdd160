//! A file of Rust, as far as its shape is concerned: the types and functions that it defines,
//! without those of its tests.

use crate::{shell, walls};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The folders with the programs' code.
const FOLDERS: [&str; 3] = ["client/src", "core/src", "src-tauri/src"];

/// The facts about a file.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The path from the root of the repository.
    pub(crate) path: String,
    pub(crate) lines: usize,
    pub(crate) types: Vec<String>,
    pub(crate) functions: Vec<Function>,
    /// The pair `crate` and `a` of every path `crate::a::…`, and likewise of our other crates.
    pub(crate) names: BTreeSet<(String, String)>,
    /// The calls that only few files may make (`walls/guarded_calls.rs`).
    pub(crate) guarded: BTreeSet<String>,
    /// The texts that the file looks up by a literal name.
    pub(crate) texts: BTreeSet<String>,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The number of lines from its name or `pub` to its closing brace.
    pub(crate) lines: usize,
}

/// Returns every file of the programs but tests.
pub(crate) fn all() -> Result<Vec<Source>> {
    let root = shell::root();
    let mut files = Vec::new();
    for folder in FOLDERS.map(|folder| root.join(folder)) {
        if folder.is_dir() {
            collect(&folder, &mut files)?;
        }
    }
    files.sort();
    let in_tests = |file: &&std::path::PathBuf| file.iter().any(|part| part == "tests");
    let of_tests = |file: &std::path::PathBuf| file.ends_with("tests.rs") || in_tests(&file);
    files
        .iter()
        .filter(|file| !of_tests(file))
        .map(|file| read(file, &root))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<()> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("failed to read {folder:?}"))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn read(file: &Path, root: &Path) -> Result<Source> {
    let text = std::fs::read_to_string(file).with_context(|| format!("failed to read {file:?}"))?;
    let syntax = syn::parse_file(&text).with_context(|| format!("failed to parse {file:?}"))?;
    let path = file
        .strip_prefix(root)
        .unwrap_or(file)
        .to_string_lossy()
        .replace('\\', "/");
    let mut source = Source {
        path,
        lines: text.lines().count(),
        ..Source::default()
    };
    source.visit_file(&syntax);
    Ok(source)
}

/// Tells whether a name is one word: `Ask` is one word, `AskId` two; `open` one, `open_asks` two.
pub(crate) fn is_one_word(name: &str) -> bool {
    let name = name.trim_matches('_');
    !name.contains('_') && name.chars().filter(|letter| letter.is_uppercase()).count() <= 1
}

impl Source {
    fn function(&mut self, name: &syn::Ident, whole: proc_macro2::Span) {
        let lines = whole.end().line + 1 - name.span().start().line;
        self.functions.push(Function {
            name: name.to_string(),
            lines,
        });
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Enum(item) => self.types.push(item.ident.to_string()),
            syn::Item::Struct(item) => self.types.push(item.ident.to_string()),
            syn::Item::Trait(item) => self.types.push(item.ident.to_string()),
            syn::Item::Type(item) => self.types.push(item.ident.to_string()),
            syn::Item::Mod(item) if is_of_tests(&item.attrs) => return,
            syn::Item::Fn(item) => self.function(&item.sig.ident, item.block.span()),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path
            .segments
            .iter()
            .rev()
            .map(|name| name.ident.to_string());
        let [last, before] = [0, 1].map(|number| names.clone().nth(number).unwrap_or_default());
        self.guarded
            .extend(Some(format!("{before}::{last}")).filter(|call| walls::is_guarded(call)));

        let mut segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        if let (Some(root), Some(name)) = (segments.next(), segments.next())
            && is_ours(&root)
        {
            self.names.insert((root, name));
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let looks_up = call.method == "get" || call.method == "with";
        if looks_up
            && is_texts(&call.receiver)
            && let Some(syn::Expr::Lit(literal)) = call.args.first()
            && let syn::Lit::Str(name) = &literal.lit
        {
            self.texts.insert(name.value());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        let root = path.ident.to_string();
        if is_ours(&root) {
            let names = first_names(&path.tree)
                .into_iter()
                .map(|name| (root.clone(), name));
            self.names.extend(names);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        // The names in an implementation of a trait are the trait's.
        let own = |item: &&syn::ImplItem| matches!(item, syn::ImplItem::Fn(_));
        for item in item
            .items
            .iter()
            .filter(own)
            .filter(|_| item.trait_.is_none())
        {
            if let syn::ImplItem::Fn(item) = item {
                self.function(&item.sig.ident, item.block.span());
            }
        }
        visit::visit_item_impl(self, item);
    }
}

/// Tells whether the expression is `texts`, `self.texts`, or `&context.texts`.
fn is_texts(receiver: &syn::Expr) -> bool {
    match receiver {
        syn::Expr::Field(field) => {
            matches!(&field.member, syn::Member::Named(name) if name == "texts")
        }
        syn::Expr::Path(path) => path.path.is_ident("texts"),
        syn::Expr::Reference(reference) => is_texts(&reference.expr),
        syn::Expr::Paren(inner) => is_texts(&inner.expr),
        _ => false,
    }
}

fn is_ours(root: &str) -> bool {
    matches!(root, "crate" | "beckon" | "beckon_client")
}

/// Returns `a` and `b` of `{a::x, b}`.
fn first_names(tree: &syn::UseTree) -> Vec<String> {
    match tree {
        syn::UseTree::Path(path) => vec![path.ident.to_string()],
        syn::UseTree::Name(name) => vec![name.ident.to_string()],
        syn::UseTree::Rename(name) => vec![name.ident.to_string()],
        syn::UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
        syn::UseTree::Glob(_) => Vec::new(),
    }
}

fn is_of_tests(attributes: &[syn::Attribute]) -> bool {
    let cfg = |attribute: &&syn::Attribute| attribute.path().is_ident("cfg");
    let condition =
        |attribute: &syn::Attribute| Some(attribute.meta.require_list().ok()?.tokens.to_string());
    attributes
        .iter()
        .filter(cfg)
        .filter_map(condition)
        .any(|condition| condition == "test" || condition.starts_with("all (test"))
}
