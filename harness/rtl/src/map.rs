//! The map of a unit's ports. The map states which port carries which operand of an instruction,
//! and when the result is available.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use assay_files::yaml::{self, Step};
use assay_isa::shown;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::error::RtlError;

/// The version of the format.
pub const VERSION: u32 = 1;
/// Maximum latency in cycles.
const MOST_LATENCY: u32 = 100_000;
/// Maximum of `limit` in a handshake, in cycles.
const MOST_LIMIT: u32 = 10_000_000;

/// Values for ports, by name.
pub type PortValues = BTreeMap<String, u64>;

/// A map of the ports of a unit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortMap {
    /// Version of this format: 1.
    pub version: u32,
    /// Name of the device. By default the name of the top module.
    pub name: Option<String>,
    /// Name of the top module. By default the name of the file without its extension.
    pub top: Option<String>,
    /// Further source files, packages first. They are compiled before the file of the command line.
    /// Paths are relative to the folder of the map, the folder of the unit, or an `include` folder
    /// of the command line.
    #[serde(default)]
    pub sources: Vec<PathBuf>,
    /// Folders of included files, and of modules that no source file defines.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// Macros of the preprocessor.
    #[serde(default)]
    pub defines: BTreeMap<String, Setting>,
    /// Parameters of the top module.
    #[serde(default)]
    pub parameters: BTreeMap<String, Setting>,
    /// Warnings of Verilator to suppress, such as `BLKANDNBLK`.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// The port of the clock. The unit acts on the rising edge of the clock. A unit without a clock
    /// is combinational.
    pub clock: Option<String>,
    /// The reset.
    pub reset: Option<Reset>,
    /// Number of cycles from an operation to its result, 0 if combinational. A map has either this
    /// or `handshake`.
    pub latency: Option<u32>,
    /// Ports that show when an operation or a result is available. A map has either this or
    /// `latency`.
    pub handshake: Option<Handshake>,
    /// Constant values of ports for all operations.
    #[serde(default)]
    pub set: PortValues,
    /// The operations of the unit.
    pub operations: Vec<Operation>,
    /// The profile that the unit follows: the name of a built-in profile, or a file. The path of a
    /// file is resolved like the paths in `sources`.
    pub profile: Option<String>,
}

/// The value of a macro or of a parameter: a number or a word.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a number or a word")]
pub enum Setting {
    /// A number.
    Number(i64),
    /// A word, such as `8'h3f` or `fpnew_pkg::FP32`.
    Word(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(number) => write!(f, "{number}"),
            Setting::Word(word) => f.write_str(word),
        }
    }
}

/// A reset.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// The port.
    pub port: String,
    /// The level that resets the unit.
    #[serde(default)]
    pub active: Level,
    /// Number of cycles that the reset lasts.
    #[serde(default = "reset_cycles")]
    pub cycles: u32,
}

fn reset_cycles() -> u32 {
    2
}

/// A level of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// 1.
    #[default]
    High,
    /// 0.
    Low,
}

/// The ports of a handshake. A transfer occurs in each cycle in which valid and ready are both 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handshake {
    /// The channel for operations, from the harness to the unit.
    pub input: Channel,
    /// The channel for results, from the unit to the harness. Results must be in the order of the
    /// operations.
    pub output: Channel,
    /// Cycles without any transfer after which the unit counts as stuck.
    #[serde(default = "limit")]
    pub limit: u32,
    /// Percentage of cycles in which the harness is not ready to take a result.
    #[serde(default = "stalls")]
    pub stalls: u8,
    /// Percentage of cycles in which the harness delays a new operation.
    #[serde(default)]
    pub gaps: u8,
}

fn limit() -> u32 {
    10_000
}

fn stalls() -> u8 {
    25
}

/// One direction of a handshake.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// The port that is 1 when an operation or a result is available.
    pub valid: String,
    /// The port that is 1 when the receiver can take an operation or a result. Without this port
    /// the receiver is always ready.
    pub ready: Option<String>,
}

/// Modes that the unit executes with the same ports.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Patterns over modes, in the notation of device declarations. The last matching pattern
    /// decides.
    pub modes: Vec<String>,
    /// The operands by port. An operand is given by its index among the operands that are read,
    /// counted from 0. A list fills a port 32 bits at a time, the lowest first. Null stands for 0.
    pub operands: BTreeMap<String, Operands>,
    /// Constant values of ports for this operation.
    #[serde(default)]
    pub set: PortValues,
    /// Values of ports for modes with a modifier value, such as FTZ or RM.
    #[serde(default)]
    pub when: BTreeMap<String, PortValues>,
    /// The port of the result. If several operands are written, a list with a port for each.
    pub result: Results,
}

/// The operands that drive an input port of the unit.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "the number of an operand, or a list of such numbers and null")]
pub enum Operands {
    /// One operand.
    One(usize),
    /// Several operands of 32 bits each, the lowest first.
    List(Vec<Option<usize>>),
}

