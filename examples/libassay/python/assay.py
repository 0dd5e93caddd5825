"""libassay from Python, with the standard library alone: a session, the model, the truth and the judge."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int64, c_uint8, c_uint32, c_uint64, c_void_p

API_VERSION = 1
OK, NOT_KNOWN = 0, 1
NOT_WRITTEN, SPAN, SPANS, UNDEFINED_TRUTH, UNLISTED = range(5)
EXACT, WITHIN, DIVERGED, UNDEFINED, UNJUDGED = range(5)
NO_ERROR = -(2**63)


class Refused(Exception):
    """A call that was refused, with the reason."""


def load(path):
    """Loads the library and gives its functions their types."""
    library = ctypes.CDLL(path)
    signatures = {
        "assay_api_version": (c_uint32, []),
        "assay_open": (c_uint32, [c_uint32, c_char_p, c_char_p, POINTER(c_void_p)]),
        "assay_close": (None, [c_void_p]),
        "assay_error": (c_char_p, [c_void_p]),
        "assay_assemble": (c_uint32, [c_void_p, c_char_p, POINTER(c_uint64)]),
        "assay_disassemble": (c_char_p, [c_void_p, POINTER(c_uint64)]),
        "assay_select": (c_uint32, [c_void_p, POINTER(c_uint64)]),
        "assay_input_name": (c_char_p, [c_void_p, c_uint32]),
        "assay_output_name": (c_char_p, [c_void_p, c_uint32]),
        "assay_execute": (c_uint32, [c_void_p, c_uint32, POINTER(c_uint32), POINTER(c_uint32), POINTER(c_uint8)]),
        "assay_truth": (
            c_uint32,
            [c_void_p, c_uint32] + [POINTER(c_uint32)] * 3 + [POINTER(c_uint8)],
        ),
        "assay_judge": (
            c_uint32,
            [c_void_p, c_uint32, POINTER(c_uint32), POINTER(c_uint32), POINTER(c_uint8), POINTER(c_char_p)]
            + [POINTER(c_uint8), POINTER(c_int64)],
        ),
        "assay_verdict": (c_char_p, [c_void_p, c_uint32]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Session:
    """One profile and one instruction at a time. Columns are lists of values, a list for each input or output."""

    def __init__(self, library, instruction, profile="intended", readings=""):
        self.library, self.handle = library, c_void_p()
        status = library.assay_open(API_VERSION, profile.encode(), readings.encode(), byref(self.handle))
        self._check(status)
        word = (c_uint64 * 2)()
        self._check(library.assay_assemble(self.handle, instruction.encode(), word))
        self.word = word[0] | word[1] << 64
        self._check(library.assay_select(self.handle, word))
        self.inputs = self._names(library.assay_input_name)
        self.outputs = self._names(library.assay_output_name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.assay_close(self.handle)

    def _names(self, name):
        names = []
        while text := name(self.handle, len(names)):
            names.append(text.decode())
        return names

    def _check(self, status):
        if status != OK:
            known = status != NOT_KNOWN
            raise Refused(self.library.assay_error(self.handle).decode() if known else "not implemented")

    def _inputs(self, columns):
        lanes = len(columns[0]) if columns else 1
        flat = _flat(columns, self.inputs, lanes)
        return lanes, (c_uint32 * len(flat))(*flat)

    def execute(self, columns):
        """What the reference model writes: a column for each output, None where nothing was written."""
        lanes, inputs = self._inputs(columns)
        values = (c_uint32 * (lanes * len(self.outputs)))()
        written = (c_uint8 * len(values))()
        self._check(self.library.assay_execute(self.handle, lanes, inputs, values, written))
        cells = [value if was else None for value, was in zip(values, written)]
        return [cells[start : start + lanes] for start in range(0, len(cells), lanes)]

    def truth(self, columns):
        """For each output and lane the state of the truth and the ends of its values."""
        lanes, inputs = self._inputs(columns)
        low = (c_uint32 * (lanes * len(self.outputs)))()
        high, states = (c_uint32 * len(low))(), (c_uint8 * len(low))()
        self._check(self.library.assay_truth(self.handle, lanes, inputs, low, high, states))
        cells = list(zip(states, low, high))
        return [cells[start : start + lanes] for start in range(0, len(cells), lanes)]

    def judge(self, columns, results):
        """For each lane the code of the verdict, the error in ulp or None, and the verdict in words."""
        lanes, inputs = self._inputs(columns)
        flat = _flat(results, self.outputs, lanes)
        outputs = (c_uint32 * len(flat))(*(value or 0 for value in flat))
        written = (c_uint8 * len(flat))(*(value is not None for value in flat))
        codes, errors = (c_uint8 * lanes)(), (c_int64 * lanes)()
        arguments = (inputs, outputs, written, None, codes, errors)
        self._check(self.library.assay_judge(self.handle, lanes, *arguments))
        ulps = [None if error == NO_ERROR else error / 2**32 for error in errors]
        words = [self.library.assay_verdict(self.handle, lane).decode() for lane in range(lanes)]
        return list(zip(codes, ulps, words))


def _flat(columns, names, lanes):
    """The values of the columns, one column after the other. The library reads as many as there are lanes and names,
    and `ctypes` cuts a value to 32 bits without a word, so both are checked here."""
    if len(columns) != len(names):
        raise Refused(f"{len(columns)} columns were given for {len(names)}: {', '.join(names)}")
    for name, column in zip(names, columns):
        if len(column) != lanes:
            raise Refused(f"{name} has {len(column)} values for {lanes} lanes")
        wrong = next((value for value in column if value is not None and not 0 <= value < 2**32), None)
        if wrong is not None:
            raise Refused(f"{name} has the value {wrong:#x}, which is no 32-bit word")
    return [value for column in columns for value in column]
