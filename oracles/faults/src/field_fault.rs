//! A field of a form that is read from the wrong bits, or with one of its values replaced by another.

use assay_isa::catalog::{Form, catalog};
use assay_isa::row::{Field, FieldType};
use assay_isa::{EncodingTable, Instruction};

/// A field of a form and its misreading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldFault {
    /// The form's position in the catalog.
    pub(crate) form: u16,
    /// The field's position in the form.
    pub(crate) field: u8,
    pub(crate) how: Misreading,
}

/// The way in which a field is misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Misreading {
    /// From one bit higher.
    Shifted,
    /// From the bits of another field of its width.
    Swapped(u8),
    /// With this bit as 0.
    Lost(u8),
    /// With its lowest bit as 1.
    Odd,
    /// With its halves exchanged.
    HalvesSwapped,
    /// One value as another: positions in the list of an enumerated type, bits for any other type.
    Taken(u32, u32),
}

impl FieldFault {
    /// Returns the form in which it shows.
    pub(crate) fn form(self) -> &'static Form {
        &catalog().forms[usize::from(self.form)]
    }

    pub(crate) fn field(self) -> &'static Field {
        self.form().fields[usize::from(self.field)]
    }

    /// Returns whether it concerns the field at a position of a form.
    #[cfg(test)]
    pub(crate) fn is_of(self, form: &Form, place: usize) -> bool {
        usize::from(self.form) == form.index && usize::from(self.field) == place
    }

    /// Returns the misread word of an instruction that is encoded in `word`.
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
