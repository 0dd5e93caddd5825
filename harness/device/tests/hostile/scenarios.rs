//! The scenarios, and the expected result of each.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use assay_device::protocol::{Framing, Hello, OLDEST, PROTOCOL};
use assay_device::{DevicePool, Limits, TransportKind};
use assay_isa::effect::Failure;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Event, Location, Subject, asm, codec};

use crate::device::{DEEDS, PLAY, TRIGGER, WELCOMES, WHOLE};

/// Number of batches of a scenario.
const BATCHES: usize = 5;
/// Number of failures after which a device is declared dead.
const FAILURES: u32 = 3;

/// The misbehaviour of a device, its framing, and the moment of the misbehaviour.
pub struct Scenario {
    deed: &'static str,
    framing: &'static str,
    moment: Moment,
}

#[derive(Clone, Copy, PartialEq)]
enum Moment {
    /// At a case, each time the case is executed. The values are batch and lane.
    Case(usize, usize),
    /// At a case, but only the first time the case is executed. The values are batch and lane.
    Once(usize, usize),
    /// At every batch.
    Every,
    /// Instead of the first reply.
    Welcome,
    /// Instead of every reply but the first. The device ends at a case, so that it must be opened
    /// again.
    Rewelcome,
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scenario { deed, framing, moment } = self;
        match moment {
            Moment::Case(batch, lane) => write!(f, "{deed}, {framing}, at lane {lane} of batch {batch}"),
            Moment::Once(batch, lane) => {
                write!(f, "{deed}, {framing}, once, at lane {lane} of batch {batch}")
            }
            Moment::Every => write!(f, "{deed}, {framing}, at every batch"),
            Moment::Welcome => write!(f, "{deed}, {framing}, instead of a reply"),
            Moment::Rewelcome => write!(f, "{deed}, {framing}, instead of a second reply"),
        }
    }
}

/// Returns all scenarios.
pub fn all() -> Vec<Scenario> {
    let mut list = Vec::new();
    let last = (BATCHES - 1, WHOLE - 1);
    for framing in ["json", "binary"] {
        let moments = [
            Moment::Case(0, 0),
            Moment::Case(2, 7),
            Moment::Case(last.0, last.1),
            Moment::Once(0, 3),
            Moment::Once(2, 0),
            Moment::Every,
        ];
        for deed in DEEDS {
            list.extend(moments.map(|moment| Scenario { deed, framing, moment }));
        }
        for deed in WELCOMES {
            list.extend([Moment::Welcome, Moment::Rewelcome].map(|moment| Scenario {
                deed,
                framing,
                moment,
            }));
        }
    }
    list
}

impl Scenario {
    /// Returns the failure that must be recorded. `None` if the device does not fail.
    fn failure(&self) -> Option<Failure> {
        let is_json = self.framing == "json";
        Some(match self.deed {
            "exit" | "abort" | "exit-half" | "close-stdout" | "child-stays" => Failure::Crashed,
            "hang" | "hang-half" | "close-stdin" | "flood-stderr" => Failure::Hung,
            // The device sends blanks. In JSON, blanks may begin a line. In binary, four blanks are
            // read as a length.
            "dribble" if is_json => Failure::Hung,
            "dribble" => Failure::Unreadable,
            "garbage" | "not-utf8" | "empty-line" | "half-line" | "endless" => Failure::Unreadable,
            "no-such-place" | "bad-value" if is_json => Failure::Unreadable,
            "too-few" | "too-many" if !is_json => Failure::Unreadable,
            "wrong-id" | "too-few" | "too-many" | "no-such-place" | "bad-value" => Failure::Unfit,
            "lane-beyond" | "unknown-event" | "says-failed" | "twice" => Failure::Unfit,
            "error" => Failure::Reported,
            // The device crashes at a whole batch, and answers `unsupported` to a part of it. If it
            // does so only once, no part fails, and the crash is recorded. Otherwise the failure of
            // a part is recorded.
            "unsupported-in-part" if matches!(self.moment, Moment::Once(..)) => Failure::Crashed,
            "unsupported-in-part" => Failure::Unfit,
            "flood-then-answer" => return None,
            other => panic!("what comes of {other}?"),
        })
    }

    /// Runs the scenario. The error names the problem.
    pub fn run(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let moment = match self.moment {
            Moment::Case(..) => "case",
            Moment::Once(..) => "once",
            Moment::Every => "every",
            Moment::Welcome => "reply",
            Moment::Rewelcome => "rewelcome",
        };
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let place = folder.path().display().to_string();
        let command = [&program.display().to_string(), PLAY, self.deed, self.framing, moment, &place];
        let pool = DevicePool::new(TransportKind::Exec(command.map(String::from).into()), |_| {});
        pool.set_limits(Limits { deadline: Duration::from_secs(1), failures: FAILURES });
        let outcome = self.converse(&pool);
        drop(pool);
        nothing_is_left(folder.path())?;
        outcome
    }

