//! A hostile device for tests: it executes POPC, and misbehaves as its arguments demand.

use std::fs::OpenOptions;
use std::io::{BufReader, Read, Write, stdin, stdout};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use assay_device::frame::{ReceivedRequest, Reply};
use assay_device::protocol::{Framing, Hello};
use assay_isa::effect::Lanes;
use assay_isa::{Effects, Location};

/// The first argument with which this program acts as a device.
pub const PLAY: &str = "play";
/// The operand value at which the device misbehaves, in scenarios with misbehaviour at a case.
pub const TRIGGER: u32 = 0xdead_beef;

/// The kinds of misbehaviour in place of an answer, or in addition to it.
pub const DEEDS: [&str; 27] = [
    "exit",
    "abort",
    "exit-half",
    "hang",
    "hang-half",
    "dribble",
    "garbage",
    "not-utf8",
    "empty-line",
    "half-line",
    "endless",
    "wrong-id",
    "too-few",
    "too-many",
    "no-such-place",
    "bad-value",
    "lane-beyond",
    "unknown-event",
    "says-failed",
    "close-stdin",
    "close-stdout",
    "flood-stderr",
    "flood-then-answer",
    "twice",
    "error",
    "child-stays",
    "unsupported-in-part",
];

/// The kinds of misbehaviour in place of a hello reply, or in the reply.
pub const WELCOMES: [&str; 12] = [
    "exit",
    "abort",
    "hang",
    "garbage",
    "half-exit",
    "half-hang",
    "endless",
    "old-version",
    "framing-not-offered",
    "keys-missing",
    "close-stdout",
    "flood-stderr",
];

/// Acts as a device. The arguments are the misbehaviour, the framing, the moment, and a folder for
/// files that record its actions.
pub fn play(arguments: &[String]) {
    let [deed, framing, moment, folder] = arguments else { panic!("four arguments") };
    let folder = Path::new(folder);
    note_process(folder, std::process::id());
    let framing = if framing == "json" { Framing::Json } else { Framing::Binary };
    let mut input = BufReader::new(stdin());
    let line = read_line(&mut input);
    let _: Hello = serde_json::from_slice(&line).expect("a hello");
    let is_first_life = first_time(folder, "lived");
    if moment == "reply" || moment == "rewelcome" && !is_first_life {
        welcome_badly(deed);
    }
    let framing_name = if framing == Framing::Json { "json" } else { "binary" };
    say(format!(
        "{{\"protocol\":1,\"name\":\"hostile\",\"version\":\"1\",\"optypes\":[\"POPC\"],\"framing\":\"{framing_name}\"}}\n"
    )
    .as_bytes());
    loop {
        let message = match framing {
            Framing::Json => read_line(&mut input),
            Framing::Binary | Framing::Shared => {
                let mut length = [0; 4];
                if input.read_exact(&mut length).is_err() {
                    return;
                }
                let mut message = vec![0; u32::from_le_bytes(length) as usize];
                input.read_exact(&mut message).expect("a whole request");
                message
            }
        };
        if message.is_empty() {
            return;
        }
        let ReceivedRequest { id, batch } = framing.read_request(&message).expect("a request");
        let values = batch.column(Location::R(1)).expect("POPC R0, R1 reads R1");
        let is_case = values.contains(&TRIGGER);
        let now = match moment.as_str() {
            "once" => is_case && first_time(folder, "misbehaved"),
            "every" => true,
            "rewelcome" => {
                if is_case {
                    std::process::exit(1)
                } else {
                    false
                }
            }
            _ => is_case,
        };
        if !now || !misbehave(deed, framing, id, values) {
            say(&answer(framing, id, values.len(), values));
        }
    }
}

/// Returns the correct answer for some lanes.
fn answer(framing: Framing, id: u64, lanes: usize, values: &[u32]) -> Vec<u8> {
    let mut effects = Effects::default();
    effects.reset(lanes);
    let bits = effects.write(Location::R(0), Lanes::All);
    bits.iter_mut().zip(values).for_each(|(bits, value)| *bits = value.count_ones());
    let mut out = Vec::new();
    framing.write_answer(id, &Reply::Known(&effects), &mut out);
    out
}

