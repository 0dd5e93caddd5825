// Holds a population count and an adder in C against the truth of assay; one adder drops a carry.
//
//   cc -I harness/libassay/include examples/libassay/c/check.c -L target/release -lassay -o check
//   LD_LIBRARY_PATH=target/release ./check

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay.h"

enum { LANES = 1000 };

static uint32_t popcount(const uint32_t *operands) {
    uint32_t count = 0;
    for (uint32_t bits = operands[0]; bits != 0; bits &= bits - 1) count++;
    return count;
}

static uint32_t add(const uint32_t *operands) { return operands[0] + operands[1]; }

static uint32_t add_without_carry(const uint32_t *operands) {
    const uint32_t low = 0xffff, a = operands[0], b = operands[1];
    return ((a & ~low) + (b & ~low)) | ((a + b) & low);
}

static void expect(assay_session *session, uint32_t status) {
    if (status == ASSAY_OK) return;
    fprintf(stderr, "status %" PRIu32 ": %s\n", status, assay_error(session));
    exit(1);
}

// Judges a device on an instruction of one or two operands, and answers how many cases diverged.
static uint32_t diverged(const char *instruction, uint32_t (*device)(const uint32_t *)) {
    static uint32_t inputs[2 * LANES], outputs[LANES];
    static uint8_t written[LANES], verdicts[LANES];
    static int64_t errors[LANES];
    assay_session *session;
    expect(NULL, assay_open(ASSAY_API_VERSION, "intended", "", &session));
    uint64_t word[2];
    expect(session, assay_assemble(session, instruction, word));
    expect(session, assay_select(session, word));
    uint32_t count = 0;
    while (assay_input_name(session, count) != NULL) count++;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t operands[2] = {0};
        for (uint32_t input = 0; input < count; input++) {
            operands[input] = inputs[input * LANES + lane] = 0x9e3779b9u * (lane + 1) * (2 * input + 1);
        }
        outputs[lane] = device(operands);
        written[lane] = 1;
    }
    expect(session, assay_judge(session, LANES, inputs, outputs, written, NULL, verdicts, errors));
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (verdicts[lane] != ASSAY_DIVERGED) continue;
        if (wrong++ == 0) printf("  case %" PRIu32 ": %s\n", lane, assay_verdict(session, lane));
    }
    printf("%s: %d cases, %" PRIu32 " diverged\n", instruction, LANES, wrong);
    assay_close(session);
    return wrong;
}

int main(void) {
    if (assay_api_version() != ASSAY_API_VERSION) return 1;
    const int sound = diverged("POPC R0, R1", popcount) == 0 && diverged("UIADD UR0, UR1, UR2", add) == 0;
    const int caught = diverged("UIADD UR0, UR1, UR2", add_without_carry) > 0;
    puts(sound && caught ? "all as it should be" : "NOT as it should be");
    return !(sound && caught);
}
