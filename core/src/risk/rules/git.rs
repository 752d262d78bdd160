//! Git commands that throw away what others have, or what nobody else has.

use super::super::options::{Arguments, Options};
use super::super::shell::Word;
use super::Called;

/// Git's own options, before its verb.
const OF_GIT: Options = Options {
    flags: "-p -P -h -v --paginate --no-pager --bare --no-replace-objects --literal-pathspecs \
            --no-optional-locks --no-lazy-fetch --no-advice --html-path --man-path",
    values: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source",
    attached: "",
};

/// Returns the options of a verb that have a value.
fn options(verb: &str) -> Options {
    let values = match verb {
        "push" => "-o --push-option --repo --receive-pack --exec",
        "clean" => "-e --exclude",
        "checkout" => "-b -B --orphan --conflict --pathspec-from-file",
        "restore" => "-s --source --conflict --pathspec-from-file",
        "switch" => "-c -C --create --force-create --orphan --conflict",
        "branch" => "-u --set-upstream-to --sort --points-at --format --contains --merged",
        "reset" => "--pathspec-from-file",
        "reflog" | "gc" => "--expire --expire-unreachable --prune",
        _ => "",
    };
    let flags = match verb {
        "checkout" => {
            "-f -m -p -q -t -d -l --force --merge --patch --track --detach --ours --theirs"
        }
        "gc" => "--prune",
        _ => "",
    };
    Options {
        flags,
        values,
        attached: "",
    }
}

/// A verb of git, and what it is given. Places count from git's own name.
struct Verb<'a> {
    name: &'a str,
    at: usize,
    given: Arguments<'a>,
    words: &'a [Word],
}

/// Returns the last word that makes git throw away what others have, or what nobody else has.
pub(super) fn rewrites(called: &Called<'_>) -> Option<usize> {
    let verb = verb(called)?;
    if verb.is_rehearsal() {
        return None;
    }
    match verb.name {
        "push" => verb.pushes(),
        "subtree" if verb.operand(|text| text == "push").is_some() => verb.pushes(),
        "reset" => {
            let long = |name| verb.given.last(|it| it.is_long(name));
            long("hard").or(long("merge"))
        }
        "checkout" => verb.checks_out(),
        "restore" => verb.restores(),
        "switch" => verb
            .given
            .last(|it| it.is_short("f") || it.is_long("force") || it.is_long("discard-changes")),
        "stash" => verb.operand(|text| matches!(text, "clear" | "drop")),
        "branch" => verb.deletes_branch(),
        "worktree" => verb.forced("remove"),
        "submodule" => verb.forced("deinit"),
        "update-ref" => verb.given.last(|it| it.is_short("d")),
        "reflog" => verb.operand(|text| matches!(text, "expire" | "delete")),
        "gc" => verb
            .given
            .last(|it| it.name == "prune" && it.value.is_some()),
        "filter-branch" | "filter-repo" => Some(verb.at),
        _ => None,
    }
}

/// Returns the last word of a push that may force, which is only known when it runs. A variable
/// that is named after a branch or a remote is taken for one, and so is git's own output.
pub(super) fn unseen_pushes(called: &Called<'_>, is_git: impl Fn(usize) -> bool) -> Option<usize> {
    let verb = verb(called).filter(|verb| verb.name == "push")?;
    let mut operands = verb.given.operands.iter().rev().copied();
    operands.find(|at| {
        let word = &verb.words[*at];
        match word.said {
            Some(said) => !is_git(said.list),
            None => is_option_like(word.text()),
        }
    })
}

/// Whether a variable looks like one that holds options: `$FLAGS`, `${PUSH_OPTS}`, `$@`.
fn is_option_like(text: &str) -> bool {
    const NAMES: [&str; 7] = ["flag", "opt", "arg", "force", "extra", "param", "switch"];
    let Some(variable) = text.strip_prefix('$') else {
        return false;
    };
    let name = variable.to_ascii_lowercase();
    name.starts_with(['@', '*', '{']) && name.trim_matches(['{', '}']).starts_with(['@', '*'])
        || NAMES.iter().any(|part| name.contains(part))
}

