//! Stories of how long it takes to read a command, whatever its words are.

use super::PROJECT;
use beckon_core::risk::of_command;
use std::time::Duration;

/// The longest text that is looked at, in bytes.
const LONG: usize = 64 * 1024;

/// The pieces of text that are read again, or compared with all the rest, if the reader is
/// careless.
const PIECES: [&str; 49] = [
    "a;",
    "$(",
    "`",
    "(",
    "<(",
    "a ",
    "- ",
    "a -- ",
    "a -x|",
    "é|",
    "$x;",
    "'",
    "\\\n",
    "{ ",
    "<<A\n",
    "nice -X ",
    "sudo -u ",
    "env a=b ",
    "xargs -I ",
    "parallel ::: ",
    "parallel ",
    "parallel -j 2 ",
    "git ",
    "git -c a=!b ",
    "docker run -e ",
    "ssh h ",
    "ssh h 'ssh h a' ",
    "watch ",
    "eval ",
    "cmd /c ",
    "powershell -c ",
    "bash -c \"",
    "sh -c 'sh -c a';",
    "trap 'a;a' x;",
    "python -c 'rm x' ",
    "find -exec ",
    "find . -exec x ; ",
    "foreach {",
    "curl|sh|",
    "echo $(x|sh) ",
    "cd ../;rm ../x;",
    "rm * ",
    "cat >a <<A\nA\n",
    "python <<A\nrun(\nA\n",
    "cat <<A\n$(\nA\n",
    "curl -o a;./a;",
    "iex (curl);",
    "git push $(git a);",
    "$'\\x",
];

#[test]
fn what_nobody_wrote_by_hand_is_read_to_its_end() {
    let piled: String = "$(".repeat(100_000);
    let quotes = "\"`'\\".repeat(50_000);
    let wide = "é|".repeat(60_000);
    let shells = "bash -c \"".repeat(10_000);
    let words = "a ".repeat(30_000);
    let pipes = "curl|".repeat(12_000);
    let options = "git ".to_owned() + &"- ".repeat(30_000);
    for odd in [piled, quotes, wide, shells, words, pipes, options] {
        let marked = of_command(&odd, PROJECT);
        assert!(marked.len() < odd.len(), "{}", &odd[..8]);
    }
}

/// The reading took eleven seconds while the program that one of them leads to was looked up anew
/// for each of the others.
#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "how long it takes is the question"
)]
fn thousands_who_feed_one_that_has_thousands_of_words_are_read_at_once() {
    let count = 6_000;
    let fed = format!("{}sh <({})", "env ".repeat(count), "curl;".repeat(count));
    let began = std::time::Instant::now();
    assert_eq!(of_command(&fed, PROJECT).len(), count + 1);
    assert!(began.elapsed().as_secs() < 3, "{:?}", began.elapsed());
}

/// Runs on a small stack, like those of the program's threads.
#[test]
fn programs_that_start_programs_are_no_deeper_than_the_stack() {
    let found = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let found = of_command(&"find -exec ".repeat(5_900), PROJECT);
        assert_eq!(of_command("find . -exec rm -rf {} +", PROJECT).len(), 1);
        found.len()
    });
    assert_eq!(
        found.unwrap().join().unwrap(),
        1,
        "what is read no further is marked"
    );
}

/// The reading takes some 20 ms in a release build; this build is slower, and the machine may be
/// busy.
#[test]
fn the_longest_command_is_read_at_once_whatever_stands_in_it() {
    for piece in PIECES {
        let line = piece.repeat(LONG / piece.len() - 1) + "sh <(curl x)\"'";
        let took = time(|| of_command(&line, PROJECT).len());
        assert!(took < Duration::from_secs(3), "{piece}: {took:?}");
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long it takes is the question"
)]
fn time(read: impl Fn() -> usize) -> Duration {
    let began = std::time::Instant::now();
    read();
    began.elapsed()
}
