//! The intended differences between the rows and the documents.

/// An intended difference between a row and the documents, with its reason.
///
/// `isa diff` accepts these differences only while the documents have the recorded text. A
/// departure that matches no difference is reported, so that the maintainer removes it.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Optype or form, or bit-field type.
    pub of: &'static str,
    /// What differs, in the words of `isa diff`, such as `field sat`.
    pub subject: &'static str,
    /// The text of the documents, as `isa diff` shows it. `None` if the documents have no such
    /// text.
    pub documents: Option<&'static str>,
    /// Erratum number.
    pub erratum: u16,
    /// The correction in a few words.
    pub why: &'static str,
}

const fn departure(
    of: &'static str,
    subject: &'static str,
    documents: Option<&'static str>,
    erratum: u16,
    why: &'static str,
) -> Departure {
    Departure { of, subject, documents, erratum, why }
}

/// Returns the departure of an operand that is missing from the documents' list of inputs, because
/// it is not a register (E016).
const fn unlisted(of: &'static str, documents: &'static str) -> Departure {
    departure(of, "in", Some(documents), 16, "what is no register is read as well")
}

/// Returns the departure of an operand for which the documents give no width. The operand is as
/// wide as its field (E025).
const fn no_width(of: &'static str, subject: &'static str) -> Departure {
    departure(of, subject, None, 25, "an operand is as wide as its field")
}

/// Returns the departure of a type that the documents do not define: they give no codes of its
/// values.
const fn no_numbers(of: &'static str, erratum: u16) -> Departure {
    departure(
        of,
        "type",
        None,
        erratum,
        "the documents define no such type; the project's numbers are provisional",
    )
}