impl Operands {
    /// Returns the operand of each 32-bit word of the port, the lowest word first.
    pub fn words(&self) -> Vec<Option<usize>> {
        match self {
            Operands::One(operand) => vec![Some(*operand)],
            Operands::List(list) => list.clone(),
        }
    }
}

/// The results of an operation.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a map with `port` and `bits`, or a list of such maps")]
pub enum Results {
    /// One result.
    One(ResultPort),
    /// Several results.
    List(Vec<ResultPort>),
}

impl Results {
    /// Returns the results, in the order of the operands that are written.
    pub fn ports(&self) -> &[ResultPort] {
        match self {
            Results::One(port) => std::slice::from_ref(port),
            Results::List(list) => list,
        }
    }
}

/// Bits of an output.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultPort {
    /// The port.
    pub port: String,
    /// The bits, such as `31:0` or `5`. By default all bits of the port, which must then have at
    /// most 32.
    pub bits: Option<Bits>,
}

/// A range of bits of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The lowest bit.
    pub low: u16,
    /// Number of bits, 1 to 32.
    pub width: u16,
}

impl Bits {
    fn parse(text: &str) -> Option<Bits> {
        let (high, low) = text.split_once(':').unwrap_or((text, text));
        let (high, low) = (high.trim().parse::<u16>().ok()?, low.trim().parse::<u16>().ok()?);
        (high >= low && high - low < 32).then(|| Bits { low, width: high - low + 1 })
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bits, D::Error> {
        // YAML parses `5` as a number, and `31:0` as a number in some versions.
        let text = match Setting::deserialize(deserializer)? {
            Setting::Number(number) => number.to_string(),
            Setting::Word(text) => text,
        };
        Bits::parse(&text).ok_or_else(|| {
            D::Error::custom(format!("invalid bits `{text}`: write at most 32, such as \"31:0\" or 5"))
        })
    }
}

impl PortMap {
    /// Reads the text of a map. `path` appears in errors only.
    ///
    /// # Errors
    ///
    /// The text is not a valid map. The error names the line and the key.
    pub fn parse(text: &str, path: &Path) -> Result<PortMap, RtlError> {
        yaml::check(text).map_err(|e| wrong(path, None, e.to_string()))?;
        let map: PortMap = serde_yaml::from_str(text).map_err(|e| {
            let message = shown::message(&e.to_string());
            let message = message.rsplit_once(" at line ").map_or(&message[..], |(message, _)| message);
            wrong(path, e.location().map(|mark| mark.line()), message.to_owned())
        })?;
        map.check().map_err(|problem| problem.of(text, path))?;
        Ok(map)
    }

    fn check(&self) -> Result<(), MapProblem> {
        let at = |keys: &[&str], problem: &str| Err(MapProblem::new(keys, problem));
        if self.version != VERSION {
            return at(&["version"], &format!("is {}, and this program reads {VERSION}", self.version));
        }
        match (&self.latency, &self.handshake) {
            (None, None) => {
                return at(
                    &[],
                    "states neither `latency` nor `handshake`; write one: when is a result there?",
                );
            }
            (Some(_), Some(_)) => return at(&["latency"], "stands beside `handshake`; remove one of them"),
            (Some(latency), _) if *latency > MOST_LATENCY => {
                return at(&["latency"], &format!("is {latency}, and at most {MOST_LATENCY} is read"));
            }
            (latency, _) if *latency != Some(0) && self.clock.is_none() => {
                return at(&[], "names no `clock`; a unit without one is combinational: `latency: 0`");
            }
            _ => {}
        }
        if self.reset.is_some() && self.clock.is_none() {
            return at(&["reset"], "needs a `clock`");
        }
        if let Some(reset) = self.reset.as_ref().filter(|reset| !(1..=MOST_LATENCY).contains(&reset.cycles)) {
            return at(&["reset", "cycles"], &format!("is {}; write 1 to {MOST_LATENCY}", reset.cycles));
        }
        if let Some(handshake) = &self.handshake {
            handshake.check()?;
        }
        self.check_names()?;
        if self.operations.is_empty() {
            return at(&["operations"], "is empty; list what the unit does");
        }
        for (place, operation) in self.operations.iter().enumerate() {
            operation.check().map_err(|problem| problem.in_operation(place))?;
        }
        Ok(())
    }

