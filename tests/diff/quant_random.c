/* quant.qcast and quant.dcast of random quantized types, executed by the interpreter as they are and
 * lowered with every rounding, against their definition computed with integers only (quant_exact.h).
 *
 * With E the expressed float type, s the scale rounded to E, zp the zero point, [min, max] the
 * storage range and C = f32, or f64 when E is f64 or |min|, |max| or |zp| exceeds 2^24:
 *
 *   sequence   qcast(x) = clamp(round(rn_C(x / s)) + zp, min, max)      NaN: clamp(zp)
 *              dcast(q) = rn_E(rn_f64((q - zp) * s))
 *   ideal      qcast(x) = clamp(round(x / s) + zp, min, max)
 *              dcast(q) = rn_E((q - zp) * s)
 *
 * rn is rounding to nearest, ties to even; `round` is the option of the pass, or what the module
 * means: even, away with a profile; everything else is exact. Stochastic rounding of y is floor(y) + (rn_C(y - floor(y)) > u) with the documented
 * sequence of u; ideal is then either neighbour of the rational. Every element must equal the
 * sequence, which is what the pass documents; elements that differ from the ideal are counted: only
 * rn_C of a quotient that is within half a unit in its last place of a boundary can do that.
 *
 * usage: diff_quant_random [cases [first seed]]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "eval/eval.h"
#include "ir/types/float_format.h"
#include "pass/manager.h"
#include "passes/passes.h"
#include "quant_exact.h"
#include "text/text.h"

enum { MAX_RANK = 4, MAX_SIZE = 4, MAX_COUNT = 256 }; /* MAX_SIZE ^ MAX_RANK */

typedef enum shape_kind { SCALAR, STATIC, DYNAMIC, UNRANKED, SHAPE_KINDS } shape_kind;
enum { STOCHASTIC = QN_EXACT_FLOOR + 1, ROUNDINGS };
static const char *const rounding_names[] = {"even", "away", "toward-zero", "floor", "stochastic"};
static const char *const float_names[] = {
    [QN_F16] = "f16", [QN_BF16] = "bf16", [QN_F32] = "f32", [QN_F64] = "f64"};
static const qn_exact_format formats[] = {[QN_F16] = {11, -24, 15},
                                          [QN_BF16] = {8, -133, 127},
                                          [QN_F32] = {24, -149, 127},
                                          [QN_F64] = {53, -1074, 1023}};

typedef struct random_case {
  uint64_t state;
  qn_float_kind expressed;
  int width, rounding;
  bool is_signed;
  int64_t low, high, min, max; /* of the storage type; of the quantized type */
  shape_kind kind;
  int rank;
  int64_t dims[MAX_RANK], blocks[MAX_RANK], count;
  bool dynamic[MAX_RANK];
  qn_quant_scheme scheme;
  int axis;
  int64_t grid[MAX_RANK];
  double scales[MAX_COUNT]; /* as written */
  int64_t zero_points[MAX_COUNT];
  int64_t seed;
} random_case;

typedef struct tally {
  uint64_t qcasts, dcasts, qcasts_off_ideal, dcasts_off_ideal, failures;
} tally;

/* ---- random numbers ---- */

static uint64_t split_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t next(random_case *c) { return split_mix(c->state += UINT64_C(0x9e3779b97f4a7c15)); }

static int64_t between(random_case *c, int64_t lo, int64_t hi) {
  return lo + (int64_t)(next(c) % ((uint64_t)(hi - lo) + 1));
}

static bool one_in(random_case *c, int64_t n) { return between(c, 1, n) == 1; }

/* ---- cases ---- */

static void random_storage(random_case *c) {
  c->width = (int)(one_in(c, 2) ? between(c, 2, 8) : between(c, 2, 32));
  c->is_signed = one_in(c, 2);
  c->low = c->is_signed ? -(INT64_C(1) << (c->width - 1)) : 0;
  c->high = c->low + (INT64_C(1) << c->width) - 1;
  c->min = c->low;
  c->max = c->high;
  if (!one_in(c, 3)) return;
  c->min = between(c, c->low, c->high - 1);
  c->max = between(c, c->min + 1, c->high);
}

