//! Encoding, decoding, printing and parsing agree on every form and every mode, enumerated from the rows.

use assay_isa::codec::{DecodeError, decode, encode};
use assay_isa::location::{BANK_BYTES, PT};
use assay_isa::row::FieldType;
use assay_isa::{Instruction, Numbers, asm, catalog, legality, lint};
use proptest::prelude::*;

/// Fills operands and attributes from a stream of bits, within what the rules permit.
fn fill(instruction: &mut Instruction, mut bits: impl FnMut() -> u32) {
    let form = instruction.form();
    for (position, field) in form.fields.iter().enumerate() {
        let bits = bits();
        let value = match field.ty {
            FieldType::Reg => bits & 0xff,
            FieldType::UReg => bits & 0x3f,
            FieldType::Pred => bits & u32::from(PT),
            FieldType::CMem => (bits % (32 * BANK_BYTES)) & !3,
            FieldType::F32Imm | FieldType::SImm32 => bits,
            FieldType::Enum(_) if field.attribute().is_some() => bits & 1,
            FieldType::Enum(_) => continue,
        };
        if field.attribute().is_none() || legality::permits(instruction, field.name) {
            instruction.set_at(position, value);
        }
    }
    instruction.schedule = bits() as u16;
}

fn check_round_trips(instruction: &Instruction) {
    let numbers = Numbers::provisional();
    let word = encode(instruction, numbers);
    assert_eq!(decode(word, numbers).as_ref(), Ok(instruction), "{word:#034x}");
    let text = asm::print(instruction);
    assert_eq!(asm::parse(&text).as_ref(), Ok(instruction), "{text}");
}

#[test]
fn every_legal_mode_of_every_form_round_trips() {
    let mut seed = 1u32;
    let mut modes = 0;
    for form in &catalog().forms {
        for mut instruction in lint::combinations(form) {
            if legality::check(&instruction).is_err() {
                continue;
            }
            modes += 1;
            for _ in 0..64 {
                fill(&mut instruction, || {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    seed ^ seed >> 16
                });
                check_round_trips(&instruction);
            }
        }
    }
    assert_eq!(modes, lint::lint(catalog()).legal_modes);
}

#[test]
fn illegal_modes_are_refused_by_decoder_and_assembler() {
    let numbers = Numbers::provisional();
    let mut refused = 0;
    for form in &catalog().forms {
        for instruction in lint::combinations(form).filter(|i| legality::check(i).is_err()) {
            let word = encode(&instruction, numbers);
            assert!(matches!(decode(word, numbers), Err(DecodeError::Illegal { .. })), "{word:#034x}");
            let text = asm::print(&instruction);
            assert!(asm::parse(&text).is_err(), "{text}");
            refused += 1;
        }
    }
    assert!(refused > 0);
}

/// Words put together by hand from the bit positions of the documents and the table of numbers.
#[test]
fn anchors() {
    let anchors: [(&str, u128); 17] = [
        ("FADD R0, R1, R2", 0x0000_0000_0000_0000_0000_0002_0100_7529),
        ("@!P0 FFMA.FTZ.RZ R0, |R1|, -R2, 0f405A7EFA", 0x0000_0000_0000_d602_405a_7efa_0100_8a2b),
        ("MUFU.RCP.F32 R7, |R0|", 0x0000_0002_0001_0000_0000_0000_0007_7000),
        ("MUFU.RCP.F32.SAT R0, R1", 0x0000_0000_0001_2000_0000_0001_0000_7000),
        ("FMUL.M8 R3, R4, c[0x1][0x4]", 0x0000_0000_0006_0000_0002_0004_0403_782a),
        ("FFMA.SAT.RP R5, RZ, UR6, -|R7| $0xbeef", 0xbeef_0000_0000_6c07_0000_0006_ff05_7d2b),
        ("MUFU.TANH.F16 R1, UR2.H1", 0x0000_0000_0009_c100_0000_0002_0001_7300),
        ("POPC R0, ~R1", 0x0000_0002_0000_0000_0000_0001_0000_7001),
        ("FLO.SH.U32 R1, ~UR2", 0x0000_0002_0003_0000_0000_0002_0001_7302),
        ("BREV R0, 0x80000000", 0x0000_0000_0000_0000_8000_0000_0000_7103),
        ("BMSK.WRAP R7, R7, 0xFFFFFFFF", 0x0000_0000_0002_0000_ffff_ffff_0707_7604),
        ("SGXT R0, R1, UR3", 0x0000_0000_0000_0000_0000_0003_0100_7705),
        ("FMNMX.NAN R0, R1, 0f3F800000, !P1", 0x0000_0024_0008_0000_3f80_0000_0100_762c),
        ("FSETP.LE.AND P0, R4, R6", 0x0000_e01c_00c0_0000_0000_0006_0400_752d),
        ("FSET.FTZ.GT.OR.BF R0, -R5, R6, P0", 0x0000_0000_0510_1100_0000_0006_0500_752e),
        ("FSEL.FTZ R0, R1, R2, !P0", 0x0000_0020_0000_1000_0000_0002_0100_752f),
        ("FCHK P3, -|R4|, c[0x0][0x10]", 0x0000_0c00_0000_0300_0000_0010_0400_7830),
    ];
    for (text, word) in anchors {
        let instruction = asm::parse(text).unwrap();
        assert_eq!(encode(&instruction, Numbers::provisional()), word, "{text}");
        assert_eq!(asm::print(&decode(word, Numbers::provisional()).unwrap()), text);
    }
}

