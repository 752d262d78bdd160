use super::*;
use serde_json::json;

fn value(bytes: &[u8]) -> Value {
    read(bytes).expect("a value").value
}

fn utf16_le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn what_is_odd_anywhere_takes_nothing_else_along() {
    let table: [(&[u8], Value); 16] = [
        (b"{\"a\":\"x\ty\",\"b\":1}", json!({ "a": "x\ty", "b": 1 })),
        (
            b"{\"a\":\"x\ny\x1b[2J\x01\"}",
            json!({ "a": "x\ny\u{1b}[2J\u{1}" }),
        ),
        (
            br#"{"a":"\ud83d","b":1}"#,
            json!({ "a": "\u{fffd}", "b": 1 }),
        ),
        (
            br#"{"a":"\ud83d\ud83d\ude00"}"#,
            json!({ "a": "\u{fffd}😀" }),
        ),
        (br#"{"a":"\ude00\u0041"}"#, json!({ "a": "\u{fffd}A" })),
        (b"\xef\xbb\xbf{\"a\":1}", json!({ "a": 1 })),
        (
            b"{\"cwd\":\"/home/caf\xe9\",\"b\":1}",
            json!({ "cwd": "/home/caf\u{fffd}", "b": 1 }),
        ),
        (b"{\"a\":1}{\"a\":2}", json!({ "a": 1 })),
        (b"{\"a\":1}\nand so on", json!({ "a": 1 })),
        (b"{\"a\":1,}", json!({ "a": 1 })),
        (b"[1,,2,]", json!([1, 2])),
        (
            b"{\"a\":NaN,\"b\":1e999,\"c\":-Infinity}",
            json!({ "a": "NaN", "b": "1e999", "c": "-Infinity" }),
        ),
        (
            br#"{"a":"C:\Users\x"}"#,
            json!({ "a": "C:\\\u{fffd}Users\\\u{fffd}x" }),
        ),
        (
            br#"{"a":"\u12","b":1}"#,
            json!({ "a": "\u{fffd}12", "b": 1 }),
        ),
        (b"\r\n {\"a\":null}", json!({ "a": null })),
        (b"{a: true}", json!({ "a": true })),
    ];
    for (sent, expected) in table {
        let sent_as_text = String::from_utf8_lossy(sent);
        let read = read(sent).expect("a value");
        assert_eq!(read.value, expected, "{sent_as_text}");
        assert!(!read.flaws.cut, "{sent_as_text}");
    }
}

#[test]
fn utf_16_is_read_with_a_mark_and_without() {
    let text = "{\"a\":\"é 😀 \\\" }\"}";
    let expected = json!({ "a": "é 😀 \" }" });
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [b"\xff\xfe".as_slice(), &utf16_le(text)].concat();
    for sent in [utf16_le(text), big, marked] {
        assert_eq!(value(&sent), expected);
        assert!(ValueEnd::default().is_reached(&sent));
    }
}

#[test]
fn the_second_byte_of_an_older_encoding_is_no_part_of_the_json() {
    // In GBK the second byte of 誠 is a backslash, in Shift JIS that of 表.
    for pair in [b"\xd5\x5c", b"\x95\x5c"] {
        let sent = [b"{\"a\":\"rm ".as_slice(), pair, b"\",\"b\":1}"].concat();
        assert_eq!(value(&sent), json!({ "a": "rm \u{fffd}", "b": 1 }));
    }
}

#[test]
fn what_is_cut_is_kept_as_far_as_it_came_and_said_to_be_cut() {
    let whole = r#"{"event":"Permission","input":{"command":"rm -rf /tmp/a","n":12},"l":[1,"b"]}"#;
    for length in 1..whole.len() {
        let read = read(&whole.as_bytes()[..length]).expect("it has begun");
        assert!(read.flaws.cut, "{}", &whole[..length]);
    }
    let cut = read(&whole.as_bytes()[..55]).unwrap();
    assert_eq!(cut.value["event"], "Permission");
    assert_eq!(cut.value["input"]["command"], "rm -rf /tmp/a");
}

#[test]
fn what_is_no_value_at_all_is_none() {
    for sent in ["", " \n", "hello", "}", "\u{feff}", ": 1"] {
        assert_eq!(read(sent.as_bytes()), None, "{sent:?}");
    }
}

#[test]
fn what_lies_too_deep_is_kept_as_a_text() {
    let deep = format!(
        "{{\"a\":{}{},\"b\":1}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let read = read(deep.as_bytes()).unwrap();
    assert_eq!(read.value["b"], 1);
    assert!(read.flaws.replaced && !read.flaws.cut);
}

/// A small generator, the same on each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }

    fn text(&mut self) -> String {
        const PARTS: [&str; 12] = [
            "a", "\"", "\\", "\n", "é", "😀", "{", "]", ",", "\u{1}", "//", "\u{202e}",
        ];
        (0..self.roll(8))
            .map(|_| PARTS[self.roll(PARTS.len())])
            .collect()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth > 3 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!(self.roll(1_000_000)),
            3 | 4 => json!(self.text()),
            5 => (0..self.roll(4)).map(|_| self.value(depth + 1)).collect(),
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let fields = (0..self.roll(4)).map(|_| (self.text(), self.value(depth + 1)));
        Value::Object(fields.collect())
    }
}

#[test]
fn a_thousand_values_come_through_each_harmless_change_unchanged() {
    let mut dice = Dice(7);
    for _ in 0..1_000 {
        let sent = dice.object(0);
        let text = sent.to_string();
        let raw = text.replace("\\u0001", "\u{1}").replace("\\n", "\n");
        // An escaped backslash before an n is not an escaped n.
        let raw = if text.contains("\\\\") {
            text.clone()
        } else {
            raw
        };
        let changed: [Vec<u8>; 5] = [
            raw.into_bytes(),
            format!("\u{feff}{text}\n{text}").into_bytes(),
            utf16_le(&text),
            text.replace('}', ",}").replace("{,}", "{}").into_bytes(),
            format!("\r\n{text} trailing").into_bytes(),
        ];
        for (kind, bytes) in changed.into_iter().enumerate() {
            // A brace within a text is none of the structure.
            if kind == 3 && text.contains("\\\"") {
                continue;
            }
            let in_text = kind == 3 && sent.to_string().matches('}').count() != structure(&sent);
            if in_text {
                continue;
            }
            assert_eq!(
                read(&bytes).map(|read| read.value),
                Some(sent.clone()),
                "{kind}: {text}"
            );
        }
    }
}

/// Counts the objects in a value.
fn structure(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(structure).sum::<usize>(),
        Value::Array(items) => items.iter().map(structure).sum(),
        _ => 0,
    }
}

