/* Helper functions on registers of 128 bits: instructions of Helium by <arm_mve.h> where the
 * compiler has it, and C of the same bits elsewhere. Shifts by constants and single lanes are
 * macros, because their instructions need a constant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

/* GCC loads vectors long before their use otherwise, and sums them long after, so that few
 * registers remain and most of its code moves vectors to the stack and back (README.md). */
const char qn_c_helium_types[] =
    "\n/* Vectors of 128 bits: registers of Helium, or arrays of the same meaning. A compiler for "
    "Cortex-M55\n   has Helium with -mfloat-abi=hard or softfp only. */\n"
    "#if defined __ARM_FEATURE_MVE && __ARM_FEATURE_MVE % 2 == 1\n"
    "#define HELIUM 1\n"
    "#if defined __GNUC__ && !defined __clang__ /* vectors stay in the order of the code, in "
    "registers */\n"
    "#pragma GCC optimize(\"no-schedule-insns\", \"no-tree-ter\")\n"
    "#endif\n"
    "#include <arm_mve.h>\n"
    "typedef int8x16_t int8x16;\n"
    "typedef int16x8_t int16x8;\n"
    "typedef int32x4_t int32x4;\n"
    "#else\n"
    "#define HELIUM 0\n"
    "typedef struct {\n  uint8_t lane[16];\n} int8x16;\n"
    "typedef struct {\n  uint16_t lane[8];\n} int16x8;\n"
    "typedef struct {\n  uint32_t lane[4];\n} int32x4;\n"
    "#endif\n";

enum { ALL = QN_C_REGISTERS, NARROW = QN_C_NARROW, ONCE = QN_C_ONCE };

/* `head` and a body for each case. */
#define FUNCTION(HEAD, HELIUM, PORTABLE)                                                           \
  "static inline " HEAD " {\n#if HELIUM\n  " HELIUM "\n#else\n  " PORTABLE "\n#endif\n}\n"
#define EACH(COUNT, STATEMENT) "for (int i = 0; i < " COUNT "; i++) " STATEMENT
#define EACH_K(COUNT, STATEMENT) "for (unsigned k = 0; k < " COUNT "; k++) " STATEMENT

#define BINARY(NAME, INSTRUCTION, LANE)                                                            \
  {                                                                                                \
    NAME "_", ALL,                                                                                 \
        FUNCTION("$V " NAME "_$r($V a, $V b)", "return " INSTRUCTION ";",                          \
                 EACH("$n", "a.lane[i] = ($U)(" LANE ");") "\n  return a;")                        \
  }
#define AS_UNSIGNED(NAME)                                                                          \
  "vreinterpretq_s$w_u$w(" NAME "q_u$w(vreinterpretq_u$w_s$w(a), vreinterpretq_u$w_s$w(b)))"
#define SHIFT(NAME, INSTRUCTION, LANE)                                                             \
  {                                                                                                \
    NAME "_", ALL,                                                                                 \
        "#if HELIUM\n#define " NAME "_$r(v, n) " INSTRUCTION "\n#else\n"                           \
        "static inline $V " NAME "_$r($V v, unsigned n) {\n  " EACH(                               \
            "$n", "v.lane[i] = ($U)(" LANE ");") "\n  return v;\n}\n#endif\n"                      \
  }
#define GET(WIDTH)                                                                                 \
  {                                                                                                \
    "get_" WIDTH, ONCE,                                                                            \
        "#if HELIUM\n#define get_" WIDTH "(v, k) ((uint" WIDTH "_t)vgetq_lane_s" WIDTH "(v, k))\n" \
        "#else\n#define get_" WIDTH "(v, k) (v).lane[k]\n#endif\n"                                 \
  }
#define CAST(TO, TO_WIDTH, FROM, FROM_WIDTH)                                                       \
  {                                                                                                \
    "as_" TO "_from_" FROM, ONCE,                                                                  \
        FUNCTION("int" TO " as_" TO "_from_" FROM "(int" FROM " v)",                               \
                 "return vreinterpretq_s" TO_WIDTH "_s" FROM_WIDTH "(v);",                         \
                 "int" TO " r;\n  memcpy(&r, &v, sizeof r);\n  return r;")                         \
  }
