/* Replaces a convolution with padding by ml.pad with the input zero point and a convolution without
 * padding. Padding elements contribute 0 to the sum before and after. Afterwards all outputs have
 * the same taps, so one correction for the input zero point is right for all outputs.
 *
 *   before: %y = "ml.integer_conv"(%x, ...) {input_zero_point = -3, pad = array<i64: 1, 1, 1, 1>}
 *   after:  %p = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>, value = -3}
 *           %y = "ml.integer_conv"(%p, ...) {input_zero_point = -3, pad = array<i64: 0, 0, 0, 0>}
 *
 * An f32 convolution is padded with zeros.
 *
 * If the convolution is the only reader of an existing ml.pad with the same value, the two pads are
 * merged, unless keep_tensors preserves the tensor between them. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"
#include "ir/weights.h"
#include "lower/integer/integer.h"

enum { RANK = 4, PAD_COUNT = 2 * RANK };

/* The op's [top, bottom, left, right] padding as (before, after) pairs of the NHWC dimensions. */
static bool spatial_pad(const qn_op *op, int64_t out[PAD_COUNT]) {
  qn_i64s pad = qn_op_pad(op);
  bool any = false;
  for (int i = 0; i < PAD_COUNT; i++) out[i] = 0;
  for (uint32_t i = 0; i < 4; i++) {
    out[2 + i] = pad.data[i];
    any |= pad.data[i] != 0;
  }
  return any;
}

/* An op that already pads x with the same value and can be merged; NULL if none. */
static qn_op *mergeable_pad(const qn_pass_context *pc, const qn_value *x, int64_t value) {
  qn_op *pad = x->op;
  bool merge = pad && pad->kind == QN_OP_ML_PAD && qn_value_has_one_use(x) &&
               qn_pad_border_is(pad, value) && !qn_integer_is_kept(pc, pad);
  return merge ? pad : NULL;
}

static qn_value *build_pad(qn_builder *b, qn_value *x, const int64_t pad[PAD_COUNT],
                           int64_t value) {
  qn_value *padded = qn_build_inferred(
      b, QN_OP_ML_PAD, qn_type_element(x->type), QN_VALUES(x),
      QN_ATTRS({"pad", qn_attr_i64s(b->cx, pad, PAD_COUNT)}, {"value", qn_attr_i64(b->cx, value)}));
  QN_ASSERT(padded);
  return padded;
}

/* Whether the op has non-zero padding; *out_pad: the padding. */
static bool pads(const qn_op *op, int64_t out_pad[PAD_COUNT]) {
  return qn_op_has_weights(op) && qn_op_find(op, QN_A_PAD) && spatial_pad(op, out_pad);
}

static void materialize(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  int64_t pad[PAD_COUNT];
  if (!pads(op, pad)) return;
  int64_t value = qn_op_input_zero_point(op); /* 0 for floats */
  qn_value *x = qn_op_operand(op, 0);
  qn_op *merged = mergeable_pad(pc, x, value);
  if (merged) {
    qn_i64s outer = qn_op_pad(merged);
    for (uint32_t i = 0; i < PAD_COUNT; i++) pad[i] += outer.data[i];
    x = qn_op_operand(merged, 0);
  }
  qn_builder b = qn_builder_before(pc->module, op);
  qn_op_set_operand(op, 0, build_pad(&b, x, pad, value));
  qn_op_set_attr(pc->module, op, "pad", qn_attr_i64s(pc->cx, (const int64_t[4]){0}, 4));
  if (merged) qn_op_erase(pc->module, merged);
  pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  qn_integer_for_each(pc->module, materialize, pc);
  return QN_OK;
}

static bool has_no_border(const qn_op *op) {
  int64_t pad[PAD_COUNT];
  return !pads(op, pad);
}

const qn_property qn_property_padding_explicit = {
    .name = "padding-explicit",
    .summary = "without a border of its own",
    .holds = has_no_border,
    .by = &qn_pass_materialize_padding,
};

const qn_pass qn_pass_materialize_padding = {
    .name = "materialize-padding",
    .summary = "pad the inputs of convolutions explicitly with their zero point",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .established = (const qn_property *const[]){&qn_property_padding_explicit, NULL},
    .run = run,
};
