//! Rows of the tables with a mistake in a field. Encoder and decoder both follow the row, so that no word goes there and
//! back otherwise than before: what catches these is the documents' facts.

use std::time::Instant;

use assay_isa::catalog;
use assay_isa::row::Field;
use assay_spec::{Deviation, Facts, FieldFacts, FormFacts, Scope, departures, diff, fixture, tables};

use super::hunt::Caught;

/// What these are counted under.
pub const FAMILY: &str = "row";

/// A mistake in a field of a form.
#[derive(Clone, Copy)]
pub struct RowFault {
    form: usize,
    field: usize,
    slip: Slip,
}

#[derive(Clone, Copy)]
enum Slip {
    /// It begins one bit higher.
    Shifted,
    /// It is one bit shorter.
    Truncated,
    /// It is in the place of the next field, and that in its place.
    Swapped,
    /// It is missing.
    Missing,
    /// It defaults to another value, or to one although it has none.
    Default,
}

impl Slip {
    const ALL: [(Slip, &str, &str); 5] = [
        (Slip::Shifted, "shifted", "begins one bit higher"),
        (Slip::Truncated, "truncated", "is one bit shorter"),
        (Slip::Swapped, "swapped", "and the next are in each other's place"),
        (Slip::Missing, "missing", "is missing"),
        (Slip::Default, "default", "has another default"),
    ];
}

/// The faults of every field of every form of the documents.
pub fn faults() -> impl Iterator<Item = RowFault> {
    let forms = catalog().forms.iter().filter(|form| form.field("opcode").is_none());
    forms.flat_map(|form| {
        (0..form.fields.len()).flat_map(move |field| {
            let last = field + 1 == form.fields.len();
            let slips = Slip::ALL.iter().filter(move |(slip, ..)| !(last && matches!(slip, Slip::Swapped)));
            slips.map(move |(slip, ..)| RowFault { form: form.index, field, slip: *slip })
        })
    })
}

impl RowFault {
    fn field(&self) -> &'static Field {
        catalog().forms[self.form].fields[self.field]
    }

    fn words(&self) -> (&'static str, &'static str) {
        let same = |slip: &Slip| std::mem::discriminant(slip) == std::mem::discriminant(&self.slip);
        let (_, name, about) = Slip::ALL.iter().find(|(slip, ..)| same(slip)).expect("all slips are listed");
        (name, about)
    }

    /// Name on the command line.
    pub fn name(&self) -> String {
        let form = catalog().forms[self.form].name.to_lowercase().replace('_', "-");
        format!("{form}-row-{}-{}", self.field().name.replace('.', "-"), self.words().0)
    }

    /// The optype of the row.
    pub fn optype(&self) -> &'static str {
        catalog().forms[self.form].optype.name
    }

    /// What is wrong, in a sentence.
    pub fn about(&self) -> String {
        let form = catalog().forms[self.form].name;
        format!("{form}: in the row the field {} {}.", self.field().name, self.words().1)
    }

    fn plant(&self, form: &mut FormFacts) {
        let fields = &mut form.body.fields;
        let at = |fields: &[FieldFacts], name: &str| fields.iter().position(|field| field.name == name);
        let Some(place) = at(fields, self.field().name) else { return };
        match self.slip {
            Slip::Shifted => fields[place].lo += 1,
            Slip::Truncated => fields[place].width -= 1,
            Slip::Missing => {
                fields.remove(place);
            }
            Slip::Default => {
                let default = &mut fields[place].default;
                *default = default.is_none().then(|| "0".to_owned());
            }
            Slip::Swapped => {
                let next = catalog().forms[self.form].fields[self.field + 1].name;
                let Some(next) = at(fields, next) else { return };
                let (one, other) = (fields[place].name.clone(), fields[next].name.clone());
                (fields[place].name, fields[next].name) = (other, one);
            }
        }
    }
}

/// The facts of both sides.
pub struct Ledger {
    documents: Facts,
    tables: Facts,
    departures: Vec<Deviation>,
}

impl Ledger {
    /// The documents' facts as they are committed, and those of the tables.
    pub fn new() -> Ledger {
        Ledger { documents: fixture(), tables: tables(), departures: departures() }
    }

    /// Whether the comparison of a form shows a fault in it.
    pub fn caught(&self, fault: &RowFault) -> Option<Caught> {
        let started = Instant::now();
        let name = catalog().forms[fault.form].name;
        let (documents, mut tables) = (alone(&self.documents, name), alone(&self.tables, name));
        let explained = |tables: &Facts| {
            let report = diff(&documents, tables, &self.departures, &Scope::Everything);
            report.differences.is_empty().then_some(report.explained)
        };
        let sound = explained(&tables);
        tables.forms.iter_mut().for_each(|form| fault.plant(form));
        let seconds = started.elapsed().as_secs_f64();
        let differs = explained(&tables) != sound;
        differs.then_some(Caught { check: "the documents' facts", case: 0, seconds })
    }
}

/// The facts of one form.
fn alone(facts: &Facts, name: &str) -> Facts {
    let forms = facts.forms.iter().filter(|form| form.form == name).cloned().collect();
    Facts { forms, types: facts.types.clone(), streams: Vec::new(), spellings: Vec::new() }
}