static void random_shape(random_case *c) {
  c->kind = (shape_kind)between(c, 0, SHAPE_KINDS - 1);
  c->rank = c->kind == SCALAR ? 0 : (int)between(c, 0, MAX_RANK);
  c->count = 1;
  for (int i = 0; i < c->rank; i++) {
    c->dims[i] = between(c, 1, i < 2 ? MAX_SIZE : 3);
    c->dynamic[i] = c->kind == DYNAMIC && one_in(c, 2);
    c->count *= c->dims[i];
  }
}

static int64_t random_block(random_case *c, int64_t size) {
  if (one_in(c, 3)) return 0; /* one scale for the whole dimension */
  int64_t block = between(c, 1, size);
  while (size % block != 0) block--;
  return block;
}

static void random_scheme(random_case *c) {
  if (c->rank > 0) c->scheme = (qn_quant_scheme)between(c, QN_PER_LAYER, QN_SUB_CHANNEL);
  if (c->scheme == QN_SUB_CHANNEL && c->kind == UNRANKED) c->scheme = QN_PER_AXIS;
  c->axis = c->rank > 0 ? (int)between(c, 0, c->rank - 1) : 0;
  for (int i = 0; i < c->rank; i++) {
    if (c->scheme == QN_PER_AXIS)
      c->grid[i] = i == c->axis ? c->dims[i] : 1;
    else
      c->grid[i] = 1;
    if (c->scheme != QN_SUB_CHANNEL) continue;
    c->blocks[i] = random_block(c, c->dims[i]);
    if (c->blocks[i] > 0) c->grid[i] = c->dims[i] / c->blocks[i];
  }
}

/* Mostly of everyday size; now and then from the whole range of the format, or not a value of it.
 */
static double random_scale(random_case *c) {
  const qn_float_format *format = qn_float_format_of(c->expressed);
  int largest = c->expressed == QN_F16 ? 10 : 20;
  double mantissa = one_in(c, 4) ? 1.0 : 1.0 + (double)(next(c) >> 12) * 0x1p-52;
  double scale = ldexp(mantissa, (int)between(c, c->expressed == QN_F16 ? -12 : -20, largest));
  if (one_in(c, 12)) {
    const qn_exact_format *range = &formats[c->expressed];
    scale = ldexp(mantissa, (int)between(c, range->least, range->largest - 1));
  }
  if (!one_in(c, 3)) scale = qn_float_round(c->expressed, scale);
  return fmin(fmax(scale, format->denormal), format->largest);
}

static int64_t grid_count(const random_case *c) {
  int64_t count = 1;
  for (int i = 0; i < c->rank; i++) count *= c->grid[i];
  return count;
}

static random_case make_case(uint64_t seed) {
  static const qn_float_kind kinds[] = {QN_F32, QN_F32, QN_F64, QN_F16, QN_BF16};
  random_case c = {.state = seed};
  c.expressed = kinds[between(&c, 0, 4)];
  c.rounding = (int)between(&c, 0, ROUNDINGS - 1);
  c.seed = between(&c, -1000, 1000);
  random_storage(&c);
  random_shape(&c);
  random_scheme(&c);
  bool same = one_in(&c, 4), narrow = one_in(&c, 2);
  for (int64_t i = 0; i < grid_count(&c); i++) {
    c.scales[i] = random_scale(&c);
    c.zero_points[i] = narrow ? between(&c, c.min, c.max) : between(&c, c.low, c.high);
    if (same) c.zero_points[i] = c.low <= 0 ? 0 : c.low;
  }
  return c;
}

/* ---- as text ---- */

