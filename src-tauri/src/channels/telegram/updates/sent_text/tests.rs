//! Tests of texts with typed signs. What apps make of these is as TDLib's own tests have it:
//! <https://github.com/tdlib/td/blob/master/test/message_entities.cpp>.

use super::{MarkKind, SentText, TextMark, read_marks};
use serde_json::{Value, json};

fn entity(kind: &str, offset: usize, length: usize) -> Value {
    json!({ "type": kind, "offset": offset, "length": length })
}

fn link(offset: usize, length: usize, url: &str) -> Value {
    json!({ "type": "text_link", "offset": offset, "length": length, "url": url })
}

fn block(offset: usize, length: usize, language: &str) -> Value {
    json!({ "type": "pre", "offset": offset, "length": length, "language": language })
}

fn sent(text: &str, entities: &[Value]) -> SentText {
    SentText {
        plain: text.to_owned(),
        marks: read_marks(Some(entities.into())),
        ..SentText::default()
    }
}

#[track_caller]
fn typed(text: &str, entities: &[Value], typed: &str) {
    let written = sent(text, entities).written();

    assert_eq!(written.full, typed);
    assert_eq!(written.plain, text);
}

#[test]
fn what_was_typed_comes_back_with_its_signs() {
    typed("init.py", &[entity("italic", 0, 4)], "__init__.py");
    let both = [entity("strikethrough", 5, 4), entity("code", 10, 4)];
    typed("port 8080 9090", &both, "port ~~8080~~ `9090`");
    typed(
        "a b",
        &[entity("spoiler", 0, 1), entity("bold", 2, 1)],
        "||a|| **b**",
    );
    typed(
        "see the runbook",
        &[link(8, 7, "https://a.b/c")],
        "see the [runbook](https://a.b/c)",
    );
    typed("plain", &[], "plain");
}

#[test]
fn places_are_counted_as_telegram_counts_them() {
    let entities = [
        link(2, 2, "http://t.me/"),
        entity("code", 5, 2),
        entity("bold", 8, 2),
    ];
    typed("🏟🏟 🏟 数据", &entities, "🏟[🏟](http://t.me/) `🏟` **数据**");
    typed("тест аааа", &[entity("italic", 5, 4)], "тест __аааа__");
}

#[test]
fn what_telegram_has_split_is_one_stretch_again() {
    let around_link = [
        entity("bold", 0, 4),
        entity("url", 4, 11),
        entity("bold", 4, 11),
        entity("bold", 15, 4),
    ];
    typed(
        "see https://a.b now",
        &around_link,
        "**see https://a.b now**",
    );
    let crossing = [
        entity("italic", 0, 3),
        link(3, 4, "http://t.me/"),
        entity("italic", 3, 2),
    ];
    typed("asdabcd", &crossing, "__asd[ab__cd](http://t.me/)");
    let nested = [
        entity("bold", 0, 2),
        entity("bold", 2, 1),
        entity("italic", 2, 1),
        entity("bold", 3, 2),
    ];
    typed("a b c", &nested, "**a __b__ c**");
}

#[test]
fn one_inside_another_closes_first() {
    let all = [
        entity("spoiler", 0, 5),
        entity("bold", 0, 3),
        entity("italic", 0, 1),
    ];
    typed("a b c", &all, "||**__a__ b** c||");
    let end = [entity("bold", 0, 5), entity("italic", 4, 1)];
    typed("a b c", &end, "**a b __c__**");
    typed(
        "a",
        &[entity("bold", 0, 1), entity("italic", 0, 1)],
        "**__a__**",
    );
}

#[test]
fn blocks_have_their_fences_where_they_were() {
    typed("run ls", &[block(4, 2, "")], "run ```ls```");
    typed(
        "a\nx = 1\ny = 2\nb",
        &[block(2, 11, "")],
        "a\n```\nx = 1\ny = 2\n```\nb",
    );
    typed("x = 1", &[block(0, 5, "python")], "```python\nx = 1\n```");
    typed("a\n\n", &[block(0, 2, "sh")], "```sh\na\n```\n");
    typed("a`b", &[entity("code", 0, 3)], "``a`b``");
    typed("a```b", &[block(0, 5, "")], "````a```b````");
}

#[test]
fn a_quote_has_its_sign_on_each_line() {
    let quote = [entity("blockquote", 0, 7), entity("bold", 0, 3)];
    typed("one\ntwo\nno", &quote, "> **one**\n> two\nno");
    typed("a\nb", &[entity("expandable_blockquote", 2, 1)], "a\n> b");
}

#[test]
fn a_fence_stands_on_a_line_of_its_own_whatever_is_beside_it() {
    typed(
        "x = 1\nand so on",
        &[block(0, 6, "py")],
        "```py\nx = 1\n```\nand so on",
    );
    typed(
        "see x = 1 there",
        &[block(4, 5, "py")],
        "see \n```py\nx = 1\n```\n there",
    );
    typed("a\nb there", &[block(0, 3, "")], "```\na\nb\n```\n there");
    typed("`a", &[entity("code", 0, 2)], "`` `a ``");
    typed("a`", &[block(0, 2, "")], "``` a` ```");
}

