//! The types of registers and instructions, and which of them agree (ISA 5.2 and 9.4).

use std::fmt::{Display, Formatter};

/// A fundamental type that occurs in the kernels. There is no type for f16, bf16 and pairs of them:
/// the opcode distinguishes them, and their registers are `.b16` and `.b32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Pred,
    B16,
    U16,
    B32,
    U32,
    S32,
    F32,
    B64,
    U64,
    S64,
    F64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeKind {
    Predicate,
    Bits,
    Integer,
    Float,
}

use Type::{B16, B32, B64, F32, F64, Pred, S32, S64, U16, U32, U64};

impl Type {
    const ALL: [(&'static str, Self, TypeKind, u32); 11] = [
        ("pred", Pred, TypeKind::Predicate, 1),
        ("b16", B16, TypeKind::Bits, 16),
        ("u16", U16, TypeKind::Integer, 16),
        ("b32", B32, TypeKind::Bits, 32),
        ("u32", U32, TypeKind::Integer, 32),
        ("s32", S32, TypeKind::Integer, 32),
        ("f32", F32, TypeKind::Float, 32),
        ("b64", B64, TypeKind::Bits, 64),
        ("u64", U64, TypeKind::Integer, 64),
        ("s64", S64, TypeKind::Integer, 64),
        ("f64", F64, TypeKind::Float, 64),
    ];

    /// Returns the type with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    fn kind(self) -> TypeKind {
        Self::ALL[self as usize].2
    }

    fn width(self) -> u32 {
        Self::ALL[self as usize].3
    }

    /// Returns whether a register of this type may be an operand of the wanted type. The types must
    /// have the same size. The types must also be of the same kind, unless one of them is untyped
    /// bits (ISA 9.4, operand type checking).
    pub(crate) fn agrees(self, wanted: Self) -> bool {
        let kinds = [self.kind(), wanted.kind()];
        self.width() == wanted.width() && (kinds[0] == kinds[1] || kinds.contains(&TypeKind::Bits))
    }

    /// Returns the width of a type that has integer constants, `None` for other types.
    pub(crate) fn integer(self) -> Option<u32> {
        matches!(self.kind(), TypeKind::Bits | TypeKind::Integer).then_some(self.width())
    }
}

impl Display for Type {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Self::ALL[*self as usize].0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_types() {
        for (index, row) in Type::ALL.iter().enumerate() {
            assert_eq!(row.1 as usize, index);
        }
    }

    #[test]
    fn sizes_must_be_equal_and_kinds_unless_one_is_bits() {
        assert!(
            B32.agrees(F32) && F32.agrees(B32) && S32.agrees(U32) && F64.agrees(B64) && Pred.agrees(Pred)
        );
        assert!(
            !F32.agrees(U32) && !U64.agrees(F64) && !B32.agrees(B64) && !B16.agrees(U32) && !Pred.agrees(B16)
        );
    }
}
