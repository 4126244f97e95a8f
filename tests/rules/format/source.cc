#include <x>
int  unchanged ( ) ;   
DEF_PACKAGE_OPTIMIZATION(EARLY,
    Op("Relu", "x"),
    OK,
    Op("Clip", "x"));
  /* neither */ static int b = 1;
DEF_PACKAGE_OPTIMIZATION(MIDDLE + 1,
    Op("Relu", "x"),
    NOT(IS_FLOAT("x")),
    SELECT(IS_FLOAT("x"), "x", Op("Clip", "x")))
