//! The assembler's result for PTX: the text, followed by the machine code of instructions with
//! replaced bits.
//!
//! An image has units of 16 bytes, like machine code. First come a mark and the length of the
//! image. Then come the length of the text and the number of instructions. Then come the text,
//! padded with zeros, and the instructions (see `code`).

use assay_ptx::Module;

use crate::code;

/// The mark at the start of an image.
const MARK: [u8; 8] = *b"\x7fstandin";
const UNIT: usize = 16;

/// Number of bytes at the start that state the length of an image.
pub const HEAD: usize = 2 * UNIT;
/// The architecture for which kernels must be assembled.
pub const TARGET: &str = "sm_90";

/// The newest supported PTX version, as in CUDA 12.2, which this driver reports (PTX ISA, "Release
/// Notes").
const NEWEST: (u32, u32) = (8, 2);

/// Why a module cannot be assembled.
pub enum Refused {
    /// The PTX version is newer than the driver.
    Newer(String),
    /// The text is no PTX, or is for another device.
    Invalid(String),
}

/// Returns the image of a module.
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
    let unread = || Refused::Invalid("a comment about what is replaced cannot be read".to_owned());
    let instructions = code::assemble(ptx).ok_or_else(unread)?;
    let text = ptx.len().next_multiple_of(UNIT);
    let length = HEAD + text + UNIT * instructions.len();
    let mut image = Vec::with_capacity(length);
    image.extend(MARK);
    for number in [length, ptx.len(), instructions.len()] {
        image.extend((number as u64).to_le_bytes());
    }
    image.extend(ptx.as_bytes());
    image.resize(HEAD + text, 0);
    image.extend(instructions.into_iter().flat_map(u128::to_le_bytes));
    Ok(image)
}

/// Returns the length of an image, from its head.
pub fn length(head: &[u8; HEAD]) -> Option<usize> {
    if head[..8] != MARK { None } else { number(head, 1) }
}

fn number(image: &[u8], place: usize) -> Option<usize> {
    let bytes = image.get(8 * place..8 * (place + 1))?;
    usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
}

/// Returns the module that an image contains, with the effects of the replaced bits. `None` if an
/// instruction is unknown.
pub fn load(image: &[u8]) -> Option<Module> {
    let (length, count) = (number(image, 2)?, number(image, 3)?);
    let text = std::str::from_utf8(image.get(HEAD..)?.get(..length)?).ok()?;
    let units = image.get(HEAD + length.next_multiple_of(UNIT)..)?.chunks_exact(UNIT);
    let instructions: Vec<u128> =
        units.map(|unit| Some(u128::from_le_bytes(unit.try_into().ok()?))).collect::<Option<_>>()?;
    if instructions.len() != count {
        return None;
    }
    Module::parse_machine(&code::read(text, &instructions)?).ok()
}
