//! The rows of the table: programs that start another one, with their options. A new one is a row
//! here.

use super::table::{PLAIN, Starter, Then, admin, options, runner, starter};

const DIGITS: &str = "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9";

/// GNU parallel's options; its other words are read in `blocks.rs`.
pub(super) const PARALLEL: Starter = Starter {
    options: options(
        "-k -q -u -t -v -X -m -0 -r -x --bar --eta --keep-order --line-buffer --lb --linebuffer \
         --ungroup --group --quote --dry-run --dryrun --null --no-run-if-empty --verbose --progress \
         --xargs --will-cite --pipe --shuf --resume --resume-failed --no-notice --plain --silent \
         --tty --tag --linux --csv --trim --wait --fg --bg --nonall --onall --cleanup --trc \
         --hostgroups --noswap --tmux",
        "-j -n -N -I -L -s -S -a -C -d -D -E -P -W --jobs --joblog --results --delay --timeout \
         --retries --workdir --wd --tmpdir --colsep --arg-file --max-args --max-procs --sshlogin \
         --tagstring --nice --load --memfree --halt --block --recstart --recend --basefile --env \
         --return --transferfile --tempdir --max-replace-args --delimiter --rpl --header --profile \
         --sshloginfile --shebang --arg-sep --arg-file-sep --compress-program --semaphorename",
        "-i -l",
    ),
    is_many: true,
    ..PLAIN
};

