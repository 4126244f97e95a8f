/* Arithmetic of the rule language: exact 64-bit integers and IEEE single-precision floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/apply/value.h"

#include <math.h>

#include "rules/rules.h"

qn_rule_value qn_rule_value_bool(bool value) {
  return (qn_rule_value){.type = QN_RULE_BOOL, .integer = value};
}
qn_rule_value qn_rule_value_real(double value) {
  return (qn_rule_value){.type = QN_RULE_F32, .real = (float)value};
}
qn_rule_value qn_rule_value_integer(qn_rule_type type, int64_t value) {
  QN_ASSERT(type == QN_RULE_I32 || type == QN_RULE_SIZE || type == QN_RULE_DTYPE_TAG);
  return (qn_rule_value){.type = type, .integer = value};
}
float qn_rule_value_as_real(qn_rule_value value) {
  return value.type == QN_RULE_F32 ? value.real : (float)value.integer;
}

static const char *check_range(qn_rule_type type, int64_t value, qn_rule_value *out_value) {
  if (type == QN_RULE_I32 && (value < INT32_MIN || value > INT32_MAX))
    return "the result does not fit the type int";
  if (type == QN_RULE_SIZE && value < 0) return "a size would be negative";
  *out_value = qn_rule_value_integer(type, value);
  return NULL;
}

/* ---- integers ---- */

static const char *const overflow = "the result does not fit 64 bits";

static const char *add(int64_t a, int64_t b, int64_t *out) {
  return __builtin_add_overflow(a, b, out) ? overflow : NULL;
}
static const char *mul(int64_t a, int64_t b, int64_t *out) {
  return __builtin_mul_overflow(a, b, out) ? overflow : NULL;
}
static const char *sub(int64_t a, int64_t b, int64_t *out) {
  return __builtin_sub_overflow(a, b, out) ? overflow : NULL;
}
static const char *min(int64_t a, int64_t b, int64_t *out) {
  *out = a < b ? a : b;
  return NULL;
}
static const char *max(int64_t a, int64_t b, int64_t *out) {
  *out = a > b ? a : b;
  return NULL;
}
static const char *divide(int64_t a, int64_t b, int64_t *out) {
  if (b == 0) return "division by zero";
  if (b == -1) return sub(0, a, out); /* INT64_MIN / -1 overflows, and traps on x86 */
  *out = a / b;
  return NULL;
}
static const char *rem(int64_t a, int64_t b, int64_t *out) {
  if (b == 0) return "remainder of a division by zero";
  *out = b == -1 ? 0 : a % b;
  return NULL;
}
static const char *mod(int64_t a, int64_t b, int64_t *out) {
  const char *problem = rem(a, b, out);
  if (!problem && *out != 0 && (*out < 0) != (b < 0)) *out += b;
  return problem;
}
static const char *roundup(int64_t a, int64_t b, int64_t *out) {
  if (b <= 0 || (b & (b - 1))) return "the multiple of ROUNDUP is not a power of two";
  int64_t rest;
  const char *problem = mod(a, b, &rest);
  return problem || rest == 0 ? (*out = a, problem) : add(a, b - rest, out);
}

/* ---- floats ---- */

static float add_real(float a, float b) { return a + b; }
static float mul_real(float a, float b) { return a * b; }
static float sub_real(float a, float b) { return a - b; }
static float div_real(float a, float b) { return a / b; }
static float min_real(float a, float b) { return isnan(a) || isnan(b) ? NAN : a < b ? a : b; }
static float max_real(float a, float b) { return isnan(a) || isnan(b) ? NAN : a > b ? a : b; }
static float rem_real(float a, float b) { return fmodf(a, b); }
static float mod_real(float a, float b) {
  float rest = fmodf(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static const struct {
  const char *(*integers)(int64_t a, int64_t b, int64_t *out);
  float (*reals)(float a, float b);
} ops[] = {[QN_RULE_ARITH_ADD] = {add, add_real},    [QN_RULE_ARITH_MUL] = {mul, mul_real},
           [QN_RULE_ARITH_MIN] = {min, min_real},    [QN_RULE_ARITH_MAX] = {max, max_real},
           [QN_RULE_ARITH_SUB] = {sub, sub_real},    [QN_RULE_ARITH_DIV] = {divide, div_real},
           [QN_RULE_ARITH_REM] = {rem, rem_real},    [QN_RULE_ARITH_MOD] = {mod, mod_real},
           [QN_RULE_ARITH_ROUNDUP] = {roundup, NULL}};

const char *qn_rule_value_arith(qn_rule_arith op, qn_rule_type type, qn_rule_value a,
                                qn_rule_value b, qn_rule_value *out_value) {
  QN_ASSERT((size_t)op < QN_COUNT(ops));
  if (type == QN_RULE_F32) {
    *out_value = qn_rule_value_real(
        (double)ops[op].reals(qn_rule_value_as_real(a), qn_rule_value_as_real(b)));
    return NULL;
  }
  QN_ASSERT(a.type != QN_RULE_F32 && b.type != QN_RULE_F32); /* with one the type is F32 */
  int64_t result;
  const char *problem = ops[op].integers(a.integer, b.integer, &result);
  return problem ? problem : check_range(type, result, out_value);
}

const char *qn_rule_value_cast(qn_rule_type type, qn_rule_value a, qn_rule_value *out_value) {
  if (type == QN_RULE_F32) {
    *out_value = qn_rule_value_real((double)qn_rule_value_as_real(a));
    return NULL;
  }
  if (a.type != QN_RULE_F32) return check_range(type, a.integer, out_value);
  if (isnan(a.real) || isinf(a.real)) return "NaN and infinity are no integers";
  if (fabsf(a.real) >= 0x1p63f) return overflow;
  return check_range(type, (int64_t)a.real, out_value);
}

int qn_rule_value_compare(qn_rule_value a, qn_rule_value b) {
  if (a.type == QN_RULE_F32 || b.type == QN_RULE_F32) {
    float x = qn_rule_value_as_real(a), y = qn_rule_value_as_real(b);
    if (isnan(x) || isnan(y)) return 2;
    return (x > y) - (x < y);
  }
  return (a.integer > b.integer) - (a.integer < b.integer);
}

void qn_rule_value_print(qn_rule_value value, qn_text *out) {
  if (value.type == QN_RULE_F32)
    qn_text_format(out, "%.9g", (double)value.real);
  else if (value.type == QN_RULE_BOOL)
    qn_text_puts(out, value.integer ? "true" : "false");
  else if (value.type == QN_RULE_DTYPE_TAG)
    qn_text_format(out, "DType::%s", qn_rule_dtypes[value.integer]);
  else
    qn_text_format(out, "%lld", (long long)value.integer);
}
