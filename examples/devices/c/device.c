// A device under test in C11: a shared library with the interface of assay_device.h.
//
//   cc -std=c11 -O2 -frounding-math -ffp-contract=off -shared -fPIC -I harness/device/include
//      examples/devices/c/device.c -lm -o device.so
//   assay fuzz --subject lib:./device.so --cases 1000000
//
// Floats are computed by the machine's own float unit, with its rounding mode set. process.c makes a process of it.

#define _POSIX_C_SOURCE 200809L  // strtok_r

#include "assay_device.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define NOT_A_NUMBER 0x7fffffffu
#define ONE 0x3f800000u

// What a handle holds: there are no globals.
struct assay_handle {
  int brev_complements;
  uint8_t *written;
  uint32_t room;
};

// ---- Operands --------------------------------------------------------------------------------------------------

typedef struct {
  const uint32_t *column;  // NULL for a constant
  uint32_t constant;
  int negated, absolute, inverted;
} operand;

typedef struct {
  char mnemonic[16];
  int ftz, sat, rounding;
  int has_guard;
  operand guard;
  int has_target;  // RZ and URZ hold nothing
  assay_location target;
  int count;
  operand sources[3];
} instruction;

// Reads the name of a place: 1 if it is one, 0 if it is a zero register, -1 if it is none.
static int read_place(const char *name, assay_location *place) {
  static const struct { const char *prefix; uint32_t space; } spaces[] = {
      {"UR", ASSAY_SPACE_UR}, {"UP", ASSAY_SPACE_UP}, {"R", ASSAY_SPACE_R}, {"P", ASSAY_SPACE_P}};
  if (name[0] == 'c' && name[1] == '[') {
    char *end;
    unsigned long bank = strtoul(name + 2, &end, 0), offset = strtoul(end + 2, &end, 0);
    *place = (assay_location){ASSAY_SPACE_CONSTANT, (uint32_t)(bank << 17 | offset)};
    return 1;
  }
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    size_t length = strlen(spaces[i].prefix);
    if (strncmp(name, spaces[i].prefix, length) != 0) continue;
    const char *rest = name + length;
    if (strcmp(rest, "Z") == 0 || strcmp(rest, "T") == 0) return 0;
    char *end;
    unsigned long number = strtoul(rest, &end, 10);
    if (end == rest || *end) continue;
    *place = (assay_location){spaces[i].space, (uint32_t)number};
    return 1;
  }
  return -1;
}

static operand read_operand(char *text, const assay_batch *batch) {
  operand operand = {NULL, 0, 0, 0, 0};
  if (*text == '-') operand.negated = 1, text++;
  if (*text == '~' || *text == '!') operand.inverted = 1, text++;
  if (*text == '|') {
    operand.absolute = 1;
    text++;
    text[strcspn(text, "|")] = 0;
  }
  assay_location place;
  switch (read_place(text, &place)) {
    case 1:
      for (uint32_t c = 0; c < batch->columns; c++)
        if (batch->locations[c].space == place.space && batch->locations[c].index == place.index)
          operand.column = batch->values + (size_t)c * batch->lanes;
      break;
    case 0:
      operand.constant = strcmp(text, "PT") == 0 || strcmp(text, "UPT") == 0;
      break;
    default:  // An immediate: the word has its bits, whatever way it is written.
      operand.constant = (uint32_t)(batch->word_low >> 32);
      operand.negated = operand.absolute = operand.inverted = 0;
  }
  return operand;
}

static instruction read_instruction(const assay_batch *batch) {
  instruction it = {0};
  it.rounding = FE_TONEAREST;
  char text[256];
  strncpy(text, batch->text, sizeof text - 1);
  text[sizeof text - 1] = 0;
  text[strcspn(text, "$")] = 0;  // what follows is about scheduling
  char *words = text, *save;
  if (*words == '@') {
    char *end = strchr(words, ' ');
    *end = 0;
    it.has_guard = 1;
    it.guard = read_operand(words + 1, batch);
    words = end + 1;
  }
  char *operands = strchr(words, ' ');
  if (operands) *operands++ = 0;
  char *part = strtok_r(words, ".", &save);
  strncpy(it.mnemonic, part, sizeof it.mnemonic - 1);
  while ((part = strtok_r(NULL, ".", &save))) {
    if (strcmp(part, "FTZ") == 0) it.ftz = 1;
    if (strcmp(part, "SAT") == 0) it.sat = 1;
    if (strcmp(part, "RM") == 0) it.rounding = FE_DOWNWARD;
    if (strcmp(part, "RP") == 0) it.rounding = FE_UPWARD;
    if (strcmp(part, "RZ") == 0) it.rounding = FE_TOWARDZERO;
  }
  int place = 0;
  for (part = operands ? strtok_r(operands, ", ", &save) : NULL; part; part = strtok_r(NULL, ", ", &save), place++) {
    if (place == 0)
      it.has_target = read_place(part, &it.target) == 1;
    else if (it.count < 3)
      it.sources[it.count++] = read_operand(part, batch);
  }
  return it;
}

static inline uint32_t raw(const operand *o, uint32_t lane) { return o->column ? o->column[lane] : o->constant; }

static inline uint32_t bits_of(const operand *o, uint32_t lane) {
  uint32_t bits = raw(o, lane);
  return o->inverted ? ~bits : bits;
}

static inline uint32_t float_bits(const operand *o, uint32_t lane) {
  uint32_t bits = raw(o, lane);
  if (o->absolute) bits &= ~SIGN;
  return o->negated ? bits ^ SIGN : bits;
}