/// Misbehaves. Returns whether the misbehaviour took the place of the answer.
fn misbehave(deed: &str, framing: Framing, id: u64, values: &[u32]) -> bool {
    let good = answer(framing, id, values.len(), values);
    let is_json = framing == Framing::Json;
    match deed {
        "exit" => std::process::exit(3),
        "abort" => std::process::abort(),
        "exit-half" => {
            say(&good[..good.len() / 2]);
            std::process::exit(0);
        }
        "hang" => hang(),
        "hang-half" => {
            say(&good[..good.len() / 2]);
            hang();
        }
        "dribble" => loop {
            say(b" ");
            std::thread::sleep(Duration::from_millis(50));
        },
        "garbage" => say(b"Segmentation fault (core dumped)\n"),
        "not-utf8" => say(&[0xff, 0xfe, 0xfd, 0xfc, b'\n']),
        "empty-line" => say(if is_json { b"\n" } else { &[0, 0, 0, 0] }),
        "half-line" if is_json => say(&[&good[..good.len() / 2], b"\n"].concat()),
        "half-line" => say(&[&8u32.to_le_bytes()[..], &good[4..12]].concat()),
        "endless" => {
            if !is_json {
                say(&(100u32 << 20).to_le_bytes());
            }
            let chunk = [b'x'; 1 << 16];
            (0..1600).for_each(|_| say(&chunk));
            hang();
        }
        "wrong-id" => say(&answer(framing, id + 1, values.len(), values)),
        "too-few" => say(&answer(framing, id, values.len() - 1, values)),
        "too-many" => say(&answer(framing, id, values.len() + 1, values)),
        "no-such-place" if is_json => say(&replace(&good, "\"R0\"", "\"R300\"")),
        "no-such-place" => say(&patch(&good, 24, 77)),
        "bad-value" if is_json => say(&replace(&good, ":[", ":[\"x\",")),
        "bad-value" => say(&patch(&good, 12, 9)),
        "lane-beyond" => say(&with_event(&good, is_json, 9999, "executed: NOP")),
        "unknown-event" => say(&with_event(&good, is_json, 0, "fire")),
        "says-failed" => say(&with_event(&good, is_json, 0, "failed: device hung")),
        "close-stdin" => {
            // SAFETY: the standard input is not used after this.
            drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(0) });
            hang();
        }
        "close-stdout" => close_stdout(),
        "flood-stderr" => flood(),
        "flood-then-answer" => {
            (0..2048).for_each(|_| std::io::stderr().write_all(&[b'e'; 4096]).expect("it is drained"));
            return false;
        }
        "twice" => say(&[&good[..], &good].concat()),
        "error" => {
            let mut out = Vec::new();
            framing.write_answer(id, &Reply::Failed("out of licences"), &mut out);
            say(&out);
        }
        "child-stays" => {
            let child = Command::new("sleep").arg("1000").spawn().expect("sleep is there");
            note_process(&folder_of_arguments(), child.id());
            std::process::exit(5);
        }
        "unsupported-in-part" => {
            let mut out = Vec::new();
            match values.len() {
                WHOLE => std::process::exit(1),
                _ => framing.write_answer(id, &Reply::Unsupported, &mut out),
            }
            say(&out);
        }
        other => panic!("no deed is called {other}"),
    }
    true
}

/// Number of lanes of each batch in a scenario.
pub const WHOLE: usize = 16;

fn welcome_badly(deed: &str) {
    let reply = |protocol: u32, framing: &str| {
        format!(
            "{{\"protocol\":{protocol},\"name\":\"h\",\"version\":\"1\",\"optypes\":[\"POPC\"],\"framing\":\"{framing}\"}}\n"
        )
    };
    match deed {
        "exit" => std::process::exit(3),
        "abort" => std::process::abort(),
        "hang" => hang(),
        "garbage" => say(b"Welcome to the simulator!\n"),
        "half-exit" => {
            say(b"{\"protocol\":1,");
            std::process::exit(0);
        }
        "half-hang" => say(b"{\"protocol\":1,"),
        "endless" => (0..1600).for_each(|_| say(&[b'x'; 1 << 16])),
        "old-version" => say(reply(99, "json").as_bytes()),
        "framing-not-offered" => say(reply(1, "morse").as_bytes()),
        "keys-missing" => say(b"{\"protocol\":1}\n"),
        "close-stdout" => close_stdout(),
        "flood-stderr" => flood(),
        other => panic!("no reply is called {other}"),
    }
    hang();
}

fn flood() -> ! {
    loop {
        let _ = std::io::stderr().write_all(&[b'e'; 1 << 16]);
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

fn close_stdout() -> ! {
    // SAFETY: the standard output is not used after this.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(1) });
    hang();
}

fn say(bytes: &[u8]) {
    let mut stdout = stdout().lock();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        std::process::exit(0);
    }
}

fn read_line(input: &mut impl std::io::BufRead) -> Vec<u8> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line).expect("the host writes");
    line
}

fn replace(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replace(from, to).into_bytes()
}

fn patch(bytes: &[u8], place: usize, number: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn with_event(good: &[u8], is_json: bool, lane: u32, event: &str) -> Vec<u8> {
    if is_json {
        let events = format!(",\"events\":[{{\"lane\":{lane},\"event\":\"{event}\"}}]}}\n");
        return [&good[..good.len() - 2], events.as_bytes()].concat();
    }
    let text = [&lane.to_le_bytes()[..], &(event.len() as u32).to_le_bytes(), event.as_bytes()].concat();
    let whole = patch(&[good, &text[..]].concat(), 20, 1);
    let length = whole.len() as u32 - 4;
    patch(&whole, 0, length)
}

/// Returns whether this is the first call with this folder and name.
fn first_time(folder: &Path, name: &str) -> bool {
    OpenOptions::new().write(true).create_new(true).open(folder.join(name)).is_ok()
}

fn note_process(folder: &Path, id: u32) {
    let log = OpenOptions::new().append(true).create(true).open(folder.join("processes"));
    writeln!(log.expect("the folder is there"), "{id}").expect("the log can be written");
}

fn folder_of_arguments() -> std::path::PathBuf {
    std::env::args().next_back().expect("the folder is the last argument").into()
}
