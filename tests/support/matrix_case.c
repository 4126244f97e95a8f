/* Random matrix products and convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/matrix_case.h"

#include "ir/builder.h"
#include "ir/verify/check.h"
#include "quant/multiplier.h"

qn_case qn_case_plain(qn_case_op op, qn_case_weights weights) {
  return (qn_case){.op = op,
                   .batch = 1,
                   .height = 1,
                   .width = 1,
                   .kernel_height = 1,
                   .kernel_width = 1,
                   .stride = 1,
                   .dilation = 1,
                   .groups = 1,
                   .weights = weights};
}

uint32_t qn_case_random(uint32_t *state) {
  *state = *state * 1664525U + 1013904223U;
  return *state >> 8;
}

int64_t qn_case_range(uint32_t *state, int64_t lo, int64_t hi) {
  return lo + (int64_t)(qn_case_random(state) % (uint32_t)(hi - lo + 1));
}

static int32_t random_in(uint32_t *state, int32_t lo, int32_t hi) {
  return (int32_t)qn_case_range(state, lo, hi);
}

static int32_t random_weight(qn_case_weights style, uint32_t *seed) {
  bool coin = qn_case_random(seed) & 1;
  switch (style) {
  case QN_CASE_FULL:
    return random_in(seed, -128, 127);
  case QN_CASE_EXTREME:
    return coin ? -128 : 127;
  case QN_CASE_LIMIT:
    return (coin ? 1 : -1) * (random_in(seed, 0, 15) == 0 ? 33 : 32);
  case QN_CASE_TRAINED:
    return (random_in(seed, -127, 127) + random_in(seed, -127, 127) + random_in(seed, -127, 127)) /
           3;
  case QN_CASE_WIDE:
    return random_in(seed, -255, 255);
  case QN_CASE_WIDEST:
    return coin ? -255 : 255;
  case QN_CASE_RAISED:
    return random_in(seed, 0, 255);
  case QN_CASE_WHOLE:
    return coin ? INT16_MIN : random_in(seed, INT16_MIN, INT16_MAX);
  default:
    return random_in(seed, -30, 30);
  }
}

static int64_t extent(int64_t kernel, int64_t dilation) { return (kernel - 1) * dilation + 1; }

static qn_requant_rounding rounding_of(const qn_case *s) {
  if (s->real) return QN_REQUANT_REAL;
  return s->words ? QN_REQUANT_REDUCED : QN_REQUANT_DOUBLE;
}

/* Dimensions after the phases, the concatenation and the padding. */
typedef struct result_dims {
  int64_t phases[4], joined[4], all[4];
} result_dims;

static result_dims result_dims_of(const qn_case_data *d) {
  const qn_case *s = &d->shape;
  const int64_t rows = s->phase_rows ? s->phase_rows : 1;
  const int64_t columns = s->phase_columns ? s->phase_columns : 1;
  const int64_t halo = s->padded ? 3 : 0; /* of build_pad */
  result_dims dims = {.phases = {s->batch, d->out_height * rows, d->out_width * columns,
                                 s->out_channels / (rows * columns)}};
  for (int i = 0; i < 4; i++) dims.joined[i] = dims.phases[i] * (i == 3 && s->joined ? 2 : 1);
  for (int i = 0; i < 4; i++) dims.all[i] = dims.joined[i] + (i == 1 || i == 2 ? halo : 0);
  return dims;
}

