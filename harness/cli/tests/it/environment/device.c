// A device that changes its floating-point environment, for the tests of that. It takes the operands of the example in
// C, and computes FADD, FMUL and MUFU.RCP of F32 by the machine's own float unit.
//
//   -DWHAT=RZ      what it sets: RZ, RP, FTZ, DAZ, FTZ_DAZ, TRAPS or NOTHING
//   -DWHEN=LOADING in which call: LOADING, OPEN, DESCRIBE, EXECUTE, CLOSE, THREAD, BACKGROUND, CALLBACK or SIGNAL
//   -DEVERY=1000   in one EXECUTE of so many
//   -DTRUNCATES    a bug: every sum and product is computed toward zero, whatever the instruction says
//   -DWRONG=257    another: results of arguments that are a multiple of this are some units off

#define _GNU_SOURCE

enum { NOTHING, RZ, RP, FTZ, DAZ, FTZ_DAZ, TRAPS };
enum { LOADING, OPEN, DESCRIBE, EXECUTE, CLOSE, THREAD, BACKGROUND, CALLBACK, SIGNAL };

// With _GNU_SOURCE <math.h> has functions of these names.
#include <math.h>
#define assay_device_v1 example_device
#define assay_device_modes_v1 example_modes
#define fadd example_fadd
#define ffma example_ffma
#include "../../../../../examples/devices/c/device.c"
#undef assay_device_v1
#undef assay_device_modes_v1

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef WHAT
#define WHAT NOTHING
#endif
#ifndef WHEN
#define WHEN LOADING
#endif
#ifndef EVERY
#define EVERY 1
#endif

// ---- The environment ---------------------------------------------------------------------------------------------

#if defined(__x86_64__)
typedef struct { uint32_t mxcsr; uint16_t x87; } control;

static control get(void) {
  control it;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(it.mxcsr), "=m"(it.x87));
  it.mxcsr &= ~0x3fu;  // the status flags
  return it;
}

static void set(control it) { __asm__ volatile("fnclex\n\tfldcw %1\n\tldmxcsr %0" : : "m"(it.mxcsr), "m"(it.x87)); }

static control changed(control it, int what) {
  switch (what) {
    case RZ: it.mxcsr |= 3u << 13; it.x87 |= 3u << 10; break;
    case RP: it.mxcsr |= 2u << 13; it.x87 |= 2u << 10; break;
    case FTZ: it.mxcsr |= 1u << 15; break;
    case DAZ: it.mxcsr |= 1u << 6; break;
    case FTZ_DAZ: it.mxcsr |= 1u << 15 | 1u << 6; break;
    case TRAPS: it.mxcsr &= ~0x1f80u; it.x87 &= (uint16_t)~0x3fu; break;
    default: break;
  }
  return it;
}

static int same(control a, control b) { return a.mxcsr == b.mxcsr && a.x87 == b.x87; }
#elif defined(__aarch64__)
typedef struct { uint64_t fpcr; } control;

static control get(void) {
  control it;
  __asm__ volatile("mrs %0, fpcr" : "=r"(it.fpcr));
  return it;
}

static void set(control it) { __asm__ volatile("msr fpcr, %0" : : "r"(it.fpcr)); }

static control changed(control it, int what) {
  switch (what) {
    case RZ: it.fpcr |= 3u << 22; break;
    case RP: it.fpcr |= 1u << 22; break;
    case FTZ: case DAZ: case FTZ_DAZ: it.fpcr |= 1u << 24; break;
    case TRAPS: it.fpcr |= 0x9f00u; break;  // many machines have none
    default: break;
  }
  return it;
}

static int same(control a, control b) { return a.fpcr == b.fpcr; }
#else
#error "the floating-point environment of this machine is not known"
#endif

static void change(void) { set(changed(get(), WHAT)); }

static void *change_in_thread(void *unused) {
  change();
  volatile float tiny = 0x1p-126f;
  if (WHAT != TRAPS) tiny *= 0.5f;
  return unused;
}

static void *change_for_ever(void *unused) {
  for (;;) {
    change_in_thread(unused);
    usleep(500);
  }
  return unused;
}

#if defined(__x86_64__)
static pid_t victim;

// Changes the environment of the thread that it interrupts: what it was comes back from this frame.
static void interrupt(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  ucontext_t *frame = context;
  frame->uc_mcontext.fpregs->mxcsr |= 3u << 13;
}

static void *signal_for_ever(void *unused) {
  for (;;) {
    syscall(SYS_tgkill, getpid(), victim, SIGUSR1);
    usleep(500);
  }
  return unused;
}

