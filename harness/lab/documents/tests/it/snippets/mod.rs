//! An invented instruction set without defects, and changes that add a defect.

/// The document without defects.
pub const BASE: &str = include_str!("base.txt");

/// A class of findings, a part of the base, the replacement that causes such a finding, and other
/// classes that the change also causes.
pub type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// A class of findings, documents with such a finding, and documents without.
pub type Pair =
    (&'static str, &'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)]);

/// Changes to the base.
#[rustfmt::skip]
pub const CASES: &[Case] = &[
    ("unreadable", "field<10, 1> Sign ra.neg", "field<10; 1> Sign ra.neg", &["prefix-without-field", "unnamed-bits"]),
    ("given-twice", "    InList<pg>;\n", "    InList<pg>;\n    InList<pg>;\n", &[]),
    ("does-not-fit", "    P0 = 0;", "    P0 = 2;", &["example-operand", "reserved-codes"]),
    ("unfinished", "    P0 = 0;", "    P0 = 0; // TODO: or 1?", &[]),
    ("leftover-text", "__DefBitFieldType Reg<2>\n", "1 2 3 4 5 6 7 8 9\n__DefBitFieldType Reg<2>\n", &[]),
    ("missing-document", "(base.txt#pour)", "(pour.md)", &[]),
    ("missing-document", "[[POUR]]", "[[SPILL]]", &[]),
    ("undefined-parent", "__DefGroup ALL : [ALL]", "__DefGroup ROOT : [ALL]", &[]),
    ("overlapping-fields", "field<12, 1> Shade", "field<11, 1> Shade", &["unnamed-bits"]),
    ("repeated-field", "field<12, 1> Shade shade", "field<12, 1> Shade tint", &["condition-field-unknown", "modifier-without-field"]),
    ("undefined-default", "tint = PALE;\n    field<12", "tint = GREY;\n    field<12", &["default-not-in-list"]),
    ("default-too-wide", "Size size = 32", "Size size = 33", &["default-not-in-list"]),
    ("commented-out-value", "    P0 = 0;", "    // PX;\n    P0 = 0;", &[]),
    ("reserved-codes", "    LIT = 1;\n", "", &[]),
    ("default-not-in-list", "Tint tint = PALE;\n    field<12", "Tint tint = DIM;\n    field<12", &["undefined-default"]),
    ("default-differs", ".tint = {.PALE*, .DARK}\n.shade", ".tint = {.PALE, .DARK*}\n.shade", &[]),
    ("enumeration-without-numbers", "__DefBitFieldType Shade<1>\n    DIM = 0;\n    LIT = 1;\n", "", &[]),
    ("name-and-code-differ", "optype == MIX", "optype == STIR", &[]),
    ("code-and-sources-differ", "InList<pg, ra, rb>;\n    OutList<rd>;\n    Order<pg, rd, ra, rb>", "InList<pg, ra>;\n    OutList<rd>;\n    Order<pg, rd, ra>", &["example-operand", "field-without-prefix", "field-never-listed"]),
    ("missing-section", "  __Semantics\nStirs what is there.\n", "", &[]),
    ("empty-section", "Stirs what is there.\n", "", &[]),
    ("unnamed-bits", "field<32, 96> UImm96", "field<32, 95> UImm95", &[]),
    ("operand-without-field", "InList<pg>;", "InList<pg, rx>;", &[]),
    ("order-operand-unlisted", "InList<pg, ra, off>", "InList<pg, ra>", &[]),
    ("operand-not-in-order", "    Order<pg, rd, R[ra, off]>", "    Order<pg, rd, ra>", &["field-without-modifier"]),
    ("bitwidth-missing", "    Bitwidth<off> = 4;\n", "", &[]),
    ("bitwidth-differs", "    Bitwidth<rb> = 32;", "    Bitwidth<rb> = 64;", &[]),
    ("unknown-target", "    Bitwidth<off> = 4;", "    Bitwidth<off> = 4;\n    Bitwidth<rx> = 4;", &[]),
    ("condition-field-unknown", "(size==\"64\")", "(extent==\"64\")", &[]),
    ("condition-value-unknown", "(size==\"64\")", "(size==\"96\")", &["width-case-missing"]),
    ("width-case-missing", "32 + (size==\"64\")*32", "16 + (size==\"64\")*32", &[]),
    ("syntax-fault", "Rd, {-}Ra, {-}SrcB ;", "Rd, {-}Ra {-}SrcB ;", &[]),
    ("mnemonic-differs", "STIR {{!}pg} ;", "SPIN {{!}pg} ;", &["example-mnemonic"]),
    ("placeholder-without-field", "STIR {{!}pg} ;", "STIR {{!}pg} $wait ;", &["placeholders-differ"]),
    ("modifier-without-field", "STIR {{!}pg} ;", "STIR{.FAST} {{!}pg} ;", &[]),
    ("modifier-without-list", "STIR {{!}pg} ;", "STIR{.pace} {{!}pg} ;", &[]),
    ("field-without-modifier", "{.WET} {{!}pg, }", " {{!}pg, }", &["described-modifier-unknown", "example-modifier"]),
    ("default-but-mandatory", "MIX{.tint}{.shade}", "MIX{.tint}.shade", &["example-leaves-out-modifier"]),
    ("prefix-without-field", "    field<16, 1> Sign rb.neg = False;\n", "", &[]),
    ("prefix-on-literal", "    field<30, 1> Sign vb.neg = False;\n", "", &["unnamed-bits"]),
    ("field-without-prefix", "{-}SrcB ;", "SrcB ;", &["example-operand"]),
    ("syntax-operand-without-field", "STIR {{!}pg} ;", "STIR {{!}pg, }Rx ;", &["example-operand"]),
    ("operand-named-differently", "R[Ra+UImm4] ;\n```\n\n  __Sem", "R[Rb+UImm4] ;\n```\n\n  __Sem", &[]),
    ("order-differs", "Order<pg, rd, ra, rb>", "Order<pg, ra, rd, rb>", &[]),
    ("sign-after-plus", "Rd, R[Ra+UImm4] ;", "Rd, R[Ra+SImm4] ;", &[]),
    ("example-fault", "STIR P0 ;", "STIR P0", &[]),
    ("example-mnemonic", "STIR P0 ;", "SPIN P0 ;", &[]),
    ("example-modifier", "STIR P0 ;", "STIR.FAST P0 ;", &[]),
    ("example-leaves-out-modifier", "POUR{.size}{.tint} {{!}pg, }", "POUR.size{.tint} {{!}pg, }", &["default-but-mandatory"]),
    ("example-modifier-order", "MIX.DARK.WET R1", "MIX.WET.DARK R1", &[]),
    ("example-operand-count", "POUR R1, R2 ;", "POUR R1 ;", &[]),
    ("example-operand", "POUR R1, R2 ;", "POUR R1, 0x2 ;", &[]),
    ("example-operand", "-R2, 0x10 ;", "~R2, 0x10 ;", &[]),
    ("example-literal", "-R2, 0x10 ;", "-R2, 0xffff ;", &[]),
    ("code-fault", "    u = t << n;", "    u = min(t, ) << n;", &["undefined-function"]),
    ("missing-semicolon", "    u = t << n;", "    u = t << n", &[]),
    ("missing-braces", "{\n        v = v + e;\n        w = w + v;\n    }", "\n        v = v + e;\n        w = w + v;", &[]),
    ("head-mnemonic", "POUR.size.tint Rd", "SPILL.size.tint Rd", &[]),
    ("head-modifier", "POUR.size.tint Rd", "POUR.size.hue Rd", &[]),
    ("undefined-name", "    u = t << n;", "    u = t + x;", &[]),
    ("undefined-function", "    u = t << n;", "    u = reverse(t);", &[]),
    ("assigns-source", "            Rd = Ra tint 1;", "            Ra = 1;\n            Rd = Ra tint 1;", &[]),
    ("output-unlisted", "Stirs what is there.\n", "```asm\nSTIR:\n    *(pg) = 1;\n```\n", &["unknown-memory"]),
    ("unknown-memory", "    Rd = R[Ra+UImm4];", "    Rd = *(Ra+UImm4);", &[]),
    ("slice-order", "    Rd[31:16] = w;", "    Rd[16:31] = w;", &[]),
    ("endless-loop", "        n = n - 1;\n", "        u = u >> 1;\n", &[]),
    ("comment-name", "    // the result is in R0 to R3\n", "    UR3 = 0; // not R3\n    UR4 = UR3;\n", &["dead-store"]),
    ("modifier-unused", "    if (.tint == .DARK) {", "    if (c == 1) {", &[]),
    ("dead-store", "    u = t << n;", "    u = 0;\n    u = t << n;", &[]),
    ("written-before-read", "    Rd[15:0] = .shade == .LIT ? w : t;", "    Rd[15:0] = .shade == .LIT ? w : Ra;", &[]),
    ("partly-assigned", "    Rd[31:16] = w;\n", "", &[]),
    ("unreachable", "            Rd = Ra tint 1;\n            break;", "            break;\n            Rd = Ra tint 1;", &[]),
    ("unreachable", "} else if ((u & 0x1) == 1) {", "} else if (.wet == .WET) {", &[]),
    ("absolute-of-least", "    u = t << n;", "    u = |t|;", &[]),
    ("operator-undefined", "| .DARK | - |", "| .DARK | less |", &[]),
    ("precedence", "(u & 0x1) == 1", "u & 0x1 == 1", &[]),
    ("precedence", "Rd = (Ra >> 1) + SrcB;", "Rd = Ra >> 1 + SrcB;", &[]),
    ("shift-too-far", "SrcB & 0x1f", "SrcB & 0x3f", &[]),
    ("carry-compare", "u + n >= 4294967296", "u + n > 4294967296", &[]),
    ("negative-zero", "c <= 0.0f", "c < 0.0f", &[]),
    ("exponent-bits", "t[30:23] - 127", "t[31:24] - 127", &[]),
    ("described-modifier-unknown", "With .WET it", "With .DAMP it", &[]),
    ("value-not-described", "| .PALE | .DIM/.LIT |\n", "| .PALE | .DIM |\n", &["pair-not-excluded"]),
    ("described-prefix-unknown", "A sign (-) may", "A sign (-) or (~) may", &[]),
    ("described-type-unknown", "SrcB may be a SImm16.", "SrcB may be a UImm16.", &[]),
    ("described-default-differs", "pg的默认值是PT", "pg的默认值是!PT", &[]),
    ("exception-not-listed", "Stirs what is there.\n", "Stirs.\n\n  __Description\nRaises an exception.\n", &[]),
    ("message-wording", "is never LIT.\"", "is never LIT .\"", &[]),
    ("wrap-compare", "If SrcB >= 32,", "If SrcB > 32,", &[]),
    ("slice-width", "[Ra+SrcB-1:Ra]", "[Ra+SrcB:Ra]", &[]),
    ("odd-hex-literal", "    e = t", "    e = 0x123456789 + t", &[]),
    ("wider-than-output", "    e = t", "    e = 0x1234567812345678 + t", &[]),
    ("uneven-table", "| -0.0 | +1.0 |", "| -0.0 | +1.0 | +1.0 |", &[]),
    ("repeated-row", "| -0.0 | +1.0 |", "| -0.0 | +1.0 |\n| -0.0 | +1.0 |", &[]),
    ("special-value", "| -0.0 | +1.0 |", "| -0.0 | -0.0 |", &[]),
    ("rows-differ", "### RCP.B\n| input | output |\n|:--|:--|\n", "### RCP.B\n| input | output |\n|:--|:--|\n| -0.0 | -Inf |\n", &[]),
    ("pair-not-excluded", " and (shade==\"LIT\")", " and (shade==\"DIM\")", &[]),
    ("field-never-listed", "InList<pg, ra>;\n    OutList<rd>;\n    Order<pg, rd, ra>;\n    Bitwidth<rd> = 32 +", "InList<pg>;\n    OutList<rd>;\n    Order<pg, rd>;\n    Bitwidth<rd> = 32 +", &[]),
    ("undefined-type", "field<14, 4> UImm4 off", "field<14, 4> Offset off", &["code-and-sources-differ"]),
    ("duplicate-form", "SType stype == RI", "SType stype == RR", &["code-and-sources-differ", "name-and-code-differ"]),
];

