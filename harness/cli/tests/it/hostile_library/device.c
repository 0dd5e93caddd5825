// A device that counts bits, and does something else besides: ACT, when WHEN is reached. The tests define both.
#define _GNU_SOURCE
#include "assay_device.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOADING 1
#define OPEN 2
#define EXECUTE 3
#define CLOSE 4

// The results of the last call.
static _Atomic(uint32_t *) results;
// The inputs of this call, if there are any. Calls of another handle have theirs.
static _Thread_local uint32_t *inputs;
// Each handle runs on a thread of its own.
static _Thread_local jmp_buf jump;
// Whether the call writes something else first.
static _Thread_local int twice;
// Where the call writes besides its results: 1 is behind them, and -1 is before them.
static _Thread_local int outside;

// Whether a call leaves its results for the next one to write, and what it left where.
static _Thread_local int late;
static _Thread_local uint32_t *due, left[1 << 17], left_lanes;

// Whether a thread changes results, and how often it has.
static _Atomic int started;
static _Atomic unsigned changes;

static void *write_later(void *unused) {
  (void)unused;
  for (;;) {
    uint32_t *written = results;
    if (written) written[0] ^= 1, changes++;
  }
  return NULL;
}

static void start_writer(void) {
  pthread_t thread;
  if (!started++) pthread_create(&thread, NULL, write_later, NULL);
}

// On a busy machine the thread runs seldom: a call ends when it has run.
static void wait_for_writer(void) {
  for (unsigned before = changes; started && results && changes == before;) sched_yield();
}

static void write_inputs(void) { if (inputs) inputs[0] = 1; }
static void unprotect_inputs(void) {
  if (!inputs) return;
  void *page = (void *)((uintptr_t)inputs & ~(uintptr_t)4095);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0) inputs[0] = 1;
}
static void print_banner(void) { printf("simulator 1.0, licensed\n"); fflush(stdout); }
static void flood(void) { for (int i = 0; i < 100000; i++) printf("line %d of very many lines of a log\n", i); fflush(stdout); }
static void close_all(void) { for (int fd = 0; fd < 1024; fd++) close(fd); }
static void stop_itself(void) { kill(getpid(), SIGSTOP); }
static void never_return(void) { for (volatile int i = 0;; i++) {} }
static void no_files(void) { struct rlimit none = {0, 0}; setrlimit(RLIMIT_FSIZE, &none); setrlimit(RLIMIT_CORE, &none); }
// Each handle has the library open.
static void unload(void) { Dl_info info; if (dladdr((void *)unload, &info)) { void *self = dlopen(info.dli_fname, RTLD_LAZY); for (int i = 0; self && i < 64; i++) dlclose(self); } }
static void trap(void) { volatile int zero = 0; volatile int one = 1; one = one / zero; }
static void fault(void) { *(volatile int *)8 = 1; }
static void allocate(void) { static void *kept; if (!kept) kept = malloc((size_t)4 << 30); }
static void write_twice(void) { twice = 1; }
static void answer_late(void) { late = 1; }
static void write_behind(void) { outside = 1; }
static void write_before(void) { outside = -1; }
static void touch_nothing(void) {}

static void act(int when) {
  static _Atomic int calls;
  // Which call comes when depends on the threads: one without inputs, which some acts need, does not count.
  if (when == EXECUTE && AT_CALL && (!inputs || ++calls != AT_CALL)) return;
  if (when == WHEN) { ACT; }
}

__attribute__((constructor)) static void loaded(void) { act(LOADING); }

static uint32_t open_device(const assay_host *host, assay_handle **handle) {
  (void)host;
  *handle = calloc(1, 1);
  act(OPEN);
  return ASSAY_KNOWN;
}

static void describe(assay_handle *handle, assay_description *description) {
  (void)handle;
  memset(description, 0, sizeof *description);
  description->name = "hostile";
  description->version = "1";
}

const char *const *assay_device_modes_v1(assay_handle *handle) {
  static const char *const modes[] = {"POPC_R", NULL};
  (void)handle;
  return modes;
}

static const uint32_t *column(const assay_batch *batch, uint32_t space, unsigned index) {
  for (uint32_t c = 0; c < batch->columns; c++)
    if (batch->locations[c].space == space && batch->locations[c].index == index) return batch->values + (size_t)c * batch->lanes;
  return NULL;
}

static uint32_t execute(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  (void)handle;
  char text[256], source[16] = "", target[16] = "";
  snprintf(text, sizeof text, "%s", batch->text);
  const char *rest = text, *guard = NULL;
  int negated = 0;
  if (*rest == '@') { guard = rest + 1; rest = strchr(rest, ' ') + 1; }
  if (guard && *guard == '!') negated = 1, guard++;
  if (sscanf(rest, "POPC %15[^,], %15s", target, source) != 2) return ASSAY_FAILED;
  int inverted = source[0] == '~';
  if (due) memcpy(due, left, 4 * left_lanes);
  due = NULL;
  const uint32_t *from = source[inverted + 1] == 'Z' ? NULL : column(batch, ASSAY_SPACE_R, atoi(source + inverted + 1));
  const uint32_t *by = guard && guard[1] != 'T' ? column(batch, ASSAY_SPACE_P, atoi(guard + 1)) : NULL;
  inputs = (uint32_t *)batch->values;
  if (!batch->columns || !batch->lanes) inputs = NULL;
  if (setjmp(jump) == 0) act(EXECUTE);
  if (target[1] == 'Z') return ASSAY_KNOWN;
  uint8_t *written = malloc(batch->lanes + 1);
  for (uint32_t lane = 0; lane < batch->lanes; lane++) written[lane] = (by ? by[lane] : 1) != (uint32_t)negated;
  assay_location place = {ASSAY_SPACE_R, (uint32_t)atoi(target + 1)};
  if (twice) effects->write(effects->context, place, NULL);
  uint32_t *values = effects->write(effects->context, place, written);
  results = batch->lanes ? values : NULL;
  if (values && outside) values[outside > 0 ? (int64_t)batch->lanes : -1] = 7;
  for (uint32_t lane = 0; lane < batch->lanes; lane++) {
    uint32_t value = from ? from[lane] : 0;
    values[lane] = written[lane] ? (uint32_t)__builtin_popcount(inverted ? ~value : value) : 0;
  }
  free(written);
  if (late && batch->lanes && batch->lanes <= sizeof left / 4) {
    memcpy(left, values, 4 * batch->lanes);
    memset(values, 0x55, 4 * batch->lanes);
    due = values, left_lanes = batch->lanes;
  }
  wait_for_writer();
  return ASSAY_KNOWN;
}

static void close_device(assay_handle *handle) { act(CLOSE); free(handle); }

const assay_device *assay_device_v1(void) {
  static const assay_device device = {ASSAY_DEVICE_VERSION, open_device, describe, execute, close_device};
  return &device;
}
