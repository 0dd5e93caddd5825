//! Generates the faults of MUFU's tables, and the faults for [`Bug`]s, which many optypes can have.

use assay_isa::catalog;
use assay_isa::enumeration::Modifier;
use assay_isa::row::{FieldType, Optype, Rule};
use assay_isa::tables::types;
use assay_model::{Class, Rom, SpecialTable};

use super::bug::Bug;
use super::families::Family;
use super::listed::{Fault, FaultInfo};
use super::shared::is_sibling;

use crate::rows;

const MOVES: [&str; 9] = ["S2R", "CS2R", "S2UR", "SETREG", "GETREG", "USEL", "UMOV", "SETUGPR", "GETUGPR"];
const SUMS: [&str; 4] = ["UIADD", "UIMAD", "UIMAD_WIDE", "ULEA"];
const ORDERED: [&str; 9] = ["SETREG", "UISETP", "USEL", "ULOP3", "UPLOP3", "ULEA", "USHF", "UPRMT", "UF2FP"];
const SIGNALS: [&str; 5] = ["PMTRIG", "SWITCH", "NOP", "IBBAR", "DEPBAR"];

/// Returns whether a bug can show in an optype.
fn is_of(bug: Bug, optype: &Optype) -> bool {
    let guarded = !optype.rules.iter().any(|rule| matches!(rule, Rule::Unguarded { .. }));
    let writes = optype.outs.iter().any(|out| !out.starts_with("UR["));
    let fields = || optype.fields.iter().chain(optype.forms.iter().flat_map(|form| form.fields));
    let has = |wanted: fn(FieldType) -> bool| fields().any(|field| wanted(field.ty));
    let attribute = |name: &str| fields().any(|field| field.attribute() == Some(name));
    let wide = |out: &str| optype.extra.wide.iter().any(|wide| wide.operand == out);
    let immediate = has(|ty| matches!(ty, FieldType::SImm32 | FieldType::UImm(32)));
    let by_name = |names: &[&str]| names.contains(&optype.name);
    match bug {
        Bug::GuardIgnored | Bug::GuardNotInverted | Bug::NeverExecutes => guarded,
        Bug::FalseGuardZero => guarded && writes && !by_name(&["ULDC", "GETREG", "GETUGPR"]),
        Bug::DestinationNext => writes,
        Bug::SecondOutputMissing => optype.outs.len() > 1,
        Bug::WordsSwapped | Bug::HighWordMissing => optype.outs.iter().any(|out| wide(out)),
        Bug::OperandsSwapped => by_name(&ORDERED),
        Bug::PrefixIgnored => attribute("neg"),
        Bug::NotIgnored => attribute("not"),
        Bug::ImmediateSwapped => immediate,
        // UP2UR and UR2UP use only eight bits of their immediate masks.
        Bug::ImmediateShort => immediate && !by_name(&["UP2UR", "UR2UP"]),
        // ULDC and GETUGPR use the zero register only as the base of an address or index.
        Bug::ZeroRegister => has_zero_register(optype) && !by_name(&["ULDC", "GETUGPR"]),
        Bug::CarryExact | Bug::CarryInIgnored | Bug::CarryInForgotten => by_name(&SUMS),
        Bug::TopBitLost
        | Bug::HighHalfLost
        | Bug::LowHalfSigned
        | Bug::HalvesSwapped
        | Bug::BytesSwapped
        | Bug::LowestBitLost => by_name(&MOVES),
        Bug::EventMissing | Bug::EventFault | Bug::EventWrites => by_name(&SIGNALS),
    }
}

/// Returns whether a source operand can be a zero register.
fn has_zero_register(optype: &Optype) -> bool {
    let fields = optype.fields.iter().chain(optype.forms.iter().flat_map(|form| form.fields));
    let register = |ty| matches!(ty, FieldType::Reg | FieldType::UReg | FieldType::SReg);
    fields.filter(|field| register(field.ty)).any(|field| !optype.outs.contains(&field.name))
}

/// Returns a fault for each [`Bug`] and each optype of MISC, IB and UDP in which the bug can show.
/// Leaves out optypes of the uniform datapath that get their faults from a sibling in XU.
pub(super) fn common() -> impl Iterator<Item = FaultInfo> {
    let groups = ["MISC", "IB", "UDP"];
    let own = catalog().optypes().into_iter().filter(move |optype| groups.contains(&optype.group.name));
    own.filter(|optype| !is_sibling(optype.name)).flat_map(|optype| {
        let bugs = Bug::ALL.iter().filter(|bug| is_of(**bug, optype));
        bugs.map(|bug| {
            let name = format!("{}-{}", optype.name.to_lowercase().replace('_', "-"), hyphenated(bug));
            let index = types::Optype::ENUM.index_of(optype.name).expect("an optype of the list");
            let fault = Fault::Common(*bug, types::Optype::from_index(index));
            let (family, about) = (bug.family(), bug.about());
            FaultInfo { fault, name: name.leak(), optype: optype.name, family, about }
        })
    })
}

/// Returns a fault for each special row of MUFU.
pub(super) fn special_rows() -> impl Iterator<Item = FaultInfo> {
    let all = SpecialTable::ALL.into_iter().flat_map(|table| Class::ALL.map(|class| (table, class)));
    all.filter(|(table, class)| rows::exists(*table, *class)).map(|(table, class)| {
        let name = format!("{}-row-{}", hyphenated(table), hyphenated(class));
        made(Fault::Row(table, class), name, Family::SpecialRow, rows::mistake(table, class))
    })
}

/// Returns the faults of an interpolator. The faults include a wrong bit in each row of its table.
pub(super) fn interpolators(rom: Rom) -> impl Iterator<Item = FaultInfo> {
    let name = hyphenated(rom);
    let make = move |fault: Fault, suffix: &str, about: &str| {
        let family = if matches!(fault, Fault::RomBit(..)) { Family::Rom } else { Family::Interpolation };
        made(fault, format!("{name}-{suffix}"), family, format!("{}: {about}.", name.to_uppercase()))
    };
    let offset =
        make(Fault::OffsetTruncated(rom), "offset-truncated", "only the leading bit of the offset is used");
    let square = make(Fault::SquareDropped(rom), "square-dropped", "the quadratic term is missing");
    let bit = move |segment| {
        let about = format!("a bit is wrong in the row of segment {segment}");
        make(Fault::RomBit(rom, segment), &format!("rom-{segment}"), &about)
    };
    [offset, square].into_iter().chain((0..rom.segments() as u16).map(bit))
}

/// Creates the entry for a generated MUFU fault. The texts of the entry may be leaked, because the
/// table of faults is built once and never dropped.
fn made(fault: Fault, name: String, family: Family, about: String) -> FaultInfo {
    FaultInfo { fault, name: name.leak(), optype: "MUFU", family, about: about.leak() }
}

/// Returns a variant's name as on the command line: `NegativeZero` as `negative-zero`.
pub(super) fn hyphenated(variant: impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
