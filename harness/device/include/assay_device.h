// The C interface of a device under test. Generated from harness/device/src/abi.rs; do not edit.
//
// A device is a shared library that exports assay_device_v1. It keeps no state but in its handles: a handle
// is used by one thread at a time, several of them at once. docs/device-under-test.md has a tutorial.
//
// Every call, loading and unloading included, begins in the default floating-point environment: rounding to nearest,
// subnormal numbers honoured, every exception masked, no status flag set. What an earlier call left does not count. A
// call must restore what it changes (on x86_64 MXCSR and the x87 control word, on AArch64 FPCR), as the calling
// conventions ask. The host restores it too, so that a device that forgets it harms no result; `assay dut check` fails it.
// A trap that a device enables and hits within a call is a crash of the device.

#ifndef ASSAY_DEVICE_H
#define ASSAY_DEVICE_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface: the number in `assay_device_v1`, and what `version` of the table must be.
#define ASSAY_DEVICE_VERSION 1

// `execute` reported what every lane of the batch did.
#define ASSAY_KNOWN 0

// `execute` reported nothing: the device does not implement the instruction.
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

// The setting of one reading of the specification: E173 = 2.
typedef struct assay_reading {
  // Number of the erratum; of a convention 1000 and its number.
  uint32_t erratum;
  // Its setting, 1 or more.
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
  // How many there are.
  uint32_t reading_count;
  // An argument for `fail`.
  void *context;
  // Takes the reason in UTF-8 why a device cannot be opened.
  void (*fail)(void *context, const char *reason);
} assay_host;

// The description of a device. Its contents stay valid until the handle is closed.
typedef struct assay_description {
  // Name.
  const char *name;
  // Version.
  const char *version;
  // The optypes of which it implements a mode, such as "FADD" and "UIMAD.WIDE" (or "UIMAD_WIDE"); a batch of another
  // optype is never sent. Not read if the library exports assay_device_modes_v1.
  const char *const *optypes;
  // How many there are.
  uint32_t optype_count;
  // The profile that it follows, or NULL if it does not name one.
  const char *profile;
  // The treatment of subnormals: "modifier" (by .FTZ), "always" (flushes them) or "never", or NULL if it does not
  // state it.
  const char *ftz;
} assay_description;

// A place that holds 32 bits, or a truth value.
typedef struct assay_location {
  // One of ASSAY_SPACE_….
  uint32_t space;
  // Which one of that space.
  uint32_t index;
} assay_location;

// An instruction and the values of the locations that it reads. Valid during the call alone.
typedef struct assay_batch {
  // Bits 0 to 63 of the encoded instruction.
  uint64_t word_low;
  // Bits 64 to 127.
  uint64_t word_high;
  // The same instruction as assembler text.
  const char *text;
  // How many cases there are; can be 0.
  uint32_t lanes;
  // How many locations there are.
  uint32_t columns;
  // The locations.
  const struct assay_location *locations;
  // Their values, column after column: that of location c in lane l is `values[c * lanes + l]`.
  const uint32_t *values;
} assay_batch;

// The interface for reporting the effects of a batch. Valid only during the call.
typedef struct assay_effects {
  // An argument for the functions.
  void *context;
  // Announces a write to a location, and returns the array for the value of each lane; all are 0 at first. `written`
  // has a byte for each lane, 0 where it wrote nothing; NULL means that every lane wrote. Returns NULL if there is
  // no such location, and then the batch has failed. The array is valid until `execute` returns.
  uint32_t *(*write)(void *context, struct assay_location location, const uint8_t *written);
  // Reports an effect of a lane other than a write: "fault: misaligned address", "executed: PMTRIG 0x5" or, if the
  // specification leaves the effect open, "undefined: E049".
  void (*event)(void *context, uint32_t lane, const char *event);
  // Takes the reason in UTF-8 why a batch cannot be executed, before ASSAY_FAILED is returned.
  void (*fail)(void *context, const char *reason);
} assay_effects;

// The functions of a device. None of them may be NULL.
typedef struct assay_device {
  // ASSAY_DEVICE_VERSION.
  uint32_t version;
  // Makes a device and puts its handle into `handle`: ASSAY_KNOWN or ASSAY_FAILED. Handles know nothing of each other.
  uint32_t (*open)(const struct assay_host *host, struct assay_handle **handle);
  // Returns the description of the device.
  void (*describe)(struct assay_handle *handle, struct assay_description *description);
  // Executes a batch: ASSAY_KNOWN, ASSAY_UNSUPPORTED or ASSAY_FAILED. ASSAY_UNSUPPORTED for a mode that
  // assay_device_modes_v1 lists is a divergence, of the kind "declined". The effects of a batch do not depend on
  // earlier batches.
  uint32_t (*execute)(struct assay_handle *handle,
                      const struct assay_batch *batch,
                      const struct assay_effects *effects);
  // Ends the device; the handle is no longer valid.
  void (*close)(struct assay_handle *handle);
} assay_device;

#endif  /* ASSAY_DEVICE_H */

#ifdef __cplusplus
extern "C" {
#endif

// What a library exports: its functions, valid as long as it is loaded.
const struct assay_device *assay_device_v1(void);

// The modes that an open device supports: patterns, ended by NULL, valid until the handle is closed. A pattern names
// optypes ("FADD"), forms ("FADD_RR"), functions ("MUFU.RCP.F32") or modes ("FADD.FTZ", "FADD_RR.FTZ" of one form alone); *, ?
// and [ab] match as in file names. One that begins with "!" takes modes away; the last pattern that matches decides. Batches of
// other modes are never sent, and every batch of these must be executed. A library that does not export this function
// declares nothing: what it answers ASSAY_UNSUPPORTED to fails a run, unless --allow-undeclared names it.
const char *const *assay_device_modes_v1(struct assay_handle *handle);

#ifdef __cplusplus
}  // extern "C"
#endif
