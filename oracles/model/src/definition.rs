//! Finds the definition of each optype by its name, in one table.
//!
//! A definition decides once for each instruction what its lanes have in common. It returns the
//! [`Semantics`]: the loop over the lanes, and properties of the optype.

use assay_isa::{Instruction, Operand};

use crate::knobs::Knobs;
use crate::semantics::Semantics;
use crate::{bfn, bits, compare, float, memory, moves, mufu, system, uniform};

/// The definition of an optype, given the instruction and the operands that it reads.
pub(crate) type Definition<K> = fn(&K, &Instruction, &[Operand]) -> Semantics<K>;

/// Returns the definition of an optype.
pub(crate) fn definition<K: Knobs>(optype: &str) -> Option<Definition<K>> {
    let definition: Definition<K> = match optype {
        "FADD" => float::add,
        "FMUL" => float::multiply,
        "FFMA" => float::multiply_add,
        "FMNMX" => compare::minimum_or_maximum,
        "FSETP" => compare::to_predicates,
        "FSET" => compare::to_register,
        "FSEL" => compare::select,
        "FCHK" => compare::check_division,
        "MUFU" => mufu::function,
        "POPC" | "UPOPC" => bits::count,
        "FLO" | "UFLO" => bits::find_leading_one,
        "BREV" | "UBREV" => bits::reverse,
        "BMSK" | "UBMSK" => bits::mask,
        "SGXT" | "USGXT" => bits::extend,
        "S2R" | "S2UR" | "UMOV" => moves::copy,
        "CS2R" => moves::copy_pair,
        "PMTRIG" => system::trigger,
        "SWITCH" => system::switch,
        "NOP" => system::pass,
        "IBBAR" => system::wait_for_instructions,
        "DEPBAR" => system::wait_for_scoreboard,
        "ULDC" => memory::load_constant,
        "GETUGPR" => memory::get_uniform,
        "SETUGPR" => memory::set_uniform,
        "GETREG" => memory::get_special,
        "SETREG" => memory::set_special,
        "UIADD" => uniform::adder::add,
        "UIMAD" => uniform::multiplier::multiply_add,
        "UIMAD_WIDE" => uniform::multiplier::multiply_add_wide,
        "UIMUL" => uniform::multiplier::multiply,
        "ULEA" => uniform::address::scale_and_add,
        "UIABS" => uniform::compare::absolute,
        "UIMNMX" => uniform::compare::minimum_or_maximum,
        "UISETP" => uniform::compare::to_predicates,
        "USEL" => uniform::compare::select,
        "ULOP3" => uniform::logic::of_words,
        "UPLOP3" => uniform::logic::of_predicates,
        "UP2UR" => uniform::logic::from_predicates,
        "UR2UP" => uniform::logic::to_predicates,
        "USHF" => uniform::shift::shift,
        "UPRMT" => uniform::permute::permute,
        "UF2FP" => uniform::pack::pack,
        "BFN" => bfn::of_channels,
        _ => return None,
    };
    Some(definition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::Shipping;

    #[test]
    fn every_optype_has_a_definition() {
        let missing: Vec<&str> = assay_isa::catalog().optypes().iter().map(|optype| optype.name).collect();
        let missing = missing.into_iter().filter(|name| definition::<Shipping>(name).is_none());
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
