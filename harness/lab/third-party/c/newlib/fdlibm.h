// What newlib's fmaf, fminf and fmaxf need of its internal header, on a host with a C library of its own.

#include <math.h>
#include <sys/cdefs.h>

extern int __fpclassifyf(float);
