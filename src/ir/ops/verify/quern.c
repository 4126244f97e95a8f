/* Verifiers of the quern dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

bool qn_verify_launch(qn_ir_context *cx, const qn_op *op) {
  if (op->operand_count == 0) return qn_op_complain(cx, op, "requires the count as last operand");
  bool ok = true;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    bool last = i + 1 == op->operand_count;
    const qn_type *type = qn_op_operand(op, i)->type;
    if (type->kind == (last ? QN_TYPE_INDEX : QN_TYPE_MEMREF)) continue;
    ok = qn_op_complain(cx, op, "operand #%u must be %s, but got %s", i, last ? "index" : "memref",
                        qn_type_quoted(cx, type));
  }
  return ok;
}

/* vector<lanes x iN> */
static bool is_lanes(const qn_type *type, int64_t lanes, uint32_t width) {
  return qn_is_vector_1d(type) && type->shaped.dims[0] == lanes &&
         qn_is_i(type->shaped.element, width);
}

/* Verifies quern.dot: the number of products per lane follows from the element counts. */
bool qn_verify_dot(qn_ir_context *cx, const qn_op *op) {
  const qn_type *out = op->results[0].type, *a = qn_op_operand(op, 1)->type;
  int64_t lanes = qn_is_vector_1d(out) ? out->shaped.dims[0] : 0;
  bool ok = lanes > 0 && is_lanes(out, lanes, 32) && qn_op_operand(op, 0)->type == out;
  int64_t count = ok && qn_is_vector_1d(a) ? a->shaped.dims[0] : 0;
  ok = count > 0 && count % lanes == 0 && (is_lanes(a, count, 8) || is_lanes(a, count, 16));
  if (ok && qn_op_operand(op, 2)->type == a) return true;
  return qn_op_complain(cx, op,
                        "takes an accumulator of i32 like the result, and two vectors of i8 or "
                        "i16 with as many elements for each of its lanes");
}

/* Whether the op takes accumulators of i32 like its result, a multiple of `sums`, and two vectors
 * of four i8 for each of them. */
static bool accumulates_quads(const qn_op *op, int64_t sums) {
  enum { QUAD = 4 };
  const qn_type *out = op->results[0].type, *a = qn_op_operand(op, 1)->type;
  int64_t lanes =
      qn_is_vector_1d(out) && out->shaped.dims[0] <= INT32_MAX ? out->shaped.dims[0] : 0;
  bool ok = lanes > 0 && lanes % sums == 0 && is_lanes(out, lanes, 32);
  ok = ok && qn_op_operand(op, 0)->type == out && is_lanes(a, lanes * QUAD, 8);
  return ok && qn_op_operand(op, 2)->type == a;
}

/* Verifies quern.dot_blocks: per 128 bits four accumulators, and 16 bytes of either factor. */
bool qn_verify_dot_blocks(qn_ir_context *cx, const qn_op *op) {
  if (accumulates_quads(op, 4)) return true;
  return qn_op_complain(
      cx, op,
      "takes an accumulator of i32 like the result, whose lanes are a multiple of "
      "four, and two vectors of four i8 for each of them");
}

/* Verifies quern.dot_joined: per two accumulators, 8 bytes of either factor. */
bool qn_verify_dot_joined(qn_ir_context *cx, const qn_op *op) {
  if (accumulates_quads(op, 2)) return true;
  return qn_op_complain(cx, op,
                        "takes an accumulator of i32 like the result, whose lanes are a multiple "
                        "of two, and two vectors of four i8 for each of them");
}

/* Verifies a pair product without accumulator. */
bool qn_verify_madd(qn_ir_context *cx, const qn_op *op) {
  static const struct {
    uint32_t in, out; /* widths */
  } rows[QN_OP_COUNT] = {
      [QN_OP_QUERN_MADD_U8S8] = {8, 16},
      [QN_OP_QUERN_MADD_S16] = {16, 32},
  };
  enum { FACTORS = 2 };
  const qn_type *out = op->results[0].type;
  uint32_t width = rows[op->kind].in;
  int64_t lanes =
      qn_is_vector_1d(out) && out->shaped.dims[0] <= INT32_MAX ? out->shaped.dims[0] : 0;
  bool ok = lanes > 0 && is_lanes(out, lanes, rows[op->kind].out);
  for (uint32_t i = 0; i < FACTORS; i++)
    ok = ok && is_lanes(qn_op_operand(op, i)->type, lanes * 2, width);
  if (ok) return true;
  return qn_op_complain(cx, op, "takes vectors of 2 i%u per lane of a vector of i%u", width,
                        rows[op->kind].out);
}

