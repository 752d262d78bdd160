//! The reader of a file of rules: all of it or nothing. An unknown key is a typing error, and would
//! leave out what somebody relies on. In a record on the hub, which a later Beckon may have
//! written, it is ignored instead.

use beckon_client::text::{Texts, Value as Text};
use beckon_core::hub::team::{Team, TeamFault};
use serde_json::Value;
use std::path::Path;

/// The keys of rules, for a suggestion when one is mistyped.
const KEYS: [&str; 17] = [
    "people",
    "routes",
    "rota",
    "roles",
    "projects",
    "kinds",
    "severity",
    "answerers",
    "audience",
    "others_after",
    "self_approval",
    "approve",
    "utc_offset",
    "shifts",
    "person",
    "from",
    "to",
];

/// The most letters in which a mistyped key differs from the right one.
const ALIKE: usize = 2;

/// A reason why a file can't be used, with what is needed to say it.
#[derive(Debug)]
enum Fault {
    /// The file or its JSON can't be read; in the words of the system or the reader.
    Unread(String),
    /// The rules, or the part of them at this path, are no table.
    NoTable(String),
    /// The file has no routes.
    NoRoutes,
    /// A key is unknown.
    Key(String),
    /// The rules make no sense.
    Unsound(TeamFault),
}

/// Reads the rules of that file.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn read(texts: &Texts, file: &Path) -> Result<Team, String> {
    let text = std::fs::read_to_string(file).map_err(|error| Fault::Unread(error.to_string()));
    text.and_then(|text| parse(&text)).map_err(|fault| {
        let file = Text::from(file.display().to_string());
        let reason = Text::from(fault.words(texts));
        texts.with("hub-routes-unread", &[("file", file), ("reason", reason)])
    })
}

fn parse(text: &str) -> Result<Team, Fault> {
    let unread = |error: serde_json::Error| Fault::Unread(error.to_string());
    let value: Value = serde_json::from_str(text).map_err(unread)?;
    check_tables(&value)?;
    let mut unknown = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(text);
    let team: Team = serde_ignored::deserialize(&mut reader, |key| unknown.push(key.to_string()))
        .map_err(unread)?;
    if let Some(key) = unknown.into_iter().next() {
        return Err(Fault::Key(key));
    }
    if value.get("routes").is_none() {
        return Err(Fault::NoRoutes);
    }
    team.check().map_err(Fault::Unsound)?;
    Ok(team)
}

/// Checks that tables are tables: a list would be read in the place of a table, by the order of its
/// items.
fn check_tables(rules: &Value) -> Result<(), Fault> {
    let in_list = |list: &Value, at: &str| -> Result<(), Fault> {
        let mut items = list.as_array().into_iter().flatten().enumerate();
        items.try_for_each(|(number, it)| is_table(it, format!("{at}.{number}")))
    };
    is_table(rules, String::new())?;
    for (name, person) in rules["people"].as_object().into_iter().flatten() {
        is_table(person, format!("people.{name}"))?;
    }
    in_list(&rules["routes"], "routes")?;
    if let Some(rota) = rules.get("rota") {
        is_table(rota, "rota".into())?;
    }
    in_list(&rules["rota"]["shifts"], "rota.shifts")
}

fn is_table(value: &Value, at: String) -> Result<(), Fault> {
    if value.is_object() {
        Ok(())
    } else {
        Err(Fault::NoTable(at))
    }
}

impl Fault {
    fn words(self, texts: &Texts) -> String {
        let say = |key: &str, args: &[(&str, Text)]| texts.with(key, args);
        match self {
            Self::Unread(why) => why,
            Self::NoTable(at) if at.is_empty() => texts.get("hub-routes-no-table"),
            Self::NoTable(at) => say("hub-routes-no-table-at", &[("at", at.into())]),
            Self::NoRoutes => texts.get("hub-routes-missing"),
            Self::Key(key) => match nearest(&key) {
                Some(near) => say(
                    "hub-routes-key-near",
                    &[("key", key.into()), ("near", near.into())],
                ),
                None => say("hub-routes-key", &[("key", key.into())]),
            },
            Self::Unsound(TeamFault::Offset(minutes)) => say(
                "hub-routes-offset",
                &[("minutes", minutes.to_string().into())],
            ),
            Self::Unsound(TeamFault::NoShift { person, at }) => say(
                "hub-routes-no-shift",
                &[("person", person.into()), ("at", at.into())],
            ),
            Self::Unsound(TeamFault::Name(name)) => say("hub-no-name", &[("name", name.into())]),
        }
    }
}