#[test]
fn modifiers_commute_and_literals_mean_values() {
    let same = [
        ("FMUL.RZ.D2.SAT.FTZ R0, R1, R2", "FMUL.FTZ.SAT.RZ.D2 R0, R1, R2"),
        ("@PT FADD.RN R0,R1,R2;", "FADD R0, R1, R2"),
        ("  FADD  R0 ,  R1 , -0.25 ; ", "FADD R0, R1, 0fBE800000"),
        ("FADD R0, R1, 1", "FADD R0, R1, 0f3F800000"),
        ("FADD R0, R1, -|0fC0000000|", "FADD R0, R1, 0fC0000000"),
        ("FADD R0, R1, |0fC0000000|", "FADD R0, R1, 0f40000000"),
        ("FADD R0, R1, 1e-45", "FADD R0, R1, 0f00000001"),
        ("MUFU.EX2.F16_V2 R0, 1.0", "MUFU.EX2.F16_V2 R0, 0x3C003C00"),
        ("MUFU.EX2.BF16_V2 R0, -1.0", "MUFU.EX2.BF16_V2 R0, 0xBF80BF80"),
        ("MUFU.RCP.F64 R0, 2.0", "MUFU.RCP.F64 R0, 0x40000000"),
        ("MUFU.TANH.F16 R0, 0x3c00", "MUFU.TANH.F16 R0, 0x00003C00"),
        ("MUFU.TANH.F16 R0, -0x1", "MUFU.TANH.F16 R0, 0xFFFFFFFF"),
        ("MUFU.SAT.F32.RCP R0, R1", "MUFU.RCP.F32.SAT R0, R1"),
        ("FSETP.LE.AND P0, R4, R6, PT", "FSETP.LE.AND P0, R4, R6"),
        ("FSETP.LE.AND P0, PT, R4, R6, !PT", "FSETP.LE.AND P0, R4, R6, !PT"),
        ("FSETP.OR.FTZ.GTU P0, P1, -|R5|, -1, !PT", "FSETP.FTZ.GTU.OR P0, P1, -|R5|, 0fBF800000, !PT"),
        ("FSET.LE.AND R0, R4, R6", "FSET.LE.AND R0, R4, R6"),
        ("FSEL R0, R1, -|2|, PT", "FSEL R0, R1, 0fC0000000"),
        ("FMNMX R0, R1, 0.125, PT", "FMNMX R0, R1, 0f3E000000, PT"),
        ("FLO.U32.SH R1, RZ", "FLO.SH.U32 R1, RZ"),
        ("FLO.S32 R1, RZ", "FLO R1, RZ"),
        ("POPC R0, ~0x0", "POPC R0, 0xFFFFFFFF"),
        ("POPC R0, ~-1", "POPC R0, 0x00000000"),
        ("SGXT.S32.CLAMP R0, R1, 3", "SGXT R0, R1, 0x00000003"),
        ("BMSK R0, R1, -0x80000000", "BMSK R0, R1, 0x80000000"),
    ];
    for (text, canonical) in same {
        let instruction = asm::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(asm::print(&instruction), canonical, "{text}");
        check_round_trips(&instruction);
    }
}

