/* Compares the encodings of two sides, and converts values between them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/encoding.h"

#include <math.h>
#include <string.h>

/* The range of integers of a type; false for types whose integers a double can't represent. */
static bool range_of(qn_dtype dtype, double *out_low, double *out_high) {
  static const struct {
    qn_dtype dtype;
    double low, high;
  } ranges[] = {{QN_DTYPE_I8, -128, 127},
                {QN_DTYPE_U8, 0, 255},
                {QN_DTYPE_I16, -32768, 32767},
                {QN_DTYPE_I32, INT32_MIN, INT32_MAX}};
  for (size_t i = 0; i < CLI_COUNT(ranges); i++) {
    if (ranges[i].dtype != dtype) continue;
    *out_low = ranges[i].low;
    *out_high = ranges[i].high;
    return true;
  }
  return false;
}

static void put(qn_dtype dtype, void *to, size_t i, double value) {
  if (dtype == QN_DTYPE_I8) ((int8_t *)to)[i] = (int8_t)value;
  if (dtype == QN_DTYPE_U8) ((uint8_t *)to)[i] = (uint8_t)value;
  if (dtype == QN_DTYPE_I16) ((int16_t *)to)[i] = (int16_t)value;
  if (dtype == QN_DTYPE_I32) ((int32_t *)to)[i] = (int32_t)value;
  if (dtype == QN_DTYPE_F32) ((float *)to)[i] = (float)value;
}

/* ---- equality ---- */

static bool same_scale(double a, double b) { return fabs(a - b) <= 0x1p-23 * fmax(a, b); }

bool encoding_is_same(const qn_tensor_info *a, const qn_tensor_info *b) {
  if (a->dtype != b->dtype) return false;
  if (!(a->scale > 0) || !(b->scale > 0)) return true;
  return same_scale(a->scale, b->scale) && a->zero_point == b->zero_point;
}

static const json_t *list(const recorded *t, const char *key) {
  return json_object_get(t->row, key);
}

static double at(const json_t *numbers, size_t i) {
  return json_number_value(json_array_get(numbers, i));
}

/* Compares tensors with several scales. */
static bool same_lists(const recorded *a, const recorded *b) {
  const json_t *p = list(a, "scales"), *q = list(b, "scales");
  const json_t *m = list(a, "zero_points"), *n = list(b, "zero_points");
  size_t count = json_array_size(p);
  if (!count || !json_array_size(q)) return true; /* unknown on one side, or per tensor */
  bool same = count == json_array_size(q);
  for (size_t i = 0; same && i < count; i++)
    same = same_scale(at(p, i), at(q, i)) &&
           json_integer_value(json_array_get(m, i)) == json_integer_value(json_array_get(n, i));
  const json_t *one = list(a, "axis"), *other = list(b, "axis");
  bool axes = json_is_integer(one) && json_is_integer(other);
  return same && (!axes || json_integer_value(one) == json_integer_value(other));
}

bool encodings_differ(const recorded *a, const recorded *b) {
  if (a->info.dtype == QN_DTYPE_F32 || b->info.dtype == QN_DTYPE_F32) return false;
  return !encoding_is_same(&a->info, &b->info) || !same_lists(a, b);
}

static bool is_quantized(const recorded *t) {
  return t->info.scale > 0 || json_array_size(list(t, "scales")) > 0;
}

/* Whether both sides have real values. Integers that are not quantized on either side are their own
 * real values. */
bool encodings_have_reals(const recorded *a, const recorded *b) {
  if (!is_quantized(a) && !is_quantized(b)) return true;
  return a->info.scale > 0 && b->info.scale > 0;
}

/* ---- text for reports ---- */

static json_t *encoding_json(const recorded *t) {
  json_t *scales = json_array(), *zero_points = json_array();
  const json_t *all = list(t, "scales");
  if (json_array_size(all) > 1) {
    json_array_extend(scales, (json_t *)(uintptr_t)all);
    json_array_extend(zero_points, (json_t *)(uintptr_t)list(t, "zero_points"));
  } else if (t->info.scale > 0) {
    json_array_append_new(scales, json_real(t->info.scale));
    json_array_append_new(zero_points, json_integer(t->info.zero_point));
  }
  return json_pack("{s:s, s:o, s:o}", "dtype", qn_dtype_name(t->info.dtype), "scales", scales,
                   "zero_points", zero_points);
}

json_t *encodings_json(const recorded *a, const recorded *b) {
  return json_pack("{s:o, s:o}", "a", encoding_json(a), "b", encoding_json(b));
}