/// Document pairs for classes that no single change to the base causes.
#[rustfmt::skip]
pub const PAIRS: &[Pair] = &[
    ("nothing-defined", &[("a", "Words.\n")], &[("a", BASE)]),
    ("foreign-document", &[("a", BASE), ("b", STREAM)], &[("b", STREAM)]),
    ("wrapped-row", &[("b", "## Opcode\nF = 1\n## Format\n| F | A |\n|---|---|\n| 1 | A |\n| | B |\n")], &[("b", STREAM)]),
    ("defined-twice", &[("a", "__DefGroup G : [G]\n__DefGroup G : [G]\n")], &[("a", "__DefGroup G : [G]\n__DefGroup H : [G]\n")]),
    ("optype-without-forms", &[("a", "__DefOptype X : [ALL]\n")], &[("a", "__DefOptype X : [ALL]\n__DefOpcode X_R : [X]\n")]),
    ("duplicate-group",
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> P pg;\n__DefGroup H : [ALL]\n__Encoding\nfield<0, 1> P pg;\n")],
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> P pg;\n__DefGroup H : [ALL]\n__Encoding\nfield<1, 1> P pg;\n")]),
    ("type-from-another-document",
        &[("a", "__DefBitFieldType T<1>\nA;\nB;\n"), ("b", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T t = A;\n")],
        &[("a", "__DefBitFieldType T<1>\nA;\nB;\n__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T t = A;\n")]),
    ("near-miss-name",
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T tone;\n__DefGroup H : [ALL]\n__Encoding\nfield<0, 1> T tones;\n")],
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T tone;\n__DefGroup H : [ALL]\n__Encoding\nfield<0, 1> U tones;\n")]),
    ("bit-with-two-meanings",
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T a.neg;\n__DefGroup H : [ALL]\n__Encoding\nfield<0, 1> T a.abs;\n")],
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T a.neg;\n__DefGroup H : [ALL]\n__Encoding\nfield<1, 1> T a.abs;\n")]),
    ("field-with-two-names",
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T a.half;\n__DefGroup H : [ALL]\n__Encoding\nfield<0, 1> T half;\n")],
        &[("a", "__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T a.half;\n__DefGroup H : [ALL]\n__Encoding\nfield<1, 1> T half;\n")]),
    ("too-large", &[("a", LARGE)], &[("a", BASE)]),
    ("list-too-long", &[("a", "__DefOptype X : [ALL]\n__Encoding\nfield<0, 1> T m;\n__Syntax\n```\nX.m ;\n.m = {.A, .B, .C}\n```\n")],
        &[("a", "__DefOptype X : [ALL]\n__Encoding\nfield<0, 2> T m;\n__Syntax\n```\nX.m ;\n.m = {.A, .B, .C}\n```\n")]),
    ("optional-without-default", &[("a", "__DefOptype X : [ALL]\n__Encoding\nfield<0, 1> T m;\n__Syntax\n```\nX{.m} ;\n.m = {.A, .B}\n```\n")],
        &[("a", "__DefOptype X : [ALL]\n__Encoding\nfield<0, 1> T m = A;\n__Syntax\n```\nX{.m} ;\n.m = {.A, .B}\n```\n")]),
    ("suffix-without-field", &[("a", SUFFIX)], &[("a", SUFFIXED)]),
    ("example-without-form", &[("a", SOURCES), ("b", "__DefOpcode X_RI : [X]\n")], &[("a", BASE)]),
    ("example-notation", &[("a", WIDE)], &[("a", BASE)]),
    ("example-leaves-out-modifier",
        &[("a", "__DefOptype X : [ALL]\n__Syntax\n```\nX.m ;\n.m = {.A, .B}\n```\n__Examples\n```\nX ;\n```\n")],
        &[("a", "__DefOptype X : [ALL]\n__Syntax\n```\nX.m ;\n.m = {.A, .B}\n```\n__Examples\n```\nX.A ;\n```\n")]),
    ("value-never-handled", &[("a", MODES)], &[("a", BASE)]),
    ("operand-of-another-mode", &[("a", TWO_LINES)], &[("a", BASE)]),
    ("mode-without-syntax", &[("a", TWO_LINES)], &[("a", BASE)]),
    ("form-outside-syntax", &[("a", OUTSIDE)], &[("a", BASE)]),
    ("treated-unlike", &[("a", THREE)], &[("a", BASE)]),
    ("prefix-not-described", &[("a", SIGNS)], &[("a", BASE)]),
    ("operand-never-written", &[("a", THREE)], &[("a", BASE)]),
    ("width-differs",
        &[("a", "__DefBitFieldType T<1>\nA;\nB;\n__DefGroup G : [ALL]\n__Encoding\nfield<0, 2> T t = A;\n")],
        &[("a", "__DefBitFieldType T<1>\nA;\nB;\n__DefGroup G : [ALL]\n__Encoding\nfield<0, 1> T t = A;\n")]),
    ("described-operand-unknown", &[("a", TWO_LINES)], &[("a", BASE)]),
    ("word-with-two-meanings", &[("a", TWO_LINES)], &[("a", BASE)]),
    ("more-registers-than-codes", &[("a", TWO_LINES)], &[("a", BASE)]),
];

/// A page about an instruction that is an operand stream.
const STREAM: &str =
    "## Opcode\nF = 1\n## Format\n| F | A |\n|---|---|\n| 1 | A |\n## Description\n- **A(ub):** x\n";

/// A form without a field for the suffix, and a form with that field.
const SUFFIX: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX Ra.half ;\n.half = {.H0, .H1}\n```\n__DefOpcode X_R : [X]\n__Encoding\nfield<0, 1> Reg ra;\n__OperandInfo\nOrder<ra>;\n";
const SUFFIXED: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX Ra.half ;\n.half = {.H0, .H1}\n```\n__DefOpcode X_R : [X]\n__Encoding\nfield<0, 1> Reg ra;\nfield<1, 1> H ra.half;\n__OperandInfo\nOrder<ra>;\n";

/// One form has a register before a literal, and the other a literal before a register. The example
/// has two literals.
const SOURCES: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX SrcA, SrcB ;\n```\n__Examples\n```\nX 1, 2 ;\n```\n\
    __DefOpcode X_RI : [X]\n__Encoding\nfield<0, 1> Reg ra;\nfield<8, 8> UImm8 vb;\n__OperandInfo\nInList<ra, vb>;\nOrder<pg, ra, vb>;\n\
    __DefOpcode X_IR : [X]\n__Encoding\nfield<8, 8> UImm8 va;\nfield<0, 1> Reg rb;\n__OperandInfo\nInList<va, rb>;\nOrder<pg, va, rb>;\n";

/// A register range that the syntax does not define.
const WIDE: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX Ra ;\n```\n__Examples\n```\nX R[0:1] ;\n```\n\
    __DefOpcode X_R : [X]\n__Encoding\nfield<0, 8> Reg ra;\n__OperandInfo\nInList<ra>;\nOrder<pg, ra>;\n";

/// A modifier with four values. The code names one value.
const MODES: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX.m Ra ;\n.m = {.A, .B, .C, .D}\n```\n\
    __Semantics\n```\nX.m Ra:\n    if (.m == .A) {\n        t = 1;\n    }\n```\n";

/// Two syntax lines, each without some operands or flags of the other.
const TWO_LINES: &str = "__DefGroup G : [ALL]\n__Encoding\nfield<0, 2> UPred upg = UPT;\n\
    __DefOptype X : [G]\n__Encoding\nfield<2, 1> F1 wide = NoW;\nfield<3, 1> F2 ext = NoX;\n__Syntax\n```\nX URd, SrcB ;\nX.W.X URd, URb, URc ;\n```\n\
    __Description\nReads UP3, Rq and ALLP.\n\
    __DefOpcode X_C : [X]\n__Encoding\nfield<8, 6> UReg urd;\nfield<16, 8> CMem vb;\nfield<24, 6> UReg urc;\n__OperandInfo\nInList<upg, vb, urc>;\nOutList<urd>;\n\
    Order<upg, urd, vb, urc>;\nBitwidth<urd> = 32 + (wide==\"W\")*32;\n\
    __DefOptype Y : [G]\n__Syntax\n```\nY Rq, ALLP ;\n```\n";

/// A definition beyond the size limit.
const LARGE: &str = concat!("__DefGroup G : [ALL]\n__Encoding\n", include_str!("large.txt"));

/// A form that names a mode, although the mode's line does not fit the form.
const OUTSIDE: &str = "__DefOptype X : [ALL]\n__Encoding\nfield<2, 1> F1 wide = NoW;\n__Syntax\n```\nX URd, SrcB ;\nX.W URd, URb ;\n```\n\
    __DefOpcode X_C : [X]\n__Encoding\nfield<8, 6> UReg urd;\nfield<16, 8> CMem vb;\n__OperandInfo\nInList<vb>;\nOutList<urd>;\n\
    Order<pg, urd, vb>;\nBitwidth<urd> = 32 + (wide==\"W\")*32;\n";

/// Three sources, two of which are converted, and a guard that no line shows.
const THREE: &str = "__DefGroup G : [ALL]\n__Encoding\nfield<0, 3> Pred pg = PT;\n\
    __DefOptype X : [G]\n__Syntax\n```\nX Rd, Ra, Rb, Rc ;\n```\n\
    __Semantics\n```\nX Rd, Ra, Rb, Rc:\n    Ra = f(Ra);\n    Rb = f(Rb);\n    Rd = Ra + Rb + Rc;\n```\n\
    __DefOpcode X_RRR : [X]\n__Encoding\nfield<8, 8> Reg rd;\nfield<16, 8> Reg ra;\nfield<24, 8> Reg rb;\nfield<32, 8> Reg rc;\n\
    __OperandInfo\nInList<pg, ra, rb, rc>;\nOutList<rd>;\nOrder<pg, rd, ra, rb, rc>;\n\
    Bitwidth<rd> = 32;\nBitwidth<ra> = 32;\nBitwidth<rb> = 32;\nBitwidth<rc> = 32;\n";

/// Two instructions that allow a sign. Only one description mentions it.
const SIGNS: &str = "__DefOptype X : [ALL]\n__Syntax\n```\nX {-}Ra ;\n```\n__OperandInfo\nRa may have a sign (-).\n\
    __DefOptype Y : [ALL]\n__Syntax\n```\nY {-}Ra ;\n```\n__OperandInfo\nRa is a register.\n";
