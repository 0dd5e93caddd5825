//! Checks that encoding, decoding, printing and parsing agree on every form and every mode of the
//! rows.

use assay_isa::codec::{DecodeError, decode, encode};
use assay_isa::legalize::legalize;
use assay_isa::{EncodingTable, Instruction, asm, catalog, legality, lint};
use proptest::prelude::*;

/// Fills operands and attributes with legal values made from a stream of bits.
fn fill(instruction: &mut Instruction, mut bits: impl FnMut() -> u32) {
    let form = instruction.form();
    for (position, field) in form.fields.iter().enumerate() {
        let bits = bits();
        if form.is_operand(field) {
            let value = legalize(instruction, position, bits);
            instruction.set_at(position, value);
        }
    }
    instruction.schedule = bits() as u16;
}

fn check_round_trips(instruction: &Instruction) {
    let numbers = EncodingTable::provisional();
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
fn a_mode_is_read_without_operands_and_on_its_first_legal_form() {
    for form in &catalog().forms {
        for mode in lint::combinations(form).filter(|mode| legality::check(mode).is_ok()) {
            let name = asm::mnemonic(&mode);
            let read = asm::parse_mode(&name).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(asm::mnemonic(&read), name);
            assert!(read.form().index <= form.index, "{name} is read as {}", read.form().name);
        }
    }
    for (text, words) in [
        ("FFMB.FTZ", "did you mean `FFMA`"),
        ("FFMA.FTX", "FFMA has no modifier .FTX"),
        ("MUFU.RCP", "MUFU lacks a modifier for dtype"),
        ("MUFU.SIN.F16", "change one of the parts named"),
        ("FFMA R0", "write the operands in full, or leave them all out"),
        ("", "expected a mnemonic"),
    ] {
        let error = asm::parse_mode(text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn illegal_modes_are_refused_by_decoder_and_assembler() {
    let numbers = EncodingTable::provisional();
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

/// Words assembled by hand from the bit positions of the documents and the encoding table.
#[test]
fn anchors() {
    let anchors: [(&str, u128); 41] = [
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
        ("UIADD.X UR1, UP2, ~UR3, UR5, !UP4", 0x0000_0830_0000_1100_0000_0005_0301_7111),
        ("@!UP1 UIADD UR0, UR1, -UR2", 0x0000_1c3e_0000_0000_0000_0002_0100_9111),
        ("UIMAD.HI.X.U32 UR1, UR2, 0x00114514, ~UR5, UP0", 0x0000_1c00_0000_3c05_0011_4514_0201_7612),
        ("UIMAD.WIDE UR[0:1], UP3, UR2, UR3, -c[0x1][0x8]", 0x0000_0c3e_0000_0003_0002_0008_0200_7713),
        ("ULEA.HI.X.SX32 UR1, ~UR2, UR3, 0x4, UP0", 0x0000_1c00_0011_193f_0000_0003_0201_7415),
        ("ULDC.S8 UR1, c[0x1][UR4-0x1]", 0x0000_0000_0000_0000_0003_ffff_0401_7010),
        ("ULDC.128 UR[4:7], c[0x0][0x160]", 0x0000_0000_0006_0000_0000_0160_3f04_7010),
        ("UP2UR.B1 UR7, UPR, UR0, 0x000000FF", 0x0000_0000_0000_8000_0000_00ff_0007_7218),
        ("UR2UP UPR, UR7.B3, UR1", 0x0000_0000_0001_8000_0000_0001_0700_7119),
        (
            "UISETP.GT.OR.U32.X UP0, UP5, UR5, 0x00000000, UPT, !UP1",
            0x0000_a25c_0006_3000_0000_0000_0500_721a,
        ),
        ("ULOP3.PAND UP1, UR7, UR6, URZ, UR0, 0x1a, !UPT", 0x0000_043c_0068_0000_0000_003f_0607_741c),
        ("UPLOP3 UP0, UP1, !UP2, UP3, 0x1a", 0x0000_0000_0068_0003_0000_000a_0100_7b1d),
        ("USHF.L.HI.WRAP.U64 UR7, UR7, 0x00000024, UR9", 0x0000_0000_0001_6809_0000_0024_0707_761e),
        ("UPRMT.RC16 UR0, UR1, UR2, c[0x0][0x4]", 0x0000_0000_0000_6002_0000_0004_0100_7720),
        ("UMOV.64 UR[0:1], c[0x0][0x8]", 0x0000_0000_0001_0000_0000_0008_0000_7a1f),
        ("SETUGPR UR[UR2-0x1], UR9", 0x0000_0000_0000_0002_0000_007f_0900_7626),
        ("GETUGPR UR1, UR[UR2+0x3]", 0x0000_0000_0000_0002_0000_0003_0001_7227),
        ("S2R R1, SR_CTAID.Y", 0x0000_0000_0000_0000_0000_000c_0001_7106),
        ("CS2R R[2:3], SR_CLOCKLO", 0x0000_0000_0000_0000_0000_0024_0002_7107),
        ("@P3 SETREG UR4, R7", 0x0000_0000_0000_0000_0000_0004_0700_370a),
        ("GETREG R0, 0xffff", 0x0000_0000_0000_0000_0000_ffff_0000_710b),
        ("DEPBAR 0x5, 0xa", 0x0000_0000_0000_0000_0000_00a5_0000_710f),
        ("(!F1) BFN.x1a.UD (M3, 8) V1 V2 V3 0x8000", 0x0000_011a_0600_0000_0600_0201_8001_2385),
        ("NOP", 0x0000_0000_0000_0000_0000_0000_0000_740d),
    ];
    for (text, word) in anchors {
        let instruction = asm::parse(text).unwrap();
        assert_eq!(encode(&instruction, EncodingTable::provisional()), word, "{text}");
        assert_eq!(asm::print(&decode(word, EncodingTable::provisional()).unwrap()), text);
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
        ("FADD R0, R1, 0x1p-24", "FADD R0, R1, 0f33800000"),
        ("FADD R0, R1, -0x1.8P+1", "FADD R0, R1, 0fC0400000"),
        ("FADD R0, R1, 1e-3", "FADD R0, R1, 0f3A83126F"),
        ("FADD R0, R1, inf", "FADD R0, R1, 0f7F800000"),
        ("FADD R0, R1, -Inf", "FADD R0, R1, 0fFF800000"),
        ("FADD R0, R1, nan", "FADD R0, R1, 0f7FC00000"),
        ("MUFU.EX2.F16_V2 R0, 0x1p-1", "MUFU.EX2.F16_V2 R0, 0x38003800"),
        ("MUFU.EX2.BF16_V2 R0, -inf", "MUFU.EX2.BF16_V2 R0, 0xFF80FF80"),
        ("MUFU.RCP.F64 R0, 0x1.8p0", "MUFU.RCP.F64 R0, 0x3FF80000"),
        ("MUFU.RCP.F64 R0, inf", "MUFU.RCP.F64 R0, 0x7FF00000"),
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
        ("UIMAD.LO UR0, UP1, UR2, UR3, -UR4", "UIMAD UR0, UP1, UR2, UR3, -UR4"),
        ("UIMAD UR0, UPT, UR2, UR3, UR4", "UIMAD UR0, UR2, UR3, UR4"),
        ("UIMAD.X.HI UR1, UR2, UR3, UR5, !UPT", "UIMAD.HI.X UR1, UR2, UR3, UR5"),
        ("UIMAD.U32.WIDE UR[0:1], UR2, UR3, URZ", "UIMAD.WIDE.U32 UR[0:1], UR2, UR3, URZ"),
        ("UIADD UR0, UR1, -0x114514", "UIADD UR0, UR1, 0xFFEEBAEC"),
        ("ULDC.32 UR0, c[0x0][URZ+0x160]", "ULDC UR0, c[0x0][0x160]"),
        ("ULDC UR0, c[1][URZ-4]", "ULDC UR0, c[0x1][URZ-0x4]"),
        ("UISETP.LE.U32.AND UP0, UPT, UR4, UR6, UPT", "UISETP.LE.AND.U32 UP0, UR4, UR6, UPT"),
        ("ULOP3 UPT, UR1, UR2, UR3, UR4, 0x80, UP0", "ULOP3 UR1, UR2, UR3, UR4, 0x80, UP0"),
        ("USHF.R.S64.CLAMP.LO UR1, UR2, 64, UR3", "USHF.R.S64 UR1, UR2, 0x00000040, UR3"),
        ("UR2UP UPR, UR7.B0, 0xff", "UR2UP UPR, UR7, 0x000000FF"),
        ("S2R R2, SR_CTAID", "S2R R2, SR_CTAID.X"),
        ("GETREG R0, 65535", "GETREG R0, 0xffff"),
        ("@PT NOP;", "NOP"),
        ("UIABS UR0, -UR1", "UIABS UR0, UR1"),
        ("( none ) BFN.xA.D ( M1 , 1 ) V1 V2 V3 5 ;", "BFN.x0a.D (1) V1 V2 V3 0x0005"),
        ("@!PT NOP", "@!PT NOP"),
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
        ("FADD R0, R1, 0x1p", "0x1p", "write a number such as 0.25, 1e-3, 0x1p-24, inf or nan"),
        ("FADD R0, R1, 0x3f800000", "0x3f800000", "raw bits as 0f3E800000"),
        ("FADD R0, R1, 0x1p128", "0x1p128", "beyond the largest F32; write inf"),
        ("MUFU.RCP.F64 R0, 0.1", "0.1", "write 0x3FB99999 or 0x3FB9999A, the words around it"),
        ("UIADD UR0, UR1, 0x1p4", "0x1p4", "write an integer"),
        ("UIADD UR0, UR1, inf", "inf", "write an integer"),
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
        ("FADD R0, R1, R2 R3", "R", "expected a comma"),
        ("FADD R0 R1 R2", "R", "expected a comma"),
        ("FADD R0, R1, R2 (", "(", "the end"),
        ("FADD R0, R1, R2 $0x1 R3", "R", "the end"),
        ("FADD R0, R1, R2 $0x10000", "0x10000", "no value"),
        ("FADD R0, |R1, R2", ",", "expected `|`"),
        ("@R0 FADD R0, R1, R2", "R0", "a predicate"),
        ("MUFU.RCP R0, R1", "MUFU", "lacks a modifier for dtype"),
        ("MUFU.COS.F16 R0, R1.H0", "MUFU.COS.F16 R0, R1.H0", "does not support"),
        ("MUFU.TANH.F16 R0, R1", "R1", "expected a suffix"),
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
        ("UIADD UR0, UP1, UR1, UR2", "UP1", "no such operands"),
        ("UIADD UR0, ~UR1, UR2", "~UR1", "takes no `~`"),
        ("UIADD.X UR0, -UR1, UR2", "-UR1", "takes no `-`"),
        ("UIADD.X UR0, P0, UR1, UR2", "P0", "no such operands"),
        ("UIMAD.HI UR0, UR1, UR2, UR3", "UIMAD.HI UR0, UR1, UR2, UR3", "does not support"),
        ("UIMAD.WIDE UR0, UR2, UR3, URZ", "UR0", "no such operands"),
        (
            "UIMAD.WIDE UR[1:2], UR2, UR3, URZ",
            "UIMAD.WIDE UR[1:2], UR2, UR3, URZ",
            "cannot begin at number 1",
        ),
        ("UMOV.64 UR[62:63], URZ", "UR[62:63]", "there is no"),
        ("UMOV.64 UR[0:1], c[0x0][0x4]", "UMOV.64 UR[0:1], c[0x0][0x4]", "multiple of 8"),
        ("UMOV.64 UR[0:1], 0x1", "UMOV.64 UR[0:1], 0x1", "may not be 64"),
        ("ULEA UR0, UR1, UR2, 32", "32", "no value"),
        ("ULEA UR0, UR1, -UR2, 1", "ULEA UR0, UR1, -UR2, 1", "may not be True"),
        ("ULEA.HI.X UR0, UR1, UR2, 1", "1", "no such operands"),
        ("UISETP.EQ.AND.X UP0, UR1, UR2, UPT", "UISETP.EQ.AND.X UP0, UR1, UR2, UPT", "no such operands"),
        ("UPLOP3 UP0, UP1, UP2, UP3, -0x1", "-0x1", "no value"),
        ("ULDC UR0, c[0x0][UR1+0x10000]", "c[0x0][UR1+0x10000]", "no value"),
        ("GETUGPR UR0, UR[UR2+0x40]", "UR[UR2+0x40]", "no value"),
        ("GETUGPR UR0, UR[2]", "]", "expected `:`"),
        ("S2R R0, SR_NOSUCH", "SR_NOSUCH", "there is no"),
        ("S2UR UR0, SR_LANEID", "S2UR UR0, SR_LANEID", "differs from thread to thread"),
        ("@P0 S2UR UR0, SR_PM0", "S2UR UR0, SR_PM0", "no guard but PT"),
        ("CS2R R[0:1], SR_LANEID", "CS2R R[0:1], SR_LANEID", "no high half"),
        ("@P0 UMOV UR0, UR1", "P0", "a predicate"),
        ("DEPBAR 0x8, 0x0", "0x8", "no value"),
        ("BFN.x1a (8) V1 V2 V3 V4", "(", "expected `.`"),
        ("BFN.x1a2.UD (8) V1 V2 V3 V4", "x1a2", "no value"),
        ("BFN.x1a.UD (M7_NM, 16) V1 V2 V3 V4", "BFN.x1a.UD (M7_NM, 16) V1 V2 V3 V4", "beyond channel 31"),
        ("BFN.x1a.UD (8) 0x1 V2 V3 V4", "0x1", "there is no"),
        ("BFN.x1a.UD (8) V1 V2 V3 0x10000", "0x10000", "no value"),
        ("BFN.x1a.UD (8) V1 V2 V32 V4", "V32", "there is no"),
        ("(F15) BFN.x1a.UD (8) V1 V2 V3 V4", "F15", "there is no"),
        ("(F1) FADD R0, R1, R2", "FADD", "unknown mnemonic"),
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
    let numbers = EncodingTable::provisional();
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
    let pair = encode(&asm::parse("CS2R R[252:253], SR_CLOCKLO").unwrap(), numbers);
    let error = decode(pair + (2 << 16), numbers).expect_err("R255 is RZ").to_string();
    assert!(error.contains("cannot begin at number 254"), "{error}");
}

proptest! {
    #[test]
    fn a_word_that_decodes_encodes_back(low in any::<u64>(), high in any::<u64>(), form in any::<prop::sample::Index>()) {
        let form = form.get(&catalog().forms);
        let identity = encode(&Instruction::new(form), EncodingTable::provisional()) & 0xfff;
        let word = (u128::from(high) << 64 | u128::from(low)) & form.named_bits() & !0xfff | identity;
        if let Ok(instruction) = decode(word, EncodingTable::provisional()) {
            prop_assert_eq!(encode(&instruction, EncodingTable::provisional()), word);
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
