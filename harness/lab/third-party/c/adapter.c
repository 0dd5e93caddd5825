// A device under test around any implementation: reads the instruction, its prefixes and its guard, and calls the
// implementation for each lane. Only forms with registers are supported: where an operand comes from is no question to
// an implementation of arithmetic.

#define _POSIX_C_SOURCE 200809L  // strtok_r

#include "assay_device.h"
#include "implementation.h"

// The version that the manifest states; an adapter in Rust leaves it to this file.
#ifndef VERSION
#define VERSION ""
#endif

#include <stdlib.h>

#define SIGN 0x80000000u
#define INFINITE 0x7f800000u

struct assay_handle {
  uint8_t *written;
  uint32_t room;
};

typedef struct {
  const uint32_t *column;  // NULL for a constant
  uint32_t constant;
  int negated, absolute, inverted;
} operand;

typedef struct {
  char mnemonic[16], words[8][8];
  int word_count, has_guard, count;
  uint32_t rounding;
  operand guard, sources[6];
  assay_location places[6];
  int is_place[6];  // whether the operand of that number is a location
} instruction;

static int has(const instruction *it, const char *word) {
  for (int i = 0; i < it->word_count; i++)
    if (strcmp(it->words[i], word) == 0) return 1;
  return 0;
}

// Reads the name of a register or predicate: 1 if it holds a value, 0 if it is RZ, URZ, PT or UPT.
static int read_place(const char *name, assay_location *place) {
  uint32_t uniform = *name == 'U';
  name += uniform;
  place->space = *name == 'P' ? (uniform ? ASSAY_SPACE_UP : ASSAY_SPACE_P) : (uniform ? ASSAY_SPACE_UR : ASSAY_SPACE_R);
  if (name[1] < '0' || name[1] > '9') return 0;
  place->index = (uint32_t)strtoul(name + 1, NULL, 10);
  return 1;
}

static operand read_operand(char *text, const assay_batch *batch, assay_location *place, int *is_place) {
  operand o = {NULL, 0, 0, 0, 0};
  if (*text == '-') o.negated = 1, text++;
  if (*text == '~' || *text == '!') o.inverted = 1, text++;
  if (*text == '|') {
    o.absolute = 1;
    text++;
    text[strcspn(text, "|")] = 0;
  }
  *is_place = read_place(text, place);
  o.constant = strchr(text, 'T') != NULL;
  if (*is_place)
    for (uint32_t c = 0; c < batch->columns; c++)
      if (batch->locations[c].space == place->space && batch->locations[c].index == place->index)
        o.column = batch->values + (size_t)c * batch->lanes;
  return o;
}

static instruction read_instruction(const assay_batch *batch) {
  instruction it = {0};
  char text[256];
  strncpy(text, batch->text, sizeof text - 1);
  text[sizeof text - 1] = 0;
  text[strcspn(text, "$")] = 0;  // what follows is about scheduling
  char *words = text, *save;
  if (*words == '@') {
    char *end = strchr(words, ' ');
    *end = 0;
    it.has_guard = 1;
    assay_location place;
    int is_place;
    it.guard = read_operand(words + 1, batch, &place, &is_place);
    words = end + 1;
  }
  char *operands = strchr(words, ' ');
  if (operands) *operands++ = 0;
  char *part = strtok_r(words, ".", &save);
  strncpy(it.mnemonic, part, sizeof it.mnemonic - 1);
  while ((part = strtok_r(NULL, ".", &save)) && it.word_count < 8)
    strncpy(it.words[it.word_count++], part, sizeof it.words[0] - 1);
  it.rounding = has(&it, "RM") ? ROUND_DOWN : has(&it, "RP") ? ROUND_UP : has(&it, "RZ") ? ROUND_ZERO : ROUND_NEAREST;
  for (part = operands ? strtok_r(operands, ", ", &save) : NULL; part && it.count < 6; part = strtok_r(NULL, ", ", &save)) {
    it.sources[it.count] = read_operand(part, batch, &it.places[it.count], &it.is_place[it.count]);
    it.count++;
  }
  return it;
}

static uint32_t raw(const operand *o, uint32_t lane) { return o->column ? o->column[lane] : o->constant; }

// The value of an operand, its prefixes applied. Only floats have bars and a minus sign, only words a tilde.
static uint32_t value(const operand *o, uint32_t lane) {
  uint32_t bits = raw(o, lane);
  if (o->absolute) bits &= ~SIGN;
  if (o->inverted) bits = ~bits;
  return o->negated ? bits ^ SIGN : bits;
}

static uint32_t truth(const operand *o, uint32_t lane) { return (raw(o, lane) != 0) != o->inverted; }

static uint32_t one_nan(uint32_t bits, uint32_t any_nan) {
  return any_nan && (bits & ~SIGN) > INFINITE ? 0x7fffffffu : bits;
}

static int is_nan(uint32_t bits) { return (bits & ~SIGN) > INFINITE; }

// The comparison of FSETP from the two that the implementation has.
static uint32_t compared(const implementation *by, const char *cmp, uint32_t a, uint32_t b) {
  int unordered = !by->equal(a, a) || !by->equal(b, b);
  if (strcmp(cmp, "NAN") == 0) return unordered;
  if (strcmp(cmp, "NUM") == 0) return !unordered;
  if (unordered) return cmp[2] == 'U';
  uint32_t less = by->less(a, b), equal = by->equal(a, b), greater = by->less(b, a);
  if (cmp[0] == 'L') return less || (cmp[1] == 'E' && equal);
  if (cmp[0] == 'G') return greater || (cmp[1] == 'E' && equal);
  return cmp[0] == 'E' ? equal : !equal;
}

