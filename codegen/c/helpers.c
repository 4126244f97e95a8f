/* What the code needs from a compiler, checked where it is compiled; and small functions that the
 * code calls. Only those that it calls are written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

/* ---- checks ---- */

static const char integer_checks[] =
    "/* What the code assumes of the compiler, beyond C99. */\n"
    "#if INT_MAX != 2147483647\n"
    "#error \"int must have 32 bits\"\n"
    "#endif\n"
    "#if defined __BYTE_ORDER__ && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n"
    "#error \"memory must be little-endian\"\n"
    "#endif\n"
    "typedef char right_shifts_are_arithmetic[(-1 >> 1) == -1 ? 1 : -1];\n"
    "typedef char conversions_wrap[(int32_t)0xffffffffu == -1 ? 1 : -1];\n";

static const char wide_index[] =
    "#if UINTPTR_MAX < 0xffffffffffffffffu\n"
    "#error \"pointers must have 64 bits: compile the model with --target and --cpu of this "
    "machine\"\n"
    "#endif\n";

/* GCC has no FP_CONTRACT. It contracts only where there is an instruction, and not with -std=c99.
 */
static const char float_checks[] =
    "#if !defined FLT_EVAL_METHOD || FLT_EVAL_METHOD != 0 || FLT_MANT_DIG != 24 || DBL_MANT_DIG != "
    "53\n"
    "#error \"float and double must be computed in their own precision\"\n"
    "#endif\n"
    "#if defined __FAST_MATH__\n"
    "#error \"compile without -ffast-math\"\n"
    "#endif\n"
    "#if defined __GNUC__ && !defined __clang__\n"
    "#if !defined __STRICT_ANSI__ && (defined __FP_FAST_FMAF || defined __FP_FAST_FMA)\n"
    "#error \"products and sums must not be fused: compile with -std=c99\"\n"
    "#endif\n"
    "#else\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#endif\n";

/* Instructions of Arm's DSP extension. Other compilers take the C of the same functions. */
static const char intrinsics[] = "#if defined __ARM_FEATURE_SIMD32\n"
                                 "#include <arm_acle.h>\n"
                                 "#endif\n";

static const char attributes[] =
    "\n/* Constants begin at a cache line, and elements are aligned. A compiler that is not told "
    "so "
    "makes\n   slower code, of the same meaning. */\n"
    "#if defined __GNUC__\n"
    "#define CONSTANT(align) static const __attribute__((aligned(align)%s))\n"
    "#define ALIGNED(p, n) __builtin_assume_aligned(p, n)\n"
    "#else\n"
    "#define CONSTANT(align) static const\n"
    "#define ALIGNED(p, n) (p)\n"
    "#endif\n\n";

void qn_c_put_checks(const qn_c *c, qn_text *out) {
  const char *section = c->source->options->section, *code = c->source->options->code_section;
  bool floats = c->code.data && (strstr(c->code.data, "float") || strstr(c->code.data, "double"));
  qn_text_puts(out, "#include <float.h>\n#include <limits.h>\n#include <stdbool.h>\n"
                    "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n");
  qn_text_puts(out, integer_checks);
  if (c->index_bits == 64) qn_text_puts(out, wide_index);
  if (floats) qn_text_puts(out, float_checks);
  if (c->code.data && strstr(c->code.data, "dot_pair(")) qn_text_puts(out, intrinsics);
  if (section || code)
    qn_text_puts(out, "#if !defined __GNUC__\n#error \"sections are named by an attribute of GCC "
                      "and clang\"\n#endif\n");
  if (code) qn_text_format(out, "#define CODE __attribute__((section(\"%s\")))\n", code);
  qn_text named = {0};
  if (section) qn_text_format(&named, ", section(\"%s\")", section);
  qn_text_format(out, attributes, section ? named.data : "");
  qn_text_deinit(&named);
}

/* ---- helpers ---- */

enum { ONCE = QN_C_ONCE, INTEGERS = QN_C_INTEGERS, FLOATS = QN_C_FLOATS, WIDE = QN_C_WIDE };

