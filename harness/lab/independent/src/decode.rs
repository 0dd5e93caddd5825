//! Decodes a 128-bit word into an [`Instruction`].
//!
//! Source: the `__Encoding` sections of documents 000, 003 and 004. The errata decide what these
//! sections leave open: E010 for RZ and PT, E015 for constants, E026, E128 and E131 for prefixes.

use crate::codes::{Optype, OptypeInfo};
use crate::fault::{Active, Fault};
use crate::fields::Fields;
use crate::instruction::{Instruction, Operand, Predicate, ResultPart, Source};
use crate::location::Location;
use crate::modifiers;

/// The value of a register that was never written. Only faults read it.
const UNINITIALISED: u32 = 0xcdcd_cdcd;

/// Decodes a word. Returns `None` if the word is no instruction of this device.
pub(crate) fn decode(word: u128, active: Active) -> Option<Instruction> {
    let fields = Fields::new(word, active);
    let info = OptypeInfo::of(fields.bits(0, 8))?;
    let form = info.form(fields.bits(8, 4))?;
    let m = modifiers::decode(&fields, info)?;
    let decoder = Decoder { fields, info, form, wide: info.optype == Optype::UimadWide };
    let mut instruction = Instruction {
        info,
        form,
        guard: decoder.guard(),
        a: Operand::NONE,
        b: Operand::NONE,
        c: Operand::NONE,
        p: decoder.predicate(98, 101),
        q: decoder.predicate(102, 105),
        r: Predicate::TRUE,
        packs: matches!(info.optype, Optype::Up2ur | Optype::Ur2up),
        m,
        outputs: Vec::new(),
    };
    decoder.operands(&mut instruction)?;
    decoder.outputs(&mut instruction)?;
    Some(instruction)
}

/// The three positions of a source: bits 24, 32 and 64.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    First,
    Wide,
    Third,
}

impl Slot {
    fn low(self) -> u32 {
        match self {
            Slot::First => 24,
            Slot::Wide => 32,
            Slot::Third => 64,
        }
    }
}

struct Decoder {
    fields: Fields,
    info: &'static OptypeInfo,
    form: &'static str,
    /// Whether the last operand and the destination have 64 bits.
    wide: bool,
}

impl Decoder {
    fn guard(&self) -> Predicate {
        let f = &self.fields;
        if f.has(Fault::GuardIgnored) {
            return Predicate::TRUE;
        }
        let mut number = f.bits(12, 3);
        if f.has(Fault::GuardTwoBits) && number != 7 {
            number &= 3;
        }
        let not = f.bit(15) && !f.has(Fault::GuardNotIgnored);
        Predicate { source: self.truth(number), not }
    }

    fn predicate(&self, low: u32, not: u32) -> Predicate {
        let f = &self.fields;
        let mut number = f.bits(low, 3);
        if f.has(Fault::PredicateInTwoBits) && number != 7 {
            number &= 3;
        }
        let carries =
            matches!(self.info.optype, Optype::Uiadd | Optype::Uimad | Optype::UimadWide | Optype::Ulea);
        let ignored = (f.has(Fault::NotIgnored) && !carries) || (f.has(Fault::CarryNotIgnored) && carries);
        let source = self.truth(number);
        if f.has(Fault::TrueReadsFalse) && source == Source::Value(1) {
            return Predicate { source: Source::Value(0), not: f.bit(not) };
        }
        Predicate { source, not: f.bit(not) && !ignored }
    }

    /// Returns the source of a predicate. Code 7 is PT or UPT (E010).
    fn truth(&self, number: u32) -> Source {
        let taken_for_true = self.fields.has(Fault::P6IsTrue) && number == 6;
        match number {
            7 => Source::Value(1),
            _ if taken_for_true => Source::Value(1),
            _ if self.info.uniform => Source::Place(Location::up(number)),
            _ => Source::Place(Location::p(number)),
        }
    }

    fn general(&self, slot: Slot) -> Source {
        let f = &self.fields;
        let number = f.bits(slot.low(), 8);
        let number = match slot {
            _ if number == 255 => 255,
            Slot::First if f.has(Fault::RegisterASevenBits) => number & 0x7f,
            Slot::Wide if f.has(Fault::RegisterBSixBits) => number & 0x3f,
            Slot::Third if f.has(Fault::RegisterCFiveBits) => number & 0x1f,
            _ => number,
        };
        match number {
            255 if f.has(Fault::RzUninitialised) && slot == Slot::Wide => Source::Value(UNINITIALISED),
            255 => Source::Value(0),
            254 if f.has(Fault::R254IsRz) => Source::Value(0),
            _ => Source::Place(Location::r(number)),
        }
    }