typedef struct teller {
  char *out;
  size_t used, size;
} teller;

static void tell(teller *t, const char *what, const char *a, const char *b) {
  if (t->used >= t->size) return;
  t->used += (size_t)snprintf(t->out + t->used, t->size - t->used, "%s%s %s against %s",
                              t->used ? ", " : "", what, a, b);
}

/* Describes two different scales with as few digits as show the difference. */
static void tell_scale(teller *t, double a, double b) {
  char left[40] = "", right[40] = "";
  for (int digits = 4; digits <= 17 && strcmp(left, right) == 0; digits++) {
    snprintf(left, sizeof left, "%.*g", digits, a);
    snprintf(right, sizeof right, "%.*g", digits, b);
  }
  tell(t, "scale", left, right);
}

static void tell_zero_point(teller *t, const json_t *a, const json_t *b) {
  char left[24], right[24];
  snprintf(left, sizeof left, "%lld", (long long)json_integer_value(a));
  snprintf(right, sizeof right, "%lld", (long long)json_integer_value(b));
  if (strcmp(left, right) != 0) tell(t, "zero point", left, right);
}

static void tell_count(teller *t, size_t a, size_t b) {
  char left[24], right[24];
  snprintf(left, sizeof left, "%zu", a);
  snprintf(right, sizeof right, "%zu", b);
  tell(t, "scales", left, right);
}

void encodings_tell(const json_t *encodings, char *out, size_t size) {
  const json_t *a = json_object_get(encodings, "a"), *b = json_object_get(encodings, "b");
  const json_t *p = json_object_get(a, "scales"), *q = json_object_get(b, "scales");
  const json_t *m = json_object_get(a, "zero_points"), *n = json_object_get(b, "zero_points");
  const char *one = json_string_value(json_object_get(a, "dtype"));
  const char *other = json_string_value(json_object_get(b, "dtype"));
  teller t = {out, 0, size};
  out[0] = '\0';
  if (one && other && strcmp(one, other) != 0) tell(&t, "type", one, other);
  size_t count = json_array_size(p), i = 0;
  if (count != json_array_size(q)) {
    tell_count(&t, count, json_array_size(q));
    return;
  }
  while (i < count && same_scale(at(p, i), at(q, i)) &&
         json_integer_value(json_array_get(m, i)) == json_integer_value(json_array_get(n, i)))
    i++;
  if (i == count) return;
  if (!same_scale(at(p, i), at(q, i))) tell_scale(&t, at(p, i), at(q, i));
  tell_zero_point(&t, json_array_get(m, i), json_array_get(n, i));
}

/* ---- conversion ---- */

/* Tolerance in steps: a real value this close to a stored value counts as equal to it, because
 * float32 is not more precise. */
static const double near = 1e-3;

static encoding_result convert(const qn_tensor_info *from, const void *data,
                               const qn_tensor_info *to, void *out_data) {
  bool to_floats = to->dtype == QN_DTYPE_F32, exact = true;
  double low = -INFINITY, high = INFINITY;
  if (!to_floats && (!(to->scale > 0) || !range_of(to->dtype, &low, &high))) return ENCODING_NONE;
  size_t count = cli_tensor_elements(to);
  for (size_t i = 0; i < count; i++) {
    double real = cli_tensor_real(from, data, i);
    double value = to_floats ? real : real / to->scale + (double)to->zero_point;
    double stored = to_floats ? value : round(real / to->scale) + (double)to->zero_point;
    if (isnan(stored) && !to_floats) stored = (double)to->zero_point;
    if (!to_floats) stored = fmin(fmax(stored, low), high);
    exact = exact && (to_floats || fabs(value - stored) <= near);
    put(to->dtype, out_data, i, stored);
  }
  return exact ? ENCODING_EXACT : ENCODING_NEAREST;
}

encoding_result encoding_convert(const qn_tensor_info *from, const void *data,
                                 const qn_tensor_info *to, void *out_data) {
  if (cli_tensor_elements(from) != cli_tensor_elements(to)) return ENCODING_NONE;
  if (encoding_is_same(from, to)) {
    memcpy(out_data, data, to->bytes);
    return ENCODING_EXACT;
  }
  bool floats = from->dtype == QN_DTYPE_F32;
  double low, high;
  if (!floats && !(from->scale > 0 && range_of(from->dtype, &low, &high))) return ENCODING_NONE;
  return convert(from, data, to, out_data);
}
