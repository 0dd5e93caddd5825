//! The effects of a case other than writes, as the text of its row. Examples are
//! `fault: misaligned address` and `executed: PMTRIG 0x5`. `undefined: E049` means that the
//! recorded implementation reported the lane as undefined. Such effects are rare. Several are
//! separated by `; `.

use assay_isa::{Effects, Erratum, Event};

const BETWEEN: &str = "; ";

/// Returns the text of each lane that has such effects, ordered by lane.
pub fn texts(effects: &Effects) -> Vec<(usize, String)> {
    let events = effects.events().iter().map(|(lane, event)| (*lane, event.to_string()));
    let undefined =
        effects.undefined().iter().map(|(lane, erratum)| (*lane, format!("undefined: {erratum}")));
    let mut list: Vec<(usize, String)> = events.chain(undefined).collect();
    list.sort_by_key(|(lane, _)| *lane);
    list.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = format!("{}{BETWEEN}{}", first.1, next.1);
        }
        same
    });
    list
}

/// Adds the effects in a lane's text to `effects`.
pub fn apply(text: &str, lane: usize, effects: &mut Effects) -> Result<(), String> {
    for part in text.split(BETWEEN) {
        match part.strip_prefix("undefined: ") {
            Some(name) => effects.undefine(lane, name.parse::<Erratum>().map_err(reason)?),
            None => effects.event(lane, part.parse::<Event>().map_err(reason)?),
        }
    }
    Ok(())
}

fn reason(error: impl std::fmt::Display) -> String {
    error.to_string()
}