// ---- Results ---------------------------------------------------------------------------------------------------

static inline uint32_t flush(uint32_t bits) { return bits & INFINITE ? bits : bits & SIGN; }

static inline float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t finished(const instruction *it, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  int is_nan = (bits & ~SIGN) > INFINITE;
  if (is_nan) bits = NOT_A_NUMBER;
  if (it->sat) bits = is_nan || bits & SIGN ? 0 : bits > ONE ? ONE : bits;
  return it->ftz ? flush(bits) : bits;
}

static inline float input(const instruction *it, int place, uint32_t lane) {
  uint32_t bits = float_bits(&it->sources[place], lane);
  return as_float(it->ftz ? flush(bits) : bits);
}

static void fadd(const instruction *it, uint32_t lanes, uint32_t *out) {
  for (uint32_t lane = 0; lane < lanes; lane++) out[lane] = finished(it, input(it, 0, lane) + input(it, 1, lane));
}

static void ffma(const instruction *it, uint32_t lanes, uint32_t *out) {
  for (uint32_t lane = 0; lane < lanes; lane++)
    out[lane] = finished(it, fmaf(input(it, 0, lane), input(it, 1, lane), input(it, 2, lane)));
}

static uint32_t reversed(uint32_t bits) {
  bits = bits >> 16 | bits << 16;
  bits = (bits >> 8 & 0x00ff00ff) | (bits & 0x00ff00ff) << 8;
  bits = (bits >> 4 & 0x0f0f0f0f) | (bits & 0x0f0f0f0f) << 4;
  bits = (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
  return (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
}

static uint32_t count_ones(uint32_t bits) {
  bits -= bits >> 1 & 0x55555555;
  bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
  return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

// Computes every lane; 0 if the instruction is none of this device, which the host never sends.
static int compute(const assay_handle *handle, const instruction *it, uint32_t lanes, uint32_t *out) {
  const operand *source = &it->sources[0];
  const char *name = it->mnemonic;
  int is_float = strcmp(name, "FADD") == 0 || strcmp(name, "FFMA") == 0;
  if (is_float) {
    int before = fegetround();
    fesetround(it->rounding);
    if (name[1] == 'A') fadd(it, lanes, out); else ffma(it, lanes, out);
    fesetround(before);
  } else if (strcmp(name, "POPC") == 0 || strcmp(name, "UPOPC") == 0) {
    for (uint32_t lane = 0; lane < lanes; lane++) out[lane] = count_ones(bits_of(source, lane));
  } else if (strcmp(name, "BREV") == 0 || strcmp(name, "UBREV") == 0) {
    for (uint32_t lane = 0; lane < lanes; lane++)
      out[lane] = handle->brev_complements ? ~bits_of(source, lane) : reversed(bits_of(source, lane));
  } else {
    return 0;
  }
  return 1;
}

// ---- The interface ---------------------------------------------------------------------------------------------

static uint32_t open_device(const assay_host *host, assay_handle **handle) {
  *handle = calloc(1, sizeof **handle);
  if (!*handle) {
    host->fail(host->context, "out of memory");
    return ASSAY_FAILED;
  }
  // The documents can be read in two ways (assay errata show E056); the host says which one counts.
  for (uint32_t i = 0; i < host->reading_count; i++)
    if (host->readings[i].erratum == 56) (*handle)->brev_complements = host->readings[i].setting == 1;
  return ASSAY_KNOWN;
}

static void describe(assay_handle *handle, assay_description *description) {
  (void)handle;
  *description = (assay_description){.name = "c-example", .version = "1.0", .profile = NULL, .ftz = "modifier"};
}

// What this device supports: every mode of these optypes.
const char *const *assay_device_modes_v1(assay_handle *handle) {
  static const char *const modes[] = {"FADD", "FFMA", "POPC", "UPOPC", "BREV", "UBREV", NULL};
  (void)handle;
  return modes;
}

// A byte for each lane: whether its guard is true.
static const uint8_t *written(assay_handle *handle, const instruction *it, uint32_t lanes) {
  if (!it->has_guard) return NULL;
  if (handle->room < lanes) {
    free(handle->written);
    handle->written = malloc(lanes);
    handle->room = handle->written ? lanes : 0;
  }
  for (uint32_t lane = 0; lane < lanes && handle->written; lane++)
    handle->written[lane] = (raw(&it->guard, lane) != 0) != it->guard.inverted;
  return handle->written;
}

static uint32_t execute(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  instruction it = read_instruction(batch);
  uint32_t nothing = 0;
  if (!compute(handle, &it, 0, &nothing)) return ASSAY_UNSUPPORTED;
  if (!it.has_target) return ASSAY_KNOWN;
  const uint8_t *mask = written(handle, &it, batch->lanes);
  if (it.has_guard && batch->lanes && !mask) {
    effects->fail(effects->context, "out of memory");
    return ASSAY_FAILED;
  }
  uint32_t *out = effects->write(effects->context, it.target, mask);
  if (!out) return ASSAY_FAILED;
  compute(handle, &it, batch->lanes, out);
  return ASSAY_KNOWN;
}

static void close_device(assay_handle *handle) {
  free(handle->written);
  free(handle);
}

const struct assay_device *assay_device_v1(void) {
  static const struct assay_device device = {ASSAY_DEVICE_VERSION, open_device, describe, execute, close_device};
  return &device;
}