/* Lanes 2i + k of a register, in a function for an instruction on them (b: even, t: odd). */
#define WIDENED(NAME, K, LETTER)                                                                   \
  {                                                                                                \
    NAME "_", NARROW,                                                                              \
        FUNCTION(                                                                                  \
            "$X " NAME "_$r($V v)", "return vmovl" LETTER "q_s$w(v);",                             \
            "$X r;\n  " EACH("$h", "r.lane[i] = ($T)($S)v.lane[2 * i + " K "];") "\n  return r;")  \
  }
#define PRODUCT(NAME, K, LETTER)                                                                   \
  {                                                                                                \
    "product_" NAME "_8x16", ONCE,                                                                 \
        FUNCTION("int16x8 product_" NAME "_8x16(int8x16 a, int8x16 b)",                            \
                 "return vmull" LETTER "q_int_s8(a, b);",                                          \
                 "int16x8 r;\n  " EACH("8",                                                        \
                                       "\n    r.lane[i] = (uint16_t)((int8_t)a.lane[2 * i + " K    \
                                       "] * (int8_t)b.lane[2 * i + " K "]);") "\n  return r;")     \
  }
#define COMPARISON(NAME, LETTERS, OPERATOR)                                                        \
  {                                                                                                \
    NAME "_32x4", ONCE,                                                                            \
        "/* 1 in the lanes where the condition holds, else 0. */\n" FUNCTION(                      \
            "int32x4 " NAME "_32x4(int32x4 a, int32x4 b)",                                         \
            "return vpselq_s32(vdupq_n_s32(1), vdupq_n_s32(0), vcmp" LETTERS "q_s32(a, b));",      \
            EACH("4", "a.lane[i] = (int32_t)a.lane[i] " OPERATOR                                   \
                      " (int32_t)b.lane[i];") "\n  return a;")                                     \
  }
#define RESCALE(NAME, COMMENT, CORRECTION, LANE)                                                   \
  {                                                                                                \
    NAME "_32x4", ONCE,                                                                            \
        COMMENT FUNCTION("int32x4 " NAME "_32x4(int32x4 x, int32x4 mantissa, int32x4 shift)",      \
                         "x = vqrdmulhq_s32(x, mantissa);\n  return vrshlq_s32(" CORRECTION        \
                         ", shift);",                                                              \
                         EACH("4", "{\n"                                                           \
                                   "    int64_t p = ((int64_t)(int32_t)x.lane[i] * "               \
                                   "(int32_t)mantissa.lane[i] + 1073741824) >> 31;\n"              \
                                   "    int n = -(int8_t)shift.lane[i];\n"                         \
                                   "    if (p > INT32_MAX) p = INT32_MAX;\n"                       \
                                   "    x.lane[i] = (uint32_t)((p + ((int64_t)1 << (n - 1))" LANE  \
                                   ") >> n);\n  }") "\n  return x;")                               \
  }