bool qn_verify_pack(qn_ir_context *cx, const qn_op *op) {
  enum { LANE_BITS = 128 };
  const qn_type *a = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  if (qn_op_operand(op, 1)->type != a) {
    return qn_op_complain(cx, op, "requires all operands to have the same type");
  }
  uint32_t width = qn_is_vector_1d(a) ? qn_bit_width(a->shaped.element) : 0;
  bool narrows = width == 16 || width == 32;
  bool whole = narrows && a->shaped.dims[0] <= INT32_MAX &&
               a->shaped.dims[0] * width % LANE_BITS == 0 && is_lanes(a, a->shaped.dims[0], width);
  if (whole && is_lanes(out, 2 * a->shaped.dims[0], width / 2)) return true;
  return qn_op_complain(cx, op,
                        "takes two vectors of i16 or i32, a multiple of 128 bits, to twice "
                        "the elements of half the width");
}

bool qn_verify_round_to_int(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  bool scalars = !qn_type_is_shaped(in) || in->kind == QN_TYPE_VECTOR;
  bool ok = scalars && qn_same_shape(in, out) && qn_type_is_float(qn_type_element(in), QN_F32) &&
            qn_is_i(qn_type_element(out), 32);
  if (ok) return true;
  return qn_op_complain(cx, op, "takes f32 to i32 in the same shape, but got %s to %s",
                        qn_type_quoted(cx, in), qn_type_quoted(cx, out));
}

bool qn_verify_widen_half(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  bool ok = qn_is_vector_1d(in) && qn_is_vector_1d(out) && qn_same_shape(in, out) &&
            qn_is_i(in->shaped.element, 16) && qn_type_is_float(out->shaped.element, QN_F32);
  if (ok) return true;
  return qn_op_complain(cx, op, "takes a vector of i16 to f32 in the same shape, but got %s to %s",
                        qn_type_quoted(cx, in), qn_type_quoted(cx, out));
}

bool qn_verify_rescale(qn_ir_context *cx, const qn_op *op) {
  const qn_type *out = op->results[0].type;
  bool ok = qn_is_vector_1d(out) && qn_is_i(qn_type_element(out), 32);
  for (uint32_t i = 0; i < op->operand_count; i++) ok &= qn_op_operand(op, i)->type == out;
  if (ok) return true;
  return qn_op_complain(cx, op, "takes and returns vectors of i32 of one shape");
}

bool qn_verify_lookup(qn_ir_context *cx, const qn_op *op) {
  enum { ENTRIES = 256 };
  const qn_type *table = qn_op_operand(op, 0)->type, *x = qn_op_operand(op, 1)->type;
  bool is_table = table->kind == QN_TYPE_MEMREF && table->shaped.ranked &&
                  table->shaped.rank == 1 && table->shaped.dims[0] == ENTRIES &&
                  qn_is_i(table->shaped.element, 8);
  bool is_bytes = qn_is_vector_1d(x) && qn_is_i(x->shaped.element, 8);
  if (is_table && is_bytes && op->results[0].type == x) return true;
  return qn_op_complain(cx, op, "takes memref<256xi8> and a vector of i8 to a vector of its type");
}

bool qn_verify_byte_shuffle(qn_ir_context *cx, const qn_op *op) {
  enum { LANE = 16 };
  const qn_type *a = qn_op_operand(op, 0)->type;
  bool is_bytes = qn_is_vector_1d(a) && qn_is_i(a->shaped.element, 8);
  bool same = qn_op_operand(op, 1)->type == a && op->results[0].type == a;
  if (is_bytes && same && qn_type_elements(a) % LANE == 0) return true;
  return qn_op_complain(cx, op,
                        "takes two vectors of a multiple of 16 i8 to a vector of their type");
}

bool qn_verify_prefetch(qn_ir_context *cx, const qn_op *op) {
  const qn_type *memref = qn_op_operand(op, 0)->type;
  bool is_flat =
      memref->kind == QN_TYPE_MEMREF && memref->shaped.ranked && memref->shaped.rank == 1;
  if (is_flat && qn_op_operand(op, 1)->type->kind == QN_TYPE_INDEX) return true;
  return qn_op_complain(cx, op, "takes a 1D memref and an index");
}

bool qn_verify_opaque(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type;
  if (in->kind == QN_TYPE_INDEX && op->results[0].type == in) return true;
  return qn_op_complain(cx, op, "takes an index to an index");
}

bool qn_verify_gather(qn_ir_context *cx, const qn_op *op) {
  const qn_type *table = qn_op_operand(op, 0)->type, *x = qn_op_operand(op, 1)->type;
  bool is_table = table->kind == QN_TYPE_MEMREF && table->shaped.ranked &&
                  table->shaped.rank == 1 && qn_is_i(table->shaped.element, 32);
  bool is_indices = qn_is_vector_1d(x) && qn_is_i(x->shaped.element, 32);
  if (is_table && is_indices && op->results[0].type == x) return true;
  return qn_op_complain(cx, op,
                        "takes a memref of i32 and a vector of i32 to a vector of its type");
}
