//! Integers and logic: XU without MUFU, and the uniform datapath without memory and register
//! indices.

mod add;
mod bits;
mod compare;
mod lea;
mod multiply;
mod permute;
mod predicates;
mod shift;

use super::context::Context;
use crate::graph::{Bit, Graph};
use crate::word::Word;
pub(super) use compare::read_again;

/// Defines an instruction. `None` if there is no definition.
pub(super) fn define(context: &mut Context) -> Option<()> {
    match context.optype() {
        "POPC" | "UPOPC" => bits::count(context),
        "FLO" | "UFLO" => bits::find(context),
        "BREV" | "UBREV" => bits::reverse(context),
        "BMSK" | "UBMSK" => bits::mask(context),
        "SGXT" | "USGXT" => bits::extend(context),
        "UIADD" => add::add(context),
        "UIABS" => add::absolute(context),
        "UIMUL" => multiply::multiply(context),
        "UIMAD" => multiply::multiply_add(context),
        "UIMAD_WIDE" => multiply::multiply_add_wide(context),
        "ULEA" => lea::scaled_address(context),
        "UIMNMX" => compare::extreme(context),
        "UISETP" => compare::compare(context),
        "USEL" => compare::select(context),
        "ULOP3" => permute::logic(context),
        "UPLOP3" => permute::predicate_logic(context),
        "UPRMT" => permute::permute(context),
        "USHF" => shift::funnel(context),
        "UMOV" => shift::copy(context),
        "UP2UR" => predicates::to_register(context),
        "UR2UP" => predicates::from_register(context),
        _ => return None,
    }
    Some(())
}

/// Returns the bit that two signals make under AND, OR or XOR, by the name of the operation.
///
/// # Panics
/// If there is no operation with this name.
pub(super) fn combine(graph: &mut Graph, operation: &str, a: Bit, b: Bit) -> Bit {
    match operation {
        "AND" => graph.and(a, b),
        "OR" => graph.or(a, b),
        "XOR" => graph.xor(a, b),
        _ => panic!("no Boolean operation is called {operation}"),
    }
}

/// Whether an integer sum carries: it reaches 2^places, or exceeds it. The sum is signed.
fn carries(graph: &mut Graph, sum: &Word, places: usize, reaches: bool) -> Bit {
    let modulus = Word::constant(places, 0).below(&Word::constant(1, 1)).zero_extend(sum.width());
    if reaches { !graph.less_signed(sum, &modulus) } else { graph.less_signed(&modulus, sum) }
}