    fn uniform(&self, slot: Slot) -> Source {
        let f = &self.fields;
        let number = f.bits(slot.low(), 6);
        if f.has(Fault::UniformReadsGeneral) && !self.info.uniform && number != 63 {
            return Source::Place(Location::r(number));
        }
        let number = if f.has(Fault::UniformBFiveBits) && slot == Slot::Wide && number != 63 {
            number & 0x1f
        } else {
            number
        };
        match number {
            63 if f.has(Fault::UrzUninitialised) && slot == Slot::Third => Source::Value(UNINITIALISED),
            63 => Source::Value(0),
            62 if f.has(Fault::Ur62IsUrz) => Source::Value(0),
            _ => Source::Place(Location::ur(number)),
        }
    }

    /// Reads the address of a constant: a byte offset of 17 bits, and the bank in the bits above
    /// (E015).
    fn constant(&self) -> Source {
        let f = &self.fields;
        let mut offset = f.bits(32, 17);
        let mut bank = f.bits(49, 5);
        if f.has(Fault::BankFourBits) {
            bank &= 0xf;
        }
        if f.has(Fault::OffsetSixteenBits) {
            offset &= 0xffff;
        }
        if f.has(Fault::OffsetTwelveBits) {
            offset &= 0xfff;
        }
        Source::Place(Location::constant(bank, offset))
    }

    fn operand(&self, kind: u8, slot: Slot, wide: bool) -> Option<Operand> {
        let source = match kind {
            b'R' => self.general(slot),
            b'U' => self.uniform(slot),
            b'C' => self.constant(),
            _ => Source::Value(self.literal(slot)),
        };
        // A constant must begin at a multiple of its size (E096, which holds for the other constant
        // forms).
        if kind == b'C' && self.fields.bits(32, if wide { 3 } else { 2 }) != 0 {
            return None;
        }
        let high = if wide { Some(self.high_word(source)?) } else { None };
        let literal = kind == b'I';
        let mut operand = Operand { source, high, literal, ..Operand::NONE };
        if !literal {
            self.prefixes(slot, kind, &mut operand);
        }
        Some(operand)
    }

    /// Returns the second word of a pair. A register pair must begin at an even number (E020).
    fn high_word(&self, low: Source) -> Option<Source> {
        match low {
            Source::Value(_) => Some(Source::Value(0)),
            Source::Place(place) if self.fields.has(Fault::PairHighIsLow) && place.space == Location::UR => {
                Some(low)
            }
            Source::Place(place) if place.space == Location::CONSTANT => {
                if self.fields.has(Fault::ConstantPairHighZero) {
                    return Some(Source::Value(0));
                }
                Some(Source::Place(Location { index: place.index + 4, ..place }))
            }
            Source::Place(place) if place.index % 2 == 0 && place.index < 62 => {
                Some(Source::Place(Location { index: place.index + 1, ..place }))
            }
            Source::Place(_) => None,
        }
    }

    fn literal(&self, slot: Slot) -> u32 {
        let f = &self.fields;
        let bits = f.bits(slot.low(), 32);
        let float = matches!(self.info.optype as u8, 41..=48);
        if self.info.optype == Optype::Mufu {
            return bits;
        }
        if float {
            return match bits {
                _ if f.has(Fault::LiteralUpperHalfLost) => bits & 0xffff,
                _ if f.has(Fault::LiteralLowerHalfLost) => bits & 0xffff_0000,
                _ if f.has(Fault::LiteralThirteenBitsLost) => bits & 0xffff_e000,
                0x8000_0000 if f.has(Fault::LiteralMinusZeroLost) => 0,
                _ => bits,
            };
        }
        match bits {
            _ if f.has(Fault::LiteralBytesSwapped) => bits.swap_bytes(),
            _ if f.has(Fault::LiteralSignFrom16) => bits as u16 as i16 as i32 as u32,
            _ if f.has(Fault::LiteralSignFrom24) => ((bits << 8) as i32 >> 8) as u32,
            _ if f.has(Fault::LiteralTwentyBits) && self.form == "UIU" => bits & 0xf_ffff,
            _ if f.has(Fault::ShiftLiteralFiveBits)
                && self.info.optype == Optype::Ushf
                && slot == Slot::Wide =>
            {
                if self.form == "UIU" {
                    bits & 0x1f
                } else {
                    bits
                }
            }
            _ => bits,
        }
    }

