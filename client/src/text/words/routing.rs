//! The words for the rules of a team, each in a line: what it is for, who decides and who sees.

use crate::text::{Texts, Value};
use crate::wire;
use beckon_core::Timestamp;
use beckon_core::hub::team::{Approvals, Rota, Route, RouteSeverity, Shift, Team, WeekMinute, Who};

/// Says what a route is for, and what it rules.
pub fn route(texts: &Texts, route: &Route) -> (String, String) {
    let args = [
        (
            "projects",
            Value::from(written(
                texts,
                route.projects.iter().cloned().map(String::from),
            )),
        ),
        ("kinds", kinds(texts, route).into()),
    ];
    let scope = texts.with("hub-routes-scope", &args);
    (
        scope,
        parts(texts, route).join(&texts.get("hub-routes-comma")),
    )
}

/// Says which people the words of a route mean at `now`; `None` if it names its people itself.
pub fn route_now(texts: &Texts, team: &Team, route: &Route, now: Timestamp) -> Option<String> {
    let is_named = |who: &Who| matches!(who, Who::Person(_));
    if route.answerers.iter().all(is_named) {
        return None;
    }
    let names: Vec<String> = team.meant_by(route, now).collect();
    Some(if names.is_empty() {
        texts.get("hub-routes-now-nobody")
    } else {
        texts.with(
            "hub-routes-now",
            &[("names", Value::from(names.join(", ")))],
        )
    })
}

/// Says who somebody of a team is: their roles, when they are on duty, and whether they are at
/// `now`.
pub fn member(texts: &Texts, team: &Team, name: &str, now: Timestamp) -> String {
    let roles = team
        .people
        .get(name)
        .map(|person| person.roles.iter().cloned().collect());
    let mut notes: Vec<String> = roles.unwrap_or_default();
    notes.extend(shifts(texts, &team.rota, name));
    let duty = |rota: &str| texts.with("hub-on-duty", &[("rota", Value::from(rota.to_owned()))]);
    notes.extend(team.rota.duties(name, now).map(duty));
    if notes.is_empty() {
        return name.to_owned();
    }
    let args = [
        ("device", Value::from(name.to_owned())),
        ("notes", notes.join(" · ").into()),
    ];
    texts.with("hub-people-line", &args)
}

/// Says when a person is on duty, each shift in a line.
pub fn shifts(texts: &Texts, rota: &Rota, person: &str) -> Vec<String> {
    let theirs = rota.shifts.iter().filter(|shift| shift.person == person);
    theirs.map(|shift| shift_line(texts, rota, shift)).collect()
}

fn shift_line(texts: &Texts, rota: &Rota, shift: &Shift) -> String {
    let args = [
        ("rota", Value::from(shift.rota.clone())),
        ("from", at(texts, shift.from).into()),
        ("to", at(texts, shift.to).into()),
        ("zone", zone(rota.utc_offset).into()),
    ];
    texts.with("hub-shift", &args)
}