static int function_of(const instruction *it) {
  static const char *const names[FUNCTIONS] = {"COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "SQRT", "TANH"};
  for (int i = 0; i < FUNCTIONS; i++)
    if (has(it, names[i])) return i;
  return -1;
}

static void fsetp(const implementation *by, const instruction *it, uint32_t lanes, uint32_t *pu, uint32_t *pv) {
  // FSETP.cmp.lop pu{, pv}, ra, srcb{, pp}: a comparison is the word that is no combination and no FTZ.
  const char *cmp = "LT";
  for (int i = 0; i < it->word_count; i++)
    if (!strstr("AND OR XOR FTZ", it->words[i])) cmp = it->words[i];
  int first = it->places[1].space == ASSAY_SPACE_P ? 2 : 1;
  const operand *pp = it->count > first + 2 ? &it->sources[first + 2] : NULL;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    uint32_t t = compared(by, cmp, value(&it->sources[first], lane), value(&it->sources[first + 1], lane));
    uint32_t p = pp ? truth(pp, lane) : 1;
    uint32_t u = has(it, "OR") ? t | p : has(it, "XOR") ? t ^ p : t & p;
    uint32_t v = has(it, "OR") ? !t | p : has(it, "XOR") ? !t ^ p : !t & p;
    if (pu) pu[lane] = u;
    if (pv) pv[lane] = v;
  }
}

static int compute(const implementation *by, const instruction *it, uint32_t lanes, uint32_t *out) {
  const operand *s = it->sources + 1;
  const char *name = it->mnemonic + (it->mnemonic[0] == 'U' && it->mnemonic[1] != 'F');
  int f = function_of(it);
  binary two = strcmp(name, "FADD") == 0 ? by->add : strcmp(name, "FMUL") == 0 ? by->mul : NULL;
  unary one = strcmp(name, "POPC") == 0 ? by->popc : strcmp(name, "BREV") == 0 ? by->brev : f >= 0 ? by->function[f] : NULL;
  ternary three = strcmp(name, "FFMA") == 0 ? by->fma
                  : strcmp(name, "SHF") == 0 ? (has(it, "L") ? by->shift_left : by->shift_right) : NULL;
  int shifts = strcmp(name, "SHF") == 0, chooses = strcmp(name, "FMNMX") == 0;
  if (!one && !two && !three && !chooses) return 0;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    uint32_t a = value(&s[0], lane), b = it->count > 2 ? value(&s[1], lane) : 0, c = it->count > 3 && !chooses ? value(&s[2], lane) : 0;
    if (chooses) {
      int least = truth(&s[2], lane) != 0;
      two = has(it, "NAN") ? (least ? by->minimum : by->maximum) : least ? by->minimum_number : by->maximum_number;
    }
    out[lane] = one ? one(a) : two ? two(a, b) : shifts ? three(a, c, b & 31) : three(a, b, c);
    if (f >= 0 ? is_nan(out[lane]) : it->mnemonic[0] == 'F' && by->any_nan)
      out[lane] = one_nan(out[lane], 1);
  }
  return 1;
}

static uint32_t open_device(const assay_host *host, assay_handle **handle) {
  *handle = calloc(1, sizeof **handle);
  if (*handle) return ASSAY_KNOWN;
  host->fail(host->context, "out of memory");
  return ASSAY_FAILED;
}

static void describe(assay_handle *handle, assay_description *description) {
  (void)handle;
  *description = (assay_description){.name = the_implementation.name, .version = VERSION};
}

const char *const *assay_device_modes_v1(assay_handle *handle) {
  (void)handle;
  return the_implementation.modes;
}

// A byte for each lane: whether its guard is true. NULL without a guard.
static const uint8_t *written(assay_handle *handle, const instruction *it, uint32_t lanes) {
  if (!it->has_guard) return NULL;
  if (handle->room < lanes + 1) {
    handle->room = lanes + 1;
    handle->written = realloc(handle->written, handle->room);
    if (!handle->written) abort();
  }
  for (uint32_t lane = 0; lane < lanes; lane++) handle->written[lane] = (uint8_t)truth(&it->guard, lane);
  return handle->written;
}

static uint32_t execute(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  const implementation *by = &the_implementation;
  instruction it = read_instruction(batch);
  const uint8_t *mask = written(handle, &it, batch->lanes);
  int compares = strcmp(it.mnemonic, "FSETP") == 0, is_pair = compares && it.places[1].space == ASSAY_SPACE_P;
  // Of two results for one predicate the second counts.
  int same = is_pair && it.is_place[0] && it.is_place[1] && it.places[0].index == it.places[1].index;
  uint32_t *first = it.is_place[0] && !same ? effects->write(effects->context, it.places[0], mask) : NULL;
  uint32_t *second = is_pair && it.is_place[1] ? effects->write(effects->context, it.places[1], mask) : NULL;
  uint32_t nothing, known = 1;
  if (by->enter) by->enter(it.rounding, (uint32_t)has(&it, "FTZ"));
  if (compares) fsetp(by, &it, batch->lanes, first, second);
  else known = (uint32_t)compute(by, &it, first ? batch->lanes : 0, first ? first : &nothing);
  if (by->leave) by->leave();
  return known ? ASSAY_KNOWN : ASSAY_UNSUPPORTED;
}

static void close_device(assay_handle *handle) {
  free(handle->written);
  free(handle);
}

const struct assay_device *assay_device_v1(void) {
  static const struct assay_device device = {ASSAY_DEVICE_VERSION, open_device, describe, execute, close_device};
  return &device;
}
