//! Witnesses of the errata about FMNMX, FSETP, FSET, FSEL and FCHK. The last input is the
//! predicate.

use super::prove;

const NAN: u32 = 0x7fc0_0000;
const ONE: u32 = 0x3f80_0000;

#[test]
fn e183_flushed_beside_a_nan() {
    prove(
        "E183",
        &[
            ("FMNMX_RR.FTZ", &[NAN, 0x0000_0001, 1], &[0x0000_0001, 0]),
            ("FMNMX_RR.FTZ", &[0x807f_ffff, NAN, 0], &[0x807f_ffff, 0x8000_0000]),
            ("FMNMX_RR.FTZ", &[0x0000_0002, 0x0000_0001, 1], &[0; 2]),
            ("FMNMX_RR", &[NAN, 0x0000_0001, 1], &[0x0000_0001; 2]),
            ("FMNMX_RR.FTZ.NAN", &[NAN, 0x0000_0001, 1], &[0x7fff_ffff; 2]),
        ],
    );
}

#[test]
fn e184_zeros_of_both_signs() {
    prove(
        "E184",
        &[
            ("FMNMX_RR", &[0x8000_0000, 0, 1], &[0, 0x8000_0000]),
            ("FMNMX_RR", &[0, 0x8000_0000, 1], &[0x8000_0000; 2]),
            ("FMNMX_RR", &[0, 0x8000_0000, 0], &[0x8000_0000, 0]),
            ("FMNMX_RR", &[0x8000_0000, 0, 0], &[0; 2]),
            // Both operands become zeros by the flush.
            ("FMNMX_RR.FTZ", &[0x8000_0001, 0x0000_0001, 1], &[0, 0x8000_0000]),
        ],
    );
}

#[test]
fn e185_selected_nan() {
    prove(
        "E185",
        &[
            ("FSEL_RR", &[0xffc1_2345, ONE, 1], &[0xffc1_2345, 0x7fff_ffff]),
            ("FSEL_RR", &[ONE, 0x7f80_0001, 0], &[0x7f80_0001, 0x7fff_ffff]),
            ("FSEL_RR", &[0xffc1_2345, ONE, 0], &[ONE; 2]),
            ("FSEL_RR", &[0xff80_0000, ONE, 1], &[0xff80_0000; 2]),
        ],
    );
}

#[test]
fn e186_comparisons_of_a_nan() {
    // The comparison, its result by C's operators (E186 = 1), and its result by the table (E186 =
    // 2).
    let rows = [
        ("EQ", 0, 0),
        ("NE", 1, 0),
        ("LT", 0, 0),
        ("LE", 0, 0),
        ("GT", 0, 0),
        ("GE", 0, 0),
        ("EQU", 0, 1),
        ("NEU", 1, 1),
        ("LTU", 0, 1),
        ("LEU", 0, 1),
        ("GTU", 0, 1),
        ("GEU", 0, 1),
        ("NAN", 1, 1),
        ("NUM", 0, 0),
    ];
    for (comparison, in_c, in_the_table) in rows {
        let (fsetp, fset) = (format!("FSETP_RR.{comparison}.AND"), format!("FSET_RR.{comparison}.AND.BF"));
        for operands in [[NAN, ONE, 1], [ONE, NAN, 1], [NAN, NAN, 1]] {
            prove(
                "E186",
                &[
                    (&fsetp, &operands, &[in_c, in_the_table]),
                    (&fset, &operands, &[in_c * ONE, in_the_table * ONE]),
                ],
            );
        }
    }
}

#[test]
fn e189_exponent_of_fchk() {
    prove(
        "E189",
        &[
            ("FCHK_RR", &[ONE, 0xbf80_0000], &[1, 0]),
            ("FCHK_RR", &[ONE, 0x7e80_0000], &[0, 1]),
            ("FCHK_RR", &[ONE, ONE], &[0, 0]),
            ("FCHK_RR", &[0x7f80_0000, ONE], &[0, 1]),
        ],
    );
}

#[test]
fn c004_signalling_nan() {
    prove(
        "C004",
        &[
            ("FMNMX_RR", &[ONE, 0xff80_0001, 1], &[ONE, 0x7fff_ffff]),
            ("FMNMX_RR", &[0x7f80_0001, ONE, 0], &[ONE, 0x7fff_ffff]),
            ("FMNMX_RR", &[NAN, ONE, 0], &[ONE; 2]),
        ],
    );
}

#[test]
fn c009_operand_beside_a_nan() {
    const QNAN: u32 = 0x7fff_ffff;
    prove(
        "C009",
        &[
            ("FMNMX_RR", &[NAN, ONE, 1], &[ONE, QNAN, NAN, ONE, ONE]),
            ("FMNMX_RR", &[ONE, 0xff80_0001, 1], &[ONE, QNAN, ONE, 0xff80_0001, 0xff80_0001]),
            ("FMNMX_RR", &[NAN, ONE, 0], &[ONE, QNAN, NAN, ONE, NAN]),
            ("FMNMX_RR", &[ONE, 0xff80_0001, 0], &[ONE, QNAN, ONE, 0xff80_0001, ONE]),
            ("FMNMX_RR", &[NAN, 0xffc0_0002, 1], &[QNAN, QNAN, NAN, 0xffc0_0002, 0xffc0_0002]),
            ("FMNMX_RR", &[NAN, 0xffc0_0002, 0], &[QNAN, QNAN, NAN, 0xffc0_0002, NAN]),
            ("FMNMX_RR.FTZ", &[NAN, 0x8000_0001, 1], &[1 << 31, QNAN, NAN, 1 << 31, 1 << 31]),
            ("FMNMX_RR.NAN", &[NAN, ONE, 1], &[QNAN; 5]),
            ("FMNMX_RR", &[0, 0x8000_0000, 1], &[0x8000_0000; 5]),
        ],
    );
}

#[test]
fn c005_first_of_two_zeros() {
    prove(
        "C005",
        &[
            ("FMNMX_RR", &[0, 0x8000_0000, 1], &[0x8000_0000, 0]),
            ("FMNMX_RR", &[0x8000_0000, 0, 0], &[0, 0x8000_0000]),
            ("FMNMX_RR", &[0x8000_0001, 1, 0], &[1; 2]),
            ("FMNMX_RR.FTZ", &[0x8000_0001, 1, 0], &[0, 0x8000_0000]),
        ],
    );
}
