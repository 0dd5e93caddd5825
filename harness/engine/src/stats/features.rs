//! The properties by which divergences are distinguished: the mode of an instruction and the
//! classes of its values. The classes are coarse, because one bug may show with different values.

use std::borrow::Cow;

use assay_isa::Instruction;
use assay_isa::enumeration::Modifier;
use assay_isa::row::FieldType;
use assay_isa::tables::types::{ChannelMask, ExecSize};

use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::operand_words;

/// Whether the instruction performs one operation in many channels. In such a case, only the
/// channel with the divergence matters.
pub(crate) fn is_of_channels(instruction: &Instruction) -> bool {
    operand_words(instruction).any(|cell| cell.kind == OperandKind::Channels)
}

/// Returns the optype's name with every modifier and attribute that is not at its default.
pub(crate) fn modifiers(instruction: &Instruction) -> String {
    let form = instruction.form();
    let mut text = form.optype.name.to_owned();
    let mut attributes = String::new();
    for (field, value) in form.fields.iter().zip(instruction.values()) {
        let FieldType::Enum(e) = field.ty else { continue };
        let name = e.values[*value as usize];
        let is_attribute = form.is_operand(field);
        // An attribute without a default, such as a half select, is 0 if it is not used (E031).
        let at_rest = field.default == Some(name) || is_attribute && field.default.is_none() && *value == 0;
        // The selection of channels does not change what the instruction does in a channel.
        let says_where = e.name == ChannelMask::ENUM.name || e.name == ExecSize::ENUM.name;
        if field.constraint.is_some() || at_rest || says_where {
            continue;
        }
        if is_attribute {
            attributes += &format!(" {}", field.name);
        } else {
            text += &format!(".{name}");
        }
    }
    text + &attributes
}

/// Returns the coarse class of a value: without the sign of a nonzero number, and without the
/// pattern of set bits. The sign depends on the signs of the other operands, and the pattern
/// depends on the drawn values.
pub(crate) fn coarse(kind: OperandKind, bits: u32) -> Cow<'static, str> {
    if kind == OperandKind::Address {
        return "address".into();
    }
    match kind.class_name(bits) {
        Cow::Borrowed("+normal" | "-normal") => "normal".into(),
        Cow::Borrowed("+subnormal" | "-subnormal") => "subnormal".into(),
        Cow::Borrowed("one bit" | "one run" | "positive" | "negative" | "other") => "some bits".into(),
        name => name,
    }
}