    /// Checks the names and values that are inserted into command lines and C++ sources.
    fn check_names(&self) -> Result<(), MapProblem> {
        for (key, settings) in [("defines", &self.defines), ("parameters", &self.parameters)] {
            for (name, value) in settings {
                check_identifier(&[key, name], name)?;
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "_'.:+-".contains(c);
                if !value.to_string().chars().all(is_plain) {
                    let problem =
                        format!("is `{}`; write a number or a plain word", shown::quoted(&value.to_string()));
                    return Err(MapProblem::new(&[key, name], &problem));
                }
            }
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " ._+-".contains(c);
        if self
            .name
            .as_ref()
            .is_some_and(|name| name.is_empty() || name.len() > 80 || !name.chars().all(is_plain))
        {
            return Err(MapProblem::new(
                &["name"],
                "has other characters than letters, digits, space and ._+-",
            ));
        }
        let is_warning = |name: &&String| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        if let Some(name) = self.ignore.iter().find(|name| !is_warning(name) || name.is_empty()) {
            let problem = format!("names `{}`, which is no warning of Verilator", shown::quoted(name));
            return Err(MapProblem::new(&["ignore"], &problem));
        }
        let ports = [("top", self.top.as_ref()), ("clock", self.clock.as_ref())];
        for (key, name) in ports.into_iter().filter_map(|(key, name)| Some((key, name?))) {
            check_identifier(&[key], name)?;
        }
        if let Some(reset) = &self.reset {
            check_identifier(&["reset", "port"], &reset.port)?;
        }
        self.set.keys().try_for_each(|name| check_identifier(&["set", name], name))
    }
}

impl Handshake {
    fn check(&self) -> Result<(), MapProblem> {
        for (key, channel) in [("input", &self.input), ("output", &self.output)] {
            check_identifier(&["handshake", key, "valid"], &channel.valid)?;
            if let Some(ready) = &channel.ready {
                check_identifier(&["handshake", key, "ready"], ready)?;
            }
        }
        if !(1..=MOST_LIMIT).contains(&self.limit) {
            let problem = format!("is {}; write 1 to {MOST_LIMIT} cycles", self.limit);
            return Err(MapProblem::new(&["handshake", "limit"], &problem));
        }
        for (key, percentage) in [("stalls", self.stalls), ("gaps", self.gaps)] {
            if percentage > 90 {
                let problem = format!("is {percentage}; write a percentage of at most 90");
                return Err(MapProblem::new(&["handshake", key], &problem));
            }
        }
        Ok(())
    }
}

impl Operation {
    fn check(&self) -> Result<(), MapProblem> {
        let empty = |key: &str, what: &str| Err(MapProblem::new(&[key], &format!("is empty; {what}")));
        if self.operands.is_empty() {
            return empty("operands", "name a port for each operand, as in `{a: 0, b: 1}`");
        }
        if self.result.ports().is_empty() {
            return empty("result", "name a port, as in `{port: y}`");
        }
        for (port, operands) in &self.operands {
            check_identifier(&["operands", port], port)?;
            if operands.words().is_empty() {
                return Err(MapProblem::new(&["operands", port], "is an empty list"));
            }
        }
        for port in self.set.keys() {
            check_identifier(&["set", port], port)?;
        }
        for (modifier, values) in &self.when {
            for port in values.keys() {
                check_identifier(&["when", modifier, port], port)?;
            }
        }
        self.result.ports().iter().try_for_each(|result| check_identifier(&["result", "port"], &result.port))
    }
}

/// Checks that a name is a valid identifier in Verilog and in C++.
fn check_identifier(keys: &[&str], name: &str) -> Result<(), MapProblem> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.len() <= 200 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(());
    }
    Err(MapProblem::new(keys, &format!("names `{}`, which is no Verilog identifier", shown::quoted(name))))
}

/// A problem in a map, with the path of keys to its place.
#[derive(Debug)]
pub(crate) struct MapProblem {
    operation: Option<usize>,
    keys: Vec<String>,
    problem: String,
}

impl MapProblem {
    pub(crate) fn new(keys: &[&str], problem: &str) -> MapProblem {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        MapProblem { operation: None, keys, problem: problem.to_owned() }
    }

    pub(crate) fn in_operation(self, place: usize) -> MapProblem {
        MapProblem { operation: Some(place), ..self }
    }

    /// Returns the error. It states the line of the innermost of the keys that the text contains.
    pub(crate) fn of(self, text: &str, path: &Path) -> RtlError {
        let operation = self.operation.map(|place| [Step::Key("operations"), Step::Item(place)]);
        let keys = self.keys.iter().map(|key| Step::Key(key));
        let steps: Vec<Step<'_>> = operation.into_iter().flatten().chain(keys).collect();
        let line = (1..=steps.len()).rev().find_map(|length| yaml::line_of(text, &steps[..length]));
        let place = self.operation.map(|place| format!("operations[{place}]"));
        let name = place.into_iter().chain(self.keys).collect::<Vec<_>>().join(".");
        let subject = if name.is_empty() { "the map".to_owned() } else { format!("`{name}`") };
        wrong(path, line, format!("{subject} {}", self.problem))
    }
}

fn wrong(path: &Path, line: Option<usize>, problem: String) -> RtlError {
    RtlError::Map { path: path.to_owned(), line, problem }
}
