//! The answer of a device to a case: its writes and its event, or the reason why it has none. Case
//! files and `eval` write it in the same form.

use std::collections::BTreeMap;
use std::fmt;

use assay_isa::effect::Lanes;
use assay_isa::readings::Erratum;
use assay_isa::{Effects, Event, Location};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::text::Parsed;
use crate::values::{Values, WrittenValue};

/// A device's answer to one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actual {
    /// The device executed the case.
    Did {
        /// The written values. A location without a value was not written.
        writes: Values,
        /// The event that the device reported besides the writes, if any.
        event: Option<Event>,
    },
    /// The device treats the result as undefined, because of this erratum.
    Undefined(Erratum),
    /// The device does not implement the instruction.
    Unsupported,
}

/// The text of an answer from a device that does not implement the instruction.
const UNSUPPORTED: &str = "unsupported";
// Keys of an answer that are events and not locations.
const EVENTS: [&str; 3] = ["fault", "executed", "failed"];
const UNDEFINED: &str = "undefined";

impl Actual {
    /// Returns the effects of one lane of a batch as an answer.
    pub fn of_lane(effects: &Effects, lane: usize) -> Actual {
        if let Some((_, erratum)) = effects.undefined().iter().find(|(l, _)| *l == lane) {
            return Actual::Undefined(*erratum);
        }
        Actual::Did { writes: effects.lane(lane).collect(), event: effects.event_of(lane).copied() }
    }
}

/// Writes the answers to the cases of a batch into `effects`, one lane for each case. The lane of
/// an unsupported case stays empty.
pub fn gather<'a>(answers: impl ExactSizeIterator<Item = &'a Actual>, effects: &mut Effects) {
    let lanes = answers.len();
    effects.reset(lanes);
    let mut columns: BTreeMap<Location, (Vec<u32>, Vec<bool>)> = BTreeMap::new();
    for (lane, answer) in answers.enumerate() {
        match answer {
            Actual::Did { writes, event } => {
                for (location, value) in writes.iter() {
                    let empty = || (vec![0; lanes], vec![false; lanes]);
                    let (values, written) = columns.entry(*location).or_insert_with(empty);
                    (values[lane], written[lane]) = (*value, true);
                }
                event.iter().for_each(|event| effects.event(lane, *event));
            }
            Actual::Undefined(erratum) => effects.undefine(lane, *erratum),
            Actual::Unsupported => {}
        }
    }
    for (location, (values, written)) in columns {
        effects.write(location, Lanes::from(written)).copy_from_slice(&values);
    }
}

impl Serialize for Actual {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = match self {
            Actual::Unsupported => return serializer.serialize_str(UNSUPPORTED),
            _ => serializer.serialize_map(None)?,
        };
        match self {
            Actual::Unsupported => {}
            Actual::Undefined(erratum) => map.serialize_entry(UNDEFINED, &erratum.to_string())?,
            Actual::Did { writes, event } => {
                for (location, value) in writes.iter() {
                    map.serialize_entry(&location.to_string(), &WrittenValue::at(*location, *value))?;
                }
                if let Some((kind, what)) = event.map(|event| event.to_string()).as_deref().and_then(apart) {
                    map.serialize_entry(kind, what)?;
                }
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Actual {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ActualVisitor)
    }
}

struct ActualVisitor;

impl<'de> Visitor<'de> for ActualVisitor {
    type Value = Actual;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what was written, such as {R0: 0x3f800000}, or {undefined: E049}, or `unsupported`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Actual, E> {
        match text {
            UNSUPPORTED => Ok(Actual::Unsupported),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Actual, A::Error> {
        let (mut writes, mut events, mut undefined) = (Values::default(), Vec::new(), None);
        while let Some(key) = access.next_key::<String>()? {
            match &key[..] {
                kind if EVENTS.contains(&kind) => {
                    let what: String = access.next_value()?;
                    events.push(parsed(&format!("{kind}: {what}"))?);
                }
                UNDEFINED => undefined = Some(parsed(&access.next_value::<String>()?)?),
                place => {
                    let location = Location::parsed(place).map_err(A::Error::custom)?;
                    let value = access.next_value_seed(crate::values::under(location))?;
                    if writes.insert(location, value).is_some() {
                        return Err(A::Error::custom(format_args!(
                            "{location} occurs twice; keep one of them"
                        )));
                    }
                }
            }
        }
        match (undefined, &events[..]) {
            (None, [] | [_]) => Ok(Actual::Did { writes, event: events.pop() }),
            (Some(erratum), []) if writes.is_empty() => Ok(Actual::Undefined(erratum)),
            _ => Err(A::Error::custom("an answer has one event at most, and `undefined` stands alone")),
        }
    }
}

/// Splits the text of an event, such as `executed: NOP`, into its kind and its detail.
fn apart(event: &str) -> Option<(&str, &str)> {
    event.split_once(": ")
}

fn parsed<T: std::str::FromStr<Err: fmt::Display>, E: Error>(text: &str) -> Result<T, E> {
    text.parse().map_err(E::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Actual, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn answers_read_back() {
        for text in [
            r#"{}"#,
            r#"{"R0":"0x3f800000","P1":true}"#,
            r#"{"fault":"misaligned address"}"#,
            r#"{"failed":"device hung"}"#,
            r#"{"R3":"0x00000000","executed":"PMTRIG 0x5"}"#,
            r#"{"undefined":"E049"}"#,
            r#""unsupported""#,
        ] {
            let actual = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(serde_json::to_string(&actual).unwrap(), text);
            let mut effects = Effects::default();
            gather([&actual].into_iter(), &mut effects);
            let expected = if actual == Actual::Unsupported { read("{}").unwrap() } else { actual };
            assert_eq!(Actual::of_lane(&effects, 0), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for (text, why) in [
            (r#""nothing""#, "unsupported"),
            (r#"{"R0":1,"R0":2}"#, "twice"),
            (r#"{"RZ":1}"#, "no location"),
            (r#"{"P0":1}"#, "true"),
            (r#"{"R0":"0x3f7ffffe..0x3f800001"}"#, "no 32-bit word"),
            (r#"{"R0":1,"undefined":"E049"}"#, "alone"),
            (r#"{"fault":"misaligned address","executed":"NOP"}"#, "one event"),
            (r#"{"fault":"fire"}"#, "misaligned address"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
