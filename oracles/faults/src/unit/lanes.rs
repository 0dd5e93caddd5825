//! Changes results lane by lane.

use assay_model::Computed;

/// Replaces each result by `change` of the result and the first `N` operands of its lane.
pub(super) fn each<const N: usize>(
    computed: &Computed<'_>,
    results: &mut [u32],
    change: impl Fn(u32, [u32; N]) -> u32,
) {
    for (lane, result) in results.iter_mut().enumerate() {
        let operands = std::array::from_fn(|place| computed.columns[place].get(lane).copied().unwrap_or(0));
        *result = change(*result, operands);
    }
}
