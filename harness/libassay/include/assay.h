// Model, truth and judge of assay. Generated from harness/libassay/src/api.rs; do not edit.
//
// docs/libassay.md tells how to build the library, and shows it called from C, Python and SystemVerilog.
//
// The floating-point environment of the caller (rounding, flush to zero, traps; on x86_64 MXCSR and the x87 control word,
// on AArch64 FPCR) has no influence on any result. A call computes in the default environment and gives the caller's
// own back when it returns, status flags included.

#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface: what assay_open must be given.
#define ASSAY_API_VERSION 1

// The call succeeded.
#define ASSAY_OK 0

// The model or the oracle does not know the instruction; nothing was filled in.
#define ASSAY_NOT_KNOWN 1

// The call was wrong: assay_error gives the reason. No output was written.
#define ASSAY_REFUSED 2

// A defect of this library: assay_error names it. The session can no longer be used, except for assay_error and
// assay_close.
#define ASSAY_BROKEN 3

// The output must not be written.
#define ASSAY_TRUTH_NOT_WRITTEN 0

// It must be written, with a value from low to high, both included; where they are the same, with these bits.
#define ASSAY_TRUTH_SPAN 1

// It must be written, with a value of one of several spans. The first span starts with low and the last one ends with
// high. assay_judge knows them all.
#define ASSAY_TRUTH_SPANS 2

// The specification leaves the result of the case open in the current reading.
#define ASSAY_TRUTH_UNDEFINED 3

// Only assay_judge can tell: more values are allowed than can be listed, or no bound holds there.
#define ASSAY_TRUTH_UNLISTED 4

// Every bit is the one that must be.
#define ASSAY_EXACT 0

// Within the bound that the profile gives.
#define ASSAY_WITHIN 1

// A wrong result.
#define ASSAY_DIVERGED 2

// The specification leaves the result open; any result is right.
#define ASSAY_UNDEFINED 3

// The profile gives no bound there.
#define ASSAY_UNJUDGED 4

// In place of an error in units of 2^-32 ulp: there is none to measure.
#define ASSAY_NO_ERROR INT64_MIN

// A session: one profile, one instruction at a time. Sessions know nothing of each other, and each is used by one
// thread at a time.
typedef struct assay_session assay_session;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library: ASSAY_API_VERSION of its header.
uint32_t assay_api_version(void);

// Opens a session under a profile: literal, intended, sm90, faithful, or the path of a file. `readings` are settings
// on top of it, such as "E173=2 E042=1"; "" for none. With the status ASSAY_REFUSED, `session` receives a handle too,
// for assay_error, unless the version differs or an argument is NULL. Close it as well.
//
// # Safety
// The texts end with a zero; `session` points to space for a handle.
uint32_t assay_open(uint32_t version,
                    const char *profile,
                    const char *readings,
                    struct assay_session **session);

// Ends a session. NULL is no session, and nothing happens.
//
// # Safety
// The handle is NULL or one of assay_open's, and is not used again.
void assay_close(struct assay_session *session);

// Why the last call that was refused was, in UTF-8; valid until the next call. "" if none was.
//
// # Safety
// The handle is NULL or one of assay_open's.
const char *assay_error(const struct assay_session *session);

// Assembles a text, such as "FADD.RM R0, R1, R2": bits 0 to 63 of the word go to word[0], the others to word[1].
//
// # Safety
// The text ends with a zero; `word` has space for two values.
uint32_t assay_assemble(struct assay_session *session,
                        const char *source,
                        uint64_t *word);

// The canonical text of a word, or NULL where it is no instruction; valid until the next call.
//
// # Safety
// `word` points to two values.
const char *assay_disassemble(struct assay_session *session, const uint64_t *word);

// Selects the current instruction of the calls below. Its inputs are the locations that it reads, its outputs those
// that it can write. Their order is that of assay_input_name and assay_output_name.
//
// # Safety
// `word` points to two values.
uint32_t assay_select(struct assay_session *session,
                      const uint64_t *word);

// Adds an input that only a value leads to, such as "c[0][0x160]" of ULDC or "UR7" of GETUGPR, behind the others.
//
// # Safety
// The text ends with a zero.
uint32_t assay_add_input(struct assay_session *session,
                         const char *location);

// Adds an output that only a value leads to, such as "UR7" of SETUGPR or "G[0x10]" of SETREG, behind the others.
//
// # Safety
// The text ends with a zero.
uint32_t assay_add_output(struct assay_session *session,
                          const char *location);

// The name of an input, such as "R1", or NULL behind the last; valid until another instruction is selected, or a
// location is added.
//
// # Safety
// The handle is one of assay_open's.
const char *assay_input_name(struct assay_session *session,
                             uint32_t nth);

// The name of an output, likewise.
//
// # Safety
// The handle is one of assay_open's.
const char *assay_output_name(struct assay_session *session, uint32_t nth);

// Executes `lanes` cases on the reference model. Values are column after column: that of input i in lane l is
// inputs[i * lanes + l], and so are those of the outputs. A predicate is 0 or 1. written[o * lanes + l] becomes 1 where
// the output was written; elsewhere it becomes 0, and so does the value. ASSAY_NOT_KNOWN: the model does not implement
// the instruction.
//
// # Safety
// The arrays have a place for each lane of each input or output.
uint32_t assay_execute(struct assay_session *session,
                       uint32_t lanes,
                       const uint32_t *inputs,
                       uint32_t *outputs,
                       uint8_t *written);

// The truth of `lanes` cases, from the oracle and the profile's contracts: for each lane of each output one of
// ASSAY_TRUTH_… in `states`, and with ASSAY_TRUTH_SPAN and ASSAY_TRUTH_SPANS the ends in `low` and `high`, which are 0
// elsewhere.
//
// # Safety
// The arrays have a place for each lane of each input or output.
uint32_t assay_truth(struct assay_session *session,
                     uint32_t lanes,
                     const uint32_t *inputs,
                     uint32_t *low,
                     uint32_t *high,
                     uint8_t *states);

// The event that must come with a lane of the last assay_truth, such as "fault: misaligned address", or "" where there
// must be none; NULL where there is no such lane. Valid until the next call.
//
// # Safety
// The handle is one of assay_open's.
const char *assay_truth_event(struct assay_session *session,
                              uint32_t lane);

// Judges the results of a device for `lanes` cases: writes one of ASSAY_EXACT to ASSAY_UNJUDGED for each to
// `verdicts`, and to `errors` the signed error in units of 2^-32 ulp, rounded down, or ASSAY_NO_ERROR. `events` are
// its other effects, a text or NULL for each lane, such as "executed: NOP", or NULL if there are none; "undefined:
// E049" states that the device takes the result for undefined. The value of an output that was not written does not
// count.
//
// # Safety
// The arrays have a place for each lane of each input or output, or for each lane; texts end with a zero.
uint32_t assay_judge(struct assay_session *session,
                     uint32_t lanes,
                     const uint32_t *inputs,
                     const uint32_t *outputs,
                     const uint8_t *written,
                     const char *const *events,
                     uint8_t *verdicts,
                     int64_t *errors);

// The verdict on a lane of the last assay_judge in words, such as "diverged: sign of zero in R0", or NULL where there
// is no such lane; valid until the next call.
//
// # Safety
// The handle is one of assay_open's.
const char *assay_verdict(struct assay_session *session,
                          uint32_t lane);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ASSAY_H */
