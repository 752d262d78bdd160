//! A team's routes: which asks each is for, and what it says of them.

use super::{Approvals, Who};
use crate::{Ask, AskContent, UnknownShape};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The people who see and decide the asks of some projects, kinds and severity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The projects that it is for; all where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<ProjectPattern>,
    /// The kinds of ask; all where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<AskKind>,
    /// The danger that it is for.
    #[serde(default)]
    pub severity: RouteSeverity,
    /// The people who may decide besides the one who started the ask.
    #[serde(default)]
    pub answerers: Vec<Who>,
    /// The people who may only see it.
    #[serde(default)]
    pub audience: Vec<Who>,
    /// The minutes for which the one who started the ask decides alone.
    #[serde(default)]
    pub others_after: u32,
    /// Whether the person who started it may decide at all.
    #[serde(default = "yes")]
    pub self_approval: bool,
    /// The number of people who must agree.
    #[serde(default)]
    pub approve: Approvals,
}

fn yes() -> bool {
    true
}

/// The kinds of ask that routes tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// A question set.
    Question,
    /// A permission.
    Permission,
    /// Continue or cancel.
    Confirm,
}

/// The danger of what a route is for, as [`crate::risk`] knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteSeverity {
    /// Any ask, whatever it is.
    #[default]
    Any,
    /// Dangerous beyond doubt.
    Dangerous,
}

/// A project's name; `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectPattern(String);

/// No project can have that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no project: it takes a folder's name, in which * stands for anything")]
pub struct NoPattern(String);

impl TryFrom<String> for ProjectPattern {
    type Error = NoPattern;

    fn try_from(text: String) -> Result<Self, NoPattern> {
        let is_name = !text.is_empty() && !text.contains(['/', '\\']);
        if is_name {
            Ok(Self(text))
        } else {
            Err(NoPattern(text))
        }
    }
}

impl From<ProjectPattern> for String {
    fn from(pattern: ProjectPattern) -> Self {
        pattern.0
    }
}

impl ProjectPattern {
    fn fits(&self, project: &str) -> bool {
        let Some((start, rest)) = self.0.split_once('*') else {
            return self.0 == project;
        };
        let Some(mut left) = project.strip_prefix(start) else {
            return false;
        };
        let (between, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        for part in between.split('*') {
            let Some(at) = left.find(part) else {
                return false;
            };
            left = &left[at + part.len()..];
        }
        left.ends_with(end)
    }
}

impl AskKind {
    fn of(ask: &Ask) -> Self {
        match &ask.kind {
            AskContent::Questions(_) => Self::Question,
            AskContent::Permission(_) => Self::Permission,
            AskContent::Confirm(_) => Self::Confirm,
            AskContent::Unknown(unknown) => match unknown.asked {
                UnknownShape::Question => Self::Question,
                UnknownShape::Permission => Self::Permission,
            },
        }
    }
}

impl Route {
    /// Whether it is for asks of that kind and danger, in whatever project.
    pub(super) fn fits_content(&self, ask: &Ask, is_dangerous: impl Fn() -> bool) -> bool {
        let is_kind = self.kinds.is_empty() || self.kinds.contains(&AskKind::of(ask));
        is_kind && (self.severity == RouteSeverity::Any || is_dangerous())
    }

    /// Whether it is for that folder.
    pub(super) fn fits_folder(&self, folder: &str) -> bool {
        self.projects.is_empty() || self.projects.iter().any(|it| it.fits(folder))
    }

    /// Whether it is for all projects there are.
    pub(super) fn is_general(&self) -> bool {
        let is_all = |pattern: &ProjectPattern| pattern.0.bytes().all(|byte| byte == b'*');
        self.projects.is_empty() || self.projects.iter().any(is_all)
    }

    /// Returns how much it forbids, to be compared: the one who started the ask must not decide,
    /// and two must agree.
    pub(super) fn strictness(&self) -> (bool, Approvals) {
        (!self.self_approval, self.approve)
    }

    /// Returns the rotas that it names.
    pub(super) fn rotas(&self) -> impl Iterator<Item = &str> {
        self.answerers
            .iter()
            .chain(&self.audience)
            .filter_map(|who| match who {
                Who::OnDuty(rota) => Some(rota.as_str()),
                Who::Everyone | Who::Person(_) | Who::Role(_) => None,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, project: &str) -> bool {
        ProjectPattern::try_from(String::from(pattern))
            .unwrap()
            .fits(project)
    }

    #[test]
    fn a_star_stands_for_anything_and_all_else_for_itself() {
        for (pattern, project) in [
            ("shop-api", "shop-api"),
            ("*", ""),
            ("shop-*", "shop-"),
            ("*-api", "shop-api"),
            ("s*p*i", "shop-api"),
            ("a*a", "aa"),
            ("**", "x"),
        ] {
            assert!(fits(pattern, project), "{pattern} {project}");
        }
        for (pattern, project) in [
            ("shop", "shop-api"),
            ("shop-*", "Shop-api"),
            ("a*a", "a"),
            ("*b*c", "cb"),
            ("x*", ""),
        ] {
            assert!(!fits(pattern, project), "{pattern} {project}");
        }
    }
}