qn_case_data qn_case_make(qn_arena *arena, const qn_case *shape) {
  qn_case_data d = {.shape = *shape};
  bool linear = shape->op == QN_CASE_LINEAR;
  d.out_height =
      (shape->height - extent(shape->kernel_height, shape->dilation)) / shape->stride + 1;
  d.out_width = (shape->width - extent(shape->kernel_width, shape->dilation)) / shape->stride + 1;
  if (linear) d.out_height = shape->height, d.out_width = shape->width;
  d.taps = linear ? shape->channels : shape->kernel_height * shape->kernel_width;
  if (shape->op == QN_CASE_CONV) d.taps *= shape->channels / shape->groups;
  d.x_count = shape->batch * shape->height * shape->width * shape->channels;
  d.y_count = shape->batch * d.out_height * d.out_width * shape->out_channels;
  result_dims dims = result_dims_of(&d);
  d.result_count = dims.all[0] * dims.all[1] * dims.all[2] * dims.all[3];
  size_t channels = (size_t)shape->out_channels;
  d.weights = QN_NEW_ARRAY(arena, channels * (size_t)d.taps, int32_t);
  d.bias = QN_NEW_ARRAY(arena, channels, int64_t);
  d.element_bytes = shape->words ? 2 : 1;
  d.result_bytes = d.result_count * (shape->dequantized ? (int64_t)sizeof(float) : d.element_bytes);
  d.requant = QN_NEW_ARRAY(arena, channels, qn_requant);
  uint32_t seed = shape->seed;
  for (int64_t i = 0; i < shape->out_channels * d.taps; i++)
    d.weights[i] = random_weight(shape->weights, &seed);
  d.stored = QN_NEW_ARRAY(arena, channels * (size_t)d.taps, uint8_t);
  d.given_bias = QN_NEW_ARRAY(arena, channels, int32_t);
  for (int64_t i = 0; i < shape->out_channels * d.taps && shape->given; i++) {
    d.stored[i] = (uint8_t)d.weights[i];
    d.weights[i] = (shape->w_unsigned ? d.stored[i] : (int8_t)d.stored[i]) - shape->w_zero;
  }
  for (size_t c = 0; c < channels; c++) {
    d.bias[c] = random_in(&seed, -20000, 20000);
    d.given_bias[c] = (int32_t)d.bias[c];
    double real = shape->scale * (1 + random_in(&seed, 0, 1000) / 1000.0);
    if (shape->alike) real = shape->scale;
    d.requant[c] = (qn_requant){.rounding = rounding_of(shape),
                                .multiplier = qn_multiplier_of(real),
                                .real = real,
                                .zero_point = shape->zero_point,
                                .min = shape->min,
                                .max = shape->max};
  }
  return d;
}

/* ---- the reference: plain loops ---- */

static int32_t element(const qn_case_data *d, const uint8_t *x, int64_t at) {
  if (d->shape.words) return (int16_t)(x[2 * at] | x[2 * at + 1] << 8);
  return (d->shape.x_unsigned ? x[at] : (int8_t)x[at]) - d->shape.x_zero;
}

static int64_t accumulate(const qn_case_data *d, const uint8_t *x, int64_t pixel, int64_t c) {
  const qn_case *s = &d->shape;
  const int32_t *w = d->weights + c * d->taps;
  int64_t sum = d->bias[c];
  if (s->op == QN_CASE_LINEAR) {
    for (int64_t t = 0; t < d->taps; t++)
      sum += (int64_t)w[t] * element(d, x, pixel * s->channels + t);
    return sum;
  }
  int64_t groups = s->op == QN_CASE_CONV ? s->groups : s->channels;
  int64_t depth = s->channels / groups, from = c / (s->out_channels / groups) * depth;
  int64_t ox = pixel % d->out_width, row = pixel / d->out_width;
  int64_t oy = row % d->out_height, image = row / d->out_height;
  for (int64_t ky = 0; ky < s->kernel_height; ky++)
    for (int64_t kx = 0; kx < s->kernel_width; kx++)
      for (int64_t i = 0; i < depth; i++) {
        int64_t y = oy * s->stride + ky * s->dilation, column = ox * s->stride + kx * s->dilation;
        int64_t at = ((image * s->height + y) * s->width + column) * s->channels + from + i;
        sum += (int64_t)*w++ * element(d, x, at);
      }
  return sum;
}

void qn_case_reference(const qn_case_data *d, const uint8_t *x, uint8_t *out_y) {
  int64_t channels = d->shape.out_channels;
  for (int64_t i = 0; i < d->y_count; i++) {
    const qn_requant *r = &d->requant[i % channels];
    int64_t sum = accumulate(d, x, i / channels, i % channels);
    if (!d->shape.words) {
      out_y[i] = (uint8_t)qn_requant_apply(r, (int32_t)sum);
      continue;
    }
    int32_t y = d->shape.real ? qn_requant_real(sum, r->real)
                              : qn_requant64(sum, r->multiplier.mantissa, r->multiplier.shift);
    uint32_t word = (uint32_t)(y < r->min ? r->min : y > r->max ? r->max : y);
    out_y[2 * i] = (uint8_t)word, out_y[2 * i + 1] = (uint8_t)(word >> 8);
  }
}

