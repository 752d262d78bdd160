//! The only place for what a person reads: texts are looked up in `locales/<language>/*.ftl`. A new
//! language is a new folder there; no code knows which languages there are.

mod width;
pub mod words;

pub use fluent_bundle::FluentValue as Value;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use include_dir::{Dir, include_dir};
use std::sync::{OnceLock, PoisonError, RwLock};
use unic_langid::LanguageIdentifier;
pub use width::columns;

static LOCALES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/locales");
/// The language in which every text exists (a test checks that). It stands in for what another
/// language lacks.
const FALLBACK: &str = "en";

/// The texts of one language at a time. After a switch all who share them have the new language.
pub struct Texts {
    chosen: RwLock<ChosenLanguage>,
    /// The texts of [`FALLBACK`], read when the first text is missing: reading a language takes
    /// about 1.5 ms and 1 MB, and an agent waits for the start of a hook.
    fallback: OnceLock<FluentBundle<FluentResource>>,
}

struct ChosenLanguage {
    language: &'static str,
    bundle: FluentBundle<FluentResource>,
}

impl ChosenLanguage {
    fn of(language: &'static str) -> Self {
        Self {
            language,
            bundle: bundle(language),
        }
    }
}

impl Texts {
    /// Reads the texts for a wish like `auto`, `en` or `zh-CN`; `auto` asks the system. A language
    /// that does not exist becomes English.
    pub fn load(wish: &str) -> Self {
        Self {
            chosen: RwLock::new(ChosenLanguage::of(language(wish))),
            fallback: OnceLock::new(),
        }
    }

    /// Switches to the language of this wish; returns `false` if it is the present one.
    pub fn switch(&self, wish: &str) -> bool {
        let language = language(wish);
        let mut chosen = self.chosen.write().unwrap_or_else(PoisonError::into_inner);
        if chosen.language == language {
            return false;
        }
        *chosen = ChosenLanguage::of(language);
        true
    }

    /// Returns a text without arguments.
    pub fn get(&self, key: &str) -> String {
        self.with(key, &[])
    }

    /// Returns a text with arguments. A key that no language has comes back as itself: visible, not
    /// fatal.
    pub fn with(&self, key: &str, args: &[(&str, Value<'_>)]) -> String {
        let args: FluentArgs<'_> = args.iter().map(|(k, v)| (*k, v.clone())).collect();
        let chosen = self.chosen.read().unwrap_or_else(PoisonError::into_inner);
        let found = format(&chosen.bundle, key, &args)
            .or_else(|| format(self.fallback_of(&chosen)?, key, &args));
        found.unwrap_or_else(|| key.to_owned())
    }

    /// Whether there is such a text.
    pub fn has(&self, key: &str) -> bool {
        let chosen = self.chosen.read().unwrap_or_else(PoisonError::into_inner);
        let fallback_has = || {
            let fallback = self.fallback_of(&chosen);
            fallback.is_some_and(|bundle| bundle.has_message(key))
        };
        chosen.bundle.has_message(key) || fallback_has()
    }

    /// Returns the texts that stand in for what a language lacks; none if it is that language
    /// itself.
    fn fallback_of(&self, chosen: &ChosenLanguage) -> Option<&FluentBundle<FluentResource>> {
        let is_other = chosen.language != FALLBACK;
        is_other.then(|| self.fallback.get_or_init(|| bundle(FALLBACK)))
    }
}

/// Returns the language that a wish like `auto` or `zh` finds.
pub fn language(wish: &str) -> &'static str {
    folder_for(&wanted(wish))
}

fn wanted(wish: &str) -> String {
    match wish {
        "auto" => sys_locale::get_locale().unwrap_or_else(|| FALLBACK.into()),
        wish => wish.to_owned(),
    }
}

/// Returns the words of the windows in a language, then the English ones: the reader takes the
/// first of each.
pub fn ui(language: &str) -> String {
    let file = |folder| {
        LOCALES
            .get_file(format!("{folder}/ui.ftl"))?
            .contents_utf8()
    };
    let fallback = (language != FALLBACK).then_some(FALLBACK);
    let files = [language].into_iter().chain(fallback).filter_map(file);
    files.collect::<Vec<_>>().join("\n")
}

/// Returns the languages there are.
pub fn languages() -> Vec<&'static str> {
    LOCALES
        .dirs()
        .filter_map(|dir| dir.path().file_name()?.to_str())
        .collect()
}

fn format(
    bundle: &FluentBundle<FluentResource>,
    key: &str,
    args: &FluentArgs<'_>,
) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut errors = Vec::new();
    let text = bundle
        .format_pattern(pattern, Some(args), &mut errors)
        .into_owned();
    if !errors.is_empty() {
        tracing::warn!(key, ?errors, "a text does not fit its arguments");
    }
    Some(text)
}

/// Returns the folder of a language: `zh_CN.UTF-8`, `zh-Hans-CN` and `zh` all find `zh-CN`.
fn folder_for(language: &str) -> &'static str {
    let wanted: String = language
        .split('.')
        .next()
        .unwrap_or_default()
        .replace('_', "-");
    let exact = languages()
        .into_iter()
        .find(|name| name.eq_ignore_ascii_case(&wanted));
    let head = |tag: &str| {
        tag.split('-')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    exact
        .or_else(|| {
            languages()
                .into_iter()
                .find(|name| head(name) == head(&wanted))
        })
        .unwrap_or(FALLBACK)
}

fn bundle(folder: &str) -> FluentBundle<FluentResource> {
    let language: LanguageIdentifier = folder.parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![language]);
    // Isolating marks keep a right-to-left name from turning its sentence round, but several
    // notification daemons show them as boxes.
    bundle.set_use_isolating(false);
    for file in LOCALES
        .get_dir(folder)
        .into_iter()
        .flat_map(|dir| dir.files())
    {
        let text = file.contents_utf8().unwrap_or_default().to_owned();
        let resource = FluentResource::try_new(text).unwrap_or_else(|(resource, errors)| {
            tracing::warn!(file = %file.path().display(), ?errors, "a text file has errors");
            resource
        });
        bundle.add_resource_overriding(resource);
    }
    bundle
}

#[cfg(test)]
mod tests;