#[test]
fn whatever_bytes_change_nothing_panics_and_the_end_is_found_in_any_pieces() {
    let mut dice = Dice(11);
    for _ in 0..3_000 {
        let mut bytes = dice.object(0).to_string().into_bytes();
        let mut end = ValueEnd::default();
        let pieces: Vec<bool> = bytes
            .chunks(1 + dice.roll(5))
            .map(|piece| end.is_reached(piece))
            .collect();
        assert!(pieces.last().copied().unwrap_or_default());
        assert!(pieces.iter().rev().skip(1).all(|reached| !reached));

        for _ in 0..=dice.roll(3) {
            let at = dice.roll(bytes.len());
            bytes[at] = dice.roll(256) as u8;
        }
        let _ = read(&bytes);
        bytes.truncate(dice.roll(bytes.len()));
        let _ = read(&bytes);
    }
}

#[test]
fn a_field_of_another_type_is_absent() {
    let message = json!({ "t": "x", "n": 7, "z": null, "l": [1], "o": {}, "f": "true" });
    assert_eq!(fields::text(&message, "n").as_deref(), Some("7"));
    assert_eq!(fields::string(&message, "n"), None);
    assert_eq!(fields::text(&message, "z"), None);
    assert_eq!(fields::text(&message, "l"), None);
    assert_eq!(fields::list(&message, "l").len(), 1);
    assert!(fields::list(&message, "z").is_empty() && fields::list(&message, "t").is_empty());
    assert!(fields::object(&message, "o").is_some() && fields::object(&message, "l").is_none());
    assert_eq!(fields::flag(&message, "f"), Some(true));
    assert_eq!(fields::text(&json!("no object"), "t"), None);
}

#[test]
fn what_was_mended_is_strict_json_and_what_has_no_end_is_not_mended() {
    let odd = b"\xef\xbb\xbf[{\"a\":\"x\ty\\ud83d\"},]\n{}";
    let strict: Value = serde_json::from_slice(&mended(odd).unwrap()).unwrap();
    assert_eq!(strict, json!([{ "a": "x\ty\u{fffd}" }]));

    for none in [&b"[{\"a\":1}"[..], b"hello", b"\"text\"", b"", b"7"] {
        assert_eq!(mended(none), None, "{}", String::from_utf8_lossy(none));
    }
}

#[test]
fn choices_and_values_are_meant_as_models_write_them() {
    let labels = |value: Value| {
        let choices = meant::choices(&value)?;
        Ok(choices.into_iter().map(|it| it.label).collect::<Vec<_>>())
    };
    assert_eq!(
        labels(json!("[\"A\", {\"title\": \"B\"},]")),
        Ok(vec!["A".into(), "B".into()])
    );
    assert_eq!(
        labels(json!(["{x}", "[a]", "[\"a\"]"])),
        Ok(vec!["{x}".into(), "[a]".into(), "[\"a\"]".into()])
    );
    assert_eq!(labels(json!("A, B")), Err(meant::Unclear));

    assert_eq!(meant::truth(&json!(" True ")), Ok(Some(true)));
    assert_eq!(meant::truth(&json!(2)), Err(meant::Unclear));
    assert_eq!(meant::number(&json!("4.5")), Ok(Some(4.5)));
    assert_eq!(meant::number(&json!("inf")), Err(meant::Unclear));
}

