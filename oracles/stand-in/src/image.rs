//! The assembler's result for PTX: its text, and after it an instruction for each sine or cosine, whose immediate is
//! the factor to replace.
//!
//! Units of 16 bytes, as machine code has them: a mark and the length of all; the length of the text and the number of
//! instructions; the text, filled up with zeros; the instructions.

use assay_ptx::{Module, TURN};

/// The start of an image.
const MARK: [u8; 8] = *b"\x7fstandin";
/// The operation of an instruction that multiplies by an immediate.
const MULTIPLIES: [u8; 4] = *b"fmul";
const UNIT: usize = 16;
const SIGN: u32 = 1 << 31;

/// Bytes that tell how long an image is.
pub const HEAD: usize = 2 * UNIT;
/// What kernels must be assembled for.
pub const TARGET: &str = "sm_90";

/// The newest supported PTX: that of CUDA 12.2, the version that this driver reports (PTX ISA, "Release Notes").
const NEWEST: (u32, u32) = (8, 2);

/// Why there is no image of a module.
pub enum Refused {
    /// It is written in a PTX that the driver does not know yet.
    Newer(String),
    /// It is no PTX, or for another device.
    Invalid(String),
}

/// The image of a module.
pub fn assemble(ptx: &str) -> Result<Vec<u8>, Refused> {
    let version = ptx.lines().find_map(|line| line.trim().strip_prefix(".version ")?.split_once('.'));
    let version = version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.trim().parse().ok()?)));
    if version.is_some_and(|version: (u32, u32)| version > NEWEST) {
        return Err(Refused::Newer(format!("PTX {version:?} is newer than {NEWEST:?}")));
    }
    let module = Module::parse(ptx).map_err(|error| Refused::Invalid(error.to_string()))?;
    if module.target() != TARGET {
        return Err(Refused::Invalid(format!(
            "the device is {TARGET}, and the module is for {}",
            module.target()
        )));
    }
    let turns = factors(&module);
    let text = ptx.len().next_multiple_of(UNIT);
    let length = HEAD + text + UNIT * turns.len();
    let mut image = Vec::with_capacity(length);
    image.extend(MARK);
    for number in [length, ptx.len(), turns.len()] {
        image.extend((number as u64).to_le_bytes());
    }
    image.extend(ptx.as_bytes());
    image.resize(HEAD + text, 0);
    for factor in turns {
        image.extend(MULTIPLIES);
        image.extend(factor.to_le_bytes());
        image.extend([0; UNIT - 8]);
    }
    Ok(image)
}

/// The factors of all kernels.
fn factors(module: &Module) -> Vec<u32> {
    module.kernels().flat_map(|kernel| kernel.turns()).collect()
}

/// How long an image is, from its head.
pub fn length(head: &[u8; HEAD]) -> Option<usize> {
    if head[..8] != MARK { None } else { number(head, 1) }
}

fn number(image: &[u8], place: usize) -> Option<usize> {
    let bytes = image.get(8 * place..8 * (place + 1))?;
    usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
}

/// The module of an image, and the factor of its sines.
pub fn load(image: &[u8]) -> Option<(Module, u32)> {
    let (length, turns) = (number(image, 2)?, number(image, 3)?);
    let text = image.get(HEAD..)?.get(..length)?;
    let module = Module::parse(std::str::from_utf8(text).ok()?).ok()?;
    let instructions = image.get(HEAD + length.next_multiple_of(UNIT)..)?.chunks_exact(UNIT);
    let assembled = factors(&module);
    if instructions.len() != turns || assembled.len() != turns {
        return None;
    }
    let factor = |(unit, assembled): (&[u8], u32)| {
        let number = u32::from_le_bytes(unit[4..8].try_into().ok()?);
        // The sign in the factor is that of the text, which is run.
        (unit[..4] == MULTIPLIES).then_some(number ^ (assembled & SIGN))
    };
    let factors: Option<Vec<u32>> = instructions.zip(assembled).map(factor).collect();
    // One factor for all: no kernel has two.
    match factors?.as_slice() {
        [] => Some((module, TURN)),
        [first, others @ ..] => others.iter().all(|other| other == first).then_some((module, *first)),
    }
}