void qn_case_fill(const qn_case_data *d, uint32_t *seed, uint8_t *out_x) {
  uint32_t style = qn_case_random(seed) % 4;
  for (int64_t i = 0; i < d->x_count * d->element_bytes; i++) {
    bool low = d->shape.words && i % 2 == 0; /* whether the byte is the low byte of an int16 */
    out_x[i] = (uint8_t)(qn_case_random(seed) >> 4);
    if (style == 1) out_x[i] = d->shape.x_unsigned || low ? 255 : 127;
    if (style == 2) out_x[i] = out_x[i] & 1 ? 255 : 0;
    if (style == 3 && d->shape.words) out_x[i] = low ? 0 : 128;
  }
}

/* ---- as IR ---- */

static qn_value *constant(qn_builder *b, const qn_type *element, uint32_t rank, const int64_t *dims,
                          const void *bytes) {
  const qn_type *type = qn_type_tensor(b->cx, element, rank, dims);
  qn_bytes payload = {bytes, (size_t)qn_type_size(type)};
  const qn_attr *value = qn_attr_dense(b->cx, type, payload, false);
  return qn_build_1(b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* Weights as an i8 or i16 constant, in the operator's own order: channels last for depthwise. */
static qn_value *weight_constant(qn_builder *b, const qn_case_data *d) {
  const qn_case *s = &d->shape;
  bool wide = s->weights >= QN_CASE_WIDE, depthwise = s->op == QN_CASE_DEPTHWISE;
  int64_t count = s->out_channels * d->taps;
  int16_t *i16 = qn_arena_array(&b->module->arena, (size_t)count, sizeof *i16);
  int8_t *i8 = qn_arena_array(&b->module->arena, (size_t)count, sizeof *i8);
  for (int64_t c = 0; c < s->out_channels; c++)
    for (int64_t t = 0; t < d->taps; t++) {
      int64_t at = depthwise ? t * s->out_channels + c : c * d->taps + t;
      i16[at] = (int16_t)d->weights[c * d->taps + t];
      i8[at] = (int8_t)i16[at];
    }
  int64_t conv[] = {s->out_channels, s->kernel_height, s->kernel_width, s->channels / s->groups};
  int64_t spread[] = {1, s->kernel_height, s->kernel_width, s->out_channels};
  int64_t linear[] = {s->out_channels, s->channels};
  const int64_t *dims = depthwise ? spread : s->op == QN_CASE_CONV ? conv : linear;
  return constant(b, qn_type_i(b->cx, wide ? 16 : 8), s->op == QN_CASE_LINEAR ? 2 : 4, dims,
                  wide ? (const void *)i16 : i8);
}

static const qn_type *given_weights(qn_ir_context *cx, const qn_case_data *d) {
  const qn_case *s = &d->shape;
  const int64_t conv[] = {s->out_channels, s->kernel_height, s->kernel_width,
                          s->channels / s->groups};
  const int64_t linear[] = {s->out_channels, s->channels};
  bool flat = s->op == QN_CASE_LINEAR;
  const qn_type *byte = qn_type_integer(cx, 8, s->w_unsigned ? QN_UNSIGNED : QN_SIGNLESS);
  return qn_type_tensor(cx, byte, flat ? 2 : 4, flat ? linear : conv);
}

static qn_value *multiplier_constant(qn_builder *b, const qn_case_data *d, bool shift) {
  int64_t n = d->shape.out_channels;
  double *reals = qn_arena_array(&b->module->arena, (size_t)n, sizeof *reals);
  int32_t *ints = qn_arena_array(&b->module->arena, (size_t)n, sizeof *ints);
  for (int64_t c = 0; c < n; c++) {
    reals[c] = d->requant[c].real;
    ints[c] = shift ? d->requant[c].multiplier.shift : d->requant[c].multiplier.mantissa;
    if (shift && d->shape.real) ints[c] = 0;
  }
  if (d->shape.real && !shift) return constant(b, qn_type_float(b->cx, QN_F64), 1, &n, reals);
  return constant(b, qn_type_i(b->cx, 32), 1, &n, ints);
}

static qn_value *bias_constant(qn_builder *b, const qn_case_data *d) {
  int64_t n = d->shape.out_channels;
  if (d->shape.words) return constant(b, qn_type_i(b->cx, 64), 1, &n, d->bias);
  int32_t *narrow = qn_arena_array(&b->module->arena, (size_t)n, sizeof *narrow);
  for (int64_t c = 0; c < n; c++) narrow[c] = (int32_t)d->bias[c];
  return constant(b, qn_type_i(b->cx, 32), 1, &n, narrow);
}

static const qn_type *activation(qn_ir_context *cx, const qn_case *s, bool is_unsigned,
                                 const int64_t dims[4]) {
  const qn_type *byte = qn_type_integer(cx, 8, is_unsigned ? QN_UNSIGNED : QN_SIGNLESS);
  const qn_type *element = s->words ? qn_type_i(cx, 16) : byte;
  bool flat = s->op == QN_CASE_LINEAR;
  const int64_t two[] = {dims[0] * dims[1] * dims[2], dims[3]};
  return qn_type_tensor(cx, element, flat ? 2 : 4, flat ? two : dims);
}

/* Builds the op. `given`: runtime weights and bias; NULL: both are constants. */
static qn_value *build_op(qn_builder *b, const qn_case_data *d, qn_value *x, qn_value *const *given,
                          const qn_type *y) {
  static const qn_op_kind kinds[] = {[QN_CASE_CONV] = QN_OP_ML_INTEGER_CONV,
                                     [QN_CASE_DEPTHWISE] = QN_OP_ML_INTEGER_DEPTHWISE_CONV,
                                     [QN_CASE_LINEAR] = QN_OP_ML_INTEGER_LINEAR};
  static const char *const roundings[] = {
      [QN_REQUANT_DOUBLE] = "double", [QN_REQUANT_REAL] = "real", [QN_REQUANT_REDUCED] = "reduced"};
  const qn_case *s = &d->shape;
  qn_value *weights = given ? given[0] : weight_constant(b, d);
  qn_value *bias = given ? given[1] : bias_constant(b, d);
  qn_value *multiplier = multiplier_constant(b, d, false), *shift = multiplier_constant(b, d, true);
  int64_t pad[4] = {0}, strides[2] = {s->stride, s->stride},
          dilations[2] = {s->dilation, s->dilation};
  qn_attr_arg attrs[12] = {
      {"input_zero_point", qn_attr_i64(b->cx, s->x_zero)},
      {"weight_zero_point", qn_attr_i64(b->cx, s->w_zero)},
      {"output_zero_point", qn_attr_i64(b->cx, s->zero_point)},
      {"rounding", qn_attr_string(b->cx, qn_str_of(roundings[rounding_of(s)]))},
      {"min", qn_attr_i64(b->cx, s->min)},
      {"max", qn_attr_i64(b->cx, s->max)},
  };
  uint32_t used = 6;
  if (s->op != QN_CASE_LINEAR) {
    attrs[used++] = (qn_attr_arg){"pad", qn_attr_i64s(b->cx, pad, 4)};
    attrs[used++] = (qn_attr_arg){"strides", qn_attr_i64s(b->cx, strides, 2)};
    attrs[used++] = (qn_attr_arg){"dilations", qn_attr_i64s(b->cx, dilations, 2)};
  }
  if (s->op == QN_CASE_CONV) attrs[used++] = (qn_attr_arg){"groups", qn_attr_i64(b->cx, s->groups)};
  return qn_build_1(b, kinds[s->op], y, QN_VALUES(x, weights, bias, multiplier, shift), attrs);
}

/* The sum of two tensors with different scales. */
static qn_value *build_sum(qn_builder *b, const qn_case_data *d, qn_value *first,
                           qn_value *second) {
  qn_add_multipliers m = qn_multipliers_add(&qn_profile_litert_ref, 8, 0.5, 0.3, 0.7, false);
  int64_t zero = d->shape.zero_point, lo = d->shape.y_unsigned ? 0 : -128;
  const qn_attr_arg attrs[] = {
      {"a_zero_point", qn_attr_i64(b->cx, zero)},
      {"b_zero_point", qn_attr_i64(b->cx, zero)},
      {"left_shift", qn_attr_i64(b->cx, m.left_shift)},
      {"a_multiplier", qn_attr_i64(b->cx, m.a.mantissa)},
      {"a_shift", qn_attr_i64(b->cx, m.a.shift)},
      {"b_multiplier", qn_attr_i64(b->cx, m.b.mantissa)},
      {"b_shift", qn_attr_i64(b->cx, m.b.shift)},
      {"multiplier", qn_attr_i64(b->cx, m.output.mantissa)},
      {"shift", qn_attr_i64(b->cx, m.output.shift)},
      {"output_zero_point", qn_attr_i64(b->cx, zero)},
      {"min", qn_attr_i64(b->cx, lo)},
      {"max", qn_attr_i64(b->cx, lo + 255)},
      {NULL, NULL},
  };
  return qn_build_1(b, QN_OP_ML_INTEGER_ADD, first->type, QN_VALUES(first, second), attrs);
}

static qn_value *build_reshape(qn_builder *b, qn_value *y, uint32_t rank, const int64_t *dims) {
  const qn_type *type = qn_type_tensor(b->cx, qn_type_element(y->type), rank, dims);
  return qn_build_1(b, QN_OP_ML_RESHAPE, type, QN_VALUES(y), NULL);
}

/* Brings the phases to their rows and columns, as src/ir/float_form/phases.c does. */
static qn_value *build_phases(qn_builder *b, const qn_case_data *d, qn_value *y,
                              const int64_t dims[4]) {
  enum { RANK = 5 };
  const qn_case *s = &d->shape;
  const int64_t perm[RANK] = {0, 1, 3, 2, 4};
  const int64_t apart[RANK] = {s->batch, d->out_height, d->out_width, s->phase_rows,
                               s->phase_columns * dims[3]};
  const int64_t moved[RANK] = {apart[0], apart[1], apart[3], apart[2], apart[4]};
  y = build_reshape(b, y, RANK, apart);
  const qn_type *type = qn_type_tensor(b->cx, qn_type_element(y->type), RANK, moved);
  y = qn_build_1(b, QN_OP_ML_TRANSPOSE, type, QN_VALUES(y),
                 QN_ATTRS({"perm", qn_attr_i64s(b->cx, perm, RANK)}));
  return build_reshape(b, y, 4, dims);
}

/* Pads y: one row above, two rows below, two columns to the left, one to the right. */
static qn_value *build_pad(qn_builder *b, const qn_case_data *d, qn_value *y, const qn_type *type) {
  const int64_t pad[] = {0, 0, 1, 2, 2, 1, 0, 0};
  return qn_build_1(b, QN_OP_ML_PAD, type, QN_VALUES(y),
                    QN_ATTRS({"pad", qn_attr_i64s(b->cx, pad, 8)},
                             {"value", qn_attr_i64(b->cx, d->shape.zero_point)}));
}

static qn_value *build_concat(qn_builder *b, const qn_case_data *d, qn_value *y, qn_value *other,
                              const qn_type *type) {
  bool second = d->shape.residual_first;
  if (!qn_same_shape(y->type, other->type))
    other = build_reshape(b, other, 4, y->type->shaped.dims);
  return qn_build_1(b, QN_OP_ML_CONCAT, type, QN_VALUES(second ? other : y, second ? y : other),
                    QN_ATTRS({"axis", qn_attr_i64(b->cx, 3)}));
}

static qn_value *build_real(qn_builder *b, const qn_case_data *d, qn_value *y,
                            const qn_type *type) {
  const qn_attr *scale = qn_attr_float(b->cx, 0.0173, qn_type_float(b->cx, QN_F64));
  return qn_build_1(
      b, QN_OP_ML_DEQUANTIZE_FLOAT, type, QN_VALUES(y),
      QN_ATTRS({"scale", scale}, {"zero_point", qn_attr_i64(b->cx, d->shape.zero_point)}));
}

qn_module *qn_case_module(qn_ir_context *cx, const qn_case_data *d) {
  const qn_case *s = &d->shape;
  const qn_loc *loc = cx->diag.unknown;
  qn_module *module = qn_module_create(cx, loc);
  const int64_t x_dims[] = {s->batch, s->height, s->width, s->channels};
  const int64_t y_dims[] = {s->batch, d->out_height, d->out_width, s->out_channels};
  const qn_type *x = activation(cx, s, s->x_unsigned, x_dims);
  const qn_type *y = activation(cx, s, s->y_unsigned, y_dims);
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), loc);
  const result_dims dims = result_dims_of(d);
  const qn_type *inputs[4] = {x, y}, *out = activation(cx, s, s->y_unsigned, dims.all);
  const qn_type *joined = activation(cx, s, s->y_unsigned, dims.joined);
  if (s->dequantized) out = qn_type_tensor(cx, qn_type_float(cx, QN_F32), 4, y_dims);
  uint32_t own = qn_case_reads_r(s) ? 2 : 1;
  if (s->given) {
    inputs[own] = given_weights(cx, d);
    inputs[own + 1] = qn_type_tensor(cx, qn_type_i(cx, 32), 1, &s->out_channels);
  }
  const qn_type *type = qn_type_function(cx, inputs, s->given ? own + 2 : own, &out, 1);
  qn_op *func = qn_build_func(&b, qn_str_of("main"), type, NULL);
  b = qn_builder_at_end(module, qn_op_body(func), loc);
  qn_value *const *args = qn_op_body(func)->args;
  qn_value *result = build_op(&b, d, args[0], s->given ? args + own : NULL, y);
  if (s->residual)
    result =
        s->residual_first ? build_sum(&b, d, args[1], result) : build_sum(&b, d, result, args[1]);
  if (s->phase_rows) result = build_phases(&b, d, result, dims.phases);
  if (s->joined) result = build_concat(&b, d, result, args[1], joined);
  if (s->padded) result = build_pad(&b, d, result, out);
  if (s->dequantized) result = build_real(&b, d, result, out);
  qn_build_0(&b, QN_OP_FUNC_RETURN, QN_VALUES(result), NULL);
  return module;
}