#[test]
fn errors_point_into_the_text() {
    let cases = [
        ("FOO R0, R1", "FOO", "unknown mnemonic"),
        ("FADD.FTX R0, R1, R2", "FTX", "no modifier"),
        ("FADD.NoFTZ R0, R1, R2", "NoFTZ", "no modifier"),
        ("FADD.RN.RZ R0, R1, R2", "RZ", "repeats"),
        ("FADD R0, R1", "FADD R0, R1", "no such operands"),
        ("FADD R0, UR1, R2", "UR1", "no such operands"),
        ("FADD R0, R1, R256", "R256", "there is no"),
        ("FADD R0, R1, 0x3f800000", "0x3f800000", "no value"),
        ("FADD R0, R1, 1e99", "1e99", "no value"),
        ("FADD R0, R1, c[0x20][0x0]", "c[0x20][0x0]", "no value"),
        ("FADD R0, R1, c[0x0][0x2]", "FADD R0, R1, c[0x0][0x2]", "multiple of 4"),
        ("FADD -R0, R1, R2", "-R0", "takes no `-`"),
        ("FADD R0, !R1, R2", "!R1", "takes no `!`"),
        ("FADD R0, R1.H0, R2", "H0", "takes no suffix"),
        ("FADD R0, R1, R2 R3", "R", "the end"),
        ("FADD R0, R1, R2 $0x10000", "0x10000", "no value"),
        ("FADD R0, |R1, R2", ",", "expected `|`"),
        ("@R0 FADD R0, R1, R2", "R0", "a predicate"),
        ("MUFU.RCP R0, R1", "MUFU", "lacks a modifier for dtype"),
        ("MUFU.COS.F16 R0, R1.H0", "MUFU.COS.F16 R0, R1.H0", "does not support"),
        ("MUFU.TANH.F16 R0, R1", "R1", "expected `.H0`"),
        ("MUFU.TANH.F16 R0, -R1.H0", "MUFU.TANH.F16 R0, -R1.H0", "must keep its default"),
        ("MUFU.TANH.F16.SAT R0, R1.H0", "MUFU.TANH.F16.SAT R0, R1.H0", "must keep its default"),
        ("MUFU.RCP.F64 R0, 0.1", "0.1", "no value"),
        ("FMNMX R0, R1, R2", "FMNMX R0, R1, R2", "no such operands"),
        ("FSETP.LT P0, R1, R2", "FSETP", "lacks a modifier for lop"),
        ("FSETP.LT.AND P0, P1, P2, R1, R2", "P2", "no such operands"),
        ("FSETP.LT.AND P0, R1, R2, -P0", "-P0", "takes no `-`"),
        ("FADD R0, R1, ~R2", "~R2", "takes no `~`"),
        ("FADD R0, R1, ~1.0", "~1.0", "no value"),
        ("POPC R0, |R1|", "|R1|", "takes no `|`"),
        ("POPC R0, -R1", "-R1", "takes no `-`"),
        ("POPC R0, |1|", "|1|", "no value"),
        ("POPC R0, -0x80000001", "-0x80000001", "no value"),
        ("POPC R0, 0x100000000", "0x100000000", "no value"),
        ("SGXT R0, R1, 1.0", "1.0", "no value"),
        ("", "", "expected a mnemonic"),
    ];
    for (text, part, message) in cases {
        let error = asm::parse(text).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
        assert_eq!(&text[error.span.clone()], part, "{text}: {error}");
    }
}

#[test]
fn illegal_words_are_refused_with_their_reason() {
    let numbers = Numbers::provisional();
    let word = encode(&asm::parse("FMUL R0, R1, R2").unwrap(), numbers);
    let cases: [(u128, &str); 5] = [
        (word & !0xff | 0xee, "no optype"),
        (word & !0xf00, "no form"),
        (word | 7 << 80, "reserved code 0x7"),
        (word | 1 << 100, "names no field"),
        (word | 1 << 91, "names no field"),
    ];
    for (word, message) in cases {
        let error = decode(word, numbers).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
    assert!(decode(word | 0xffff << 112, numbers).is_ok(), "scheduling bits are opaque");
}

proptest! {
    #[test]
    fn a_word_that_decodes_encodes_back(low in any::<u64>(), high in any::<u64>(), form in any::<prop::sample::Index>()) {
        let form = form.get(&catalog().forms);
        let identity = encode(&Instruction::new(form), Numbers::provisional()) & 0xfff;
        let word = (u128::from(high) << 64 | u128::from(low)) & form.named_bits() & !0xfff | identity;
        if let Ok(instruction) = decode(word, Numbers::provisional()) {
            prop_assert_eq!(encode(&instruction, Numbers::provisional()), word);
            check_round_trips(&instruction);
        }
    }

    #[test]
    fn text_never_panics(text in "[@!FMUADRCPZT0-9a-f.,|\\-\\[\\]$; xU_H]{0,60}", any in ".{0,20}") {
        let _ = asm::parse(&text);
        let _ = asm::parse(&any);
        let _ = asm::parse(&format!("FADD R0, {any}"));
        let _ = text.parse::<assay_isa::Location>();
    }
}
