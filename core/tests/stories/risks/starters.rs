//! Stories of programs that start another one: they hide nothing of it. Commands behind up to three
//! starters, with the options these have, keep their marks.

use super::marks;
use beckon_core::risk::Risk;

/// The dangerous commands, each with its risk.
const DANGEROUS: [(&str, Risk); 12] = [
    ("rm -rf x", Risk::Deletes),
    ("rm --force x", Risk::Deletes),
    ("git clean -fdx -enode_modules", Risk::Deletes),
    ("find . -name n -delete", Risk::Deletes),
    ("find . -exec env -u A rm {} +", Risk::Deletes),
    ("dd if=x of=/dev/sda", Risk::Deletes),
    ("git push -f -oci.skip-next", Risk::Rewrites),
    ("git -C x reset --hard", Risk::Rewrites),
    ("git checkout -- .", Risk::Rewrites),
    ("git branch -D n", Risk::Rewrites),
    ("tee ../n", Risk::Outside),
    ("chmod -R 777 /etc", Risk::Outside),
];

/// The starters whose following words are a command.
const BEFORE: [&str; 36] = [
    "sudo -n -u root",
    "sudo --preserve-env=A -D /n",
    "doas -nu root",
    "env -u n A=rm",
    "env -iC /n -- A=1",
    "nice -n 5",
    "nice -7",
    "ionice -c 3",
    "ionice -c3 -n7",
    "timeout --kill-after 5 10",
    "timeout -k5 -s KILL 10s",
    "timeout --signal=9 --foreground 1",
    "/usr/bin/time -f %e -o n",
    "time -p",
    "nohup",
    "setsid --fork",
    "stdbuf -oL -e 0",
    "xargs -a n --max-args 1",
    "xargs -0 -I{} -P4 -r",
    "xargs -d n -n1 --",
    "busybox",
    "chroot --userspec=n:n /n",
    "flock -w 3 /n",
    "flock --nonblock /n",
    "command",
    "exec -a n",
    "taskset -c 0,1",
    "npx -y -p n",
    "uv run --with n --no-project",
    "docker exec -it -e A=1 n",
    "kubectl exec -i n -c n --",
    "strace -f -o n",
    "parallel -j4 --results n",
    "find . -type f -exec",
    "A=1 B=2",
    "\\nohup",
];

/// The starters that run a quoted script.
const AROUND: [&str; 12] = [
    "sh -c",
    "bash -euo pipefail -lc",
    "bash --norc -c",
    "ssh -p 22 -i n me@host",
    "watch -n 5",
    "eval",
    "su -c",
    "su - n -c",
    "script -qc",
    "flock /n -c",
    "env -S",
    "npx -c",
];

struct Dice(u64);

impl Dice {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        all[usize::try_from(self.0 >> 33).unwrap() % all.len()]
    }
}

#[test]
fn a_dangerous_command_keeps_its_mark_whoever_starts_it() {
    let mut dice = Dice(74);
    for _ in 0..6_000 {
        let (program, risk) = dice.one_of(&DANGEROUS);
        let mut command = program.to_owned();
        for _ in 0..dice.one_of(&[1, 2, 3]) {
            command = if dice.one_of(&[true, true, false]) {
                format!("{} {command}", dice.one_of(&BEFORE))
            } else {
                let quoted = command.replace('\'', "'\\''");
                format!("{} '{quoted}'", dice.one_of(&AROUND))
            };
        }
        let found = marks(&command);
        assert!(
            found.iter().any(|(found, _)| *found == risk),
            "{command}: {found:?}"
        );
    }
}

#[test]
fn a_harmless_command_gets_no_mark_from_who_starts_it() {
    const HARMLESS: [&str; 5] = [
        "cargo test --release",
        "git status",
        "rm n",
        "grep -rf n .",
        "git checkout -b n",
    ];
    let harmless = |starter: &&&str| !starter.contains("sudo") && !starter.contains("doas");
    for starter in BEFORE.iter().filter(harmless) {
        for command in HARMLESS {
            // A starter with unseen files may not delete even one of them.
            let is_many = ["xargs", "parallel", "find"]
                .iter()
                .any(|it| starter.contains(it));
            if !(is_many && command.starts_with("rm")) {
                let command = format!("{starter} {command}");
                assert_eq!(marks(&command), [], "{command}");
            }
        }
    }
}

#[test]
fn where_nobody_knows_where_the_program_begins_it_is_marked() {
    for command in [
        "timeout --new 5 ls",
        "nice -Z ls",
        "xargs --new x ls",
        "flock -Q x ls",
    ] {
        let found = marks(command);
        assert!(
            found.iter().any(|(risk, _)| *risk == Risk::RunsUnseen),
            "{command}: {found:?}"
        );
    }
    assert!(
        marks("nice -Z 5 rm -rf x")
            .iter()
            .any(|(risk, _)| *risk == Risk::Deletes)
    );
}
