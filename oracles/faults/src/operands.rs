//! Generates the faults of each operand of each optype.

use assay_isa::catalog;
use assay_isa::enumeration::Modifier;
use assay_isa::row::{Data, FieldType, Optype};
use assay_isa::tables::types;

use super::listed::{Fault, FaultInfo};
use super::operand_fault::OperandFault;

/// The operand at a position of an optype.
struct Place<'a> {
    optype: &'a Optype,
    position: usize,
}

impl Place<'_> {
    /// Returns whether the operand has a property in at least one form.
    fn any(&self, has: impl Fn(&assay_isa::catalog::Form, &'static str) -> bool) -> bool {
        let forms = catalog().forms_of(self.optype.name);
        forms.into_iter().any(|form| form.inputs().nth(self.position).is_some_and(|name| has(form, name)))
    }

    fn attribute(&self, attribute: &str) -> bool {
        self.any(|form, name| form.field(&format!("{name}.{attribute}")).is_some())
    }

    fn ty(&self, wanted: impl Fn(FieldType) -> bool) -> bool {
        self.any(|form, name| form.field(name).is_some_and(|field| wanted(field.ty)))
    }

    fn data(&self) -> Option<Data> {
        let forms = catalog().forms_of(self.optype.name);
        forms.into_iter().find_map(|form| form.data(form.inputs().nth(self.position)?))
    }

    /// Returns whether the next operand exists and has the same type.
    fn is_like_next(&self) -> bool {
        let next = Place { optype: self.optype, position: self.position + 1 };
        let exists = next.any(|_, _| true);
        exists && self.data() == next.data() && self.attribute("not") == next.attribute("not")
    }

    /// Returns the bits of the operand for which there is a fault that loses the bit.
    fn bits(&self) -> Vec<u8> {
        // A literal of less than 32 bits has field faults instead, which corrupt its bits in the
        // instruction word.
        if !self.ty(|ty| !matches!(ty, FieldType::UImm(..32))) {
            return Vec::new();
        }
        match self.data() {
            Some(Data::Float) => vec![0, 22, 23, 30, 31],
            Some(Data::Exponent) => vec![23, 27, 30],
            Some(Data::Bits | Data::Mask | Data::Halves) => vec![0, 7, 8, 15, 16, 31],
            Some(Data::Amount) => vec![0, 1, 2, 3, 4, 5],
            Some(Data::Selector) => (0..16).collect(),
            Some(Data::Index | Data::Address | Data::Channels | Data::Table) | None => vec![],
        }
    }

    fn misuses(&self) -> Vec<OperandFault> {
        let flushes = self.optype.syntax.contains(&"ftz") && self.data() == Some(Data::Float);
        let register = |ty| matches!(ty, FieldType::Reg | FieldType::UReg | FieldType::SReg);
        let wide = self.any(|_, name| self.optype.extra.wide.iter().any(|wide| wide.operand == name));
        let (neg, abs) = (self.attribute("neg"), self.attribute("abs"));
        let mut misuses = Vec::new();
        let mut add = |applies: bool, misuse: OperandFault| misuses.extend(applies.then_some(misuse));
        add(self.is_like_next(), OperandFault::Exchanged);
        add(neg, OperandFault::NegIgnored);
        add(abs, OperandFault::AbsIgnored);
        add(neg && abs, OperandFault::NegBeforeAbs);
        add(self.attribute("bitnot"), OperandFault::ComplementIgnored);
        add(self.attribute("not"), OperandFault::NotIgnored);
        add(self.ty(register) || self.ty(FieldType::is_predicate), OperandFault::Idle);
        let literal =
            |ty: FieldType| matches!(ty, FieldType::F32Imm | FieldType::SImm32 | FieldType::UImm(32));
        add(self.ty(literal), OperandFault::LiteralSwapped);
        add(flushes, OperandFault::NotFlushed);
        add(flushes, OperandFault::Flushed);
        add(flushes, OperandFault::FlushSign);
        add(wide, OperandFault::WordsSwapped);
        add(wide, OperandFault::HighWordLost);
        misuses.extend(self.bits().into_iter().map(OperandFault::BitLost));
        misuses
    }
}

/// Returns the faults of every operand that the model reads as a column of values.
pub(super) fn operands() -> impl Iterator<Item = FaultInfo> {
    // The model reads the operands of memory instructions and BFN in another way.
    let apart = |optype: &Optype| ["BFN", "ULDC", "GETUGPR", "GETREG", "SETREG"].contains(&optype.name);
    let optypes = catalog().optypes().into_iter().filter(move |optype| !apart(optype));
    optypes.flat_map(|optype| {
        let forms = catalog().forms_of(optype.name);
        let most = forms.into_iter().map(|form| form.inputs().count()).max().unwrap_or_default();
        (0..most).flat_map(move |position| {
            let misuses = Place { optype, position }.misuses();
            misuses.into_iter().map(move |misuse| info(optype, position as u8, misuse))
        })
    })
}

fn info(optype: &'static Optype, position: u8, misuse: OperandFault) -> FaultInfo {
    let index = types::Optype::ENUM.index_of(optype.name).expect("an optype of the list");
    let lower = optype.name.to_lowercase().replace('_', "-");
    let number = position + 1;
    FaultInfo {
        fault: Fault::Operand(types::Optype::from_index(index), position, misuse),
        name: format!("{lower}-input-{number}-{}", misuse.name()).leak(),
        optype: optype.name,
        family: misuse.family(),
        about: format!("Input {number} {}.", misuse.about()).leak(),
    }
}