    /// Reads the prefixes of an operand. The bit positions of prefixes depend on the optype (E026).
    fn prefixes(&self, slot: Slot, kind: u8, operand: &mut Operand) {
        let f = &self.fields;
        match self.info.optype as u8 {
            41..=48 | 0 => {
                let (negate, absolute) = match slot {
                    Slot::First => (72, 73),
                    Slot::Wide => (96, 97),
                    Slot::Third if f.has(Fault::ThirdPrefixesSwapped) => (75, 74),
                    Slot::Third => (74, 75),
                };
                operand.negate = f.bit(negate) && !(f.has(Fault::NegateAIgnored) && slot == Slot::First);
                operand.absolute = f.bit(absolute) && !(f.has(Fault::AbsoluteBIgnored) && slot == Slot::Wide);
            }
            1 | 2 | 33 | 34 => operand.invert = f.bit(97) && !f.has(Fault::InvertIgnored),
            17 | 23 => operand.negate = f.bit(if slot == Slot::First { 72 } else { 97 }),
            18 | 19 if slot == Slot::Third && self.form != "UUC" && self.form != "UUI" => {
                operand.negate = f.bit(74);
            }
            18 | 19 if self.form == "UUC" && kind == b'C' => operand.negate = f.bit(97),
            20 if slot == Slot::Wide => operand.negate = f.bit(97),
            21 if slot == Slot::First => operand.negate = f.bit(72),
            _ => {}
        }
    }

    /// Reads the sources. Each letter of the form gives the kind of one source. The letters also
    /// determine the bit positions of the sources.
    fn operands(&self, instruction: &mut Instruction) -> Option<()> {
        let kinds = self.form.as_bytes();
        let plain = if self.info.uniform { b'U' } else { b'R' };
        let wide_move = self.info.optype == Optype::Umov && instruction.m.wide;
        match *kinds {
            [b'X'] => {
                let f = &self.fields;
                let read = |low| Predicate { source: self.truth(f.bits(low, 3)), not: f.bit(low + 3) };
                (instruction.p, instruction.q, instruction.r) = (read(24), read(32), read(64));
                if f.has(Fault::NotIgnored) {
                    instruction.q.not = false;
                }
            }
            [b] => instruction.b = self.operand(b, Slot::Wide, wide_move)?,
            [a, b] => {
                instruction.a = self.operand(a, Slot::First, false)?;
                instruction.b = self.operand(b, Slot::Wide, false)?;
            }
            [a, b, c] => {
                // A third source that is no plain register takes the wide slot. Then the second
                // source is in bits 64 and up.
                let (slot_b, slot_c) =
                    if c == plain { (Slot::Wide, Slot::Third) } else { (Slot::Third, Slot::Wide) };
                instruction.a = self.operand(a, Slot::First, false)?;
                instruction.b = self.operand(b, slot_b, false)?;
                instruction.c = self.operand(c, slot_c, self.wide)?;
                if self.fields.has(Fault::RriAsRir) && self.form == "RRI" {
                    core::mem::swap(&mut instruction.b, &mut instruction.c);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn outputs(&self, instruction: &mut Instruction) -> Option<()> {
        let out = &mut instruction.outputs;
        let optype = self.info.optype;
        let f = &self.fields;
        let wide = self.wide || (optype == Optype::Umov && instruction.m.wide);
        if !matches!(optype, Optype::Fsetp | Optype::Fchk | Optype::Uisetp | Optype::Ur2up | Optype::Uplop3) {
            self.destination(wide, out)?;
        }
        let first = match optype {
            Optype::Uiadd => instruction.m.extended,
            Optype::Uimad | Optype::UimadWide | Optype::Ulea | Optype::Ulop3 | Optype::Uplop3 => true,
            _ => matches!(optype, Optype::Fsetp | Optype::Fchk | Optype::Uisetp),
        };
        if first {
            let mut number = f.bits(106, 3);
            if f.has(Fault::PredicateOutTwoBits) && number != 7 {
                number &= 3;
            }
            self.truth_output(number, ResultPart::First, out);
        }
        if matches!(optype, Optype::Fsetp | Optype::Uisetp) {
            self.truth_output(f.bits(109, 3), ResultPart::Second, out);
        }
        if optype == Optype::Ur2up {
            out.extend((0..7).map(|bit| (Location::up(bit.into()), ResultPart::Bit(bit))));
        }
        Some(())
    }

    fn destination(&self, wide: bool, out: &mut Vec<(Location, ResultPart)>) -> Option<()> {
        let f = &self.fields;
        let (space, mut number, zero) = if self.info.uniform {
            (Location::UR, f.bits(16, 6), 63)
        } else {
            (Location::R, f.bits(16, 8), 255)
        };
        if number == zero {
            return Some(());
        }
        if f.has(Fault::DestinationSevenBits) && space == Location::R {
            number &= 0x7f;
        }
        out.push((Location { space, index: number }, ResultPart::Low));
        if wide {
            if number % 2 != 0 || number + 1 >= zero {
                return None;
            }
            out.push((Location { space, index: number + 1 }, ResultPart::High));
        }
        Some(())
    }

    fn truth_output(&self, number: u32, part: ResultPart, out: &mut Vec<(Location, ResultPart)>) {
        if number == 7 {
            return;
        }
        let space = if self.info.uniform { Location::UP } else { Location::P };
        out.push((Location { space, index: number }, part));
    }
}