pub(super) static STARTERS: &[Starter] = &[
    // An administrator's rights.
    admin(
        "sudo",
        "-A -B -b -E -e -H -i -K -k -l -N -n -P -S -s -V -v --askpass --background --bell \
         --preserve-env --edit --set-home --login --remove-timestamp --reset-timestamp --list \
         --no-update --non-interactive --preserve-groups --stdin --shell --validate",
        "-C -D -R -T -U -a -g -h -p -r -t -u --close-from --chdir --chroot --command-timeout \
         --other-user --group --host --prompt --role --type --user",
    ),
    admin("doas", "-L -n -s", "-a -C -u"),
    admin("pkexec", "--disable-internal-agent --keep-cwd", "--user"),
    Starter {
        is_strict: false,
        ..admin(
            "run0 gsudo",
            "",
            "-u -g -D --unit --property --description --slice --nice --chdir --setenv --background \
             --user --group --machine --integrity",
        )
    },
    Starter {
        operands: 1,
        is_mixed: true,
        scripts: "c command session-command",
        ..admin(
            "su runuser",
            "-f -l -m -p -P --fast --login --preserve-environment --pty",
            "-c -C -g -G -s -u -w --command --group --supp-group --shell --session-command --user \
             --whitelist-environment",
        )
    },
    // These only change how a program runs.
    Starter {
        has_settings: true,
        scripts: "S split-string",
        options: options(
            "-i -0 -v --ignore-environment --null --debug --block-signal --default-signal \
             --ignore-signal --list-signal-handling",
            "-u -C -S -P -L -U --unset --chdir --split-string --argv0 -a",
            "",
        ),
        ..starter("env genv", "", "")
    },
    starter("nice", DIGITS, "-n --adjustment"),
    starter(
        "ionice",
        "-t --ignore",
        "-c -n -p -P -u --class --classdata --pid --pgid --uid",
    ),
    Starter {
        operands: 1,
        ..starter(
            "timeout gtimeout",
            "-v -f -p --foreground --preserve-status --verbose",
            "-k -s --kill-after --signal",
        )
    },
    starter(
        "time gtime",
        "-a -p -v -q -l -h --append --portability --verbose --quiet",
        "-f -o --format --output",
    ),
    starter(
        "nohup builtin noglob nocorrect catchsegv chronic dotenv spawn system qx",
        "",
        "",
    ),
    starter("setsid", "-c -f -w --ctty --fork --wait", ""),
    starter("stdbuf gstdbuf", "", "-i -o -e --input --output --error"),
    Starter {
        asks: "v V",
        ..starter("command", "-p -v -V", "")
    },
    starter("exec", "-c -l", "-a"),
    Starter {
        is_many: true,
        options: options(
            "-0 -o -p -r -t -x --null --no-run-if-empty --interactive --open-tty --verbose --exit \
             --show-limits --replace --eof --max-lines",
            "-E -I -J -L -P -R -S -a -d -n -s --arg-file --delimiter --max-args --max-procs \
             --max-chars --process-slot-var",
            "-e -i -l",
        ),
        ..starter("xargs gxargs", "", "")
    },
    starter("busybox toybox", "", ""),
    Starter {
        operands: 1,
        ..starter("chroot", "--skip-chdir", "--userspec --groups -u -g -G")
    },
    Starter {
        then: Then::Script,
        is_named: true,
        options: options(
            "-b -c -C -e -g -p -r -t -w -x --beep --color --no-color --errexit --chgexit --precise \
             --no-rerun --no-title --no-wrap --exec --differences",
            "-n -q -s --interval --equexit --shotsdir",
            "-d",
        ),
        ..starter("watch viddy", "", "")
    },
    Starter {
        operands: 1,
        is_mixed: true,
        scripts: "c command",
        ..starter(
            "flock",
            "-e -x -s -u -n -o -F -v --shared --exclusive --unlock --nonblock --nb --close --no-fork \
             --verbose",
            "-w -E -c --wait --timeout --conflict-exit-code --command",
        )
    },
    Starter {
        operands: 1,
        is_mixed: true,
        is_named: true,
        takes_input: true,
        then: Then::Script,
        ..starter(
            "ssh slogin",
            "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
            "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
        )
    },
    starter("sshpass", "-e -v -V", "-p -f -d -P"),
    // These set where, and with which rights, a program runs.
    Starter {
        operands: 1,
        ..starter("taskset", "-a -c -p --all-tasks --cpu-list --pid", "")
    },
    Starter {
        operands: 1,
        ..starter(
            "chrt",
            "-a -b -d -f -i -m -o -r -R -v --all-tasks --batch --deadline --fifo --idle --max \
             --other --rr --reset-on-fork --verbose",
            "-p -T -P -D --pid --sched-runtime --sched-period --sched-deadline",
        )
    },
    starter(
        "numactl",
        "-a -l -s -H --all --localalloc --show --hardware",
        "-i -N -C -m -p -P --interleave --cpunodebind --physcpubind --membind --preferred",
    ),
    starter("choom", "", "-n -p --adjust --pid"),
    starter(
        "cpulimit",
        "-f -m -q -r -v -z -i --foreground --verbose --lazy --include-children",
        "-l -p -e -P -c --limit --pid --exe",
    ),
    starter(
        "setarch linux32 linux64 i386 x86_64 arch",
        "-B -F -I -L -R -S -T -X -Z -v -3 -x86_64 -arm64 --32bit --verbose --addr-no-randomize \
         -x -8 -6 -_ -4 -a -r -m",
        "-e -d",
    ),
    Starter {
        is_strict: false,
        ..starter(
            "prlimit setpriv capsh runcon nsenter bwrap firejail proot pexec",
            "",
            "-t -S -G -R -r -w --target --setuid --setgid --root --wd --reuid --regid",
        )
    },
    // Its `-r` is a flag.
    Starter {
        is_strict: false,
        ..starter(
            "unshare",
            "",
            "-S -G -R -w -l --setuid --setgid --root --wd --load-interp --propagation --map-user \
             --map-group --map-users --map-groups --setgroups --boottime --monotonic",
        )
    },
    Starter {
        is_strict: false,
        ..starter("fakeroot", "-u -h -v", "-l -s -i -f -b")
    },
    Starter {
        operands: 1,
        ..runner("ip", &["netns exec"], "", 1)
    },
    runner(
        "systemd-run systemd-inhibit",
        &[],
        "-p -M -H -u -E -t --unit --property --description --slice --setenv --uid --gid --nice \
         --working-directory --what --who --why --mode",
        0,
    ),
    starter("caffeinate", "-d -i -m -s -u", "-t -w"),
    runner(
        "dbus-run-session dbus-launch xvfb-run",
        &[],
        "-e -f -n -p -s -w --server-args",
        0,
    ),
    // These watch how a program runs.
    runner(
        "strace ltrace",
        &[],
        "-a -b -e -E -I -o -O -p -P -s -S -u -U -X --trace --output --attach --string-limit",
        0,
    ),
    runner(
        "perf",
        &["stat", "record", "trace"],
        "-e -o -p -r -F -C -c -I",
        0,
    ),
    runner(
        "valgrind multitime hyperfine rlwrap unbuffer",
        &[],
        "-n -w -r -m -N",
        0,
    ),
    runner("logsave faketime", &[], "", 1),
    // These start a program again and again, or elsewhere on the screen.
    Starter {
        then: Then::Script,
        ..runner("entr", &[], "", 0)
    },
    Starter {
        then: Then::Script,
        ..runner(
            "watchexec",
            &[],
            "-w -e -f -i -d -s -o -E --watch --exts --filter --ignore --debounce --signal --shell \
             --workdir --env --stop-signal --on-busy-update --poll --delay-run",
            0,
        )
    },
    Starter {
        scripts: "x exec",
        ..runner(
            "nodemon",
            &[],
            "-x -w -e -i -d -s --exec --watch --ext --ignore --delay --signal --config",
            0,
        )
    },
    Starter {
        scripts: "s shell",
        ..runner(
            "cargo",
            &["watch"],
            "-s -x -w -i -d --shell --exec --watch --ignore --delay --workdir",
            0,
        )
    },
    Starter {
        then: Then::Script,
        ..runner(
            "tmux",
            &[
                "new",
                "new-session",
                "neww",
                "new-window",
                "splitw",
                "split-window",
                "send",
                "send-keys",
                "respawn-pane",
                "run",
                "run-shell",
            ],
            "-t -s -n -c -x -y -F -e -l -p -L -S -f -N",
            0,
        )
    },
    Starter {
        then: Then::Script,
        ..runner("screen", &[], "-S -c -s -t -h -p -T -e", 0)
    },
    Starter {
        scripts: "c command",
        operands: 1,
        is_mixed: true,
        ..starter(
            "script",
            "-a -e -f -q -r -d -p -k --append --return --flush --quiet --force",
            "-c -E -I -O -B -T -m -o -t -F --command --echo --log-in --log-out --log-io --log-timing",
        )
    },
    Starter {
        operands: 1,
        is_mixed: true,
        scripts: "c",
        ..starter("sg newgrp", "", "-c")
    },
    Starter {
        takes_input: true,
        is_named: true,
        asks: "l q r c d f",
        operands: 99,
        is_mixed: true,
        ..starter("at batch", "-M -m -b -v -V", "-q -f -t")
    },
    // These fetch a program first, or find it in a project.
    Starter {
        is_named: true,
        is_strict: false,
        scripts: "c call",
        ..starter(
            "npx bunx pnpx",
            "-y -q -h --yes --no --quiet --no-install --bun --prefer-offline --silent",
            "-p -c -w --package --call --workspace --cache --registry --prefix",
        )
    },
    Starter {
        scripts: "c call",
        ..runner(
            "npm",
            &["exec", "x"],
            "-p -c -w --package --call --workspace --prefix",
            0,
        )
    },
    runner(
        "pnpm",
        &["dlx", "exec"],
        "-C --dir --package --filter -F",
        0,
    ),
    runner("yarn", &["dlx", "exec"], "-p --package --cwd", 0),
    runner("bun", &["x"], "-p --package", 0),
    runner(
        "uv",
        &["run", "tool run"],
        "-p --python --with --with-requirements --with-editable --extra --group --env-file \
         --directory --project --package --index --index-url --cache-dir -m --module",
        0,
    ),
    runner(
        "uvx",
        &[],
        "-p --python --with --from --index --index-url --env-file",
        0,
    ),
    runner("pipx", &["run"], "--spec --python", 0),
    runner(
        "poetry pipenv pdm hatch rye",
        &["run"],
        "-C -e --directory --project",
        0,
    ),
    runner("bundle mise rbenv pyenv asdf nodenv", &["exec"], "", 0),
    Starter {
        operands: 1,
        ..runner("direnv", &["exec"], "", 1)
    },
    runner(
        "conda mamba micromamba",
        &["run"],
        "-n -p --name --prefix --cwd",
        0,
    ),
    runner("opam cabal stack dune", &["exec"], "", 0),
    Starter {
        scripts: "run command",
        ..runner(
            "nix-shell",
            &[],
            "-p -A -I --run --command --packages --attr",
            99,
        )
    },
    Starter {
        has_settings: true,
        ..runner("cross-env env-cmd dotenvx", &[], "-f -e --file", 0)
    },
    runner(
        "doppler op chamber infisical",
        &["run"],
        "-p -c --project --config --env-file",
        0,
    ),
    Starter {
        operands: 1,
        ..runner("aws-vault", &["exec"], "-d --duration", 1)
    },
    // Machines and containers.
    runner(
        "docker podman nerdctl",
        &["exec", "container exec"],
        "-e -u -w --env --user --workdir --env-file --detach-keys",
        1,
    ),
    runner(
        "docker podman nerdctl",
        &["run", "container run"],
        "-a -c -e -h -l -m -p -u -v -w --env --user --workdir --env-file --volume --mount --name \
         --network --net --publish --hostname --label --memory --cpus --entrypoint --platform \
         --add-host --device --gpus --ip --link --log-driver --log-opt --restart --security-opt \
         --shm-size --tmpfs --ulimit --volumes-from --cap-add --cap-drop --pull --pid --ipc --dns",
        1,
    ),
    runner(
        "docker podman",
        &["compose exec", "compose run"],
        "-e -u -w -f -p -v --env --user --workdir --file --project-name --index --volume --name \
         --entrypoint",
        1,
    ),
    runner(
        "docker-compose podman-compose",
        &["exec", "run"],
        "-e -u -w -v --env --user --workdir --index --volume --name --entrypoint",
        1,
    ),
    Starter {
        is_mixed: true,
        ..runner(
            "kubectl oc",
            &["exec"],
            "-c -n -f --container --namespace --filename",
            1,
        )
    },
    runner("lxc incus", &["exec"], "--env --user --cwd", 1),
    runner(
        "toolbox distrobox",
        &["run", "enter"],
        "-c -n --container --name",
        0,
    ),
    runner("wsl", &[], "-d -u --distribution --user --cd", 0),
    Starter {
        scripts: "c command",
        ..runner("vagrant", &["ssh"], "-c --command", 9)
    },
    Starter {
        then: Then::Script,
        ..runner(
            "autossh",
            &[],
            "-M -B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
            1,
        )
    },
    Starter {
        scripts: "command",
        ..runner(
            "gcloud",
            &["compute ssh"],
            "--command --zone --project --ssh-key-file --ssh-flag --account",
            99,
        )
    },
    Starter {
        scripts: "C command",
        ..runner(
            "fly flyctl",
            &["ssh console", "machine exec"],
            "-C -a -c -s -r -u --command --app --config --region --machine --user",
            99,
        )
    },
    Starter {
        then: Then::Script,
        ..runner(
            "heroku",
            &["run", "run:detached"],
            "-a -s -e -r --app --size --env --remote",
            0,
        )
    },
    Starter {
        then: Then::Script,
        ..runner("adb", &["shell"], "-s -t -H -P -e", 0)
    },
    Starter {
        scripts: "a args",
        is_mixed: true,
        ..runner(
            "ansible",
            &[],
            "-a -m -i -e -u -f -l -t --args --module-name --inventory --extra-vars --user --forks \
             --limit --become-user",
            99,
        )
    },
    runner("flatpak-spawn", &[], "", 0),
    // AppleScript's `do shell script "…"`.
    runner("shell", &["script"], "", 0),
    // Windows.
    runner("start call winpty", &[], "", 0),
    Starter {
        is_many: true,
        ..runner("forfiles", &[], "", 0)
    },
    // Others.
    runner("proxychains proxychains4 torsocks torify", &[], "-f", 0),
    runner("ccache sccache rtk ts wine", &[], "", 0),
    Starter {
        operands: 1,
        ..runner("retry wait-for-it", &[], "", 1)
    },
    runner("with-contenv start-stop-daemon run-one", &[], "", 0),
    starter(
        "aa-exec aoss",
        "-d -i --debug --immediate",
        "-p -n --profile --namespace",
    ),
];
