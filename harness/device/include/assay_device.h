// The C interface of a device under test. Generated from harness/device/src/abi.rs; do not edit.
//
// A device is a shared library that exports assay_device_v1. All of its state belongs to its
// handles. One thread at a time uses a handle, and several handles can be in use at once.
// docs/device-under-test.md has a tutorial.
//
// Every call, and the loading of the library, begins in the default floating-point environment:
// rounding to nearest, subnormal numbers honoured, every exception masked, no status flag set.
// Changes by an earlier call have no effect. A call must restore what it changes (on x86_64 MXCSR
// and the x87 control word, on AArch64 FPCR), as the calling conventions demand. The host also sets
// the default environment before each call, so a device that does not restore it harms no result.
// If a device enables a trap and hits it within a call, that is a crash of the device.

#ifndef ASSAY_DEVICE_H
#define ASSAY_DEVICE_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface. It is the number in `assay_device_v1`, and `version` of the table
// must have this value.
#define ASSAY_DEVICE_VERSION 1

// `execute` reported the effects of every lane of the batch.
#define ASSAY_KNOWN 0

// The device does not implement the instruction, and `execute` reported no effects.
#define ASSAY_UNSUPPORTED 1

// The call failed; `fail` received the reason.
#define ASSAY_FAILED 2

// Space of the general registers R0 to R254.
#define ASSAY_SPACE_R 0

// Space of the uniform registers UR0 to UR62.
#define ASSAY_SPACE_UR 1

// Space of the predicates P0 to P6, whose values are 0 and 1.
#define ASSAY_SPACE_P 2

// Space of the uniform predicates UP0 to UP6, whose values are 0 and 1.
#define ASSAY_SPACE_UP 3

// Space of constant memory; the index is the bank times 2^17 plus the byte offset, a multiple of 4.
#define ASSAY_SPACE_CONSTANT 4

// Space of the special registers; the index is the register's code.
#define ASSAY_SPACE_SPECIAL 5

// Space of the words that GETREG and SETREG address.
#define ASSAY_SPACE_G 6

// Space of the vISA variables; the index is the variable times 32 plus the channel.
#define ASSAY_SPACE_VARIABLE 7

// Space of the vISA predicates, which have a bit for each channel.
#define ASSAY_SPACE_FLAGS 8

// Space of the channels that vISA dispatched; the only index is 0.
#define ASSAY_SPACE_DISPATCH 9

// The private state of a device behind a handle.
typedef struct assay_handle assay_handle;

// The setting of one reading of the specification, such as E173 = 2.
typedef struct assay_reading {
  // Number of the erratum. For a convention, 1000 plus its number.
  uint32_t erratum;
  // The setting, 1 or more.
  uint32_t setting;
} assay_reading;

// The host that opens a device. Its contents are valid only during the call.
typedef struct assay_host {
  // Digest of the encoding table that words are encoded with, as text.
  const char *numbers;
  // Name of the profile.
  const char *profile;
  // The settings of the profile.
  const struct assay_reading *readings;
  // Number of readings.
  uint32_t reading_count;
  // The first argument of `fail`.
  void *context;
  // Receives the reason why a device cannot be opened, in UTF-8.
  void (*fail)(void *context, const char *reason);
} assay_host;

// The description of a device. Its contents stay valid until the handle is closed.
typedef struct assay_description {
  // Name of the device.
  const char *name;
  // Version of the device.
  const char *version;
  // The optypes of which the device implements a mode, such as "FADD" and "UIMAD.WIDE" (or
  // "UIMAD_WIDE"). Batches of other optypes are never sent. Not read if the library exports
  // assay_device_modes_v1.
  const char *const *optypes;
  // Number of optypes.
  uint32_t optype_count;
  // The profile that the device follows, or NULL if it names none.
  const char *profile;
  // When the device flushes subnormals: "modifier" (if the instruction has .FTZ), "always" or
  // "never". NULL if the device does not state it.
  const char *ftz;
} assay_description;