static void put_grid(const random_case *c, int dim, int64_t *at, qn_text *text) {
  if (dim >= c->rank || dim >= MAX_RANK) {
    uint64_t bits;
    memcpy(&bits, &c->scales[*at], sizeof bits);
    qn_text_format(text, "0x%016llX:%lld", (unsigned long long)bits,
                   (long long)c->zero_points[*at]);
    (*at)++;
    return;
  }
  bool list = c->scheme == QN_SUB_CHANNEL || (c->scheme == QN_PER_AXIS && dim == c->axis);
  if (list) qn_text_puts(text, "{");
  for (int64_t i = 0; i < c->grid[dim]; i++) {
    if (i > 0) qn_text_puts(text, ", ");
    put_grid(c, dim + 1, at, text);
  }
  if (list) qn_text_puts(text, "}");
}

static void put_quant(const random_case *c, qn_text *text) {
  qn_text_format(text, "!q = !quant.uniform<%c%d<%lld:%lld>:%s", c->is_signed ? 'i' : 'u', c->width,
                 (long long)c->min, (long long)c->max, float_names[c->expressed]);
  if (c->scheme == QN_PER_AXIS) qn_text_format(text, ":%d", c->axis);
  if (c->scheme == QN_SUB_CHANNEL) {
    const char *separator = ":{";
    for (int i = 0; i < c->rank; i++) {
      if (c->blocks[i] == 0) continue;
      qn_text_format(text, "%s%d:%lld", separator, i, (long long)c->blocks[i]);
      separator = ", ";
    }
    qn_text_puts(text, separator[0] == ':' ? ":{}" : "}");
  }
  int64_t at = 0;
  qn_text_puts(text, ", ");
  put_grid(c, 0, &at, text);
  qn_text_puts(text, ">\n");
}

static void put_type(const random_case *c, const char *alias, const char *element, qn_text *text) {
  qn_text_format(text, "!%s = ", alias);
  if (c->kind == SCALAR) {
    qn_text_format(text, "%s\n", element);
    return;
  }
  qn_text_puts(text, c->kind == UNRANKED ? "tensor<*x" : "tensor<");
  for (int i = 0; c->kind != UNRANKED && i < c->rank; i++) {
    if (c->dynamic[i])
      qn_text_puts(text, "?x");
    else
      qn_text_format(text, "%lldx", (long long)c->dims[i]);
  }
  qn_text_format(text, "%s>\n", element);
}

static const char profile[] = "module attributes {quern.numerics = \"litert-ref\"} {\n";

static void put_module(const random_case *c, qn_text *text) {
  put_quant(c, text);
  put_type(c, "stored", "!q", text);
  put_type(c, "real", float_names[c->expressed], text);
  if (c->rounding == QN_EXACT_AWAY) qn_text_puts(text, profile);
  qn_text_puts(text, "func.func @quantize(%x: !real) -> !stored {\n"
                     "  %0 = quant.qcast %x : !real to !stored\n  return %0 : !stored\n}\n"
                     "func.func @dequantize(%x: !stored) -> !real {\n"
                     "  %0 = quant.dcast %x : !stored to !real\n  return %0 : !real\n}\n");
  if (c->rounding == QN_EXACT_AWAY) qn_text_puts(text, "}\n");
}

/* ---- the definition ---- */

/* Number of the scale and zero point of an element. */
static int64_t grid_at(const random_case *c, int64_t element) {
  int64_t at[MAX_RANK], result = 0;
  for (int i = c->rank - 1; i >= 0; i--) {
    at[i] = element % c->dims[i];
    element /= c->dims[i];
  }
  for (int i = 0; i < c->rank; i++) {
    int64_t index = c->scheme == QN_PER_AXIS && i == c->axis ? at[i] : 0;
    if (c->blocks[i] > 0) index = at[i] / c->blocks[i];
    result = result * c->grid[i] + index;
  }
  return result;
}

static double scale_of(const random_case *c, int64_t k) {
  qn_exact scale;
  qn_exact_to_format(qn_exact_of(c->scales[k]), formats[c->expressed], &scale);
  return qn_exact_to_double(scale);
}