/* A helper calls only helpers before it. */
static const qn_c_helper helpers[] = {
    {"load_", WIDE,
     "static inline $U load_$w(const unsigned char *p, size_t i) {\n"
     "  $U x;\n"
     "  memcpy(&x, ALIGNED(p + $b * i, $a), $b);\n"
     "  return x;\n"
     "}\n"},
    {"store_", WIDE,
     "static inline void store_$w(unsigned char *p, size_t i, $U x) {\n"
     "  memcpy(ALIGNED(p + $b * i, $a), &x, $b);\n"
     "}\n"},
    {"load_f", FLOATS,
     "static inline $F load_f$w(const unsigned char *p, size_t i) {\n"
     "  $F x;\n"
     "  memcpy(&x, ALIGNED(p + $b * i, $a), $b);\n"
     "  return x;\n"
     "}\n"},
    {"store_f", FLOATS,
     "static inline void store_f$w(unsigned char *p, size_t i, $F x) {\n"
     "  memcpy(ALIGNED(p + $b * i, $a), &x, $b);\n"
     "}\n"},
    {"shift_right_s", INTEGERS,
     "static inline $U shift_right_s$w($U x, $U n) { return ($U)(($S)x >> n); }\n"},
    {"max_s", INTEGERS, "static inline $U max_s$w($U a, $U b) { return ($S)a > ($S)b ? a : b; }\n"},
    {"min_s", INTEGERS, "static inline $U min_s$w($U a, $U b) { return ($S)a < ($S)b ? a : b; }\n"},
    {"max_u", INTEGERS, "static inline $U max_u$w($U a, $U b) { return a > b ? a : b; }\n"},
    {"min_u", INTEGERS, "static inline $U min_u$w($U a, $U b) { return a < b ? a : b; }\n"},
    {"abs_s", INTEGERS, "static inline $U abs_s$w($U x) { return ($S)x < 0 ? ($U)(0 - x) : x; }\n"},
    {"floor_div_s", INTEGERS,
     "static inline $U floor_div_s$w($U a, $U b) {\n"
     "  $S q = ($S)(($S)a / ($S)b), r = ($S)(($S)a % ($S)b);\n"
     "  return ($U)(q - (r != 0 && (r < 0) != (($S)b < 0)));\n"
     "}\n"},
    {"ceil_div_s", INTEGERS,
     "static inline $U ceil_div_s$w($U a, $U b) {\n"
     "  $S q = ($S)(($S)a / ($S)b), r = ($S)(($S)a % ($S)b);\n"
     "  return ($U)(q + (r != 0 && (r < 0) == (($S)b < 0)));\n"
     "}\n"},
    {"leading_zeros_", INTEGERS,
     "static inline $U leading_zeros_$w($U x) {\n"
     "  $U n = 0, k;\n"
     "  if (x == 0) return $w;\n"
     "  for (k = $w / 2; k > 0; k = ($U)(k / 2)) {\n"
     "    if (x >> ($w - k)) continue;\n"
     "    x = ($U)(x << k);\n"
     "    n = ($U)(n + k);\n"
     "  }\n"
     "  return n;\n"
     "}\n"},
    {"saturate_16_to_s8", ONCE,
     "static inline uint8_t saturate_16_to_s8(uint16_t x) {\n"
     "  int16_t s = (int16_t)x;\n"
     "  return (uint8_t)(s < -128 ? -128 : s > 127 ? 127 : s);\n"
     "}\n"},
    {"saturate_16_to_u8", ONCE,
     "static inline uint8_t saturate_16_to_u8(uint16_t x) {\n"
     "  int16_t s = (int16_t)x;\n"
     "  return (uint8_t)(s < 0 ? 0 : s > 255 ? 255 : s);\n"
     "}\n"},
    {"saturate_32_to_s16", ONCE,
     "static inline uint16_t saturate_32_to_s16(uint32_t x) {\n"
     "  int32_t s = (int32_t)x;\n"
     "  return (uint16_t)(s < -32768 ? -32768 : s > 32767 ? 32767 : s);\n"
     "}\n"},
    {"saturate_32_to_u16", ONCE,
     "static inline uint16_t saturate_32_to_u16(uint32_t x) {\n"
     "  int32_t s = (int32_t)x;\n"
     "  return (uint16_t)(s < 0 ? 0 : s > 65535 ? 65535 : s);\n"
     "}\n"},
    {"madd_s16", ONCE,
     "static inline uint32_t madd_s16(uint16_t a, uint16_t b, uint16_t c, uint16_t d) {\n"
     "  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)c * (int16_t)d);\n"
     "}\n"},
    {"madd_u8s8", ONCE,
     "static inline uint16_t madd_u8s8(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {\n"
     "  int32_t s = a * (int8_t)b + c * (int8_t)d;\n"
     "  return (uint16_t)(s < -32768 ? -32768 : s > 32767 ? 32767 : s);\n"
     "}\n"},
    {"pick_16", ONCE,
     "static inline uint8_t pick_16(const uint8_t *bytes, uint8_t i) {\n"
     "  return i & 0x80 ? 0 : bytes[i & 15];\n"
     "}\n"},
    {"load_bytes", ONCE,
     "static inline uint32_t load_bytes(const unsigned char *p, size_t i) {\n"
     "  uint32_t x;\n"
     "  memcpy(&x, p + i, 4);\n"
     "  return x;\n"
     "}\n"},
    {"even_s8", ONCE,
     "/* Bytes 0 and 2 as a pair of 16 bits each. */\n"
     "static inline uint32_t even_s8(uint32_t x) {\n"
     "#if defined __ARM_FEATURE_SIMD32\n"
     "  return (uint32_t)__sxtb16((int8x4_t)x);\n"
     "#else\n"
     "  return (uint16_t)(int8_t)x | (uint32_t)(int8_t)(x >> 16) << 16;\n"
     "#endif\n"
     "}\n"},
    {"even_u8", ONCE, "static inline uint32_t even_u8(uint32_t x) { return x & 0xff00ffu; }\n"},
    {"odd_s8", ONCE,
     "static inline uint32_t odd_s8(uint32_t x) { return even_s8(x >> 8 | x << 24); }\n"},
    {"odd_u8", ONCE, "static inline uint32_t odd_u8(uint32_t x) { return even_u8(x >> 8); }\n"},
    {"dot_pair", ONCE,
     "/* The sum and two products of 16 bits, which wraps. */\n"
     "static inline uint32_t dot_pair(uint32_t a, uint32_t b, uint32_t sum) {\n"
     "#if defined __ARM_FEATURE_SIMD32\n"
     "  return (uint32_t)__smlad((int16x2_t)a, (int16x2_t)b, (int32_t)sum);\n"
     "#else\n"
     "  return sum + (uint32_t)((int16_t)a * (int16_t)b) +\n"
     "         (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));\n"
     "#endif\n"
     "}\n"},
    {"rescale_s32", ONCE,
     "/* x * mantissa / 2^31, half up, saturating; then times 2^shift, half away from zero. */\n"
     "static inline uint32_t rescale_s32(uint32_t x, uint32_t mantissa, uint32_t shift) {\n"
     "  int64_t p = ((int64_t)(int32_t)x * (int32_t)mantissa + 1073741824) >> 31;\n"
     "  int32_t n = -(int32_t)shift;\n"
     "  if (p > INT32_MAX) p = INT32_MAX;\n"
     "  return (uint32_t)((p + ((int64_t)1 << (n - 1)) - (p < 0)) >> n);\n"
     "}\n"},
    {"bits_of_f32", ONCE,
     "static inline uint32_t bits_of_f32(float x) {\n"
     "  uint32_t bits;\n"
     "  memcpy(&bits, &x, sizeof bits);\n"
     "  return bits;\n"
     "}\n"},
    {"bits_of_f64", ONCE,
     "static inline uint64_t bits_of_f64(double x) {\n"
     "  uint64_t bits;\n"
     "  memcpy(&bits, &x, sizeof bits);\n"
     "  return bits;\n"
     "}\n"},
    {"f32_of_bits", ONCE,
     "static inline float f32_of_bits(uint32_t bits) {\n"
     "  float x;\n"
     "  memcpy(&x, &bits, sizeof x);\n"
     "  return x;\n"
     "}\n"},
    {"f64_of_bits", ONCE,
     "static inline double f64_of_bits(uint64_t bits) {\n"
     "  double x;\n"
     "  memcpy(&x, &bits, sizeof x);\n"
     "  return x;\n"
     "}\n"},
    {"unordered_f", FLOATS,
     "static inline bool unordered_f$w($F a, $F b) { return a != a || b != b; }\n"},
    {"differ_f", FLOATS, "static inline bool differ_f$w($F a, $F b) { return a < b || a > b; }\n"},
    /* Equal numbers other than zero have equal bits. */
    {"maximum_f", FLOATS,
     "static inline $F maximum_f$w($F a, $F b) {\n"
     "  if (a != a || b != b) return a + b;\n"
     "  if (a != b) return a > b ? a : b;\n"
     "  return f$w_of_bits(bits_of_f$w(a) & bits_of_f$w(b));\n"
     "}\n"},
    {"minimum_f", FLOATS,
     "static inline $F minimum_f$w($F a, $F b) {\n"
     "  if (a != a || b != b) return a + b;\n"
     "  if (a != b) return a < b ? a : b;\n"
     "  return f$w_of_bits(bits_of_f$w(a) | bits_of_f$w(b));\n"
     "}\n"},
    {"max_number_f", FLOATS,
     "static inline $F max_number_f$w($F a, $F b) {\n"
     "  return a != a ? b : b != b ? a : maximum_f$w(a, b);\n"
     "}\n"},
    {"min_number_f", FLOATS,
     "static inline $F min_number_f$w($F a, $F b) {\n"
     "  return a != a ? b : b != b ? a : minimum_f$w(a, b);\n"
     "}\n"},
    {"abs_f", FLOATS,
     "static inline $F abs_f$w($F x) { return f$w_of_bits(bits_of_f$w(x) << 1 >> 1); }\n"},
    {"with_sign_f", FLOATS,
     "static inline $F with_sign_f$w($F magnitude, $F sign) {\n"
     "  return f$w_of_bits(bits_of_f$w(magnitude) | bits_of_f$w(sign) >> ($w - 1) << ($w - 1));\n"
     "}\n"},
    /* As codegen/emit/round.c, for levels without an instruction. */
    {"round_even_f", FLOATS,
     "static inline $F round_even_f$w($F x) {\n"
     "  const $F magic = $w == 32 ? ($F)0x1p23 : ($F)0x1p52;\n"
     "  $F m = abs_f$w(x), sum = m + magic;\n"
     "  return m < magic ? with_sign_f$w(sum - magic, x) : x;\n"
     "}\n"},
    {"floor_f", FLOATS,
     "static inline $F floor_f$w($F x) {\n"
     "  $F r = round_even_f$w(x);\n"
     "  return r > x ? r - 1 : r;\n"
     "}\n"},
    {"ceil_f", FLOATS, "static inline $F ceil_f$w($F x) { return -floor_f$w(-x); }\n"},
    {"trunc_f", FLOATS,
     "static inline $F trunc_f$w($F x) { return with_sign_f$w(floor_f$w(abs_f$w(x)), x); }\n"},
    {"round_f", FLOATS,
     "static inline $F round_f$w($F x) {\n"
     "  $F whole = trunc_f$w(x);\n"
     "  return abs_f$w(x - whole) >= ($F)0.5 ? whole + with_sign_f$w(1, x) : whole;\n"
     "}\n"},
};

