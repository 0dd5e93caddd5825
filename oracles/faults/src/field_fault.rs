//! A field of a form that is decoded wrongly: from wrong bits, or with one value taken for another.

use assay_isa::catalog::{Form, catalog};
use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Instruction};

/// A field of a form, and how it is decoded wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldFault {
    /// The form's position in the catalog.
    pub(crate) form: u16,
    /// The field's position in the form.
    pub(crate) field: u8,
    pub(crate) how: Misreading,
}

/// How a field is decoded wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misreading {
    /// The field is read from one bit higher.
    Shifted,
    /// The field and another field of the same width, at this position in the form, are exchanged.
    Swapped(u8),
    /// This bit of the field is read as 0.
    Lost(u8),
    /// The lowest bit of the field is read as 1.
    Odd,
    /// The halves of the field are exchanged.
    HalvesSwapped,
    /// The first value is decoded as the second one. For an enumerated type, these are positions in
    /// its list of values. For other types, they are the bits of the field.
    Taken(u32, u32),
}

impl FieldFault {
    /// Returns the form in which the fault shows.
    pub(crate) fn form(self) -> &'static Form {
        &catalog().forms[usize::from(self.form)]
    }

    pub(crate) fn field(self) -> &'static Field {
        self.form().fields[usize::from(self.field)]
    }

    /// Returns whether the fault concerns the field at a position of a form.
    #[cfg(test)]
    pub(crate) fn is_of(self, form: &Form, place: usize) -> bool {
        usize::from(self.form) == form.index && usize::from(self.field) == place
    }

    /// Returns the word that the faulty decoder sees instead of `word`, the encoding of the
    /// instruction. Returns `None` if the instruction has another form.
    pub(crate) fn misread(
        self,
        instruction: &Instruction,
        word: u128,
        numbers: &EncodingTable,
    ) -> Option<u128> {
        if instruction.form().index != usize::from(self.form) {
            return None;
        }
        let (field, bits) = (self.field(), read(word, self.field()));
        let code = |value: u32| match field.ty {
            FieldType::Enum(e) => numbers.code(e, value),
            _ => value,
        };
        let read = match self.how {
            Misreading::Shifted => (word >> (field.lo + 1)) as u32,
            Misreading::Swapped(other) => read(word, self.form().fields[usize::from(other)]),
            Misreading::Lost(bit) => bits & !(1 << bit),
            Misreading::Odd => bits | 1,
            Misreading::HalvesSwapped => bits.rotate_left(16),
            Misreading::Taken(from, to) if bits == code(from) => code(to),
            Misreading::Taken(..) => bits,
        };
        let spoiled = word & !field.mask() | u128::from(read) << field.lo & field.mask();
        Some(match self.how {
            Misreading::Swapped(other) => {
                let other = self.form().fields[usize::from(other)];
                spoiled & !other.mask() | u128::from(bits) << other.lo
            }
            _ => spoiled,
        })
    }
}

fn read(word: u128, field: &Field) -> u32 {
    (word >> field.lo & (u128::MAX >> (128 - u32::from(field.width)))) as u32
}
