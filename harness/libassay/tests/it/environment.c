// A host of libassay in one floating-point environment, named on the command line. It prints what the library answers,
// and whether each call gave the environment back as it was: control bits and status flags.

#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"

#if defined(__x86_64__)
typedef struct { uint32_t mxcsr, x87[7]; } environment;

static environment get(void) {
    environment it;
    memset(&it, 0, sizeof it);
    // FNSTENV masks the exceptions, so the environment goes back at once.
    __asm__ volatile("stmxcsr %0\n\tfnstenv %1\n\tfldenv %1" : "=m"(it.mxcsr), "=m"(it.x87));
    it.x87[3] = it.x87[4] = it.x87[5] = it.x87[6] = 0;  // where the last x87 instruction was
    return it;
}

static void set(uint32_t mxcsr, uint16_t x87) { __asm__ volatile("fldcw %1\n\tldmxcsr %0" : : "m"(mxcsr), "m"(x87)); }

static const struct { const char *name; uint32_t mxcsr; uint16_t x87; } states[] = {
    {"default", 0x1f80, 0x37f}, {"RM", 0x3f80, 0x77f},         {"RP", 0x5f80, 0xb7f},
    {"RZ", 0x7f80, 0xf7f},      {"FTZ", 0x9f80, 0x37f},        {"DAZ", 0x1fc0, 0x37f},
    {"FTZ+DAZ", 0x9fc0, 0x37f}, {"flags", 0x1fbf, 0x37f},      {"traps", 0x0000, 0x340},
    {"x87-53", 0x1f80, 0x27f},  {"traps+flags", 0x003f, 0x340}};
#define SET(i) set(states[i].mxcsr, states[i].x87)
#elif defined(__aarch64__)
typedef struct { uint64_t fpcr, fpsr; } environment;

static environment get(void) {
    environment it;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(it.fpcr), "=r"(it.fpsr));
    return it;
}

static const struct { const char *name; uint64_t fpcr, fpsr; } states[] = {
    {"default", 0, 0},           {"RM", 2u << 22, 0},
    {"RP", 1u << 22, 0},         {"RZ", 3u << 22, 0},
    {"FTZ", 1u << 24, 0},        {"FTZ+DAZ", 1u << 24 | 3u << 22, 0},
    {"flags", 0, 0x9f},          {"DN", 1u << 25, 0}};
#define SET(i) __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(states[i].fpcr), "r"(states[i].fpsr))
#else
#error "the floating-point environment of this machine is not known"
#endif

enum { LANES = 64, STATES = sizeof states / sizeof *states };

static environment before;
static int all_kept = 1;

// Looks whether the call that just returned gave the environment back.
static void kept(const char *call) {
    environment now = get();
    if (memcmp(&now, &before, sizeof now) != 0) {
        printf("%s changed the environment\n", call);
        all_kept = 0;
    }
}

#define CALL(result, function, ...) \
    do {                            \
        result = function(__VA_ARGS__); \
        kept(#function);            \
    } while (0)

static void expect(uint32_t status, const char *call) {
    if (status == ASSAY_OK) return;
    printf("%s: status %" PRIu32 "\n", call, status);
    exit(1);
}

// Everything that the library does, with an instruction whose operands come from a table.
static void run(const char *text) {
    static const uint32_t values[] = {0x00800000, 0x3f000000, 0x3f800001, 0x00000001, 0xb3800000, 0x7f7fffff,
                                      0x80000001, 0x40490fdb, 0x3eaaaaab, 0x807fffff, 0x00ffffff};
    enum { VALUES = sizeof values / sizeof *values };
    static uint32_t inputs[3 * LANES], outputs[LANES], low[LANES], high[LANES];
    static uint8_t written[LANES], states[LANES], verdicts[LANES];
    static int64_t errors[LANES];
    assay_session *session = NULL;
    uint64_t word[2];
    uint32_t status, count = 0;
    const char *name;
    CALL(status, assay_open, ASSAY_API_VERSION, "intended", "", &session);
    expect(status, "assay_open");
    CALL(status, assay_assemble, session, text, word);
    expect(status, "assay_assemble");
    CALL(status, assay_select, session, word);
    expect(status, "assay_select");
    for (;;) {
        CALL(name, assay_input_name, session, count);
        if (name == NULL) break;
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            inputs[i * LANES + lane] = values[(lane / (i ? VALUES : 1) + lane * i) % VALUES];
    CALL(status, assay_execute, session, LANES, inputs, outputs, written);
    expect(status, "assay_execute");
    CALL(status, assay_truth, session, LANES, inputs, low, high, states);
    expect(status, "assay_truth");
    // One lane is wrong.
    outputs[7] ^= 0x00400000;
    CALL(status, assay_judge, session, LANES, inputs, outputs, written, NULL, verdicts, errors);
    expect(status, "assay_judge");
    printf("%s\n", text);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        CALL(name, assay_verdict, session, lane);
        printf("%08" PRIx32 " %d %08" PRIx32 " %08" PRIx32 " %d %" PRId64 " %s\n", outputs[lane], states[lane], low[lane],
               high[lane], verdicts[lane], errors[lane], name);
    }
    assay_close(session);
    kept("assay_close");
}

int main(int count, char **arguments) {
    for (size_t i = 0; i < STATES && count == 2; i++) {
        if (strcmp(arguments[1], states[i].name) != 0) continue;
        SET(i);
        before = get();
        run("FMUL R0, R1, R2");
        run("FADD R0, R1, R2");
        run("FADD.RM.FTZ R0, R1, R2");
        run("FFMA R0, R1, R2, R3");
        run("MUFU.RCP.F32 R0, R1");
        run("MUFU.SIN.F32 R0, R1");
        run("FMNMX R0, R1, R2, PT");
        printf(all_kept ? "environment kept\n" : "environment changed\n");
        fflush(stdout);
        return 0;
    }
    for (size_t i = 0; i < STATES; i++) fprintf(stderr, "%s\n", states[i].name);
    return 2;
}
