/* Compares mufu_h200.h with digests of the measured results.
 *
 * `cc -O2 check.c -o check && ./check digests.txt` compares all inputs. `./check digests.txt RCP.F32`
 * compares one function, and `RCP.F32:127` one block of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mufu_h200.h"

/* The functions, by their names in the file of digests. */
static const struct function {
    const char *name;
    uint32_t (*compute)(uint32_t);
} functions[] = {
    {"COS.F32", mufu_h200_cos},         {"SIN.F32", mufu_h200_sin},
    {"EX2.F32", mufu_h200_ex2},         {"LG2.F32", mufu_h200_lg2},
    {"RCP.F32", mufu_h200_rcp},         {"RSQ.F32", mufu_h200_rsq},
    {"SQRT.F32", mufu_h200_sqrt},       {"TANH.F32", mufu_h200_tanh},
    {"RCP.F64", mufu_h200_rcp64h},      {"RSQ.F64", mufu_h200_rsq64h},
    {"EX2.F16", mufu_h200_ex2_f16},     {"TANH.F16", mufu_h200_tanh_f16},
    {"EX2.BF16", mufu_h200_ex2_bf16},   {"TANH.BF16", mufu_h200_tanh_bf16},
};

/* Returns the digest of the results for `count` inputs from `first` on. digests.txt explains it. */
static uint64_t digest(uint32_t (*compute)(uint32_t), uint32_t first, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t nth = 0; nth < count; nth++) {
        uint32_t x = first + nth;
        uint64_t z = ((uint64_t)x << 32 | compute(x)) + 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        sum += z ^ z >> 31;
    }
    return sum;
}

/* Returns whether a block of a function is to be compared: every block if none is selected. */
static int is_selected(const char *name, unsigned block, int count, char **selected)
{
    size_t length = strlen(name);
    for (int nth = 0; nth < count; nth++) {
        const char *rest = selected[nth] + length;
        if (strncmp(selected[nth], name, length) == 0 && (!*rest || (*rest == ':' && strtoul(rest + 1, NULL, 10) == block)))
            return 1;
    }
    return count == 0;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    char line[4096];
    const struct function *function = NULL;
    unsigned block = 0, all = 0, wrong = 0;
    if (!file) {
        fprintf(stderr, argc > 1 ? "%s cannot be read\n" : "usage: %s digests.txt [FUNCTION | FUNCTION:BLOCK]...\n", argv[argc > 1]);
        return 2;
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        if (strchr(line, '.')) {
            function = NULL;
            for (size_t nth = 0; nth < sizeof functions / sizeof *functions; nth++)
                if (!strcmp(functions[nth].name, line))
                    function = &functions[nth];
            if (!function) {
                fprintf(stderr, "%s is no function of MUFU\n", line);
                return 2;
            }
            block = 0;
            continue;
        }
        for (char *word = strtok(line, " "); word && function; word = strtok(NULL, " "), block++) {
            uint32_t count = strstr(function->name, "F16") ? 1 << 16 : 1 << 23;
            if (!is_selected(function->name, block, argc - 2, argv + 2))
                continue;
            all++;
            if (digest(function->compute, block * count, count) != strtoull(word, NULL, 16)) {
                wrong++;
                printf("%s: a result for the inputs from %08" PRIx32 " on is not the measured one\n", function->name, block * count);
            }
        }
    }
    fclose(file);
    printf("%u blocks compared, %u wrong\n", all, wrong);
    return wrong > 0 || all == 0;
}
