//! The modifier fields of each optype.
//!
//! Source: the `__Encoding` and `__Syntax` sections; codes count in the order of the lists (E002).
//! A reserved code is no instruction (E017).

use crate::codes::{Optype, OptypeInfo};
use crate::fault::Fault;
use crate::fields::Fields;
use crate::float::Rounding;
use crate::instruction::Modifiers;

/// Reads the modifiers. Returns `None` for a reserved code or an illegal combination.
pub(crate) fn decode(f: &Fields, info: &OptypeInfo) -> Option<Modifiers> {
    let mut m = Modifiers::default();
    match info.optype {
        Optype::Fadd | Optype::Fmul | Optype::Ffma => arithmetic(f, info.optype, &mut m)?,
        Optype::Fmnmx => {
            m.ftz = f.bit(76);
            m.nan = f.bit(83);
        }
        Optype::Fsetp | Optype::Fset => {
            m.ftz = f.bit(76);
            m.boolean = below(f.bits(84, 2), 3)?;
            m.compare = below(f.bits(86, 4), 14)?;
            m.one = info.optype == Optype::Fset && f.bit(90);
        }
        Optype::Fsel => m.ftz = f.bit(76),
        Optype::Mufu => mufu(f, info, &mut m)?,
        Optype::Flo | Optype::Uflo => {
            m.unsigned = f.bit(80);
            m.distance = f.bit(81);
        }
        Optype::Bmsk | Optype::Ubmsk => m.wrap = f.bit(81),
        Optype::Sgxt | Optype::Usgxt => {
            m.unsigned = f.bit(80);
            m.wrap = f.bit(81);
        }
        Optype::Ushf => {
            m.high = f.bit(75);
            m.shift_type = f.bits(77, 2);
            m.wrap = f.bit(80);
            m.right = f.bit(81);
        }
        Optype::Uprmt => m.mode = below(f.bits(76, 3), 7)?,
        Optype::Umov => m.wide = f.bit(80),
        Optype::Up2ur | Optype::Ur2up => m.byte = f.bits(79, 2),
        Optype::Ulop3 => {
            m.or = below(f.bits(79, 2), 2)? == 1;
            m.table = f.bits(82, 8);
        }
        Optype::Uplop3 => m.table = f.bits(82, 8),
        _ => integer(f, info.optype, &mut m)?,
    }
    if m.table != 0 && f.has(Fault::TableSevenBits) {
        m.table &= 0x7f;
    }
    if f.has(Fault::FtzIgnored) {
        m.ftz = false;
    }
    Some(m)
}

fn below(code: u32, bound: u32) -> Option<u32> {
    (code < bound).then_some(code)
}

fn arithmetic(f: &Fields, optype: Optype, m: &mut Modifiers) -> Option<()> {
    m.ftz = f.bit(76);
    m.sat = f.bit(if f.has(Fault::SatFieldMoved) { 75 } else { 77 });
    let mut rounding = f.bits(78, 2);
    if f.has(Fault::DirectionsSwapped) && matches!(rounding, 1 | 2) {
        rounding = 3 - rounding;
    }
    if f.has(Fault::RoundingIgnored) {
        rounding = 0;
    }
    m.rounding = Rounding::of(rounding);
    if optype == Optype::Fmul {
        m.scale = below(f.bits(80, 3), 7)?;
        if f.has(Fault::ScaleTwoBits) {
            m.scale &= 3;
        }
    }
    Some(())
}

/// Reads the modifiers of MUFU. Eighteen pairs of function and type are legal (E039).
fn mufu(f: &Fields, info: &OptypeInfo, m: &mut Modifiers) -> Option<()> {
    m.sat = f.bit(77);
    m.function = f.bits(78, 3);
    m.dtype = below(f.bits(81, 3), 6)?;
    m.upper = f.bit(72) && info.form(f.bits(8, 4)) != Some("I");
    let legal = match m.dtype {
        0 => true,
        1 => matches!(m.function, 4 | 5),
        _ => matches!(m.function, 2 | 7),
    };
    // The 16-bit types have neither sign prefix nor absolute value (E046).
    let prefixed = m.dtype >= 2 && f.bits(96, 2) != 0;
    (legal && !prefixed).then_some(())
}

fn integer(f: &Fields, optype: Optype, m: &mut Modifiers) -> Option<()> {
    match optype {
        Optype::Uiadd => m.extended = f.bit(76),
        Optype::Uimad | Optype::UimadWide | Optype::Uimul | Optype::Uimnmx => {
            m.high = optype != Optype::UimadWide && f.bit(75);
            m.extended = f.bit(76);
            m.unsigned = f.bit(77);
            if optype == Optype::Uimad && m.high != m.extended {
                return None;
            }
        }
        Optype::Ulea => {
            m.high = f.bit(75);
            m.extended = f.bit(76);
            m.sign_extended = f.bit(80);
            m.shift = f.bits(82, if f.has(Fault::ScalingFourBits) { 4 } else { 5 });
            if m.high != m.extended || (m.sign_extended && !m.high) {
                return None;
            }
        }
        Optype::Uisetp => {
            m.extended = f.bit(76);
            m.unsigned = f.bit(77);
            m.compare = below(f.bits(79, 3), 6)?;
            m.boolean = below(f.bits(82, 2), 3)?;
        }
        _ => {}
    }
    Some(())
}
