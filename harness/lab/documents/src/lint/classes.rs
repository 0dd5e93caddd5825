//! Every class of finding: its name, severity and remedy.
//!
//! The names are stable, so that reports on different editions of a document can be compared.

use super::finding::{Class, Severity};

/// Declares the classes, and the list of all classes.
macro_rules! classes {
    ($($constant:ident = $name:literal, $severity:ident, $help:literal;)+) => {
        $(pub static $constant: Class = Class { name: $name, severity: Severity::$severity, help: $help };)+

        /// Every class, by topic.
        pub static CLASSES: &[&Class] = &[$(&$constant),+];
    };
}

classes! {
    // Reading.
    UNREADABLE = "unreadable", Error, "write the statement as the language has it, or make it a comment";
    TOO_LARGE = "too-large", Error, "split the definition";
    DEFINED_TWICE = "defined-twice", Error, "rename one of the two, or remove it";
    GIVEN_TWICE = "given-twice", Error, "remove one of the two";
    TOO_WIDE = "does-not-fit", Error, "widen what holds it, or lower the value";
    UNFINISHED = "unfinished", Note, "decide what is open, and remove the mark";
    LEFTOVER = "leftover-text", Note, "remove what is no part of the document";
    NOTHING_DEFINED = "nothing-defined", Error, "give a document that defines something";
    FOREIGN_DOCUMENT = "foreign-document", Note, "keep instructions of another kind in a set of their own, or say how they go together";
    MISSING_DOCUMENT = "missing-document", Error, "add the document, or state here what it says";
    // Definitions.
    UNDEFINED_PARENT = "undefined-parent", Warning, "define the parent, even if it is empty";
    DUPLICATE_GROUP = "duplicate-group", Note, "use one group, or say how they differ";
    WITHOUT_FORMS = "optype-without-forms", Warning, "define a form, or remove the optype";
    DUPLICATE_FORM = "duplicate-form", Error, "give each form of an optype a code of its own";
    NAME_DIFFERS = "name-and-code-differ", Warning, "bring the name and the code together";
    CODE_AND_SOURCES = "code-and-sources-differ", Note, "choose the code that names the sources in their order";
    MISSING_SECTION = "missing-section", Error, "write the section";
    EMPTY_SECTION = "empty-section", Note, "fill the section, or remove it";
    UNNAMED_BITS = "unnamed-bits", Warning, "state the length and byte order of the word, and what other bits hold";
    // Fields.
    OVERLAPPING_FIELDS = "overlapping-fields", Error, "move one of the fields";
    REPEATED_FIELD = "repeated-field", Error, "rename one of the fields, or remove it";
    WIDTH_DIFFERS = "width-differs", Error, "use the width of the type";
    VALUE_TOO_WIDE = "default-too-wide", Warning, "give the value a name that is no number, or list it in the type";
    UNKNOWN_VALUE = "undefined-default", Error, "add the value to the type, or use one that is there";
    BIT_MEANS = "bit-with-two-meanings", Note, "use different types for different meanings";
    TWO_NAMES = "field-with-two-names", Note, "use one name for one thing";
    NEAR_NAME = "near-miss-name", Warning, "use one spelling";
    FIELD_NEVER_LISTED = "field-never-listed", Error, "list the operand, or remove the field";
    // Types.
    UNDEFINED_TYPE = "undefined-type", Error, "define the type: what it holds and how";
    WITHOUT_NUMBERS = "enumeration-without-numbers", Error, "define the type, with a number for each value";
    TYPE_ELSEWHERE = "type-from-another-document", Note, "say that names of types hold across documents, or repeat the definition";
    COMMENTED_OUT = "commented-out-value", Warning, "remove the comment, and write the numbers";
    RESERVED_CODES = "reserved-codes", Note, "say what the other codes mean: an error, or nothing";
    LIST_TOO_LONG = "list-too-long", Error, "widen the field, or shorten the list";
    DEFAULT_NOT_LISTED = "default-not-in-list", Warning, "list the default, or name one that is listed";
    DEFAULT_DIFFERS = "default-differs", Error, "bring the default of the field and the star together";
    // Operand lists.
    OPERAND_WITHOUT_FIELD = "operand-without-field", Error, "add the field, or remove the operand";
    ORDER_OPERAND_UNLISTED = "order-operand-unlisted", Warning, "add the operand to InList or OutList";
    OPERAND_NOT_IN_ORDER = "operand-not-in-order", Warning, "add the operand to Order";
    BITWIDTH_MISSING = "bitwidth-missing", Note, "give its Bitwidth";
    BITWIDTH_DIFFERS = "bitwidth-differs", Warning, "use the width of the other forms, or say why not";
    UNKNOWN_TARGET = "unknown-target", Error, "name a field of the form";
    CONDITION_FIELD = "condition-field-unknown", Error, "name a field of the form";
    CONDITION_VALUE = "condition-value-unknown", Error, "name a value that the field can have";
    WIDTH_CASE_MISSING = "width-case-missing", Error, "add the case";
    GUARD_DIFFERS = "guard-differs", Warning, "use the guard of the others, or say how this one is meant";
    // Syntax.
    SYNTAX_FAULT = "syntax-fault", Warning, "write the line as the others are written";
    MNEMONIC_DIFFERS = "mnemonic-differs", Note, "write the name of the optype";
    NEVER_WRITTEN = "operand-never-written", Warning, "show where the operand is written, and say what it does";
    PLACEHOLDER_WITHOUT_FIELD = "placeholder-without-field", Error, "give the placeholder a field and a meaning";
    PLACEHOLDERS_DIFFER = "placeholders-differ", Note, "use the placeholders of the group, or say why not";
    MODIFIER_WITHOUT_FIELD = "modifier-without-field", Error, "add a field for the modifier, or remove it from the line";
    MODIFIER_WITHOUT_LIST = "modifier-without-list", Error, "list the values of the modifier";
    FIELD_WITHOUT_MODIFIER = "field-without-modifier", Warning, "write the field in a line of the syntax";
    DEFAULT_BUT_MANDATORY = "default-but-mandatory", Warning, "put it in braces, or remove the default";
    OPTIONAL_WITHOUT_DEFAULT = "optional-without-default", Warning, "give the field a default, or make it mandatory";
    PREFIX_WITHOUT_FIELD = "prefix-without-field", Error, "add a bit for the prefix, or remove it from the line";
    PREFIX_ON_LITERAL = "prefix-on-literal", Warning, "say what the prefix of a literal becomes";
    SUFFIX_WITHOUT_FIELD = "suffix-without-field", Warning, "add a field for the suffix, or say what the form does without";
    FIELD_WITHOUT_PREFIX = "field-without-prefix", Warning, "allow the prefix in the syntax, or remove the field";
    SLOT_WITHOUT_FIELD = "syntax-operand-without-field", Warning, "call the operand as its field is called";
    OPERAND_NAMED_DIFFERENTLY = "operand-named-differently", Note, "call the operand as its field is called";
    ORDER_DIFFERS = "order-differs", Error, "use one order";
    OPERAND_OF_OTHER_MODE = "operand-of-another-mode", Note, "say what the field holds where the operand is not written";
    MODE_WITHOUT_SYNTAX = "mode-without-syntax", Warning, "say that the other combinations are illegal, or what they do";
    FORM_OUTSIDE_SYNTAX = "form-outside-syntax", Warning, "write the line so that the form fits, or forbid the form there";
    SIGN_AFTER_PLUS = "sign-after-plus", Note, "show how a negative offset is written";
    // Examples.
    EXAMPLE_FAULT = "example-fault", Warning, "correct the example";
    EXAMPLE_MNEMONIC = "example-mnemonic", Error, "write an example of this instruction";
    EXAMPLE_MODIFIER = "example-modifier", Error, "use a modifier of the syntax, or add this one to it";
    EXAMPLE_LEAVES_OUT = "example-leaves-out-modifier", Warning, "write the modifier, or make it optional";
    EXAMPLE_MODIFIER_ORDER = "example-modifier-order", Note, "use the order of the syntax, or say that any order will do";
    EXAMPLE_OPERAND_COUNT = "example-operand-count", Error, "write the operands of the syntax";
    EXAMPLE_OPERAND = "example-operand", Error, "write an operand that the syntax allows here";
    EXAMPLE_WITHOUT_FORM = "example-without-form", Error, "use a combination of sources that a form has";
    EXAMPLE_NOTATION = "example-notation", Note, "define the notation";
    EXAMPLE_LITERAL = "example-literal", Note, "write a literal of the type, or say how others are read";
    // Pseudo-code.
    CODE_FAULT = "code-fault", Error, "correct the statement";
    MISSING_SEMICOLON = "missing-semicolon", Note, "end the statement with `;`";
    MISSING_BRACES = "missing-braces", Note, "put the block in braces";
    HEAD_MNEMONIC = "head-mnemonic", Warning, "write the name of the optype";
    HEAD_MODIFIER = "head-modifier", Note, "use the names of the syntax";
    UNDEFINED_NAME = "undefined-name", Error, "define the name, or use the operand that is meant";
    UNDEFINED_FUNCTION = "undefined-function", Warning, "define the function";
    ASSIGNS_SOURCE = "assigns-source", Warning, "assign to a name of its own";
    OUTPUT_UNLISTED = "output-unlisted", Warning, "list in OutList what the instruction writes";
    UNKNOWN_MEMORY = "unknown-memory", Warning, "say what is addressed, its unit and its range";
    SLICE_ORDER = "slice-order", Note, "write the high bit first";
    ENDLESS_LOOP = "endless-loop", Error, "change in the loop what its condition reads";
    COMMENT_NAME = "comment-name", Note, "use the name of the code";
    MODIFIER_UNUSED = "modifier-unused", Error, "say what the modifier does";
    VALUE_NEVER_HANDLED = "value-never-handled", Warning, "say what each value does";
    DEAD_STORE = "dead-store", Warning, "return or branch where the value was final, or remove the assignment";
    WRITTEN_BEFORE_READ = "written-before-read", Warning, "say that all sources are read first, or use a name of its own";
    PARTLY_ASSIGNED = "partly-assigned", Warning, "say what becomes of the other bits";
    TREATED_UNLIKE = "treated-unlike", Warning, "convert the operand too, or say why not";
    PRECEDENCE = "precedence", Warning, "set parentheses";
    SHIFT_TOO_FAR = "shift-too-far", Warning, "say what a shift by the whole width gives, or guard it";
    CARRY = "carry-compare", Error, "write `>=`";
    NEGATIVE_ZERO = "negative-zero", Warning, "say what becomes of -0";
    EXPONENT_BITS = "exponent-bits", Error, "take the bits of the exponent";
    UNREACHABLE = "unreachable", Warning, "remove the statement, or the way out before it";
    ABSOLUTE_OF_LEAST = "absolute-of-least", Note, "say what the absolute value of the least number is";
    OPERATOR_UNDEFINED = "operator-undefined", Error, "say what each value does to its operands";
    // Prose and tables.
    PROSE_MODIFIER = "described-modifier-unknown", Warning, "add the modifier to the syntax, or correct the description";
    VALUE_NOT_DESCRIBED = "value-not-described", Warning, "describe the value, or remove it from the list";
    PROSE_PREFIX = "described-prefix-unknown", Warning, "add the prefix to the syntax, or correct the description";
    PREFIX_NOT_DESCRIBED = "prefix-not-described", Note, "describe the prefix";
    PROSE_OPERAND = "described-operand-unknown", Note, "use the names of the syntax";
    TWO_MEANINGS = "word-with-two-meanings", Note, "use one word for one thing";
    PROSE_LITERAL_TYPE = "described-type-unknown", Warning, "use the type of the field, or correct the field";
    PROSE_DEFAULT = "described-default-differs", Error, "bring description and field together";
    EXCEPTION_NOT_LISTED = "exception-not-listed", Warning, "list the exception under __Exception";
    WRAP_COMPARE = "wrap-compare", Warning, "say what happens at equality";
    SLICE_WIDTH = "slice-width", Warning, "write the last bit, which is one less";
    MESSAGE_WORDING = "message-wording", Note, "correct the message";
    HEX_DIGITS = "odd-hex-literal", Error, "write 8 or 16 digits";
    WIDER_THAN_OUTPUT = "wider-than-output", Error, "say which part of it is written";
    SOURCE_WITHOUT_FIELD = "source-without-field", Warning, "correct the description, or add the form";
    UNEVEN_TABLE = "uneven-table", Warning, "give each row the cells of the head";
    REPEATED_ROW = "repeated-row", Note, "remove the row";
    WRAPPED_ROW = "wrapped-row", Note, "write one row a line, or say in which order the cells go";
    SPECIAL_VALUE = "special-value", Error, "correct the row, or give the function a table of its own";
    ROWS_DIFFER = "rows-differ", Warning, "add the rows, or say what happens there";
    PAIR_NOT_EXCLUDED = "pair-not-excluded", Warning, "add an exception for the pairs that are not legal";
    MORE_THAN_CODES = "more-registers-than-codes", Error, "say which register has the last code";
}