    fn converse(&self, pool: &std::sync::Arc<DevicePool>) -> Result<(), String> {
        let hello = Hello {
            protocol: OLDEST,
            protocols: vec![OLDEST, PROTOCOL],
            numbers: "test".into(),
            profile: "intended".into(),
            readings: [].into(),
            framings: vec![Framing::Binary, Framing::Json],
            memory: None,
        };
        let mut subject = pool.subject(hello, EncodingTable::provisional().clone());
        let mut effects = Effects::default();
        for nth in 0..BATCHES {
            let batch = self.batch(nth);
            let outcome = subject.execute(&batch, &mut effects);
            match (self.moment, outcome) {
                (Moment::Welcome, Err(BackendError::Failed { .. })) => return Ok(()),
                (Moment::Rewelcome, Err(BackendError::Gone { reason, .. })) => {
                    return expect(reason.contains("cannot be started again"), || format!("gone: {reason}"));
                }
                (Moment::Every, Err(BackendError::Gone { .. })) if self.failure().is_some() => {
                    self.settled(&batch, &effects)?;
                    expect(pool.health().failures() == FAILURES, || "another number of failures".into())?;
                    let again = subject.execute(&batch, &mut effects);
                    let is_gone = matches!(again, Err(BackendError::Gone { .. })) && effects.is_empty();
                    return expect(is_gone, || "the dead device answered".into());
                }
                (_, Ok(Answer::Known)) => {
                    expect(effects.len() == batch.len(), || format!("batch {nth}: {} lanes", effects.len()))?;
                    self.settled(&batch, &effects).map_err(|e| format!("batch {nth}: {e}"))?;
                }
                (_, other) => return Err(format!("batch {nth}: {other:?}")),
            }
        }
        let expected = match (self.moment, self.failure()) {
            (Moment::Case(..) | Moment::Once(..), Some(_)) => 1,
            (Moment::Case(..) | Moment::Once(..) | Moment::Every, None) => 0,
            _ => return Err("it came to the end".into()),
        };
        let failures = pool.health().failures();
        expect(failures == expected, || format!("{failures} failures, {expected} expected"))
    }

    fn batch(&self, nth: usize) -> Batch {
        let instruction = asm::parse("POPC R0, R1").expect("an instruction");
        let word = codec::encode(&instruction, EncodingTable::provisional());
        let mut batch = Batch::new(word, &[Location::R(1)], WHOLE);
        let guilty = match self.moment {
            Moment::Case(batch, lane) | Moment::Once(batch, lane) => Some((batch, lane)),
            Moment::Rewelcome => Some((1, 5)),
            _ => None,
        };
        for (lane, value) in batch.column_mut(0).iter_mut().enumerate() {
            *value = if guilty == Some((nth, lane)) { TRIGGER } else { (nth * WHOLE + lane) as u32 };
        }
        batch
    }

    /// Checks that every settled lane has its value, and that exactly the failing lanes have the
    /// failure.
    fn settled(&self, batch: &Batch, effects: &Effects) -> Result<(), String> {
        let values = batch.column(Location::R(1)).unwrap_or_default();
        for (lane, value) in values.iter().enumerate().take(effects.len()) {
            let is_blamed = match self.moment {
                Moment::Case(..) => *value == TRIGGER,
                // The case does not fail again, so the failure is assigned to the first lane of the
                // batch.
                Moment::Once(..) => lane == 0 && values.contains(&TRIGGER),
                Moment::Every => true,
                Moment::Welcome | Moment::Rewelcome => false,
            };
            let must = is_blamed.then(|| self.failure()).flatten().map(Event::Failed);
            let did = effects.event_of(lane).copied();
            expect(must == did, || format!("lane {lane} did {did:?}, and {must:?} is expected"))?;
            if must.is_none() {
                let bits = effects.value(Location::R(0), lane);
                expect(bits == Some(value.count_ones()), || format!("lane {lane} wrote {bits:?}"))?;
            }
        }
        Ok(())
    }
}

fn expect(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

/// Checks that no process that recorded its id in the folder still exists. Processes that this
/// program started must be reaped, and their child processes must have ended.
fn nothing_is_left(folder: &Path) -> Result<(), String> {
    let until = Instant::now() + Duration::from_secs(5);
    let log = std::fs::read_to_string(folder.join("processes")).unwrap_or_default();
    let left = |id: &str| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The process name in parentheses can contain any character. After it come the state and
        // the parent.
        let mut fields = status.rsplit_once(')')?.1.split_whitespace();
        let (state, parent) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let is_ours = parent == std::process::id().to_string();
        (state != "Z" || is_ours).then(|| format!("process {id} is left in state {state}"))
    };
    while let Some(problem) = log.lines().find_map(left) {
        if Instant::now() > until {
            return Err(problem);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