/// Returns the time zone of a rota.
fn zone(offset: i16) -> String {
    let (hours, minutes) = (offset.unsigned_abs() / 60, offset.unsigned_abs() % 60);
    let sign = if offset < 0 { '-' } else { '+' };
    match (hours, minutes) {
        (0, 0) => "UTC".into(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

fn at(texts: &Texts, minute: WeekMinute) -> String {
    let written = String::from(minute);
    let (day, time) = written.split_once(' ').unwrap_or(("", &written));
    let args = [
        ("kind", Value::from(day.to_owned())),
        ("time", time.to_owned().into()),
    ];
    texts.with("hub-shift-at", &args)
}

fn written(texts: &Texts, names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        texts.get("hub-routes-all")
    } else {
        names.join(", ")
    }
}

fn kinds(texts: &Texts, route: &Route) -> String {
    let kind = |kind| {
        texts.with(
            "hub-routes-kind",
            &[("kind", Value::from(wire::word(kind)))],
        )
    };
    let kinds = if route.kinds.is_empty() {
        texts.get("hub-routes-kinds-all")
    } else {
        written(texts, route.kinds.iter().map(kind))
    };
    match route.severity {
        RouteSeverity::Any => kinds,
        RouteSeverity::Dangerous => texts.with("hub-routes-dangerous", &[("kinds", kinds.into())]),
    }
}

/// Says who decides, who sees, and whether two must agree.
fn parts(texts: &Texts, route: &Route) -> Vec<String> {
    let names = |who: &[Who]| written(texts, who.iter().map(|who| named(texts, who)));
    let own = if route.self_approval {
        "hub-routes-starter"
    } else {
        "hub-routes-not-starter"
    };
    let others = || {
        let minutes = usize::try_from(route.others_after).unwrap_or(usize::MAX);
        let args = [
            ("minutes", Value::from(minutes)),
            ("who", names(&route.answerers).into()),
        ];
        texts.with("hub-routes-others", &args)
    };
    let seen = || texts.with("hub-routes-seen", &[("who", names(&route.audience).into())]);
    let mut parts = vec![texts.get(own)];
    parts.extend((!route.answerers.is_empty()).then(others));
    parts.extend((!route.audience.is_empty()).then(seen));
    parts.extend((route.approve == Approvals::Two).then(|| texts.get("hub-routes-two")));
    parts
}

fn named(texts: &Texts, who: &Who) -> String {
    let with = |key: &str, name: &str| texts.with(key, &[("name", Value::from(name.to_owned()))]);
    match who {
        Who::Everyone => texts.get("hub-who-everyone"),
        Who::Person(name) => name.clone(),
        Who::Role(role) => with("hub-who-role", role),
        Who::OnDuty(rota) => with("hub-who-on-duty", rota),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(language: &str, rules: &str) -> String {
        let (scope, rule) = route(
            &Texts::load(language),
            &serde_json::from_str(rules).unwrap(),
        );
        format!("{scope}: {rule}")
    }

    const ALL: &str = r#"{"projects":["shop-*"],"kinds":["permission"],"severity":"dangerous",
        "answerers":["role:lead","Ben"],"audience":["everyone"],"others_after":10,
        "self_approval":false,"approve":2}"#;

    #[test]
    fn a_route_is_told_in_a_line() {
        assert_eq!(
            said("en", "{}"),
            "all projects · everything: whoever started it"
        );
        let told = "shop-* · permissions (dangerous): not whoever started it; after 10 minutes \
                    anyone with the role lead, Ben; seen by everyone; two must agree";
        assert_eq!(said("en", ALL), told);
        assert!(
            said("zh-CN", ALL).starts_with("shop-* · 授权（危险）"),
            "{}",
            said("zh-CN", ALL)
        );
    }

    #[test]
    fn a_shift_is_told_with_its_days_and_the_time_it_goes_by() {
        let table = r#"{"utc_offset":330,"shifts":[
            {"rota":"nights","person":"Cleo","from":"mon 22:00","to":"tue 06:00"},
            {"rota":"nights","person":"Ben","from":"tue 22:00","to":"wed 06:00"}]}"#;
        let rota: Rota = serde_json::from_str(table).unwrap();
        let said = |language: &str| shifts(&Texts::load(language), &rota, "Cleo");
        assert_eq!(said("en"), ["nights, Mon 22:00 to Tue 06:00 (UTC+5:30)"]);
        assert_eq!(
            said("zh-CN"),
            ["nights，周一 22:00 至周二 06:00（UTC+5:30）"]
        );
        assert_eq!([0, -120, 60].map(zone), ["UTC", "UTC-2", "UTC+1"]);
    }

    #[test]
    fn who_is_meant_and_who_is_on_duty_is_told_of_the_moment() {
        let rules = r#"{"people":{"Ada":{"roles":["lead"]},"Ben":{},"Cleo":{}},
            "routes":[{"answerers":["rota:nights"]},{"answerers":["role:lead","Ben"]},
                      {"answerers":["Ben"]},{}],
            "rota":{"shifts":[
                {"rota":"nights","person":"Cleo","from":"mon 22:00","to":"tue 06:00"}]}}"#;
        let team: Team = serde_json::from_str(rules).unwrap();
        let texts = Texts::load("en");
        // 1970 began on a Thursday.
        let monday = |hour: i64| Timestamp((4 * 24 + hour) * 3_600_000);
        let now = |hour| {
            let routes = team.routes.iter();
            let said = routes.map(|route| route_now(&texts, &team, route, monday(hour)));
            said.collect::<Vec<_>>()
        };
        let leads = Some("at the moment: Ada, Ben".to_owned());
        let night = [
            Some("at the moment: Cleo".into()),
            leads.clone(),
            None,
            None,
        ];
        assert_eq!(now(23), night);
        assert_eq!(
            now(12),
            [Some("at the moment: nobody".into()), leads, None, None]
        );
        let member = |name, hour| member(&texts, &team, name, monday(hour));
        assert_eq!(member("Ada", 23), "Ada: lead");
        assert_eq!(member("Ben", 23), "Ben");
        let shift = "Cleo: nights, Mon 22:00 to Tue 06:00 (UTC)";
        assert_eq!(member("Cleo", 12), shift);
        assert_eq!(
            member("Cleo", 23),
            format!("{shift} · on duty now (nights)")
        );
    }
}
