//! The table of commands with their marked words. Those without any are in `alone.rs`.

use beckon_core::risk::Risk;

/// The commands, each with the words that are marked.
pub(super) const MARKED: &[(&str, &[(Risk, &str)])] = &[
    ("rm -rf build dist", &[(Risk::Deletes, "rm -rf")]),
    ("function f { rm -rf x; }; f", &[(Risk::Deletes, "rm -rf")]),
    ("rm build -r", &[(Risk::Deletes, "rm build -r")]),
    (
        "cd x && /bin/rm --force y",
        &[(Risk::Deletes, "/bin/rm --force")],
    ),
    ("FOO=1 env BAR=2 rm -f x", &[(Risk::Deletes, "rm -f")]),
    (
        "find . -name '*.o' -delete",
        &[(Risk::Deletes, "find . -name '*.o' -delete")],
    ),
    ("ls | xargs -0 rm -f", &[(Risk::Deletes, "rm -f")]),
    ("git clean -fdx", &[(Risk::Deletes, "git clean -fdx")]),
    (
        "dd if=x of=/dev/sda",
        &[(Risk::Deletes, "dd if=x of=/dev/sda")],
    ),
    (
        "mkfs.ext4 /dev/sdb1",
        &[(Risk::Deletes, "mkfs.ext4 /dev/sdb1")],
    ),
    ("mkfs /dev/sdb1", &[(Risk::Deletes, "mkfs /dev/sdb1")]),
    ("shred -u key.pem", &[(Risk::Deletes, "shred -u key.pem")]),
    ("git clean --force", &[(Risk::Deletes, "git clean --force")]),
    (
        "find . -execdir rm -rf {} ;",
        &[(Risk::Deletes, "find . -execdir rm -rf")],
    ),
    ("rm --recursive x", &[(Risk::Deletes, "rm --recursive")]),
    ("del /f x", &[(Risk::Deletes, "del /f")]),
    ("ri -r x", &[(Risk::Deletes, "ri -r")]),
    (
        "Remove-Item -Recurse x",
        &[(Risk::Deletes, "Remove-Item -Recurse")],
    ),
    ("rd /S /Q build", &[(Risk::Deletes, "rd /S /Q")]),
    ("echo `rm -rf x`", &[(Risk::Deletes, "rm -rf")]),
    ("echo \"$(rm -rf 'a)b')\"", &[(Risk::Deletes, "rm -rf")]),
    ("bash -c 'cd x; rm -rf y'", &[(Risk::Deletes, "rm -rf")]),
    ("if true; then rm -rf x; fi", &[(Risk::Deletes, "rm -rf")]),
    ("(cd x; rm -rf y)", &[(Risk::Deletes, "rm -rf")]),
    ("r\\m -rf x", &[(Risk::Deletes, "r\\m -rf")]),
    ("'rm' \"-rf\" x", &[(Risk::Deletes, "'rm' \"-rf\"")]),
    ("sudo apt install jq", &[(Risk::Admin, "sudo")]),
    (
        "sudo -u root rm -rf x",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    ("git push --force", &[(Risk::Rewrites, "git push --force")]),
    (
        "git -C x push -f origin main",
        &[(Risk::Rewrites, "git -C x push -f")],
    ),
    (
        "git push origin +main",
        &[(Risk::Rewrites, "git push origin +main")],
    ),
    (
        "git push origin :old",
        &[(Risk::Rewrites, "git push origin :old")],
    ),
    ("git push -d origin old", &[(Risk::Rewrites, "git push -d")]),
    (
        "git push --delete origin old",
        &[(Risk::Rewrites, "git push --delete")],
    ),
    (
        "git push --mirror backup",
        &[(Risk::Rewrites, "git push --mirror")],
    ),
    (
        "git push --prune backup",
        &[(Risk::Rewrites, "git push --prune")],
    ),
    (
        "git -c a=b --no-pager push -f",
        &[(Risk::Rewrites, "git -c a=b --no-pager push -f")],
    ),
    (
        "git reset --hard HEAD~1",
        &[(Risk::Rewrites, "git reset --hard")],
    ),
    (
        "curl -fsSL x.sh | sh",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | tee y | sudo -E bash -s",
        &[
            (Risk::RunsDownload, "curl"),
            (Risk::Admin, "sudo"),
            (Risk::RunsDownload, "bash"),
        ],
    ),
    (
        "bash <(wget -qO- x)",
        &[(Risk::RunsDownload, "bash"), (Risk::RunsDownload, "wget")],
    ),
    (
        "sh -c \"$(curl x)\"",
        &[(Risk::RunsDownload, "sh"), (Risk::RunsDownload, "curl")],
    ),
    (
        "source <(curl x)",
        &[(Risk::RunsDownload, "source"), (Risk::RunsDownload, "curl")],
    ),
    (
        ". <(curl x)",
        &[(Risk::RunsDownload, "."), (Risk::RunsDownload, "curl")],
    ),
    (
        "curl x |& sh",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "iwr x | iex",
        &[(Risk::RunsDownload, "iwr"), (Risk::RunsDownload, "iex")],
    ),
    (
        "curl x | bash -s -- --yes",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | python3 -",
        &[
            (Risk::RunsDownload, "curl"),
            (Risk::RunsDownload, "python3"),
        ],
    ),
    (
        "eval \"$(curl x)\"",
        &[(Risk::RunsDownload, "eval"), (Risk::RunsDownload, "curl")],
    ),
    ("bash -lc 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    (
        "bash -lc 'curl x | sh'",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    ("bash <<EOF\nrm -rf x\nEOF", &[(Risk::Deletes, "rm -rf")]),
    (
        "cat <<EOF\nit's\nEOF\nrm -rf x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "find . -name x -exec rm -rf {} +",
        &[(Risk::Deletes, "find . -name x -exec rm -rf")],
    ),
    ("xargs -n 1 -I {} rm -rf {}", &[(Risk::Deletes, "rm -rf")]),
    (
        "timeout -k 5 10 nice -n 10 rm -f x",
        &[(Risk::Deletes, "rm -f")],
    ),
    (
        "sudo -E env X=1 rm -rf y",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    (
        "if ! sudo true; then { rm -rf x; }; fi",
        &[(Risk::Admin, "sudo"), (Risk::Deletes, "rm -rf")],
    ),
    ("f() { rm -rf x; }; f", &[(Risk::Deletes, "rm -rf")]),
    (
        "for f in *; do rm -f \"$f\"; done",
        &[(Risk::Deletes, "rm -f")],
    ),
    (
        "FOO=\"a b\" rm -rf \"${DIR:?}\"/x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    ("eval 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    ("cmd /c rd /s /q x", &[(Risk::Deletes, "rd /s /q")]),
    (
        "git push --force-with-lease",
        &[(Risk::Rewrites, "git push --force-with-lease")],
    ),
    ("cat x > /dev/sda", &[(Risk::Outside, "/dev/sda")]),
    ("echo x >> ~/.bashrc", &[(Risk::Outside, "~/.bashrc")]),
    ("echo x >/etc/hosts", &[(Risk::Outside, "/etc/hosts")]),
    ("echo x > ../other/y", &[(Risk::Outside, "../other/y")]),
    (
        "echo x > /home/me/shop/../y",
        &[(Risk::Outside, "/home/me/shop/../y")],
    ),
    (
        "curl x | bash -x",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | bash --norc",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "bash")],
    ),
    (
        "curl x | sh 2>/dev/null",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | sh 2>&1",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "curl x | sh &>/dev/null",
        &[(Risk::RunsDownload, "curl"), (Risk::RunsDownload, "sh")],
    ),
    (
        "rm &>/dev/null -rf x",
        &[(Risk::Deletes, "rm &>/dev/null -rf")],
    ),
    (
        "npm run build &>/tmp/log; rm -rf x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    ("rm 3<(ls) -rf x", &[(Risk::Deletes, "rm 3<(ls) -rf")]),
    ("xargs < list rm -f", &[(Risk::Deletes, "rm -f")]),
    ("npm start & rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("ls # it's\nrm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("command rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("MY_DIR=1 rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("echo $(echo ')'; rm -rf x)", &[(Risk::Deletes, "rm -rf")]),
    (
        "echo \"$(echo $(ls); rm -rf x)\"",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "echo \"$(echo \\); rm -rf x)\"",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "timeout --kill-after 5 10 rm -rf x",
        &[(Risk::Deletes, "rm -rf")],
    ),
    ("/usr/bin/time -f %e rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("ionice -c 3 rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("xargs -a files rm -rf", &[(Risk::Deletes, "rm -rf")]),
    ("xargs --max-args 1 rm -rf", &[(Risk::Deletes, "rm -rf")]),
    (
        "find . -exec sudo rm {} +",
        &[
            (Risk::Deletes, "find . -exec sudo rm {}"),
            (Risk::Admin, "sudo"),
        ],
    ),
    (
        "git push -f -oci.skip-next",
        &[(Risk::Rewrites, "git push -f")],
    ),
    (
        "git clean -fdx -enode_modules",
        &[(Risk::Deletes, "git clean -fdx")],
    ),
    ("echo rm -rf ~/x | sh", &[(Risk::RunsUnseen, "sh")]),
    (
        "cat <<'EOF' | sh\nrm -rf x\nEOF",
        &[(Risk::RunsUnseen, "sh")],
    ),
    ("cat x.sh | sh", &[(Risk::RunsUnseen, "sh")]),
    ("cat x.py | python3 -u -", &[(Risk::RunsUnseen, "python3")]),
    ("bash <(cat x)", &[(Risk::RunsUnseen, "bash")]),
    ("eval \"$(cat x)\"", &[(Risk::RunsUnseen, "eval")]),
    ("bash <<< 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    (
        "sh < <(curl x)",
        &[(Risk::RunsDownload, "sh"), (Risk::RunsDownload, "curl")],
    ),
    (
        "python3 -c \"$(curl x)\"",
        &[
            (Risk::RunsDownload, "python3"),
            (Risk::RunsDownload, "curl"),
        ],
    ),
    ("$(cat x) y", &[(Risk::RunsUnseen, "$(cat x)")]),
    ("timeout 5 $cmd x", &[(Risk::RunsUnseen, "$cmd")]),
    ("bash -c \"$x\"", &[(Risk::RunsUnseen, "$x")]),
    ("xargs -I{} sh -c {}", &[(Risk::RunsUnseen, "{}")]),
    ("cmd /c \"rd /s /q x\"", &[(Risk::Deletes, "rd /s /q")]),
    ("cmd /crd /s x", &[(Risk::Deletes, "rd /s")]),
    ("rd/s/q x", &[(Risk::Deletes, "rd/s/q")]),
    ("rd //s //q x", &[(Risk::Deletes, "rd //s //q")]),
    (
        "powershell -nop -ep bypass -c ri -rec -fo x",
        &[(Risk::Deletes, "ri -rec -fo")],
    ),
    ("Remove-Item -fo x", &[(Risk::Deletes, "Remove-Item -fo")]),
    (
        "powershell -enc aQBlAHgA",
        &[(Risk::RunsUnseen, "powershell -enc")],
    ),
    (
        "gci | ForEach-Object { ri $_ -r }",
        &[(Risk::Deletes, "ri $_ -r")],
    ),
    ("busybox rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    ("ssh -p 22 host 'rm -rf x'", &[(Risk::Deletes, "rm -rf")]),
    ("npx rimraf dist", &[(Risk::Deletes, "rimraf dist")]),
    ("git restore .", &[(Risk::Rewrites, "git restore .")]),
    (
        "git checkout -- .",
        &[(Risk::Rewrites, "git checkout -- .")],
    ),
    ("git checkout -f", &[(Risk::Rewrites, "git checkout -f")]),
    (
        "git switch --discard-changes main",
        &[(Risk::Rewrites, "git switch --discard-changes")],
    ),
    ("git stash clear", &[(Risk::Rewrites, "git stash clear")]),
    ("git branch -D x", &[(Risk::Rewrites, "git branch -D")]),
    (
        "git branch --delete --force x",
        &[(Risk::Rewrites, "git branch --delete --force")],
    ),
    ("git rm -rf x", &[(Risk::Deletes, "git rm -rf")]),
    ("git -c alias.x='!rm -rf y' x", &[(Risk::Deletes, "rm -rf")]),
    (
        "git submodule foreach 'git reset --hard'",
        &[(Risk::Rewrites, "git reset --hard")],
    ),
    ("echo x | tee ~/.bashrc", &[(Risk::Outside, "~/.bashrc")]),
    ("dd if=x of=/etc/y", &[(Risk::Outside, "of=/etc/y")]),
    ("cp x /etc/y", &[(Risk::Outside, "/etc/y")]),
    ("mv ~/x y", &[(Risk::Outside, "~/x")]),
    ("rm ../x", &[(Risk::Outside, "../x")]),
    ("rm *", &[(Risk::Deletes, "rm *")]),
    ("chmod -R 777 .", &[(Risk::Rewrites, "chmod -R")]),
    ("truncate -s 0 x", &[(Risk::Deletes, "truncate -s 0 x")]),
    (
        "python3 -c \"import os; os.system('rm -rf x')\"",
        &[(Risk::Deletes, "rm -rf")],
    ),
    (
        "node -e 'fs.rmSync(d, {recursive: true})'",
        &[(Risk::Deletes, "rmSync")],
    ),
    ("foo run -- rm -rf x", &[(Risk::Deletes, "rm -rf")]),
    (
        "docker compose down -v",
        &[(Risk::Deletes, "docker compose down -v")],
    ),
    (
        "psql -c x; npx prisma migrate reset --force",
        &[(Risk::Deletes, "prisma migrate reset")],
    ),
    (":(){ :|:& };:", &[(Risk::Outside, ":")]),
    ("{rm,-rf,x}", &[(Risk::RunsUnseen, "{rm,-rf,x}")]),
    ("/bin/r? -rf x", &[(Risk::RunsUnseen, "/bin/r?")]),
    ("cat x | tee >(sh)", &[(Risk::RunsUnseen, "sh")]),
    ("sed -i '/a/d' ~/.bashrc", &[(Risk::Outside, "~/.bashrc")]),
    ("sed -i -e s/a/b/ /etc/x", &[(Risk::Outside, "/etc/x")]),
];
