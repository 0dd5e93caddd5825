//! Tests which sets of answers `ver` accepts as complete.

use assay_isa::asm;
use assay_vectors::{Actual, Case, parse_line};
use serde_json::Value;

use super::device::Device;
use super::{cases, verdict};
use crate::support::{assay_with_input, stderr, stdout};

/// A way to tamper with the answers to a stream.
type Tampering = fn(&[&str]) -> Vec<String>;

/// Returns the answer `unsupported` to the case of a line.
fn declined(line: &str) -> String {
    let case = parse_line(line).expect("an answer");
    Case { actual: Some(Actual::Unsupported), ..case }.to_line()
}

/// Each single answer is right, but in most rows the set of answered cases differs from the set of
/// generated cases.
#[test]
fn every_case_is_answered_and_counts_once() {
    let text = cases(&["--as", "jsonl", "--only", "FADD", "POPC", "--cases", "2000"]);
    let answers = Device::model().lines(&text);
    let (head, lines) = answers.split_once('\n').expect("a head");
    let lines: Vec<&str> = lines.lines().collect();
    let other = cases(&["--as", "jsonl", "--only", "FADD", "POPC", "--cases", "2000", "--seed", "2"]);
    let other = Device::model().lines(&other);
    let whole: Tampering = |lines| lines.iter().rev().map(|line| (*line).to_owned()).collect();
    let once: Tampering = |lines| vec![lines[7].to_owned(); lines.len()];
    let twice: Tampering = |lines| {
        let place = lines.iter().rposition(|line| *line != lines[0]).expect("another line");
        let answered =
            |(nth, line): (usize, &&str)| if nth == place { lines[0].to_owned() } else { (*line).to_owned() };
        lines.iter().enumerate().map(answered).collect()
    };
    let unsupported: Tampering = |lines| {
        let answered =
            |(nth, line): (usize, &&str)| if nth % 100 == 0 { (*line).to_owned() } else { declined(line) };
        lines.iter().enumerate().map(answered).collect()
    };
    for (name, change, more, ends, words) in [
        ("in another order", whole, &[][..], 0, ""),
        ("one answer 2,000 times", once, &[], 1, "not those to the generated cases"),
        ("one missing and another twice", twice, &[], 1, "not those to the generated cases"),
        ("99 % unsupported", unsupported, &[], 1, "--allow-undeclared"),
        ("99 % unsupported, one optype allowed", unsupported, &["--allow-undeclared", "POPC"], 1, "FADD_"),
        ("99 % unsupported, all allowed", unsupported, &["--allow-undeclared", "*"], 0, ""),
    ] {
        let stream = format!("{head}\n{}\n", change(&lines).join("\n"));
        let output = assay_with_input(&[&["ver", "--as", "jsonl"], more].concat(), stream);
        assert_eq!(output.status.code(), Some(ends), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{name}: {}", stderr(&output));
        let printed = stdout(&output);
        let verdict = printed.lines().last().expect("a verdict");
        assert_eq!(verdict.contains(" --allow-undeclared allows "), !more.is_empty(), "{name}: {verdict}");
    }
    let (_, other) = other.split_once('\n').expect("a head");
    let found = verdict(&["--as", "jsonl"], &format!("{head}\n{other}"), 1);
    assert_eq!(found["divergences"], 0);
    assert_ne!(found["digest"], found["expected_digest"]);
}

/// A stream without a digest may be incomplete. Without its header, a stream that was cut off
/// between two lines looks complete. If only the number of cases is known, a device can repeat one
/// answer that many times.
#[test]
fn a_stream_that_is_not_shown_to_be_complete_is_unverified_unless_that_is_allowed() {
    let text = cases(&["--as", "jsonl", "--only", "POPC", "--cases", "200"]);
    let whole = Device::model().lines(&text);
    let (head, lines) = whole.split_once('\n').expect("a head");
    let digest = verdict(&["--as", "jsonl"], &whole, 0)["digest"].as_str().expect("a digest").to_owned();
    let cut: String = lines.lines().take(50).map(|line| format!("{line}\n")).collect();
    let once = lines.lines().next().expect("an answer").to_owned() + "\n";
    let unverified = "UNVERIFIED  No divergence in 200 answers. The digest of the cases is unknown";
    let allowed = "which --allow-incomplete allows";
    for (name, stream, more, ends, last) in [
        (
            "whole, with its head",
            whole.as_str(),
            &[][..],
            0,
            "PASSED  No divergence in 200 answers. Each generated",
        ),
        ("no head", lines, &[], 1, unverified),
        ("cut off, no head", &cut, &[], 1, "UNVERIFIED  No divergence in 50 answers"),
        ("one answer 200 times, by the number", &once.repeat(200), &["--cases", "200"], 1, unverified),
        ("whole, by the digest", lines, &["--digest", &digest], 0, "PASSED  "),
        ("cut off, by the digest", &cut, &["--digest", &digest], 1, "FAILED  "),
        ("cut off, and allowed", &cut, &["--allow-incomplete"], 0, allowed),
        (
            "cut off with a head, and allowed",
            &format!("{head}\n{cut}"),
            &["--allow-incomplete"],
            2,
            "FAILED  ",
        ),
        ("no head, and allowed", lines, &["--allow-incomplete"], 0, allowed),
        (
            "no head, allowed in vain",
            &whole,
            &["--allow-incomplete"],
            0,
            "Each generated case was answered once",
        ),
    ] {
        let output = assay_with_input(&[&["ver", "--as", "jsonl"], more].concat(), stream);
        assert_eq!(output.status.code(), Some(ends), "{name}: {}", stderr(&output));
        let printed = stdout(&output);
        let verdict = printed.lines().last().expect("a verdict");
        assert!(verdict.contains(last), "{name}: {verdict}");
        assert_eq!(verdict.starts_with("PASSED"), ends == 0, "{name}: {verdict}");
    }
    let found = verdict(&["--as", "jsonl"], lines, 1);
    assert_eq!((&found["verdict"], &found["allow_incomplete"]), (&"unverified".into(), &false.into()));
}

/// If one shard is given twice, the digests of its two headers add up, and so do those of its
/// answers. The two sums agree, so the repetition must be noticed in another way.
#[test]
fn streams_of_shards_are_the_whole_plan_or_are_named() {
    let shard = |index: &str| {
        let generated = cases(&["--as", "jsonl", "--only", "POPC", "--cases", "8000", "--shard", index]);
        Device::model().lines(&generated)
    };
    let [zero, one] = ["0/2", "1/2"].map(shard);
    for (stream, ends, words) in [
        (format!("{zero}{one}"), 0, "Each generated case was answered once."),
        (zero.clone(), 0, "Each case of shard 0/2 was answered once. Not the whole plan."),
        (format!("{zero}{zero}"), 1, "two streams have the same cases"),
    ] {
        let output = assay_with_input(&["ver", "--as", "jsonl"], &stream);
        assert_eq!(output.status.code(), Some(ends), "{}", stderr(&output));
        let said = stdout(&output) + &stderr(&output);
        assert!(said.to_lowercase().contains(&words.to_lowercase()), "{words}: {said}");
    }
}

/// Tests a format without a header, and a header of an older version, without a digest.
#[test]
fn a_digest_is_given_where_a_stream_has_none() {
    let adder = asm::parse("FADD R0, R1, R2").unwrap();
    let named = ["--as", "testfloat", "--instruction", "f32_add"];
    let output = assay_with_input(&[&["gen", "--cases", "2000"], &named[..]].concat(), "");
    let said = stderr(&output);
    let digest = said.split("digest ").nth(1).expect("a digest").split(',').next().expect("a digest");
    let answers = Device::model().columns(&adder, &stdout(&output));
    let first = answers.lines().next().expect("an answer").to_owned() + "\n";
    for (answers, more, ends, is_unknown) in [
        (&answers, &["--digest", digest][..], 0, false),
        (&first.repeat(2000), &["--digest", digest], 1, false),
        (&answers, &[], 1, true),
        (&answers, &["--digest", "12"], 2, false),
    ] {
        let ver = [&["ver", "--cases", "2000"], &named[..], more].concat();
        let output = assay_with_input(&ver, answers);
        assert_eq!(output.status.code(), Some(ends), "{more:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains("give the digest"), is_unknown, "{}", stderr(&output));
    }
    let whole = Device::model().lines(&cases(&["--as", "jsonl", "--only", "BREV", "--cases", "50"]));
    let place = whole.find(",\"digest\"").expect("a digest");
    let end = place + whole[place..].find('}').expect("the end of the head");
    let old = whole[..place].to_owned() + &whole[end..];
    let found = verdict(&["--as", "jsonl"], &old, 1);
    assert_eq!((&found["expected_digest"], &found["promised"]), (&Value::Null, &50.into()));
    // If one of two concatenated streams has no digest in its header, the digest of the whole is
    // unknown.
    assert!(verdict(&["--as", "jsonl"], &(old + &whole), 1)["expected_digest"].is_null());
}