static void begin_signals(void) {
  struct sigaction action = {.sa_sigaction = interrupt, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  victim = (pid_t)syscall(SYS_gettid);
  pthread_t thread;
  pthread_create(&thread, NULL, signal_for_ever, NULL);
}
#else
static void begin_signals(void) {}
#endif

__attribute__((constructor)) static void loading(void) {
  if (WHEN == LOADING) change();
  if (WHEN == BACKGROUND) {
    pthread_t thread;
    pthread_create(&thread, NULL, change_for_ever, NULL);
  }
}

// ---- The device ----------------------------------------------------------------------------------------------------

#define QUIET 0x7fffffffu

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Subnormal arguments are flushed, and so are results; infinities and NaN as the specification has them.
static uint32_t reciprocal(uint32_t argument) {
  uint32_t magnitude = argument & ~SIGN, sign = argument & SIGN;
  if (magnitude > INFINITE) return QUIET;
  if (magnitude == INFINITE) return sign;
  if (magnitude < 0x00800000u) return sign | INFINITE;
  return flush(bits_of_float(1.0f / as_float(argument)));
}

static uint32_t lane_of(const instruction *it, uint32_t lane) {
  switch (it->mnemonic[1]) {
    case 'A': return finished(it, input(it, 0, lane) + input(it, 1, lane));
    case 'M': return finished(it, input(it, 0, lane) * input(it, 1, lane));
    default: return reciprocal(raw(&it->sources[0], lane));
  }
}

static void compute_all(const instruction *it, uint32_t lanes, uint32_t *out) {
#ifdef TRUNCATES
  fesetround(FE_TOWARDZERO);
#else
  int before = fegetround();
  fesetround(it->rounding);
#endif
  for (uint32_t lane = 0; lane < lanes; lane++) out[lane] = lane_of(it, lane);
#ifdef WRONG
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (raw(&it->sources[0], lane) % WRONG == 0) out[lane] += 5;
#endif
#ifndef TRUNCATES
  fesetround(before);
#endif
}

static int is_mine(const assay_batch *batch, const instruction *it) {
  if (strcmp(it->mnemonic, "FADD") == 0) return 1;
  // FMUL has a scale too.
  if (strcmp(it->mnemonic, "FMUL") == 0) return !strstr(batch->text, ".D") && !strstr(batch->text, ".M");
  return strncmp(batch->text, "MUFU.RCP.F32 R", 14) == 0;
}

static uint32_t open_changing(const assay_host *host, assay_handle **handle) {
  uint32_t status = open_device(host, handle);
  if (WHEN == OPEN) change();
  return status;
}

static void describe_changing(assay_handle *handle, assay_description *description) {
  describe(handle, description);
  if (WHEN == DESCRIBE) change();
}

static uint32_t execute_plain(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  instruction it = read_instruction(batch);
  if (!is_mine(batch, &it)) return ASSAY_UNSUPPORTED;
  if (!it.has_target) return ASSAY_KNOWN;
  const uint8_t *mask = written(handle, &it, batch->lanes);
  control before = get();
  if (WHEN == CALLBACK) change();
  control during = get();
  uint32_t *out = effects->write(effects->context, it.target, mask);
  if (!same(get(), during)) {
    set(before);
    effects->fail(effects->context, "a function of the host changed the environment");
    return ASSAY_FAILED;
  }
  set(before);
  if (!out) return ASSAY_FAILED;
  compute_all(&it, batch->lanes, out);
  return ASSAY_KNOWN;
}

static uint32_t execute_changing(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  static atomic_uint calls;
  uint32_t status = execute_plain(handle, batch, effects);
  if (WHEN == EXECUTE && (atomic_fetch_add(&calls, 1) + 1) % EVERY == 0) change();
  // Whole batches are executed by the workers; what was asked before them may be another thread's.
  static atomic_flag has_begun = ATOMIC_FLAG_INIT;
  if (WHEN == SIGNAL && batch->lanes >= 512 && !atomic_flag_test_and_set(&has_begun)) begin_signals();
  if (WHEN == THREAD) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, change_in_thread, NULL) == 0) pthread_join(thread, NULL);
  }
  return status;
}

static void close_changing(assay_handle *handle) {
  close_device(handle);
  if (WHEN == CLOSE) change();
}

// FMUL has a scale too.
const char *const *assay_device_modes_v1(assay_handle *handle) {
  static const char *const modes[] = {"FADD", "FMUL", "!FMUL*.[DM][248]*", "MUFU_R.RCP.F32", NULL};
  (void)handle;
  return modes;
}

const struct assay_device *assay_device_v1(void) {
  static const struct assay_device device = {ASSAY_DEVICE_VERSION, open_changing, describe_changing, execute_changing,
                                             close_changing};
  return &device;
}