#[test]
fn a_structure_that_is_guessed_is_said_to_be_and_one_that_is_only_untidy_is_not() {
    for guessed in [
        r#"{"a":"git commit -m "x" && rm -rf ~/y"}"#,
        r#"{"a":"grep "a","b" f"}"#,
        r#"{"a":"jq "{a}" f"}"#,
        r#"{"a":"jq "}" f; rm -rf x"}"#,
        r#"{"a":"jq "}" f; rm -rf x"}}"#,
        r#"{"cwd":"C:\proj\","b":1,"c":2}"#,
        r#"{"a":"x" "b":1}"#,
        r#"{"a" "x"}"#,
        r#"{"a":,"b":1}"#,
        r#"{a:1}"#,
        r#"{"a":[1}}"#,
        r#"[{"a":1]"#,
        r#"["a":1]"#,
    ] {
        let flaws = read(guessed.as_bytes()).expect("it begins").flaws;
        assert!(flaws.hide_something(), "{guessed} {flaws:?}");
        assert_eq!(mended(guessed.as_bytes()), None, "{guessed}");
    }
    for untidy in [
        r#"{"a":1,,"b":2,}"#,
        r#"[,1,,2,]"#,
        r#"{"a":NaN,"b":"C:\Users"}"#,
        "{\"a\":\"x\ty\"}\r\n",
        "{\"a\":1}{\"a\":2}",
        "{\"a\":1}\nand so on",
        "{}",
        "[[],{},\"\"]",
    ] {
        let flaws = read(untidy.as_bytes()).expect("it begins").flaws;
        assert!(!flaws.hide_something(), "{untidy} {flaws:?}");
    }
}

#[test]
fn what_is_mended_keeps_the_digits_of_every_number() {
    let odd = br#"[{"n": 123456789012345678901234567890, "m": 1e3, "k": 1.50}, {"x": NaN}]"#;
    let mended = String::from_utf8(mended(odd).unwrap()).unwrap();
    assert_eq!(
        mended,
        r#"[{"k":1.50,"m":1e3,"n":123456789012345678901234567890},{"x":"NaN"}]"#
    );
}

#[test]
fn names_come_in_the_order_in_which_they_were_written() {
    let path = ["form", "fields"];
    let names = |text: &[u8]| order::names(text, &path).join(" ");
    let form = br#"{"fields":{"x":1},"form":{"a":[{"fields":{"y":1}}],"fields":{"zip":{"type":1},
        "name":{"fields":{"z":1}},"age":2},"more":{"q":1}},"later":{"fields":{"r":1}}}"#;
    assert_eq!(names(form), "zip name age");
    assert_eq!(
        names(br#"{"form":{"fields":{"b":1},"fields":{"d":1,"c":2}}}"#),
        "d c"
    );
    assert_eq!(
        names(b"\xef\xbb\xbf{\"form\":{\"fields\":{\"b\":\"x\ty\",\"a\":2,}}}"),
        "b a"
    );
    assert_eq!(
        names(&utf16_le(r#"{"form":{"fields":{"b":1,"a":2}}}"#)),
        "b a"
    );
    for without in [&b"{}"[..], b"[]", b"", br#"{"form":[{"fields":{"a":1}}]}"#] {
        assert_eq!(names(without), "", "{without:?}");
    }
}

#[test]
fn a_double_is_written_as_javascript_writes_it_as_long_as_it_counts_by_ones() {
    for (double, written) in [
        (3.0, "3"),
        (9_007_199_254_740_991.0, "9007199254740991"),
        (-9_007_199_254_740_991.0, "-9007199254740991"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
    ] {
        assert_eq!(exact::written(&exact::of_double(double)), written);
    }
}

#[test]
fn a_number_that_keeps_its_digits_is_no_text() {
    let read = read_exact(br#"{"id":18446744073709551616,"small":7,"text":"1e400"}"#).unwrap();
    let digits = |name: &str| exact::digits(&read.value[name]);
    assert_eq!(digits("id").as_deref(), Some("18446744073709551616"));
    assert_eq!(digits("small").as_deref(), Some("7"));
    assert_eq!(digits("text"), None);
    let id = fields::text(&read.value, "id");
    assert_eq!(id.as_deref(), Some("18446744073709551616"));
    assert_eq!(fields::string(&read.value, "id"), None);
    assert_eq!(
        fields::string(&read.value, "text").as_deref(),
        Some("1e400")
    );
}
