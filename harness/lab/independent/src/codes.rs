//! The codes of optypes and forms, and the operands of each form.
//!
//! The documents give no codes. By the specification's README (E001, E002, E005), codes count up in
//! document order. Codes of optypes follow the order of their definitions. `SType` and `USType`
//! each have one list of names, which all optypes share.

/// An optype that the device implements. The discriminant is its code in the word (E001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are those of the documents")]
pub enum Optype {
    Mufu = 0,
    Popc = 1,
    Flo = 2,
    Brev = 3,
    Bmsk = 4,
    Sgxt = 5,
    Uiadd = 17,
    Uimad = 18,
    UimadWide = 19,
    Uimul = 20,
    Ulea = 21,
    Uiabs = 22,
    Uimnmx = 23,
    Up2ur = 24,
    Ur2up = 25,
    Uisetp = 26,
    Usel = 27,
    Ulop3 = 28,
    Uplop3 = 29,
    Ushf = 30,
    Umov = 31,
    Uprmt = 32,
    Upopc = 33,
    Uflo = 34,
    Ubrev = 35,
    Ubmsk = 36,
    Usgxt = 37,
    Uf2fp = 40,
    Fadd = 41,
    Fmul = 42,
    Ffma = 43,
    Fmnmx = 44,
    Fsetp = 45,
    Fset = 46,
    Fsel = 47,
    Fchk = 48,
}

/// The name, the datapath and the forms of an optype.
#[derive(Debug)]
pub struct OptypeInfo {
    /// The optype.
    pub optype: Optype,
    /// The name of the optype, as lists of supported modes write it.
    pub name: &'static str,
    /// Whether it belongs to the uniform datapath (group UDP).
    pub uniform: bool,
    /// The forms: a letter for each source (R, U, I or C), or X without sources.
    pub forms: &'static [&'static str],
}

/// Names of `SType`. The index is the code (E005).
const STYPES: [&str; 16] =
    ["R", "I", "C", "U", "X", "RR", "RI", "RU", "RC", "RRR", "RRI", "RIR", "RRU", "RUR", "RRC", "RCR"];

/// Names of `USType`. The index is the code (E005).
const USTYPES: [&str; 12] = ["U", "UU", "UI", "UC", "UUU", "UUI", "UIU", "UUC", "UCU", "I", "C", "X"];

const ONE: &[&str] = &["R", "I", "C", "U"];
const TWO: &[&str] = &["RR", "RI", "RU", "RC"];
const THREE: &[&str] = &["RRR", "RRI", "RIR", "RRU", "RUR", "RRC", "RCR"];
const UNIFORM_ONE: &[&str] = &["U", "I", "C"];
const UNIFORM_TWO: &[&str] = &["UU", "UI", "UC"];
const UNIFORM_THREE: &[&str] = &["UUU", "UUI", "UIU", "UUC", "UCU"];
const UNIFORM_B: &[&str] = &["UUU", "UIU", "UCU"];

const fn info(
    optype: Optype,
    name: &'static str,
    uniform: bool,
    forms: &'static [&'static str],
) -> OptypeInfo {
    OptypeInfo { optype, name, uniform, forms }
}

/// Every optype of the device with its forms (inventory, section 2).
pub const OPTYPES: &[OptypeInfo] = &[
    info(Optype::Mufu, "MUFU", false, ONE),
    info(Optype::Popc, "POPC", false, ONE),
    info(Optype::Flo, "FLO", false, ONE),
    info(Optype::Brev, "BREV", false, ONE),
    info(Optype::Bmsk, "BMSK", false, TWO),
    info(Optype::Sgxt, "SGXT", false, TWO),
    info(Optype::Uiadd, "UIADD", true, UNIFORM_TWO),
    info(Optype::Uimad, "UIMAD", true, UNIFORM_THREE),
    info(Optype::UimadWide, "UIMAD_WIDE", true, &["UUU", "UIU", "UUC", "UCU"]),
    info(Optype::Uimul, "UIMUL", true, UNIFORM_TWO),
    info(Optype::Ulea, "ULEA", true, UNIFORM_B),
    info(Optype::Uiabs, "UIABS", true, UNIFORM_ONE),
    info(Optype::Uimnmx, "UIMNMX", true, UNIFORM_TWO),
    info(Optype::Up2ur, "UP2UR", true, UNIFORM_TWO),
    info(Optype::Ur2up, "UR2UP", true, UNIFORM_TWO),
    info(Optype::Uisetp, "UISETP", true, UNIFORM_TWO),
    info(Optype::Usel, "USEL", true, UNIFORM_TWO),
    info(Optype::Ulop3, "ULOP3", true, UNIFORM_B),
    info(Optype::Uplop3, "UPLOP3", true, &["X"]),
    info(Optype::Ushf, "USHF", true, UNIFORM_THREE),
    info(Optype::Umov, "UMOV", true, UNIFORM_ONE),
    info(Optype::Uprmt, "UPRMT", true, UNIFORM_THREE),
    info(Optype::Upopc, "UPOPC", true, UNIFORM_ONE),
    info(Optype::Uflo, "UFLO", true, UNIFORM_ONE),
    info(Optype::Ubrev, "UBREV", true, UNIFORM_ONE),
    info(Optype::Ubmsk, "UBMSK", true, UNIFORM_TWO),
    info(Optype::Usgxt, "USGXT", true, UNIFORM_TWO),
    info(Optype::Uf2fp, "UF2FP", true, &["UUU", "UCU"]),
    info(Optype::Fadd, "FADD", false, TWO),
    info(Optype::Fmul, "FMUL", false, TWO),
    info(Optype::Ffma, "FFMA", false, THREE),
    info(Optype::Fmnmx, "FMNMX", false, TWO),
    info(Optype::Fsetp, "FSETP", false, TWO),
    info(Optype::Fset, "FSET", false, TWO),
    info(Optype::Fsel, "FSEL", false, TWO),
    info(Optype::Fchk, "FCHK", false, TWO),
];

impl OptypeInfo {
    /// Returns the optype with this code, if the device implements it.
    pub fn of(number: u32) -> Option<&'static OptypeInfo> {
        OPTYPES.iter().find(|info| info.optype as u32 == number)
    }

    /// Returns the form with this code, if the optype has it.
    pub fn form(&self, code: u32) -> Option<&'static str> {
        let names: &[&'static str] = if self.uniform { &USTYPES } else { &STYPES };
        let name = names.get(code as usize)?;
        self.forms.iter().find(|form| *form == name).copied()
    }

    /// Returns the code of a form.
    pub fn form_code(&self, form: &str) -> Option<u32> {
        let names: &[&'static str] = if self.uniform { &USTYPES } else { &STYPES };
        names.iter().position(|name| *name == form).and_then(|code| u32::try_from(code).ok())
    }
}