/* A helper calls only helpers before it. */
const qn_c_helper qn_c_helium_helpers[] = {
    {"load_", ALL,
     "static inline $V load_$r(const unsigned char *p, size_t i) {\n"
     "  $V v;\n"
     "  memcpy(&v, ALIGNED(p + $b * i, $b), sizeof v);\n"
     "  return v;\n"
     "}\n"},
    {"store_", ALL,
     "static inline void store_$r(unsigned char *p, size_t i, $V v) {\n"
     "  memcpy(ALIGNED(p + $b * i, $b), &v, sizeof v);\n"
     "}\n"},
    {"load_8_as_16x8", ONCE,
     FUNCTION(
         "int16x8 load_8_as_16x8(const unsigned char *p, size_t i)",
         "return vldrbq_s16((const int8_t *)p + i);",
         "int16x8 v;\n  " EACH_K("8", "v.lane[k] = (uint16_t)(int8_t)p[i + k];") "\n  return v;")},
    {"load_8_as_32x4", ONCE,
     FUNCTION(
         "int32x4 load_8_as_32x4(const unsigned char *p, size_t i)",
         "return vldrbq_s32((const int8_t *)p + i);",
         "int32x4 v;\n  " EACH_K("4", "v.lane[k] = (uint32_t)(int8_t)p[i + k];") "\n  return v;")},
    {"store_8_of_16x8", ONCE,
     FUNCTION("void store_8_of_16x8(unsigned char *p, size_t i, int16x8 v)",
              "vstrbq_s16((int8_t *)p + i, v);", EACH_K("8", "p[i + k] = (uint8_t)v.lane[k];"))},
    {"store_8_of_32x4", ONCE,
     FUNCTION("void store_8_of_32x4(unsigned char *p, size_t i, int32x4 v)",
              "vstrbq_s32((int8_t *)p + i, v);", EACH_K("4", "p[i + k] = (uint8_t)v.lane[k];"))},
    GET("8"),
    GET("16"),
    GET("32"),
    {"splat_", ALL,
     FUNCTION("$V splat_$r($U x)", "return vdupq_n_s$w(($S)x);",
              "$V v;\n  " EACH("$n", "v.lane[i] = x;") "\n  return v;")},
    /* Not by vcreateq_s32, whose halves GCC 12.2 exchanges. */
    {"make_32x4", ONCE,
     FUNCTION("int32x4 make_32x4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)",
              "int32x4 v = vsetq_lane_s32((int32_t)b, vdupq_n_s32((int32_t)a), 1);\n"
              "  return vsetq_lane_s32((int32_t)d, vsetq_lane_s32((int32_t)c, v, 2), 3);",
              "int32x4 v = {{a, b, c, d}};\n  return v;")},
    CAST("8x16", "8", "16x8", "16"),
    CAST("8x16", "8", "32x4", "32"),
    CAST("16x8", "16", "8x16", "8"),
    CAST("16x8", "16", "32x4", "32"),
    CAST("32x4", "32", "8x16", "8"),
    CAST("32x4", "32", "16x8", "16"),
    BINARY("add", "vaddq_s$w(a, b)", "a.lane[i] + b.lane[i]"),
    BINARY("sub", "vsubq_s$w(a, b)", "a.lane[i] - b.lane[i]"),
    BINARY("mul", "vmulq_s$w(a, b)", "(uint32_t)a.lane[i] * b.lane[i]"),
    BINARY("and", "vandq_s$w(a, b)", "a.lane[i] & b.lane[i]"),
    BINARY("or", "vorrq_s$w(a, b)", "a.lane[i] | b.lane[i]"),
    BINARY("xor", "veorq_s$w(a, b)", "a.lane[i] ^ b.lane[i]"),
    BINARY("max", "vmaxq_s$w(a, b)", "($S)a.lane[i] > ($S)b.lane[i] ? a.lane[i] : b.lane[i]"),
    BINARY("min", "vminq_s$w(a, b)", "($S)a.lane[i] < ($S)b.lane[i] ? a.lane[i] : b.lane[i]"),
    BINARY("max_unsigned", AS_UNSIGNED("vmax"), "a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]"),
    BINARY("min_unsigned", AS_UNSIGNED("vmin"), "a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]"),
    SHIFT("shift_left", "vshlq_n_s$w(v, n)", "(uint32_t)v.lane[i] << n"),
    SHIFT("shift_right", "vshrq_n_s$w(v, n)", "($S)v.lane[i] >> n"),
    SHIFT("shift_right_unsigned", "vreinterpretq_s$w_u$w(vshrq_n_u$w(vreinterpretq_u$w_s$w(v), n))",
          "v.lane[i] >> n"),
    COMPARISON("greater", "gt", ">"),
    COMPARISON("at_least", "ge", ">="),
    /* GCC 12.2 ends with an internal error at VPSEL of a comparison with VPSEL. */
    {"select_32x4", ONCE,
     "/* Lanes of a where there is 1, of b where there is 0. */\n" FUNCTION(
         "int32x4 select_32x4(int32x4 where, int32x4 a, int32x4 b)",
         "return veorq_s32(b, vandq_s32(veorq_s32(a, b), vnegq_s32(where)));",
         EACH("4", "a.lane[i] = where.lane[i] ? a.lane[i] : b.lane[i];") "\n  return a;")},
    WIDENED("even", "0", "b"),
    WIDENED("odd", "1", "t"),
    PRODUCT("even", "0", "b"),
    PRODUCT("odd", "1", "t"),
    {"sum_pairs_16x8", ONCE,
     "/* Products of adjacent lanes, added in pairs. */\n" FUNCTION(
         "int32x4 sum_pairs_16x8(int16x8 a, int16x8 b)",
         "return vaddq_s32(vmullbq_int_s16(a, b), vmulltq_int_s16(a, b));",
         "int32x4 r;\n  " EACH(
             "4",
             "{\n"
             "    uint32_t even = (uint32_t)((int16_t)a.lane[2 * i] * (int16_t)b.lane[2 * i]);\n"
             "    r.lane[i] = even + (uint32_t)((int16_t)a.lane[2 * i + 1] * "
             "(int16_t)b.lane[2 * i + 1]);\n  }") "\n  return r;")},
    {"interleave_even_", NARROW,
     "/* Even lanes of both, alternately. */\n" FUNCTION(
         "$V interleave_even_$r($V a, $V b)", "return vmovntq_s$W(a, vreinterpretq_s$W_s$w(b));",
         EACH("$h", "a.lane[2 * i + 1] = b.lane[2 * i];") "\n  return a;")},
    {"narrow_16x8", ONCE,
     "/* Lanes of both, clamped to 8 bits, alternately. */\n" FUNCTION(
         "int8x16 narrow_16x8(int16x8 a, int16x8 b)",
         "return vqmovntq_s16(vqmovnbq_s16(vreinterpretq_s8_s16(a), a), b);",
         "int8x16 r;\n  " EACH("16", "{\n"
                                     "    int16_t x = (int16_t)(i % 2 ? b : a).lane[i / 2];\n"
                                     "    r.lane[i] = (uint8_t)(x < -128 ? -128 : x > 127 ? 127 : "
                                     "x);\n  }") "\n  return r;")},
    {"narrow_32x4", ONCE,
     "/* Lanes of both, clamped to 16 bits, alternately. */\n" FUNCTION(
         "int16x8 narrow_32x4(int32x4 a, int32x4 b)",
         "return vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(a), a), b);",
         "int16x8 r;\n  " EACH("8", "{\n"
                                    "    int32_t x = (int32_t)(i % 2 ? b : a).lane[i / 2];\n"
                                    "    r.lane[i] = (uint16_t)(x < -32768 ? -32768 : x > 32767 ? "
                                    "32767 : x);\n  }") "\n  return r;")},
    {"dot_8x16", ONCE,
     "/* The sum of all products. */\n" FUNCTION(
         "uint32_t dot_8x16(int8x16 a, int8x16 b)", "return (uint32_t)vmladavq_s8(a, b);",
         "uint32_t sum = 0;\n  " EACH(
             "16", "sum += (uint32_t)((int8_t)a.lane[i] * (int8_t)b.lane[i]);") "\n  return sum;")},
    {"dot_add_8x16", ONCE,
     FUNCTION("uint32_t dot_add_8x16(uint32_t sum, int8x16 a, int8x16 b)",
              "return (uint32_t)vmladavaq_s8((int32_t)sum, a, b);",
              EACH("16",
                   "sum += (uint32_t)((int8_t)a.lane[i] * (int8_t)b.lane[i]);") "\n  return sum;")},
    RESCALE("rescale",
            "/* x * mantissa / 2^31, half up, saturating; then times 2^shift, half away from zero. "
            "The shift is\n   in the lowest byte. */\n",
            "vaddq_s32(x, vshrq_n_s32(x, 31))", " - (p < 0)"),
    RESCALE("rescale_half_up", "/* The same, but the second rounding is half up. */\n", "x", ""),
};
const size_t qn_c_helium_helper_count = QN_COUNT(qn_c_helium_helpers);
