// A device of the examples that does ACT where WHEN holds, and is right otherwise. BASE is the source file of the
// example, and FOLDER the folder of the library. `call` counts the calls of the process, from 1.

#define assay_device_v1 example
#include BASE
#undef assay_device_v1

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// Writes every lane of a register that no instruction of the tests names.
static void stray(const assay_batch *batch, const assay_effects *effects) {
  assay_location place = {ASSAY_SPACE_R, 77};
  uint32_t *out = effects->write(effects->context, place, NULL);
  for (uint32_t lane = 0; out && lane < batch->lanes; lane++) out[lane] = lane;
}

// Names the register with a mask in which no lane writes.
static void no_lane(const assay_batch *batch, const assay_effects *effects) {
  static uint8_t none[1 << 17];
  assay_location place = {ASSAY_SPACE_R, 77};
  if (batch->lanes <= sizeof none) effects->write(effects->context, place, none);
}

// Reports an event in every lane.
static void event(const assay_batch *batch, const assay_effects *effects, const char *name) {
  for (uint32_t lane = 0; lane < batch->lanes; lane++) effects->event(effects->context, lane, name);
}

// Returns a number that hardly any two batches share.
static uint64_t hash_of(const assay_batch *batch) {
  uint64_t hash = batch->lanes;
  for (const char *text = batch->text; *text; text++) hash = hash * 31 + (unsigned char)*text;
  for (uint64_t place = 0; place < (uint64_t)batch->columns * batch->lanes; place++)
    hash = hash * 0x9e3779b97f4a7c15 + batch->values[place];
  return hash;
}

// Whether the last batch of the process had the same instruction and the same inputs.
static int repeated(const assay_batch *batch) {
  static uint64_t last;
  uint64_t hash = hash_of(batch), before = last;
  last = hash;
  return batch->lanes > 0 && hash == before;
}

// Adds a line for the process and the batch to the file `calls`.
static void note_call(const assay_batch *batch) {
  FILE *file = fopen(FOLDER "/calls", "a");
  if (!file) abort();
  fprintf(file, "%d %016" PRIx64 " %s\n", (int)getpid(), hash_of(batch), batch->text);
  fclose(file);
}

// Is slow for a moment in each of the first four processes, from call 700 on, and at the start of each process after the
// first one. The file `slow` has a byte for each process that was slow.
static void be_slow(int call) {
  static long before = -1;
  FILE *file = fopen(FOLDER "/slow", "a");
  if (!file) abort();
  if (before < 0 && !fseek(file, 0, SEEK_END)) before = ftell(file);
  if (before < 4 && call == 700) fputc('.', file);
  fclose(file);
  const struct timespec long_time = {0, 30000000}, short_time = {0, 10000000};
  if (before < 4 && call >= 700) nanosleep(&long_time, NULL);
  if (before > 0 && call <= 70) nanosleep(&short_time, NULL);
}

// The results of the last call, and the function that the device gets them from.
static uint32_t *results;
static const assay_effects *given;

static uint32_t *noted(void *context, assay_location place, const uint8_t *mask) {
  return results = given->write(context, place, mask);
}

// Executes the batch, and changes the result of a lane.
static uint32_t wrong_lane(assay_handle *handle, const assay_batch *batch, const assay_effects *effects, uint32_t lane) {
  assay_effects noting = *effects;
  noting.write = noted;
  given = effects;
  results = NULL;
  uint32_t answer = example()->execute(handle, batch, &noting);
  if (results) results[lane] ^= 0x100000;
  return answer;
}

static uint32_t acting(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  static int calls;
  int call = __sync_add_and_fetch(&calls, 1), same = repeated(batch);
  (void)call, (void)same, (void)stray, (void)event, (void)no_lane, (void)wrong_lane, (void)note_call, (void)be_slow;
  if (WHEN) { ACT; }
  return example()->execute(handle, batch, effects);
}

const struct assay_device *assay_device_v1(void) {
  static struct assay_device device;
  device = *example();
  device.execute = acting;
  return &device;
}