static const struct {
  unsigned bits, kinds;
} widths[] = {{8, INTEGERS | QN_C_REGISTERS | QN_C_NARROW},
              {16, INTEGERS | WIDE | QN_C_REGISTERS | QN_C_NARROW},
              {32, INTEGERS | WIDE | FLOATS | ONCE | QN_C_REGISTERS},
              {64, INTEGERS | WIDE | FLOATS}};

static void put_expanded(qn_text *out, const char *text, unsigned bits) {
  enum { MOST = 64 };
  const qn_c_type *type = qn_c_integer(bits), *wide = qn_c_integer(bits < MOST ? 2 * bits : MOST);
  for (; *text; text++) {
    if (*text != '$') {
      qn_text_putc(out, *text);
      continue;
    }
    text++;
    if (*text == 'U') qn_text_puts(out, type->name);
    if (*text == 'S') qn_text_puts(out, type->of_signed);
    if (*text == 'T') qn_text_puts(out, wide->name);
    if (*text == 'F') qn_text_puts(out, bits == MOST ? "double" : "float");
    if (*text == 'V') qn_text_puts(out, qn_c_register_type(bits));
    if (*text == 'X') qn_text_puts(out, qn_c_register_type(2 * bits));
    if (*text == 'r') qn_text_puts(out, qn_c_register_suffix(bits));
    if (*text == 'R') qn_text_puts(out, qn_c_register_suffix(2 * bits));
    if (*text == 'w') qn_text_format(out, "%u", bits);
    if (*text == 'W') qn_text_format(out, "%u", 2 * bits);
    if (*text == 'n') qn_text_format(out, "%u", QN_C_REGISTER_BITS / bits);
    if (*text == 'h') qn_text_format(out, "%u", QN_C_REGISTER_BITS / bits / 2);
    if (*text == 'b') qn_text_format(out, "%u", bits / 8);
    if (*text == 'a') qn_text_format(out, "%u", bits > 32 ? 4 : bits / 8);
  }
}

