//! Programs whose verbs destroy what no file of the project holds: disks, volumes, clusters,
//! databases.

use super::super::Risk;
use super::super::shell::Word;
use super::Called;
use Risk::{Deletes, Outside, Rewrites};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A row: programs, words that are given in this order, options of which one is given as well, and
/// the risk.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    Risk,
);

const ROWS: &[Row] = &[
    // Containers.
    ("docker podman", &["system", "prune"], &[], Deletes),
    // `\u{1a}` stands for everything that another command finds.
    ("docker podman", &["rm|rmi", "\u{1a}*"], &[], Deletes),
    ("docker podman", &["stop|kill", "\u{1a}*"], &[], Outside),
    ("npm pnpm yarn bun", &["unpublish"], &[], Rewrites),
    (
        "docker podman",
        &["volume", "rm|prune|remove"],
        &[],
        Deletes,
    ),
    (
        "docker podman",
        &["compose", "down"],
        &["-v", "--volumes"],
        Deletes,
    ),
    (
        "docker podman",
        &["compose", "rm"],
        &["-v", "-fv", "-vf", "-fsv"],
        Deletes,
    ),
    ("docker-compose", &["down"], &["-v", "--volumes"], Deletes),
    ("kubectl k oc", &["delete|drain"], &[], Deletes),
    ("helm", &["uninstall|delete"], &[], Deletes),
    ("minikube kind k3d", &["delete"], &[], Deletes),
    // Clouds.
    (
        "terraform tofu terragrunt pulumi cdk sst",
        &["destroy"],
        &[],
        Deletes,
    ),
    (
        "terraform tofu terragrunt",
        &["apply"],
        &["-auto-approve", "--auto-approve", "-destroy"],
        Outside,
    ),
    (
        "terraform tofu",
        &["state|workspace", "rm|delete|push|replace-provider"],
        &[],
        Deletes,
    ),
    ("pulumi", &["up|down"], &["-y", "--yes"], Outside),
    ("serverless sls", &["remove"], &[], Deletes),
    ("aws", &["s3", "rm"], &["--recursive"], Deletes),
    ("aws", &["s3", "rb"], &[], Deletes),
    ("aws", &["s3", "sync"], &["--delete"], Deletes),
    (
        "aws",
        &[
            "s3api|ec2|rds|dynamodb|iam|lambda|cloudformation|ecs|eks|ecr|kms|sqs|sns|route53|logs",
            "delete-*|terminate-*",
        ],
        &[],
        Deletes,
    ),
    ("gcloud az bq", &["delete"], &[], Deletes),
    ("gsutil", &["rm|rb"], &[], Deletes),
    ("bq", &["rm"], &[], Deletes),
    (
        "gh glab",
        &["repo|release|gist|secret|project", "delete"],
        &[],
        Deletes,
    ),
    (
        "heroku",
        &["apps:destroy|pg:reset|addons:destroy"],
        &[],
        Deletes,
    ),
    ("fly flyctl", &["destroy"], &[], Deletes),
    (
        "vercel netlify railway wrangler",
        &["rm|remove|delete|down|sites:delete"],
        &[],
        Deletes,
    ),
    (
        "firebase",
        &["firestore:delete|database:remove|projects:delete"],
        &[],
        Deletes,
    ),
    // Databases.
    ("prisma", &["migrate", "reset"], &[], Deletes),
    (
        "prisma",
        &["db", "push"],
        &["--force-reset", "--accept-data-loss"],
        Deletes,
    ),
    ("supabase", &["db", "reset"], &[], Deletes),
    ("drizzle-kit", &["drop"], &[], Deletes),
    (
        "rails rake",
        &["db:drop*|db:reset*|db:purge*|db:schema:load*"],
        &[],
        Deletes,
    ),
    (
        "php artisan sail",
        &["migrate:fresh|migrate:reset|migrate:refresh|db:wipe"],
        &[],
        Deletes,
    ),
    (
        "python python3",
        &["manage.py|./manage.py", "flush|reset_db"],
        &[],
        Deletes,
    ),
    ("dropdb dropuser", &[], &[], Deletes),
    ("redis-cli valkey-cli", &["flushall|flushdb"], &[], Deletes),
    ("crontab", &["-"], &[], Outside),
    ("sudoedit visudo vipw vigr", &[], &[], Risk::Admin),
    ("gh", &["repo", "sync"], &["--force"], Rewrites),
    (
        "hub",
        &["push"],
        &["-f", "--force", "--force-with-lease*"],
        Rewrites,
    ),
    ("mysqladmin", &["drop"], &[], Deletes),
    // Disks and file systems.
    (
        "fdisk sfdisk sgdisk gdisk cfdisk parted",
        &["/dev/*"],
        &[],
        Deletes,
    ),
    ("diskpart", &[], &[], Deletes),
    (
        "diskutil",
        &["erase*|zero*|secureerase|partitiondisk|reformat"],
        &[],
        Deletes,
    ),
    ("format", &["?:*"], &[], Deletes),
    (
        "format-volume clear-disk initialize-disk remove-partition clear-recyclebin",
        &[],
        &[],
        Deletes,
    ),
    (
        "cryptsetup",
        &["luksformat|erase|luksremovekey"],
        &[],
        Deletes,
    ),
    ("lvremove vgremove pvremove", &[], &[], Deletes),
    ("zfs zpool", &["destroy"], &[], Deletes),
    ("btrfs", &["subvolume", "delete"], &[], Deletes),
    ("hdparm", &["--security-erase*"], &[], Deletes),
    ("nvme", &["format"], &[], Deletes),
    ("vssadmin wbadmin", &["delete"], &[], Deletes),
    ("wmic", &["shadowcopy", "delete"], &[], Deletes),
    ("cipher", &["/w*"], &[], Deletes),
    ("reg", &["delete"], &[], Deletes),
    ("tmutil", &["delete*"], &[], Deletes),
    // Copies that delete what is not in their source.
    ("rsync", &["--del*|--remove-source-files"], &[], Deletes),
    ("rclone", &["purge|delete|sync|move"], &[], Deletes),
    ("robocopy", &["/mir|/purge|/move|/mov"], &[], Deletes),
    ("borg restic", &["delete|forget|prune"], &[], Deletes),
    // The machine and its users.
    (
        "shutdown reboot halt poweroff stop-computer restart-computer",
        &[],
        &[],
        Outside,
    ),
    ("init telinit", &["0|6"], &[], Outside),
    (
        "systemctl",
        &["poweroff|reboot|halt|kexec|emergency|rescue"],
        &[],
        Outside,
    ),
    ("kill", &["-1"], &["-9", "-kill", "-sigkill", "-s"], Outside),
    ("crontab", &["-r*"], &[], Deletes),
    ("userdel deluser groupdel", &[], &[], Deletes),
    (
        "iptables ip6tables",
        &["-f|--flush|-x|--delete-chain"],
        &[],
        Outside,
    ),
    ("nft", &["flush"], &[], Outside),
    ("ufw", &["disable|reset"], &[], Outside),
    ("bcdedit", &["/*"], &[], Outside),
    ("takeown icacls", &["/r|/t"], &[], Rewrites),
    ("start-process saps", &["-verb", "runas"], &[], Risk::Admin),
    (
        "set-executionpolicy",
        &["unrestricted|bypass"],
        &[],
        Outside,
    ),
    // A function that calls itself twice.
    (":", &[], &[], Outside),
];

