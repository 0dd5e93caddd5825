//! Checks the list of coverage bins of a result, and that each hit bin is in the list.

use assay_isa::shown::quoted;

use super::{Checked, ensure};
use assay_engine::coverage::Coverage;
use assay_engine::coverage::layout::{Extent, Layout};

/// Maximum number of places of all bins together: twenty times the current number.
const MOST_PLACES: usize = 1 << 24;

pub(super) fn check(bins: Option<&Layout>, coverage: &Coverage) -> Checked {
    let Some(bins) = bins else { return Ok(()) };
    let mut extents = Vec::new();
    for (form, topics) in &bins.forms {
        // Pages write the names into commands.
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        ensure(form.chars().all(is_name), || format!("`bins`: `{}` is no form", quoted(form)))?;
        for (topic, extent) in topics {
            let Extent { first, places, reachable, impossible } = *extent;
            let end = first.checked_add(places).filter(|end| *end <= MOST_PLACES);
            let counted = reachable.checked_add(impossible);
            ensure(end.is_some() && counted.is_some_and(|counted| counted <= places), || {
                format!(
                    "`bins` of `{form}`, `{topic}`: its counts and its places do not agree",
                    form = quoted(form),
                    topic = quoted(topic)
                )
            })?;
            extents.push((first, first + places));
        }
    }
    extents.sort_unstable();
    ensure(extents.is_sorted_by(|a, b| a.1 <= b.0), || "`bins` has two topics in one place".into())?;
    let mut places = extents.iter().flat_map(|(first, end)| *first..*end).peekable();
    for bin in coverage.bins() {
        while places.next_if(|place| *place < bin).is_some() {}
        ensure(places.peek() == Some(&bin), || {
            format!("`coverage` has bin {bin}, and `bins` has none there")
        })?;
    }
    Ok(())
}