/* One wide zero point makes the whole cast compute in f64. */
static bool computes_in_single(const random_case *c) {
  const int64_t limit = INT64_C(1) << 24;
  bool fits = c->min >= -limit && c->max <= limit;
  for (int64_t i = 0; i < grid_count(c); i++)
    fits = fits && c->zero_points[i] >= -limit && c->zero_points[i] <= limit;
  return fits && c->expressed != QN_F64;
}

static int64_t clamp(const random_case *c, int64_t x) {
  return x < c->min ? c->min : x > c->max ? c->max : x;
}

/* floor(y) or one more, by the number of the stream that belongs to the element. */
static int64_t round_stochastic(const random_case *c, qn_exact y, bool single, int64_t element) {
  int64_t floor_of = qn_exact_to_integer(y, QN_EXACT_FLOOR);
  if (floor_of >= INT64_C(1) << 40 || floor_of <= -(INT64_C(1) << 40)) return floor_of;
  double value = qn_exact_to_double(y), fraction = value - (double)floor_of;
  if (single) fraction = (double)((float)value - (float)floor_of);
  uint64_t stream = qn_hash_mix((uint64_t)c->seed, 0);
  uint64_t bits = split_mix(stream + (uint64_t)element * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
  return floor_of + (fraction > ldexp((double)bits, -24) ? 1 : 0);
}

static int64_t define_qcast(const random_case *c, double x, int64_t element, bool *out_ideal) {
  int64_t k = grid_at(c, element), zero = c->zero_points[k];
  *out_ideal = true;
  if (isnan(x)) return clamp(c, zero);
  if (isinf(x)) return x < 0 ? c->min : c->max;
  qn_exact quotient = qn_exact_quotient(qn_exact_of(x), qn_exact_of(scale_of(c, k))), y;
  bool single = computes_in_single(c);
  if (!qn_exact_to_format(quotient, formats[single ? QN_F32 : QN_F64], &y))
    return x < 0 ? c->min : c->max;
  if (c->rounding == STOCHASTIC) {
    int64_t result = clamp(c, round_stochastic(c, y, single, element) + zero);
    int64_t below = qn_exact_to_integer(quotient, QN_EXACT_FLOOR) + zero;
    *out_ideal = result == clamp(c, below) || result == clamp(c, below + 1);
    return result;
  }
  qn_exact_rounding rounding = (qn_exact_rounding)c->rounding;
  int64_t result = clamp(c, qn_exact_to_integer(y, rounding) + zero);
  *out_ideal = result == clamp(c, qn_exact_to_integer(quotient, rounding) + zero);
  return result;
}

static double to_format(qn_exact x, qn_float_kind kind, bool *out_finite, qn_exact *out_x) {
  *out_finite = qn_exact_to_format(x, formats[kind], out_x);
  if (*out_finite) return qn_exact_to_double(*out_x);
  return x.negative ? -(double)INFINITY : (double)INFINITY;
}

static double define_dcast(const random_case *c, int64_t stored, int64_t element, bool *out_ideal) {
  int64_t k = grid_at(c, element);
  qn_exact product = qn_exact_product(stored - c->zero_points[k], qn_exact_of(scale_of(c, k))),
           wide, y;
  bool finite;
  double ideal = to_format(product, c->expressed, &finite, &y);
  double result = to_format(product, QN_F64, &finite, &wide);
  if (finite) result = to_format(wide, c->expressed, &finite, &y);
  *out_ideal = result == ideal;
  return result;
}

/* ---- inputs ---- */

/* Near ties and integers of the stored scale, beyond its ends, and any bit pattern. */
static double random_real(random_case *c, int64_t element) {
  int64_t k = grid_at(c, element), span = c->max - c->min;
  double scale = scale_of(c, k), special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
  switch (between(c, 0, 9)) {
  case 0:
    return special[between(c, 0, 4)];
  case 1: {
    uint32_t width = qn_float_format_of(c->expressed)->width;
    return qn_float_decode(c->expressed, next(c) >> (64 - width));
  }
  default:
    break;
  }
  int64_t reach = one_in(c, 3) ? span + 3 : 40;
  double steps = (double)between(c, -reach, reach);
  if (one_in(c, 2)) steps = (double)(between(c, c->min - 2, c->max + 2) - c->zero_points[k]);
  if (one_in(c, 2))
    steps += 0.5;
  else if (one_in(c, 2))
    steps += (double)(next(c) >> 11) * 0x1p-53;
  double x = steps * scale;
  if (one_in(c, 4)) {
    double toward = one_in(c, 2) ? (double)INFINITY : -(double)INFINITY;
    x = c->expressed == QN_F32 ? (double)nextafterf((float)x, (float)toward) : nextafter(x, toward);
  }
  return qn_float_round(c->expressed, x);
}

/* The bits of the storage type as a number. */
static int64_t as_stored(const random_case *c, int64_t bits) {
  uint64_t high = (uint64_t)bits << (64 - c->width);
  return c->is_signed ? (int64_t)high >> (64 - c->width) : (int64_t)(high >> (64 - c->width));
}

/* ---- executing ---- */

typedef struct instance {
  qn_ir_context cx;
  qn_arena arena;
  qn_module *module;
} instance;

static void print_diagnostic(void *user, const qn_diag *diag) {
  (void)user;
  fprintf(stderr, "%.*s\n", QN_STR_ARG(diag->text));
}

static bool parse(instance *in, qn_str text) {
  return qn_text_parse(&in->cx, text, qn_str_of("case"), &in->module) == QN_OK &&
         qn_verify(in->module) == QN_OK;
}

/* The roundings that a module can mean without the pass. */
static bool is_of_module(const random_case *c) {
  return c->rounding == QN_EXACT_EVEN || c->rounding == QN_EXACT_AWAY;
}

static bool lower(instance *in, const qn_registry *registry, random_case *c) {
  qn_pipeline *pipeline = NULL;
  const char *name = is_of_module(c) && one_in(c, 2) ? "module" : rounding_names[c->rounding];
  qn_str passes = qn_arena_format(&in->arena, "lower-quant-ops{rounding=%s seed=%lld}", name,
                                  (long long)c->seed);
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  bool done =
      qn_pipeline_parse_text(&in->cx, registry, passes, qn_str_of("passes"), &pipeline) == QN_OK &&
      qn_pipeline_execute(in->module, pipeline, &settings) == QN_OK;
  qn_pipeline_destroy(pipeline);
  return done;
}

static qn_rt_value new_value(instance *in, const random_case *c, const qn_type *element) {
  qn_rt_value value = {.type = element};
  if (c->kind == SCALAR) return value;
  value.type = qn_type_tensor(&in->cx, element, (uint32_t)c->rank, c->dims);
  value.size = c->count * qn_type_bytes(element);
  value.data = qn_arena_alloc(&in->arena, (size_t)value.size);
  return value;
}

static const qn_type *argument_element(const qn_op *func) {
  return qn_type_element(qn_op_body(func)->args[0]->type);
}

static bool call(instance *in, const qn_op *func, const qn_rt_value *x, qn_rt_value *out_y) {
  return qn_eval_call(in->module, func, x, 1, out_y, &in->arena, NULL) == QN_OK;
}

static void complain(const random_case *c, qn_str text, const char *what, double x, double is,
                     double expected, tally *t) {
  t->failures++;
  if (t->failures > 5) return;
  printf("%.*srounding %s, %s of %a: is %a, expected %a\n", QN_STR_ARG(text),
         rounding_names[c->rounding], what, x, is, expected);
}

static bool check_qcasts(instance *in, random_case *c, qn_str text, tally *t) {
  const qn_op *func = qn_module_lookup(in->module, qn_str_of("quantize"));
  qn_rt_value x = new_value(in, c, argument_element(func)), y;
  uint32_t bytes = qn_type_bytes(qn_type_element(x.type));
  double reals[MAX_COUNT];
  for (int64_t i = 0; i < c->count; i++) {
    reals[i] = random_real(c, i);
    if (c->kind == SCALAR)
      x.f = reals[i];
    else
      qn_float_store(c->expressed, reals[i], x.data + i * bytes);
  }
  if (!call(in, func, &x, &y)) return false;
  bytes = qn_type_bytes(qn_type_element(y.type));
  for (int64_t i = 0; i < c->count; i++) {
    int64_t bits = y.i;
    bool ideal;
    if (c->kind != SCALAR) memcpy(&bits, y.data + i * bytes, bytes);
    int64_t is = as_stored(c, bits), expected = define_qcast(c, reals[i], i, &ideal);
    t->qcasts++;
    if (!ideal) t->qcasts_off_ideal++;
    if (is != expected) complain(c, text, "qcast", reals[i], (double)is, (double)expected, t);
  }
  return true;
}

static bool check_dcasts(instance *in, random_case *c, qn_str text, tally *t) {
  const qn_op *func = qn_module_lookup(in->module, qn_str_of("dequantize"));
  qn_rt_value x = new_value(in, c, argument_element(func)), y;
  uint32_t bytes = qn_type_bytes(qn_type_element(x.type));
  int64_t stored[MAX_COUNT];
  for (int64_t i = 0; i < c->count; i++) {
    stored[i] = one_in(c, 8) ? (one_in(c, 2) ? c->min : c->max) : between(c, c->min, c->max);
    if (c->kind == SCALAR)
      x.i = stored[i];
    else
      memcpy(x.data + i * bytes, &stored[i], bytes);
  }
  if (!call(in, func, &x, &y)) return false;
  bytes = qn_type_bytes(qn_type_element(y.type));
  for (int64_t i = 0; i < c->count; i++) {
    bool ideal;
    double is = c->kind == SCALAR ? y.f : qn_float_load(c->expressed, y.data + i * bytes);
    double expected = define_dcast(c, stored[i], i, &ideal);
    t->dcasts++;
    if (!ideal) t->dcasts_off_ideal++;
    if (is != expected) complain(c, text, "dcast", (double)stored[i], is, expected, t);
  }
  return true;
}

static bool check_casts(instance *in, random_case *c, qn_str text, tally *t) {
  return check_qcasts(in, c, text, t) && check_dcasts(in, c, text, t);
}

static void check_case(const qn_registry *registry, uint64_t seed, tally *t) {
  random_case c = make_case(seed);
  instance in = {.module = NULL};
  qn_text text = {0};
  qn_ir_context_init(&in.cx);
  qn_arena_init(&in.arena);
  in.cx.diag.handler = print_diagnostic;
  in.cx.print_type = qn_text_print_type;
  put_module(&c, &text);
  qn_str view = qn_text_view(&text);
  bool done = parse(&in, view);
  if (is_of_module(&c)) done = done && check_casts(&in, &c, view, t);
  if (!done || !lower(&in, registry, &c) || !check_casts(&in, &c, view, t)) {
    printf("%.*sis not executed\n", QN_STR_ARG(view));
    t->failures++;
  }
  qn_module_destroy(in.module);
  qn_text_deinit(&text);
  qn_arena_deinit(&in.arena);
  qn_ir_context_deinit(&in.cx);
}

int main(int argc, char **argv) {
  uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  qn_registry registry = {0};
  tally t = {0};
  qn_registry_add_table(&registry, qn_passes);
  for (uint64_t i = 0; i < cases && t.failures < 100; i++) check_case(&registry, first + i, &t);
  qn_registry_deinit(&registry);
  printf("%llu cases, %llu failures\n", (unsigned long long)cases, (unsigned long long)t.failures);
  printf("qcast: %llu elements, %llu differ from the rational quotient's rounding\n",
         (unsigned long long)t.qcasts, (unsigned long long)t.qcasts_off_ideal);
  printf("dcast: %llu elements, %llu differ from the rational product's rounding\n",
         (unsigned long long)t.dcasts, (unsigned long long)t.dcasts_off_ideal);
  return t.failures != 0;
}