/// Every departure of the rows from the documents.
#[rustfmt::skip]
pub static DEPARTURES: &[Departure] = &[
    departure("MUFU", "field sat", None, 32, "the .SAT field is commented out in the document; bit 77 as in F_ARITH"),
    departure("MUFU_U", "field stype constraint", Some("RU"), 47, "a single uniform source has the code U, as in POPC, FLO and BREV"),
    departure("MUFU", "exception IllegalBitFieldCombination", Some(r#"(dtype=="F64H") and (mufuop!="RCP") and (mufuop!="RSQ")"#), 39, "the exception list is replaced by the table of legal function and type pairs; it names a type that does not exist (E038)"),
    departure("BMSK", "field cwmode default", Some("C"), 21, "the default is called C there and CLAMP in the list of modifiers"),
    departure("SGXT", "field cwmode default", Some("C"), 21, "the default is called C there and CLAMP in the list of modifiers"),
    departure("USHF", "field cwmod default", Some("C"), 21, "the default is called C there and CLAMP in the list of modifiers"),
    departure("UBMSK", "field cwmode default", Some("C"), 21, "the default is called C there and CLAMP in the list of modifiers"),
    departure("USGXT", "field cwmode default", Some("C"), 21, "the default is called C there and CLAMP in the list of modifiers"),
    unlisted("S2R", "pg"),
    unlisted("CS2R", "pg"),
    unlisted("S2UR", "pg"),
    unlisted("PMTRIG", "pg"),
    unlisted("SETREG_RI", "pg, ra"),
    unlisted("GETREG_I", "pg"),
    unlisted("SWITCH_I", "pg"),
    unlisted("DEPBAR", "pg"),
    unlisted("ULDC", "upg, ura"),
    unlisted("ULEA_UUU", "upg, ura, urb, urc, upp"),
    unlisted("ULEA_UIU", "upg, ura, vb, urc, upp"),
    unlisted("ULEA_UCU", "upg, ura, vb, urc, upp"),
    unlisted("ULOP3_UUU", "upg, ura, urb, urc, upp"),
    unlisted("ULOP3_UIU", "upg, ura, vb, urc, upp"),
    unlisted("ULOP3_UCU", "upg, ura, vb, urc, upp"),
    unlisted("UPLOP3", "upg, upa, upb, upc"),
    unlisted("SETUGPR", "upg, ura, urb"),
    unlisted("GETUGPR", "upg, urb"),
    no_width("S2R", "bitwidth sreg"),
    no_width("CS2R", "bitwidth sreg"),
    no_width("S2UR", "bitwidth sreg"),
    no_width("SETREG_RI", "bitwidth regaddr"),
    no_width("GETREG_I", "bitwidth regaddr"),
    no_width("ULEA", "bitwidth shiftamt"),
    no_width("ULOP3", "bitwidth lut"),
    no_width("UPLOP3", "bitwidth lut"),
    no_width("SETUGPR", "bitwidth uridx"),
    no_width("GETUGPR", "bitwidth uridx"),
    departure("ULDC", "bitwidth urd", Some(r#"32 + (dtype=="64")*32"#), 93, "a load of 128 bits fills four registers"),
    departure("ULDC", "bitwidth vb", Some(r#"32 + (dtype=="64")*32"#), 93, "how much is read is as much as is written, and said there"),
    departure("ULDC", "modifier dtype", Some("S8 U8 S1 U1 32 64 128"), 92, "the prose has .S16 and .U16 in the places of .S1 and .U1"),
    departure("UIMAD_WIDE_UUC", "bitwidth urd", Some("32"), 111, "the other forms have a result of 64 bits"),
    departure("UIMAD_WIDE_UUC", "bitwidth vc", Some("32"), 111, "the other forms have an addend of 64 bits"),
    departure("ULEA", "field urc default", None, 125, "a mode without URc has URZ in its place"),
    departure("UIMNMX", "field ura.neg", None, 131, "the syntax has a minus; bit 72 as in UIADD"),
    departure("UIMNMX_UU", "field urb.neg", None, 131, "the syntax has a minus; bit 97 as in UIADD"),
    departure("UIMNMX_UC", "field vb.neg", None, 131, "the syntax has a minus; bit 97 as in UIADD"),
    departure("ULOP3_UUU", "order", Some("upg, urd, upu, ura, urb, urc, lut, upp"), 146, "the predicate is written first, as in the syntax and in the pseudo-code"),
    departure("ULOP3_UIU", "order", Some("upg, urd, upu, ura, vb, urc, lut, upp"), 146, "the predicate is written first, as in the syntax and in the pseudo-code"),
    departure("ULOP3_UCU", "order", Some("upg, urd, upu, ura, vb, urc, lut, upp"), 146, "the predicate is written first, as in the syntax and in the pseudo-code"),
    departure("ULOP3", "modifier exbool default", None, 147, "leaving .exbool out means the default of its field"),
    departure("UBMSK", "modifier cwmode default", None, 60, "leaving .cwmode out means the default of its field, as in BMSK"),
    departure("SETUGPR", "out", Some(""), 164, "it writes the register that it finds"),
    no_numbers("Optype", 1),
    no_numbers("SType", 5),
    no_numbers("USType", 5),
    no_numbers("PModi", 2),
    no_numbers("SignModi", 2),
    no_numbers("HSel", 2),
    no_numbers("MUFUOp", 2),
    no_numbers("MUFUDType", 2),
    no_numbers("IType", 2),
    no_numbers("CWMode", 2),
    no_numbers("MEMDType", 2),
    no_numbers("IExt", 2),
    no_numbers("LOHI", 2),
    no_numbers("LEASX32", 2),
    no_numbers("BSel", 2),
    no_numbers("CompOp", 2),
    no_numbers("BoolOp", 2),
    no_numbers("EXBool", 2),
    no_numbers("SHFDType", 2),
    no_numbers("SHFDir", 2),
    no_numbers("PRMTMode", 2),
    no_numbers("MOVW", 2),
    no_numbers("FPFtz", 2),
    no_numbers("FPSat", 2),
    no_numbers("FPRound", 2),
    no_numbers("FMULScale", 2),
    no_numbers("NAN", 2),
    no_numbers("LOPOp", 2),
    no_numbers("FCMPOp", 2),
    no_numbers("BVal", 2),
];
