// Rules among C++: what is no rule is skipped.
#include "package.h"
#define DEF_PACKAGE_OPTIMIZATION(...)
// :::EXTERNAL_SHAPEFN::: { OpRef halo(Replacement &rpx, Split_Context const &info, OpRef const &x, int rows); }
static const char *text = "/* no comment DEF_PACKAGE_OPTIMIZATION(";
/* DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Off", "x"), OK, "x") */
int unused(int a) { return a > 3 ? '"' : 1'000; }

#if 0 // W0108: other tools do not see the condition
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", "x"), OK, Op("Clip", "x"))
#endif

// W0111
int f(); DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", "x"), OK, Op("Clip", "x"))

// RR0216
DEF_PACKAGE_OPTIMIZATION
(EARLY, Op("Relu", "x"), OK, Op("Clip", "x"))

// RR0704
DEF_PACKAGE_OPTIMIZATION(TILING, Op("Relu", "x"), GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Relu", WITH_SIZE(AUTOSPLIT_SHAPEFN_APPLY(halo, "I", "x", 0.5f), Op("Copy", "x")))));
