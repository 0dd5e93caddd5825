/* Splits the text of instructions into its parts: docs/instruction-text.md.
 *
 * Reads instructions, one in a line, and writes for each: guard, optype, modifiers and operands,
 * separated by tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operand {
    char sign; /* '-', '~', '!' or 0 */
    int is_absolute;
    char *name;   /* such as R1, UR[4:5], c[0x0][0x160] or 0f3F800000 */
    char *select; /* the half or the byte, such as H1, or an empty text */
};

struct instruction {
    char *guard; /* such as !P3, or an empty text */
    char *optype;
    char *modifiers; /* separated by points */
    struct operand operands[16];
    int count;
};

/* Cuts a text at the first occurrence of a separator. Returns what follows, or an empty text. */
static char *cut(char *text, const char *separator)
{
    char *found = strstr(text, separator);
    if (!found)
        return text + strlen(text);
    *found = 0;
    return found + strlen(separator);
}

/* Splits an operand, which is changed. */
static struct operand split_operand(char *text)
{
    struct operand operand = {0};
    char *end = text + strlen(text);
    if (strchr("-~!", *text))
        operand.sign = *text++;
    operand.is_absolute = *text == '|';
    operand.name = text + operand.is_absolute;
    operand.select = end > text + 3 && end[-3] == '.' && strchr("HB", end[-2]) ? end - 2 : end;
    if (*operand.select)
        operand.select[-1] = 0;
    if (operand.is_absolute)
        cut(operand.name, "|");
    return operand;
}

/* Splits an instruction. The text is changed, and the parts point into it. */
static struct instruction parse(char *text)
{
    struct instruction parts = {.guard = ""};
    cut(text, " $"); /* The scheduling field changes no result. */
    if (*text == '@') {
        parts.guard = text + 1;
        text = cut(text, " ");
    }
    char *operands = cut(text, " ");
    parts.optype = text;
    parts.modifiers = cut(text, ".");
    while (*operands && parts.count < 16) {
        char *rest = cut(operands, ", ");
        parts.operands[parts.count++] = split_operand(operands);
        operands = rest;
    }
    return parts;
}

/* Prints the locations of an operand, named as in the inputs of a case, or the number of a literal. */
static void print_locations(const char *name)
{
    static const char *const without[] = {"RZ", "URZ", "SRZ", "PT", "UPT"};
    char file[3];
    unsigned first, last, bank, offset;
    for (size_t nth = 0; nth < sizeof without / sizeof *without; nth++)
        if (!strcmp(name, without[nth]))
            return;
    if (!strcmp(name, "UPR"))
        printf("UP0+UP1+UP2+UP3+UP4+UP5+UP6");
    else if (!strncmp(name, "0x", 2) || !strncmp(name, "0f", 2))
        printf("0x%lx", strtoul(name + 2, NULL, 16));
    else if (sscanf(name, "%2[UR][%u:%u]", file, &first, &last) == 3)
        for (unsigned number = first; number <= last; number++)
            printf("%s%s%u", number == first ? "" : "+", file, number);
    else if (sscanf(name, "c[0x%x][0x%x]", &bank, &offset) == 2)
        printf("c[%u][0x%x]", bank, offset);
    else
        printf("%s", name);
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        struct instruction parts = parse(line);
        printf("%s\t%s\t%s", parts.guard, parts.optype, parts.modifiers);
        for (int nth = 0; nth < parts.count; nth++) {
            struct operand *operand = &parts.operands[nth];
            putchar('\t');
            if (operand->sign)
                putchar(operand->sign);
            if (operand->is_absolute)
                putchar('|');
            print_locations(operand->name);
            if (*operand->select)
                printf(".%s", operand->select);
        }
        putchar('\n');
    }
    return 0;
}