#[test]
fn a_quote_stands_on_lines_of_its_own_with_all_that_is_in_it() {
    let quote = |offset: usize, length: usize| entity("blockquote", offset, length);
    typed("so: one\ntwo", &[quote(4, 7)], "so: \n> one\n> two");
    typed("one and", &[quote(0, 3)], "> one\n and");
    typed("one\nand", &[quote(0, 4)], "> one\nand");
    typed("a\n\nb", &[quote(0, 4)], "> a\n> \n> b");
    typed(
        "x = 1\ny",
        &[quote(0, 7), block(0, 5, "py")],
        "> ```py\n> x = 1\n> ```\n> y",
    );
    typed(
        "one\ntwo",
        &[quote(0, 7), entity("bold", 0, 4)],
        "> **one**\n> two",
    );
    let crossing = [entity("bold", 0, 5), quote(2, 3)];
    typed("a\nbcd\ne", &crossing, "**a**\n> **bcd**\ne");
    let two = [quote(0, 1), quote(4, 1)];
    typed("a\nb\nc", &two, "> a\nb\n> c");
}

#[test]
fn a_sign_opens_no_line_that_it_does_not_belong_to() {
    typed("one\ntwo", &[entity("bold", 0, 4)], "**one**\ntwo");
    typed("one\ntwo", &[entity("italic", 3, 4)], "one\n__two__");
    typed("\n\n", &[entity("bold", 0, 2)], "\n\n");
}

#[test]
fn what_stands_in_the_text_gets_no_signs() {
    let untouched = [
        entity("url", 0, 11),
        entity("bot_command", 0, 2),
        entity("underline", 0, 3),
        entity("custom_emoji", 0, 2),
        entity("text_mention", 0, 3),
        entity("something_new", 0, 3),
        link(0, 11, "https://a.b"),
    ];
    typed("https://a.b", &untouched, "https://a.b");
}

#[test]
fn what_is_odd_takes_nobodys_words_away() {
    let odd = [
        json!(null),
        json!("bold"),
        json!({ "type": "bold" }),
        json!({ "type": "bold", "offset": -1, "length": 2 }),
        json!({ "type": "bold", "offset": 0, "length": 2.5 }),
        json!({ "type": 7, "offset": 0, "length": 2 }),
        json!({ "type": "text_link", "offset": 0, "length": 2 }),
        entity("bold", 1, 1),
        entity("bold", 0, 1),
        entity("bold", 2, 0),
        entity("bold", 2, 50),
        entity("bold", usize::MAX, 1),
        entity("bold", 1, usize::MAX),
    ];
    typed("🏟ab", &odd, "🏟ab");
    for entities in [
        json!(null),
        json!("x"),
        json!({ "0": entity("bold", 0, 1) }),
    ] {
        assert_eq!(read_marks(Some(entities)), [] as [TextMark; 0]);
    }
    assert_eq!(read_marks(None), []);
}

#[test]
fn the_parts_of_a_split_text_keep_their_signs_in_place() {
    let mut first = sent("🏟 one", &[entity("italic", 3, 3)]);
    first.append(
        sent("two three", &[entity("italic", 0, 3), entity("bold", 4, 5)]),
        "",
    );
    assert_eq!(first.written().full, "🏟 __onetwo__ **three**");
}

#[test]
fn many_stretches_are_no_labour() {
    let text = "a ".repeat(200_000);
    let entities: Vec<Value> = (0..200_000).map(|n| entity("bold", n * 2, 1)).collect();
    let full = sent(&text, &entities).written().full;
    assert_eq!(full, "**a** ".repeat(200_000));

    let lines = "a\n".repeat(200_000);
    let quotes = (0..200_000).map(|n| entity("blockquote", n * 2, 1));
    let all: Vec<Value> = quotes.chain(entities).collect();
    let full = sent(&lines, &all).written().full;
    assert_eq!(full, "> **a**\n".repeat(200_000));
}

#[test]
fn the_bots_name_before_or_behind_what_is_said_is_no_part_of_it() {
    let said = |text: &str| SentText::from(text).without_mention("some_bot").plain;
    for (text, words) in [
        ("@some_bot 2", "2"),
        ("@Some_Bot, use the blue one", "use the blue one"),
        ("yes @some_bot ", "yes"),
        ("@some_bot", "@some_bot"),
        ("ask @some_bot first", "ask @some_bot first"),
        ("@other_bot 2", "@other_bot 2"),
        ("@some_bot's", "@some_bot's"),
        ("", ""),
    ] {
        assert_eq!(said(text), words, "{text:?}");
    }
    let bold = TextMark {
        start: 13,
        end: 15,
        kind: MarkKind::Bold,
    };
    let text = SentText {
        plain: "@some_bot 🙂 ok no".to_owned(),
        marks: vec![bold],
        ..SentText::default()
    };
    let left = text.without_mention("some_bot");
    assert_eq!(left.plain, "🙂 ok no");
    assert_eq!((left.marks[0].start, left.marks[0].end), (3, 5));
}
