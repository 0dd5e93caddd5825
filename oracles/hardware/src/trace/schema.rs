//! The columns of a trace, and how the columns of a file differ from them.
//!
//! Files that other programs rewrote can be read too. Such programs may choose other names for the
//! inner parts of a list, and may allow nulls everywhere. Actual nulls are detected when the rows
//! are read.

use std::sync::Arc;

use assay_isa::shown::quoted;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use super::error::Problem;

/// The type of a column's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text. It may be null if `nullable`.
    Text { nullable: bool },
    /// Lists of 32-bit words. A word may be null if `nullable`.
    Words { nullable: bool },
}

/// A column.
pub struct Column {
    pub name: &'static str,
    /// The column's declaration, as it appears in the documentation and in errors.
    pub declaration: &'static str,
    pub kind: ColumnKind,
}

const fn text(name: &'static str, declaration: &'static str, nullable: bool) -> Column {
    Column { name, declaration, kind: ColumnKind::Text { nullable } }
}

/// The columns in order. Each column has one leaf in the Parquet schema, so the leaves have the
/// same order.
pub const COLUMNS: [Column; 8] = [
    text("instruction", "instruction TEXT", false),
    text("word", "word TEXT", false),
    text("ptx", "ptx TEXT NULL", true),
    text("reads", "reads TEXT", false),
    text("writes", "writes TEXT", false),
    Column {
        name: "inputs",
        declaration: "inputs LIST<UINT32>",
        kind: ColumnKind::Words { nullable: false },
    },
    Column {
        name: "outputs",
        declaration: "outputs LIST<UINT32 NULL>",
        kind: ColumnKind::Words { nullable: true },
    },
    text("event", "event TEXT NULL", true),
];

/// Index of the column of inputs. The columns before it are texts about the instruction.
pub const INPUTS: usize = 5;
/// Index of the column of outputs.
pub const OUTPUTS: usize = 6;
/// Index of the column of events.
pub const EVENT: usize = 7;

fn repetition(nullable: bool) -> Repetition {
    if nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED }
}

/// Returns the schema of a written file.
pub fn schema() -> parquet::errors::Result<TypePtr> {
    let fields = COLUMNS.iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<parquet::errors::Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("trace").with_fields(fields).build()?))
}

fn field(column: &Column) -> parquet::errors::Result<Type> {
    match column.kind {
        ColumnKind::Text { nullable } => Type::primitive_type_builder(column.name, Physical::BYTE_ARRAY)
            .with_repetition(repetition(nullable))
            .with_logical_type(Some(LogicalType::String))
            .build(),
        ColumnKind::Words { nullable } => {
            let element = Type::primitive_type_builder("element", Physical::INT32)
                .with_repetition(repetition(nullable))
                .with_logical_type(Some(LogicalType::integer(32, false)))
                .build()?;
            let list = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![Arc::new(element)])
                .build()?;
            Type::group_type_builder(column.name)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(LogicalType::List))
                .with_fields(vec![Arc::new(list)])
                .build()
        }
    }
}

/// Checks that the columns of a file are those of a trace.
pub fn check(found: &SchemaDescriptor) -> Result<(), Problem> {
    let fields = found.root_schema().get_fields();
    let differs = |position: usize, found: String| Problem::Schema {
        position: position + 1,
        found,
        expected: COLUMNS.get(position).map_or("the end", |column| column.declaration),
    };
    for (position, column) in COLUMNS.iter().enumerate() {
        let Some(field) = fields.get(position) else { return Err(differs(position, "missing".into())) };
        if !is(field, column) {
            return Err(differs(position, format!("`{}`", describe(field))));
        }
    }
    match fields.get(COLUMNS.len()) {
        Some(extra) => Err(differs(COLUMNS.len(), format!("`{}`", describe(extra)))),
        None => Ok(()),
    }
}

fn is(field: &Type, column: &Column) -> bool {
    let name = field.name() == column.name;
    name && match column.kind {
        ColumnKind::Text { .. } => is_leaf(field, Physical::BYTE_ARRAY),
        ColumnKind::Words { .. } => words(field).is_some(),
    }
}

fn is_leaf(field: &Type, physical: Physical) -> bool {
    let repeated = field.get_basic_info().repetition() == Repetition::REPEATED;
    field.is_primitive() && !repeated && field.get_physical_type() == physical
}

/// Returns the element type of a list of words. Returns `None` if the field is not such a list.
fn words(field: &Type) -> Option<&Type> {
    let only = |field: &Type| field.is_group() && field.get_fields().len() == 1;
    let list = only(field).then(|| field.get_fields()[0].as_ref())?;
    let is_repeated = list.get_basic_info().repetition() == Repetition::REPEATED;
    let element = (is_repeated && only(list)).then(|| list.get_fields()[0].as_ref())?;
    is_leaf(element, Physical::INT32).then_some(element)
}

fn describe(field: &Type) -> String {
    let kind =
        if field.is_primitive() { field.get_physical_type().to_string() } else { "a group".to_owned() };
    format!("{} {kind}", quoted(field.name()))
}