/* Whether the text calls the function. */
static bool calls(const char *text, const char *name) {
  const char *at = text ? qn_c_find_name(text, name) : NULL;
  for (; at && at[strlen(name)] != '('; at = qn_c_find_name(at + strlen(name), name)) {
  }
  return at != NULL;
}

static void put_name(const qn_c_helper *h, unsigned bits, char *out, size_t size) {
  if (h->kinds & QN_C_ONCE)
    snprintf(out, size, "%s", h->name);
  else if (h->kinds & (QN_C_REGISTERS | QN_C_NARROW))
    snprintf(out, size, "%s%s", h->name, qn_c_register_suffix(bits));
  else
    snprintf(out, size, "%s%u", h->name, bits);
}

/* Each helper before those that need it: the rows are visited from the last. */
static void put_rows(const qn_c *c, const qn_c_helper *rows, size_t count, qn_text *all) {
  for (size_t i = count; i-- > 0;) {
    for (size_t k = QN_COUNT(widths); k-- > 0;) {
      const qn_c_helper *h = &rows[i];
      if (!(h->kinds & widths[k].kinds)) continue;
      char name[40];
      put_name(h, widths[k].bits, name, sizeof name);
      if (!calls(c->code.data, name) && !calls(all->data, name)) continue;
      qn_text one = {0};
      put_expanded(&one, h->text, widths[k].bits);
      qn_text_put(&one, qn_text_view(all));
      qn_text_deinit(all);
      *all = one;
    }
  }
}

void qn_c_put_helpers(const qn_c *c, qn_text *out) {
  qn_text on_registers = {0}, all = {0};
  put_rows(c, qn_c_helium_helpers, qn_c_helium_helper_count, &on_registers);
  put_rows(c, helpers, QN_COUNT(helpers), &all);
  if (on_registers.size > 0) qn_text_puts(&all, qn_c_helium_types);
  qn_text_put(&all, qn_text_view(&on_registers));
  qn_text_put(out, qn_text_view(&all));
  if (all.size > 0) qn_text_putc(out, '\n');
  qn_text_deinit(&on_registers);
  qn_text_deinit(&all);
}
