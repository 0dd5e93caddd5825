//! Special values and accuracy of MUFU. Special values come from the oracle. The profile bounds all
//! other results.

use assay_engine::compare::comparator::PRECISION;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::tables::types::MUFUDType;
use assay_isa::truth::TruthValues;
use assay_isa::{
    Answer, Batch, Form, Instruction, Location, Oracle, Real, Truths, catalog, codec, legality, lint,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ManualError;
use crate::setting::Setting;

/// The special values and the accuracy of a function.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpecialRow {
    /// Name of the function with its type, such as `MUFU.RCP.F32`.
    pub function: String,
    /// Arguments with their results. `near` stands for a result without a special value: only the
    /// accuracy bounds it.
    pub results: Vec<(String, String)>,
    /// The accuracy that the profile requires of other results.
    pub accuracy: String,
}

/// The names of the arguments in the table.
const ARGUMENTS: [&str; 9] =
    ["+0", "-0", "least subnormal", "its negative", "1", "-1", "+Inf", "-Inf", "NaN"];

/// Returns the special values of every unpacked function of MUFU. Returns nothing for another
/// optype, because only MUFU has functions with real results.
pub fn rows(
    forms: &[&'static Form],
    setting: &Setting,
    oracle: &mut dyn Oracle,
) -> Result<Vec<SpecialRow>, ManualError> {
    // The special values do not depend on the kind of source: register, immediate or constant.
    let form = catalog().form("MUFU_R").filter(|form| forms[0].optype.name == form.optype.name);
    let Some(form) = form else { return Ok(Vec::new()) };
    let is_plain = |i: &Instruction| {
        legality::check(i).is_ok() && !i.flag("sat") && !i.flag("rb.neg") && !i.flag("rb.abs")
    };
    let packed =
        |i: &Instruction| matches!(i.modifier("dtype"), Some(MUFUDType::F16_V2 | MUFUDType::BF16_V2));
    let low = |i: &Instruction| i.get("rb.hsel") == Some(0);
    let modes = lint::combinations(form).filter(|i| is_plain(i) && !packed(i) && low(i));
    modes.map(|mut mode| row(&mut mode, setting, oracle)).collect()
}

fn row(
    mode: &mut Instruction,
    setting: &Setting,
    oracle: &mut dyn Oracle,
) -> Result<SpecialRow, ManualError> {
    mode.set("rb", 1);
    let format = format_of(mode);
    let arguments = arguments(format);
    let mut batch = Batch::new(codec::encode(mode, setting.numbers), &[Location::R(1)], arguments.len());
    batch.column_mut(0).copy_from_slice(&arguments);
    let mut truths = Truths::default();
    let known = oracle.truth(mode, &batch, PRECISION, &mut truths)?;
    let result = |lane: usize| {
        let undefined = truths.undefined().iter().find(|(l, _)| *l == lane);
        match (truths.columns().first().map(|truth| &truth.values), undefined) {
            _ if known == Answer::Unsupported => "undefined".to_owned(),
            (_, Some((_, erratum))) => format!("undefined ({erratum})"),
            (Some(TruthValues::Reals { values, .. }), None) => match &values[lane] {
                Real::Bits(bits) => hexadecimal(format, *bits),
                Real::SignedZero { negative: true } => "-0".to_owned(),
                Real::Zero | Real::SignedZero { .. } => "0".to_owned(),
                Real::Near(_) => "near".to_owned(),
            },
            _ => String::new(),
        }
    };
    let results =
        ARGUMENTS.iter().enumerate().map(|(lane, name)| ((*name).to_owned(), result(lane))).collect();
    Ok(SpecialRow {
        function: mode.function(),
        results,
        accuracy: setting.profile.contract_for(mode).to_string(),
    })
}

fn hexadecimal(format: Format, bits: u32) -> String {
    let digits = format.width() as usize / 4;
    format!("0x{bits:0digits$X}")
}

fn format_of(instruction: &Instruction) -> Format {
    match instruction.modifier("dtype") {
        Some(MUFUDType::F64) => F64_HIGH,
        Some(MUFUDType::F16 | MUFUDType::F16_V2) => F16,
        Some(MUFUDType::BF16 | MUFUDType::BF16_V2) => BF16,
        _ => F32,
    }
}

/// Returns the bit patterns of [`ARGUMENTS`].
fn arguments(format: Format) -> [u32; 9] {
    let (sign, one, infinity) = (format.sign_mask(), format.one(), format.infinity());
    [0, sign, 1, sign | 1, one, sign | one, infinity, sign | infinity, infinity | infinity >> 1]
}
