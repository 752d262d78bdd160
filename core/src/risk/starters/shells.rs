//! Programs that run a script that they are given, or their input: shells, and programs that run
//! their own code.

use super::super::options::{Given, Options};
use super::super::shell::is_shell;
use super::{Language, Run, Starting};
use alloc::string::String;
use alloc::vec::Vec;

const OF_SHELLS: Options = Options {
    flags: "-a -b -c -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T --login --norc \
            --noprofile --posix --private --no-config --interactive",
    values: "-o -O --rcfile --init-file --init-command --command",
    attached: "",
};

/// A program that runs code of its own.
struct Interpreter {
    names: &'static str,
    options: Options,
    /// The options whose value is code.
    code: &'static str,
    /// The options after which it reads no code from its input.
    files: &'static str,
    /// Whether its first operand is code.
    is_operand: bool,
}

const fn interpreter(
    names: &'static str,
    values: &'static str,
    attached: &'static str,
    code: &'static str,
) -> Interpreter {
    Interpreter {
        names,
        options: Options {
            flags: "",
            values,
            attached,
        },
        code,
        files: "",
        is_operand: false,
    }
}

const INTERPRETERS: [Interpreter; 10] = [
    Interpreter {
        files: "m",
        ..interpreter("python python2 python3 pypy3 py", "-c -W -X -m", "", "c")
    },
    interpreter(
        "node nodejs bun tsx ts-node",
        "-e -p -r --eval --print --require --import --input-type",
        "",
        "e p eval print",
    ),
    interpreter("perl", "-e -E", "-i -I -l -0 -x -M -m -F -C -D", "e E"),
    interpreter("ruby", "-e -r -I -C", "-i -x -F -K -E -W -0", "e"),
    interpreter("php", "-r -d -c -f -B -R -F -E", "", "r B R E"),
    interpreter("lua luajit", "-e -l", "", "e"),
    interpreter("osascript rscript", "-e -l", "", "e"),
    Interpreter {
        is_operand: true,
        ..interpreter(
            "awk gawk mawk nawk",
            "-F -v -f --field-separator --assign --file",
            "",
            "",
        )
    },
    interpreter("deno", "", "", ""),
    interpreter("expect", "-c -f", "", "c"),
];

impl<'a> Starting<'a> {
    /// Reads the run if its program is an interpreter, and returns whether it is one.
    pub(super) fn is_interpreter(&mut self, name: &str, run: Run) -> bool {
        match name {
            "powershell" | "pwsh" => self.powershell(run),
            "cmd" => self.cmd(run),
            _ if is_shell(name) => self.shell(run),
            _ => {
                let version = |c: char| c.is_ascii_digit() || c == '.';
                let short = name.trim_end_matches(version);
                let is_one = |it: &&Interpreter| {
                    let mut names = it.names.split(' ');
                    names.any(|it| it == name || it == short && !short.is_empty())
                };
                let Some(found) = INTERPRETERS.iter().find(is_one) else {
                    return false;
                };
                self.interpreter(found, run);
            }
        }
        true
    }

    /// Reads a run of a Unix shell: its script, a file, or its input.
    fn shell(&mut self, run: Run) {
        self.push(run);
        let (operand, given) = self.own_options(OF_SHELLS, run);
        let long = given.iter().rfind(|option| option.name == "command");
        if let Some((at, skip)) = long.and_then(|option| option.value) {
            self.runs_script(run, at, skip);
            return;
        }
        let has = |letter: &str| given.iter().any(|option| option.is_short(letter));
        let text = self.text(operand);
        match operand < run.to {
            true if has("c") => self.runs_script(run, operand, 0),
            // The script is among the words that are unknown.
            false if has("c") && run.many => {
                self.reading.unseen.push(run.from..run.to);
            }
            false if has("c") => {}
            _ if operand >= run.to || has("s") || text == "-" => {
                self.reading.input.get_or_insert(run.from);
            }
            _ => self.runs_file(run, operand),
        }
    }

    fn runs_script(&mut self, run: Run, at: usize, skip: usize) {
        self.reading.takes.push((at, run.from));
        self.read_script(at, at + 1, skip, Language::Posix);
    }

    /// Reads a script's file. If the file is the output of another command, that output is the
    /// script; the name of the input stands for the input.
    fn runs_file(&mut self, run: Run, at: usize) {
        const INPUTS: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
        if at >= run.to {
            return;
        }
        if INPUTS.contains(&self.text(at)) {
            self.reading.input.get_or_insert(run.from);
            return;
        }
        self.reading.files.push((at, run.from));
        let said = self.words.get(at).and_then(|word| word.said);
        if said.is_some_and(|said| said.as_file) {
            self.reading.takes.push((at, run.from));
        }
    }

