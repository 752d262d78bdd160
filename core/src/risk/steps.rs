//! The characters between the words of a command line: blanks, operators, comments and
//! redirections.

/// The meaning of what is before the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The command goes on.
    Word,
    /// The command's output goes to the next one.
    Pipe,
    /// The command is over.
    End,
    /// The command is over, and goes on running beside the next one.
    Beside,
    /// The next word is a file that the command writes to.
    WritesTo,
    /// The next word is no word of the command.
    Reads,
    /// The next word, or what is substituted for it, is the command's input.
    Input,
}

/// Reads blanks, an operator or a comment, and returns its meaning and where it ends; the same
/// place where a word begins.
pub(super) fn step(text: &str, at: usize, end: usize) -> (Step, usize) {
    let rest = &text[at..end];
    let starts = |with: &[&str]| {
        with.iter()
            .find(|it| rest.starts_with(**it))
            .map(|it| it.len())
    };
    // A substitution is part of a word.
    if rest.starts_with("<(") || rest.starts_with(">(") {
        return (Step::Word, at);
    }
    if let Some(long) = starts(&["\\\r\n", "\\\n", " ", "\t"]) {
        return (Step::Word, at + long);
    }
    if rest.starts_with('#') {
        let long = rest.find('\n').unwrap_or(rest.len());
        return (Step::End, at + long);
    }
    if let Some(long) = starts(&["||", "&&", ";;", ";", "\r", "\n", "(", ")"]) {
        return (Step::End, at + long);
    }
    if let Some(long) = starts(&["|&", "|"]) {
        return (Step::Pipe, at + long);
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let Some(redirected) = redirect(text, at, at + digits, end) {
        return redirected;
    }
    if rest.starts_with('&') {
        return (Step::Beside, at + 1);
    }
    (Step::Word, at)
}

fn redirect(text: &str, from: usize, at: usize, end: usize) -> Option<(Step, usize)> {
    let rest = &text[at..end];
    let of = |with: &[&str]| {
        with.iter()
            .find(|it| rest.starts_with(**it))
            .map(|it| it.len())
    };
    if from == at
        && let Some(long) = of(&["&>>", "&>"])
    {
        return Some((Step::WritesTo, at + long));
    }
    if rest.starts_with("<(") || rest.starts_with(">(") {
        return None;
    }
    if let Some(long) = of(&["<<<"]) {
        return Some((Step::Input, at + long));
    }
    // `>& file` writes to a file; a number, or `-`, is no file.
    let of_bash = rest.strip_prefix(">&").map(str::trim_start);
    let is_file = |it: &str| it.starts_with(|c: char| !c.is_ascii_digit() && c != '-' && c != '$');
    if of_bash.is_some_and(is_file) {
        return Some((Step::WritesTo, at + 2));
    }
    if let Some(long) = of(&["<<-", "<<", "<&", ">&"]) {
        return Some((Step::Reads, at + long));
    }
    if let Some(long) = of(&[">>", ">|", "<>", ">"]) {
        return Some((Step::WritesTo, at + long));
    }
    // Only a substitution is read as input; the content of a file is unknown.
    of(&["<"]).map(|long| (Step::Input, at + long))
}