/// Returns the key that was meant, if that can be told.
fn nearest(path: &str) -> Option<&'static str> {
    let typed = path.rsplit('.').next().unwrap_or(path);
    let near = KEYS.iter().map(|key| (distance(typed, key), *key)).min()?;
    (near.0 <= ALIKE && near.0 < typed.len()).then_some(near.1)
}

/// Returns how many letters are to be inserted, removed or replaced.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (at, typed) in from.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], at + 1);
        for (column, meant) in to.chars().enumerate() {
            let replaced = corner + usize::from(typed != meant);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text).unwrap_err().words(&Texts::load("en"))
    }

    #[test]
    fn a_key_that_nobody_knows_is_named_wherever_it_stands_and_so_is_what_was_meant() {
        for (text, key, near) in [
            (r#"{"route":[]}"#, "route", "routes"),
            (
                r#"{"routes":[{"self_aproval":false}]}"#,
                "routes.0.self_aproval",
                "self_approval",
            ),
            (
                r#"{"routes":[{},{"aprove":2}]}"#,
                "routes.1.aprove",
                "approve",
            ),
            (
                r#"{"routes":[{"project":["x"]}]}"#,
                "routes.0.project",
                "projects",
            ),
            (
                r#"{"routes":[],"people":{"Ada":{"rolls":[]}}}"#,
                "people.Ada.rolls",
                "roles",
            ),
            (r#"{"routes":[],"rota":{"offset":60}}"#, "rota.offset", ""),
        ] {
            let said = fault(text);
            assert!(said.contains(&format!("“{key}”")), "{said}");
            assert_eq!(
                said.contains(&format!("“{near}”")),
                !near.is_empty(),
                "{said}"
            );
        }
    }

    #[test]
    fn a_list_is_no_table_and_rules_that_say_nothing_of_routes_are_none() {
        for text in ["[]", "null", "7"] {
            assert!(fault(text).contains("isn't a table"), "{text}");
        }
        assert!(fault(r#"{"routes":[[]]}"#).contains("“routes.0” isn't"));
        assert!(fault(r#"{"routes":[],"people":{"Ada":[["lead"]]}}"#).contains("“people.Ada”"));
        assert!(fault(r#"{"routes":[],"rota":[60]}"#).contains("“rota”"));
        assert!(fault("{}").contains("routes"), "{}", fault("{}"));
        assert_eq!(parse(r#"{"routes":[]}"#).unwrap(), Team::default());
    }

    #[test]
    fn what_nobody_can_have_meant_is_refused() {
        let rota = |rota: &str| fault(&format!(r#"{{"routes":[],"rota":{rota}}}"#));
        assert!(rota(r#"{"utc_offset":841}"#).contains("841"));
        let shift =
            r#"{"shifts":[{"rota":"n","person":"Ada","from":"mon 08:00","to":"mon 08:00"}]}"#;
        assert!(rota(shift).contains("mon 08:00"), "{}", rota(shift));
        for name in ["", " ", "everyone", "role:lead", "rota:nights"] {
            let said = fault(&format!(r#"{{"routes":[],"people":{{"{name}":{{}}}}}}"#));
            assert!(said.contains(&format!("“{name}”")), "{said}");
        }
        let furthest = r#"{"routes":[],"rota":{"utc_offset":-840}}"#;
        assert_eq!(parse(furthest).unwrap().rota.utc_offset, -840);
    }

    #[test]
    fn every_key_of_the_rules_is_known() {
        let all = r#"{"people":{"Ada":{"roles":["lead"]}},"routes":[{"projects":["x"],
            "kinds":["question"],"severity":"any","answerers":["Ada"],"audience":["Ada"],
            "others_after":1,"self_approval":true,"approve":2}],"rota":{"utc_offset":0,
            "shifts":[{"rota":"n","person":"Ada","from":"mon 08:00","to":"mon 09:00"}]}}"#;
        let written = serde_json::to_string(&parse(all).unwrap()).unwrap();
        for key in KEYS {
            assert!(written.contains(&format!("\"{key}\":")), "{key}");
        }
        assert_eq!(written.matches("\":").count(), KEYS.len() + 2, "{written}");
    }
}
