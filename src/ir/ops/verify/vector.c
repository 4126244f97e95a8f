/* Verifiers of the vector dialect: one-dimensional vectors of integers and floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool verify_vector(qn_ir_context *cx, const qn_op *op, const char *what,
                          const qn_type *type) {
  if (qn_is_vector_1d(type)) return true;
  return qn_op_complain(cx, op, "%s must be a vector of one dimension, but got %s", what,
                        qn_type_quoted(cx, type));
}

bool qn_verify_broadcast(qn_ir_context *cx, const qn_op *op) {
  const qn_type *source = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  if (!verify_vector(cx, op, "result #0", out)) return false;
  if (out->shaped.element == source) return true;
  return qn_op_complain(cx, op, "source %s is not the element type of %s",
                        qn_type_quoted(cx, source), qn_type_quoted(cx, out));
}

/* Bits of a 1-D vector; -1 if it is not one, or too large. */
static int64_t bits_of(const qn_type *vector) {
  int64_t bits = -1, width = qn_bit_width(vector->shaped.element);
  return width > 0 && qn_checked_mul(vector->shaped.dims[0], width, &bits) ? bits : -1;
}

bool qn_verify_bitcast(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  if (!verify_vector(cx, op, "operand #0", in) || !verify_vector(cx, op, "result #0", out)) {
    return false;
  }
  if (bits_of(in) >= 0 && bits_of(in) == bits_of(out)) return true;
  return qn_op_complain(cx, op, "source/result bitwidth of the minor 1-D vectors must be equal");
}

bool qn_verify_shuffle(qn_ir_context *cx, const qn_op *op) {
  const qn_type *a = qn_op_operand(op, 0)->type, *b = qn_op_operand(op, 1)->type;
  const qn_type *out = op->results[0].type;
  if (!verify_vector(cx, op, "operand #0", a) || !verify_vector(cx, op, "operand #1", b) ||
      !verify_vector(cx, op, "result #0", out)) {
    return false;
  }
  if (a->shaped.element != b->shaped.element || a->shaped.element != out->shaped.element) {
    return qn_op_complain(cx, op, "requires one element type for operands and result");
  }
  qn_i64s mask = qn_op_mask(op);
  if ((int64_t)mask.count != out->shaped.dims[0]) {
    return qn_op_complain(cx, op, "mask length %u does not match the result's %lld", mask.count,
                          (long long)out->shaped.dims[0]);
  }
  int64_t lanes;
  if (!qn_checked_add(a->shaped.dims[0], b->shaped.dims[0], &lanes)) lanes = INT64_MAX;
  for (uint32_t i = 0; i < mask.count; i++) {
    if (mask.data[i] < 0 || mask.data[i] >= lanes) {
      return qn_op_complain(cx, op, "mask index #%u out of range", i + 1);
    }
  }
  return true;
}

bool qn_verify_extract(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type;
  if (!verify_vector(cx, op, "operand #0", in)) return false;
  qn_i64s position = qn_op_static_position(op);
  if (position.count != 1 || position.data[0] < 0 || position.data[0] >= in->shaped.dims[0]) {
    return qn_op_complain(cx, op, "expected one position in the vector");
  }
  if (op->results[0].type == in->shaped.element) return true;
  return qn_op_complain(cx, op, "result #0 must be %s, but got %s",
                        qn_type_quoted(cx, in->shaped.element),
                        qn_type_quoted(cx, op->results[0].type));
}

bool qn_verify_reduction(qn_ir_context *cx, const qn_op *op) {
  static const char *const kinds[] = {"#vector.kind<add>", "#vector.kind<maxsi>",
                                      "#vector.kind<maxui>", "#vector.kind<minsi>",
                                      "#vector.kind<minui>"};
  const qn_type *in = qn_op_operand(op, 0)->type;
  if (!verify_vector(cx, op, "operand #0", in)) return false;
  const qn_attr *kind = qn_op_find(op, QN_A_REDUCTION_KIND);
  bool known = false;
  for (size_t i = 0; i < QN_COUNT(kinds) && kind->kind == QN_ATTR_OPAQUE; i++) {
    known |= qn_str_is(kind->string, kinds[i]);
  }
  if (!known) {
    return qn_op_complain(cx, op, "kind must be #vector.kind<add, maxsi, maxui, minsi or minui>");
  }
  const qn_type *element = in->shaped.element;
  if (element->kind == QN_TYPE_INTEGER && op->results[0].type == element) return true;
  return qn_op_complain(cx, op, "reduces %s to %s, but takes integers to their own type",
                        qn_type_quoted(cx, in), qn_type_quoted(cx, op->results[0].type));
}