/// The rows by the names of their programs.
pub(in crate::risk) struct Table(BTreeMap<&'static str, Vec<&'static Row>>);

impl Table {
    pub(in crate::risk) fn new() -> Table {
        let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in ROWS {
            for name in row.0.split(' ') {
                table.entry(name).or_default().push(row);
            }
        }
        Table(table)
    }

    /// Returns the last word that makes the command dangerous, and the risk.
    pub(super) fn last(&self, called: &Called<'_>) -> Option<(Risk, usize)> {
        let rows = self.0.get(called.name.as_ref())?;
        rows.iter()
            .find_map(|row| Some((row.3, of_row(row, called)?)))
    }
}

fn of_row(row: &Row, called: &Called<'_>) -> Option<usize> {
    let (name, verbs, options, _) = row;
    // `:` alone does nothing.
    if *name == ":" && !called.is_fed {
        return None;
    }
    let lists = name.starts_with("fdisk");
    let asks = |word: &Word| match word.text() {
        "--help" | "--version" => true,
        "-l" | "--list" | "print" => lists,
        text => text.starts_with("--dry-run") || text.starts_with("--dryrun"),
    };
    if called.words.iter().any(asks) {
        return None;
    }
    let mut at = 0;
    for verb in *verbs {
        let rest = called.words.get(at + 1..)?;
        at += 1 + rest.iter().position(|word| is_one(verb, word.text()))?;
    }
    if options.is_empty() {
        return Some(at);
    }
    let is_option = |word: &Word| options.iter().any(|option| is_one(option, word.text()));
    let option = called.words.iter().rposition(is_option)?;
    Some(option.max(at))
}

/// Whether a text is one of several words; a star stands for any ending, a question mark for any
/// letter.
fn is_one(words: &str, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    words.split('|').any(|word| {
        let (begins, is_whole) = match word.strip_suffix('*') {
            Some(begins) => (begins, false),
            None => (word, true),
        };
        let long = begins.len();
        let fits = |(one, other): (u8, u8)| one == b'?' || one == other;
        (if is_whole {
            text.len() == long
        } else {
            text.len() >= long
        }) && begins.bytes().zip(text.bytes()).all(fits)
    })
}