static const char *element_name(const qn_case *s, bool is_unsigned) {
  return s->words ? "i16" : is_unsigned ? "ui8" : "i8";
}

const char *qn_case_describe(qn_arena *arena, const qn_case *s) {
  static const char *const names[] = {"conv", "depthwise", "linear"};
  return qn_arena_format(
             arena,
             "%s %dx%dx%dx%d -> %d, kernel %dx%d stride %d dilation %d groups %d, "
             "weights %d%s, %s -> %s%s%s, phases %dx%d%s%s%s, scale %g zp %d [%d, %d], seed %u",
             names[s->op], (int)s->batch, (int)s->height, (int)s->width, (int)s->channels,
             (int)s->out_channels, (int)s->kernel_height, (int)s->kernel_width, (int)s->stride,
             (int)s->dilation, (int)s->groups, (int)s->weights, s->given ? " given" : "",
             element_name(s, s->x_unsigned), element_name(s, s->y_unsigned), s->real ? " real" : "",
             !s->residual        ? ""
             : s->residual_first ? " to r"
                                 : " + r",
             (int)s->phase_rows, (int)s->phase_columns, s->joined ? " joined" : "",
             s->padded ? " padded" : "", s->dequantized ? " to f32" : "", s->scale, s->zero_point,
             s->min, s->max, s->seed)
      .data;
}

const char *qn_case_difference(qn_arena *arena, const qn_case *shape, const char *where,
                               const uint8_t *y, const uint8_t *expected, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (y[i] != expected[i])
      return qn_arena_format(arena, "%s for %s: element %lld is %d instead of %d",
                             qn_case_describe(arena, shape), where, (long long)i, y[i], expected[i])
          .data;
  return NULL;
}
