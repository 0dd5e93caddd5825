// Your own function as a device under test: tanh of a float, in the place of MUFU.TANH.F32.
//
//   cc -O2 -DSTEP=3 -shared -fPIC -I harness/device/include examples/devices/c/tanh.c -lm -o tanh.so
//   assay sweep mufu.tanh.f32 --subject lib:./tanh.so
//
// Replace `approximation` by your function. docs/getting-started.md walks through it.

#include "assay_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef STEP
#define STEP 3
#endif

// Returns tanh(x). STEP chooses one of three versions: docs/getting-started.md finds out what is wrong with the first two.
static float approximation(float x) {
#if STEP == 1
  if (fabsf(x) > 3) return copysignf(1, x);
  return x * (27 + x * x) / (27 + 9 * x * x);
#else
  if (fabsf(x) < 0.25f) {
    float square = x * x;
    float rest = square * (-0.33333334f + square * (0.13333334f - square * 0.053968254f));
#if STEP == 2
    return x + x * rest;
#else
    return x * (1 + rest);
#endif
  }
  return copysignf(1 - 2 / (expf(2 * fabsf(x)) + 1), x);
#endif
}

// The column of a register or predicate; NULL if it is RZ or PT, which have none.
static const uint32_t *column(const assay_batch *batch, const char *name) {
  uint32_t space = name[0] == 'R' ? ASSAY_SPACE_R : ASSAY_SPACE_P, index;
  if (sscanf(name + 1, "%u", &index) != 1) return NULL;
  for (uint32_t c = 0; c < batch->columns; c++)
    if (batch->locations[c].space == space && batch->locations[c].index == index)
      return batch->values + (size_t)c * batch->lanes;
  return NULL;
}

// Executes one instruction for all lanes: [@[!]Pn] MUFU.TANH.F32 Rd, [-][|]Rs[|].
static uint32_t execute(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  (void)handle;
  char guard[8] = "PT", target[8], source[16];
  const char *text = batch->text, *from = source;
  int inverted = text[0] == '@' && text[1] == '!';
  if (text[0] == '@') sscanf(text + 1 + inverted, "%7s", guard);
  if (sscanf(strstr(text, "MUFU"), "MUFU.TANH.F32 %7[^,], %15s", target, source) != 2) return ASSAY_UNSUPPORTED;
  if (strcmp(target, "RZ") == 0) return ASSAY_KNOWN;

  const uint32_t *guards = column(batch, guard);
  static _Thread_local uint8_t written[1 << 17];
  if (batch->lanes > sizeof written) {
    effects->fail(effects->context, "more lanes than this device has room for");
    return ASSAY_FAILED;
  }
  for (uint32_t lane = 0; guards && lane < batch->lanes; lane++) written[lane] = (guards[lane] != 0) != inverted;
  if (!guards && inverted) memset(written, 0, batch->lanes);  // @!PT

  assay_location place = {ASSAY_SPACE_R, 0};
  sscanf(target, "R%u", &place.index);
  uint32_t *out = effects->write(effects->context, place, guards || inverted ? written : NULL);
  if (!out) return ASSAY_FAILED;

  int negated = *from == '-';
  from += negated;
  int absolute = *from == '|';
  from += absolute;
  const uint32_t *values = column(batch, from);
  for (uint32_t lane = 0; lane < batch->lanes; lane++) {
    uint32_t bits = values ? values[lane] : 0;
    if (absolute) bits &= 0x7fffffff;
    if (negated) bits ^= 0x80000000;
    float x, y;
    memcpy(&x, &bits, sizeof x);
    y = approximation(x);
    memcpy(&bits, &y, sizeof bits);
    out[lane] = y != y ? 0x7fffffff : bits;  // every NaN is this one
  }
  return ASSAY_KNOWN;
}

static uint32_t open_device(const assay_host *host, assay_handle **handle) {
  (void)host;
  static char nothing;  // this device keeps nothing
  *handle = (assay_handle *)&nothing;
  return ASSAY_KNOWN;
}

static void describe(assay_handle *handle, assay_description *description) {
  (void)handle;
  *description = (assay_description){.name = "my-tanh", .version = "1", .ftz = "never"};
}

static void close_device(assay_handle *handle) { (void)handle; }

// One function of one form: its source is a register. Nothing else is sent.
const char *const *assay_device_modes_v1(assay_handle *handle) {
  static const char *const modes[] = {"MUFU_R.TANH.F32", NULL};
  (void)handle;
  return modes;
}

const struct assay_device *assay_device_v1(void) {
  static const struct assay_device device = {ASSAY_DEVICE_VERSION, open_device, describe, execute, close_device};
  return &device;
}