// A location that holds 32 bits, or a truth value.
typedef struct assay_location {
  // One of ASSAY_SPACE_….
  uint32_t space;
  // The index of the location in its space.
  uint32_t index;
} assay_location;

// An instruction and the values of the locations that it reads. Valid only during the call.
typedef struct assay_batch {
  // Bits 0 to 63 of the encoded instruction.
  uint64_t word_low;
  // Bits 64 to 127 of the encoded instruction.
  uint64_t word_high;
  // The same instruction as assembler text.
  const char *text;
  // Number of lanes. Each lane is a case. Can be 0.
  uint32_t lanes;
  // Number of locations.
  uint32_t columns;
  // The locations that the instruction reads.
  const struct assay_location *locations;
  // The values of the locations, column after column. The value of location c in lane l is
  // `values[c * lanes + l]`.
  const uint32_t *values;
} assay_batch;

// The interface for reporting the effects of a batch. Valid only during the call.
typedef struct assay_effects {
  // The first argument of each of these functions.
  void *context;
  // Announces a write to a location. Returns an array for the values, one for each lane,
  // initially 0. `written` has a byte for each lane: 0 if the lane wrote nothing. NULL means
  // that every lane wrote. Returns NULL if there is no such location. Then the batch has failed.
  // The array is valid until `execute` returns. A write before or behind it fails the batch.
  uint32_t *(*write)(void *context, struct assay_location location, const uint8_t *written);
  // Reports an effect of a lane that is not a write, for example "fault: misaligned address",
  // "executed: PMTRIG 0x5", or "undefined: E049" if the specification leaves the effect
  // undefined.
  void (*event)(void *context, uint32_t lane, const char *event);
  // Receives the reason why a batch cannot be executed, in UTF-8. Call it before returning
  // ASSAY_FAILED.
  void (*fail)(void *context, const char *reason);
} assay_effects;

// The functions of a device. None of them may be NULL.
typedef struct assay_device {
  // The version of the interface: ASSAY_DEVICE_VERSION.
  uint32_t version;
  // Opens a device and stores its handle in `handle`. Returns ASSAY_KNOWN or ASSAY_FAILED.
  // Handles must be independent of each other.
  uint32_t (*open)(const struct assay_host *host, struct assay_handle **handle);
  // Returns the description of the device.
  void (*describe)(struct assay_handle *handle, struct assay_description *description);
  // Executes a batch. Returns ASSAY_KNOWN, ASSAY_UNSUPPORTED or ASSAY_FAILED. ASSAY_UNSUPPORTED
  // for a mode that assay_device_modes_v1 lists is a divergence, of the kind "declined". The
  // effects of a batch must not depend on earlier batches.
  uint32_t (*execute)(struct assay_handle *handle,
                      const struct assay_batch *batch,
                      const struct assay_effects *effects);
  // Closes the device. Afterwards the handle is invalid.
  void (*close)(struct assay_handle *handle);
} assay_device;

#endif  /* ASSAY_DEVICE_H */

#ifdef __cplusplus
extern "C" {
#endif

// A library exports this function. It returns the functions of the device, valid while the library
// is loaded.
const struct assay_device *assay_device_v1(void);

// Returns the modes that an open device supports: an array of patterns, ended by NULL, valid until
// the handle is closed. A pattern names optypes ("FADD"), forms ("FADD_RR"), functions
// ("MUFU.RCP.F32"), modes ("FADD.FTZ") or modes of one form ("FADD_RR.FTZ"). *, ? and [ab] match as
// in file names. A pattern that begins with "!" excludes modes. The last matching pattern decides.
// The device must execute every batch of these modes. Batches of other modes are never sent. A
// library that does not export this function declares no modes: an answer ASSAY_UNSUPPORTED then
// fails a run, unless --allow-undeclared names the instruction's optype, form or function.
const char *const *assay_device_modes_v1(struct assay_handle *handle);

#ifdef __cplusplus
}  // extern "C"
#endif