/// Returns the last word that makes git delete files.
pub(super) fn deletes(called: &Called<'_>) -> Option<usize> {
    let verb = verb(called)?;
    let given = &verb.given;
    let forced = given.last(|it| it.is_short("f") || it.is_long("force"));
    let is_kept = given.has(|it| it.is_long("cached"));
    match verb.name {
        "clean" => forced.filter(|_| !verb.is_rehearsal()),
        "rm" => forced.filter(|_| !verb.is_rehearsal() && !is_kept),
        _ => None,
    }
}

fn verb<'a>(called: &Called<'a>) -> Option<Verb<'a>> {
    if called.name != "git" {
        return None;
    }
    let (words, mut at) = (called.words, 1);
    let mut own = alloc::vec::Vec::new();
    while let Some(next) = OF_GIT.read(words, at, &mut own) {
        at = next;
    }
    let name = words.get(at)?.text();
    Some(Verb {
        name,
        at,
        given: options(name).of(words, at + 1),
        words,
    })
}

impl Verb<'_> {
    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", Word::text)
    }

    /// Whether it only says what it would do.
    fn is_rehearsal(&self) -> bool {
        let knows = matches!(self.name, "push" | "clean" | "rm");
        let asks = |short| {
            self.given
                .has(|it| it.is_short(short) || it.is_long("dry-run"))
        };
        knows && asks("n")
    }

    fn operand(&self, is_one: impl Fn(&str) -> bool) -> Option<usize> {
        let first = self.given.operands.first().copied();
        first.filter(|at| is_one(self.text(*at)))
    }

    fn forced(&self, verb: &str) -> Option<usize> {
        self.operand(|text| text == verb)?;
        self.given
            .last(|it| it.is_short("f") || it.is_long("force"))
    }

    fn pushes(&self) -> Option<usize> {
        let option = self.given.last(|it| {
            let with_lease = it.name.starts_with("force-with-lease");
            let long = ["force", "mirror", "delete", "prune"];
            it.is_short("fd") || with_lease || long.iter().any(|name| it.is_long(name))
        });
        let is_refspec =
            |text: &str| text.starts_with('+') || text.starts_with(':') && text.len() > 1;
        let mut operands = self.given.operands.iter().rev().copied();
        let refspec = operands.find(|at| is_refspec(self.text(*at)));
        option.max(refspec)
    }

    /// Returns the last word of a checkout that names files, or all of them: changes that were not
    /// committed are lost.
    fn checks_out(&self) -> Option<usize> {
        let given = &self.given;
        if let Some(forced) = given.last(|it| it.is_short("f") || it.is_long("force")) {
            return Some(forced);
        }
        let begins = given.has(|it| it.is_short("bB") || it.is_long("orphan"));
        if given.has(|it| it.is_short("p") || it.is_long("patch")) || begins {
            return None;
        }
        let last = given.operands.last().copied()?;
        let is_file = |at: &usize| matches!(self.text(*at), "." | "./" | ":/" | "*");
        let has_files = given.operands.len() > given.before_dashes
            || given.operands.iter().any(is_file)
            // Several operands are a commit, and files of it.
            || given.operands.len() > 1 && !given.has(|it| it.is_short("t") || it.is_long("track"));
        has_files.then_some(last)
    }

    fn restores(&self) -> Option<usize> {
        let given = &self.given;
        let has = |short, long| given.has(|it| it.is_short(short) || it.is_long(long));
        let keeps = has("S", "staged") && !has("W", "worktree");
        let is_asked = keeps || has("p", "patch") || has("h", "help");
        let last = given.operands.last().copied();
        let from_file = || given.last(|it| it.is_long("pathspec-from-file"));
        last.or_else(from_file).filter(|_| !is_asked)
    }

    fn deletes_branch(&self) -> Option<usize> {
        let given = &self.given;
        let forced = given.last(|it| it.is_short("f") || it.is_long("force"));
        let deletes = given.last(|it| it.is_short("d") || it.is_long("delete"));
        let both = forced.and(deletes).map(|at| forced.unwrap_or(at).max(at));
        both.or_else(|| given.last(|it| it.is_short("D")))
    }
}
