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

// Version of this interface. Pass it to assay_open.
#define ASSAY_API_VERSION 1

// The call succeeded.
#define ASSAY_OK 0

// The model or the oracle does not implement the instruction. No output was written.
#define ASSAY_NOT_KNOWN 1

// The call was wrong. assay_error gives the reason. No output was written.
#define ASSAY_REFUSED 2

// The library has a defect. assay_error describes it. From then on, the session accepts only
// assay_error and assay_close.
#define ASSAY_BROKEN 3

// The output must not be written.
#define ASSAY_TRUTH_NOT_WRITTEN 0

// The output must be written, with a value from low to high, both included. If low equals high,
// only these bits are right.
#define ASSAY_TRUTH_SPAN 1

// The output must be written, with a value in one of several spans. The first span starts at low,
// and the last one ends at high. assay_judge knows all spans.
#define ASSAY_TRUTH_SPANS 2

// The specification leaves the result of this case undefined, under the current readings.
#define ASSAY_TRUTH_UNDEFINED 3

// Only assay_judge can decide: more values are allowed than can be listed, or the profile gives no
// bound.
#define ASSAY_TRUTH_UNLISTED 4

// Every bit is right.
#define ASSAY_EXACT 0

// The error is within the bound that the profile gives.
#define ASSAY_WITHIN 1

// The result is wrong.
#define ASSAY_DIVERGED 2

// The specification leaves the result undefined, so any result is right.
#define ASSAY_UNDEFINED 3

// The profile gives no bound for this result.
#define ASSAY_UNJUDGED 4

// The value of an error, in units of 2^-32 ulp, if no error was measured.
#define ASSAY_NO_ERROR INT64_MIN

// A session: one profile, and one instruction at a time. Sessions are independent of each other.
// Only one thread may use a session at a time.
typedef struct assay_session assay_session;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library: the ASSAY_API_VERSION of its header.
uint32_t assay_api_version(void);

// Opens a session under a profile: literal, intended, sm90, faithful, or the path of a file.
// `readings` changes readings of the profile, such as "E173=2 E042=1". "" changes none. If the
// call fails, `session` still receives a handle. Pass it to assay_error, then to assay_close. No
// handle is written if the version differs or `session` is NULL.
//
// # Safety
// The texts end with a zero. `session` points to space for a handle.
uint32_t assay_open(uint32_t version,
                    const char *profile,
                    const char *readings,
                    struct assay_session **session);

// Closes a session. Does nothing for NULL.
//
// # Safety
// The handle is NULL or comes from assay_open, and is not used again.
void assay_close(struct assay_session *session);

// Returns the reason for the last failure, in UTF-8. "" if no call failed. Valid until the next
// call.
//
// # Safety
// The handle is NULL or comes from assay_open.
const char *assay_error(const struct assay_session *session);

// Assembles a text, such as "FADD.RM R0, R1, R2". Bits 0 to 63 of the word go to word[0], the
// others to word[1].
//
// # Safety
// The text ends with a zero. `word` has space for two values.
uint32_t assay_assemble(struct assay_session *session, const char *source, uint64_t *word);

// Returns the canonical text of a word. NULL if the word is no instruction. Valid until the next
// call.
//
// # Safety
// `word` points to two values.
const char *assay_disassemble(struct assay_session *session, const uint64_t *word);

// Selects the current instruction for the calls below. The inputs are the locations that the
// instruction reads. The outputs are the locations that it can write. assay_input_name and
// assay_output_name give their order.
//
// # Safety
// `word` points to two values.
uint32_t assay_select(struct assay_session *session, const uint64_t *word);

// Adds an input whose location depends on a value, such as "c[0][0x160]" of ULDC or "UR7" of
// GETUGPR. The new input comes after the other inputs.
//
// # Safety
// The text ends with a zero.
uint32_t assay_add_input(struct assay_session *session, const char *location);

// Adds an output whose location depends on a value, such as "UR7" of SETUGPR or "G[0x10]" of
// SETREG. The new output comes after the other outputs.
//
// # Safety
// The text ends with a zero.
uint32_t assay_add_output(struct assay_session *session, const char *location);

// Returns the name of input `nth`, counted from 0, such as "R1". NULL if there is no such input.
// Valid until another instruction is selected, or a location is added.
//
// # Safety
// The handle comes from assay_open.
const char *assay_input_name(struct assay_session *session, uint32_t nth);

// Returns the name of output `nth`, as assay_input_name does for inputs.
//
// # Safety
// The handle comes from assay_open.
const char *assay_output_name(struct assay_session *session, uint32_t nth);

// Executes `lanes` cases on the reference model. Arrays hold one column after the other:
// inputs[i * lanes + l] is the value of input i in lane l. The outputs have the same order. The
// value of a predicate is 0 or 1. written[o * lanes + l] becomes 1 if output o was written in lane
// l. Otherwise this flag and the output become 0. ASSAY_NOT_KNOWN: the model does not implement
// the instruction.
//
// # Safety
// The arrays have an element for each lane of each input or output.
uint32_t assay_execute(struct assay_session *session,
                       uint32_t lanes,
                       const uint32_t *inputs,
                       uint32_t *outputs,
                       uint8_t *written);

// Finds the true results of `lanes` cases, from the oracle and the profile's contracts. `states`
// receives one of ASSAY_TRUTH_… for each lane of each output. For ASSAY_TRUTH_SPAN and
// ASSAY_TRUTH_SPANS, `low` and `high` receive the ends. Otherwise they receive 0.
//
// # Safety
// The arrays have an element for each lane of each input or output.
uint32_t assay_truth(struct assay_session *session,
                     uint32_t lanes,
                     const uint32_t *inputs,
                     uint32_t *low,
                     uint32_t *high,
                     uint8_t *states);

// Returns the event required for a lane of the last assay_truth, such as "fault: misaligned
// address". "" if no event is required. NULL if there is no such lane. Valid until the next call.
//
// # Safety
// The handle comes from assay_open.
const char *assay_truth_event(struct assay_session *session, uint32_t lane);

// Judges the results of a device for `lanes` cases. `verdicts` receives one of ASSAY_EXACT to
// ASSAY_UNJUDGED for each lane. `errors` receives the signed error in units of 2^-32 ulp, rounded
// down, or ASSAY_NO_ERROR. `events` has a text or NULL for each lane: an effect of the device
// other than a write, such as "executed: NOP". The text "undefined: E049" states that the device
// considers the result undefined. `events` may be NULL if there are no such effects. Values of
// outputs that were not written are ignored.
//
// # Safety
// The arrays have an element for each lane, or for each lane of each input or output. Texts end
// with a zero.
uint32_t assay_judge(struct assay_session *session,
                     uint32_t lanes,
                     const uint32_t *inputs,
                     const uint32_t *outputs,
                     const uint8_t *written,
                     const char *const *events,
                     uint8_t *verdicts,
                     int64_t *errors);

// Returns the verdict on a lane of the last assay_judge in words, such as "diverged: sign of zero
// in R0". NULL if there is no such lane. Valid until the next call.
//
// # Safety
// The handle comes from assay_open.
const char *assay_verdict(struct assay_session *session, uint32_t lane);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ASSAY_H */