    /// Returns where the first word after its own options is, and those options.
    fn own_options(&self, options: Options, run: Run) -> (usize, Vec<Given<'a>>) {
        let words = self.words;
        let (mut at, mut given) = (run.from + 1, Vec::new());
        while at < run.to {
            let text = self.text(at);
            if text == "--" {
                at += 1;
                break;
            }
            let next = options.read(&words[..run.to], at, &mut given);
            at = match next {
                Some(next) => next,
                // `+o name` and the like are options too.
                None if text.starts_with('+') => at + 1 + usize::from(text.ends_with('o')),
                None => break,
            };
        }
        (at, given)
    }

    pub(super) fn evaluates(&mut self, run: Run) {
        self.push(run);
        if run.from + 1 >= run.to {
            self.reading.input = Some(run.from);
            return;
        }
        self.reading.takes.push((run.from + 1, run.from));
        self.read_script(run.from + 1, run.to, 0, self.language);
    }

    pub(super) fn sources(&mut self, run: Run) {
        self.push(run);
        self.runs_file(run, run.from + 1);
    }

    fn interpreter(&mut self, of: &'static Interpreter, run: Run) {
        self.push(run);
        let (operand, given) = self.own_options(of.options, run);
        let is_in = |options: &str, name: &str| options.split(' ').any(|option| option == name);
        let is_code = |it: &&Given<'_>| is_in(of.code, it.name);
        let code: Vec<_> = given.iter().filter(is_code).map(|it| it.value).collect();
        let has_file = given.iter().any(|option| is_in(of.files, option.name));
        for (at, skip) in code.iter().copied().flatten() {
            self.runs_code(run, at, skip);
        }
        match self.text(operand) {
            _ if !code.is_empty() || has_file => {}
            "eval" if operand + 1 < run.to => self.runs_code(run, operand + 1, 0),
            _ if of.is_operand => self.runs_code(run, operand, 0),
            "" | "-" => {
                self.reading.input.get_or_insert(run.from);
            }
            _ => self.runs_file(run, operand),
        }
    }

    fn runs_code(&mut self, run: Run, at: usize, skip: usize) {
        if at >= run.to {
            return;
        }
        // AppleScript asks for the rights of an administrator in words.
        if self.text(at).contains("with administrator privileges") {
            self.reading.admins.push(at);
        }
        self.reading.code.push(at);
        self.reading.takes.push((at, run.from));
        self.read_script(at, at + 1, skip, Language::Code);
    }

    fn powershell(&mut self, run: Run) {
        const WITH_VALUES: [&str; 10] = [
            "executionpolicy",
            "windowstyle",
            "inputformat",
            "outputformat",
            "version",
            "psconsolefile",
            "configurationname",
            "workingdirectory",
            "custompipename",
            "settingsfile",
        ];
        self.push(run);
        let mut at = run.from + 1;
        while at < run.to {
            let text = self.text(at).to_ascii_lowercase();
            let Some(name) = text.strip_prefix(['-', '/']).filter(|it| !it.is_empty()) else {
                break;
            };
            let is = |full: &str| full.starts_with(name);
            at += 1;
            if is("command") || name == "commandwithargs" || name == "cwa" {
                break;
            }
            if is("encodedcommand") || name == "ec" {
                self.reading.unseen.push(run.from..at);
                return;
            }
            if is("file") {
                return;
            }
            let has_value = WITH_VALUES.iter().any(|full| is(full));
            at += usize::from(has_value || matches!(name, "ep" | "wd" | "if" | "of"));
        }
        let first = self.text(at);
        if at >= run.to || first == "-" {
            self.reading.input.get_or_insert(run.from);
        } else if !first.to_ascii_lowercase().ends_with(".ps1") {
            self.reading.takes.push((at, run.from));
            self.read_script(at, run.to, 0, Language::Windows);
        }
    }

    /// Reads a run of `cmd /c …`, also of `//c`, as a Unix shell on Windows writes it, and of
    /// `/cdel …`.
    fn cmd(&mut self, run: Run) {
        self.push(run);
        let switch = |at: usize| -> Option<String> {
            let text = self.text(at).to_ascii_lowercase();
            Some(text.strip_prefix('/')?.trim_start_matches('/').into())
        };
        let mut at = run.from + 1;
        while let Some(name) = switch(at).filter(|_| at < run.to) {
            if name.starts_with(['c', 'k', 'r']) {
                let skip = self.text(at).len() - name.len() + 1;
                let (from, skip) = if name.len() == 1 {
                    (at + 1, 0)
                } else {
                    (at, skip)
                };
                self.reading.takes.push((from, run.from));
                self.read_script(from, run.to, skip, Language::Windows);
                return;
            }
            at += 1;
        }
        if at < run.to {
            // `cmd` may be any starter.
            self.open(at, run);
        } else {
            self.reading.input.get_or_insert(run.from);
        }
    }
}
