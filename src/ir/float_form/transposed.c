/* Decomposition of transposed convolutions. By phases if possible (phases.c). Else x gets
 * stride - 1 zeros between its rows and between its columns, and padding with which each tap
 * reaches every element; the weights are reversed. Inserted zeros are multiplied like padding. On
 * stored values they are the zero point.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/float_form/convolution.h"

/* Inserts stride - 1 zeros after each row and column of x. */
static qn_value *spread(const qn_convolution *c) {
  const int64_t *d = c->x->type->shaped.dims;
  int64_t cut[QN_FORM_MAX_RANK], pad[2 * QN_FORM_MAX_RANK] = {0}, whole[QN_FORM_MAX_RANK];
  uint32_t rank = 0;
  whole[0] = cut[rank++] = d[0];
  for (uint32_t i = 0; i < c->ways; i++) {
    cut[rank++] = d[1 + i];
    pad[2 * rank + 1] = c->strides[i] - 1;
    cut[rank++] = 1;
    whole[1 + i] = d[1 + i] * c->strides[i];
  }
  whole[1 + c->ways] = cut[rank++] = d[1 + c->ways];
  qn_value *x = qn_convolution_reshaped(c, c->x, rank, cut);
  x = qn_convolution_padded(c, x, rank, pad);
  return qn_convolution_reshaped(c, x, c->ways + 2, whole);
}

/* Sets up the convolution with stride 1. Where its padding would be negative, x is cropped. */
static void open_spread(qn_convolution *c, const int64_t *out) {
  const int64_t *d = c->x->type->shaped.dims;
  int64_t begin[QN_FORM_MAX_RANK] = {0}, end[QN_FORM_MAX_RANK], one[QN_FORM_MAX_RANK];
  bool spreads = false, cuts = false;
  for (uint32_t i = 0; i < c->ways + 2; i++) end[i] = d[i], one[i] = 1;
  for (uint32_t i = 0; i < c->ways; i++) {
    int64_t rows = (d[1 + i] - 1) * c->strides[i] + 1, reach = (c->kernel[i] - 1) * c->dilations[i];
    int64_t before = reach - c->pad[2 * i], after = out[1 + i] - rows + c->pad[2 * i];
    begin[1 + i] = before < 0 ? -before : 0;
    end[1 + i] = rows + (after < 0 ? after : 0);
    spreads |= c->strides[i] > 1;
    cuts |= begin[1 + i] != 0 || end[1 + i] != d[1 + i] * c->strides[i];
    c->pad[2 * i] = before < 0 ? 0 : before;
    c->pad[2 * i + 1] = after < 0 ? 0 : after;
  }
  if (spreads) c->x = spread(c);
  if (cuts) c->x = qn_convolution_sliced(c, c->x, c->ways + 2, begin, end, one);
  for (uint32_t i = 0; i < c->ways; i++) c->strides[i] = 1;
  c->backward = true;
}

static qn_value *build(qn_convolution *c, const qn_type *result) {
  qn_value *y = qn_convolution_build_phases(c, result);
  if (y) return y;
  open_spread(c, result->shaped.dims);
  return qn_convolution_build(c, result);
}

/* ---- the bias ---- */

static qn_value *positive_zero(qn_form *f, qn_value *x) {
  return qn_build_binary(f->b, QN_OP_ARITH_ADDF, x, qn_form_number(f, 0.0));
}

static bool has_negative_zero(const qn_attr *floats) {
  const int64_t count = floats->dense.splat ? 1 : qn_type_elements(floats->type);
  for (int64_t i = 0; i < count; i++) {
    const double x = qn_dense_float(floats, i);
    if (x == 0 && signbit(x)) return true;
  }
  return false;
}

/* The bias with +0 for -0. A sum that begins at -0 would depend on whether products by inserted
 * zeros, +0 or -0, are added to it or left out. */
static qn_value *without_negative_zeros(qn_form *f, qn_value *bias) {
  const qn_attr *constant = bias ? qn_value_constant(bias) : NULL;
  const bool known = constant && qn_attr_is_elements(constant);
  if (!bias || (known && !has_negative_zero(constant))) return bias;
  return qn_form_map(f, bias, positive_zero);
}

static qn_value *transposed_reals(qn_form *f) {
  qn_convolution c;
  qn_convolution_open(f, &c);
  qn_convolution_take_reals(f, &c);
  c.bias = without_negative_zeros(f, c.bias);
  return build(&c, qn_form_result_type(f));
}
static qn_value *transposed_stored(qn_form *f) {
  qn_convolution c;
  qn_convolution_open(f, &c);
  qn_convolution_take_stored(f, &c);
  return build(&c, f->op->results[0].type);
}

/* Checks the sizes of x with inserted zeros, with padding, and with planes for each tap. */
static const char *transposed_problem(const qn_op *op) {
  const qn_type *x = qn_op_operand(op, 0)->type, *w = qn_op_operand(op, 1)->type;
  const int64_t *out = op->results[0].type->shaped.dims;
  uint32_t ways = x->shaped.rank - 2;
  int64_t spread = sizeof(double), bordered = sizeof(double);
  bool fits = true;
  for (uint32_t i = 0; i < x->shaped.rank; i++) {
    bool along = i > 0 && i <= ways;
    int64_t size = x->shaped.dims[i], stride = along ? qn_op_strides(op).data[i - 1] : 1;
    int64_t reach = along ? (w->shaped.dims[i] - 1) * qn_op_dilations(op).data[i - 1] : 0;
    fits = fits && qn_convolution_grows(&spread, size) && qn_convolution_grows(&spread, stride);
    fits = fits && qn_convolution_grows(&bordered, along ? out[i] + reach : size);
  }
  if (ways > 2) fits = fits && qn_convolution_grows(&bordered, w->shaped.dims[1]);
  return fits ? NULL : "its input is too large with the zeros between its elements";
}

const qn_float_form qn_float_form_ml_conv_transpose = {
    .build = transposed_reals, .stored = transposed_stored, .problem = transposed_problem};
