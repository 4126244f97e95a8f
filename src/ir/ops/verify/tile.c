/* Verifiers of the ops of AMX kernels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"
#include "ir/ops/tile.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/verify/check.h"

static bool is_flat(const qn_type *type) {
  return type->kind == QN_TYPE_MEMREF && type->shaped.ranked && type->shaped.rank == 1;
}

bool qn_verify_scratch(qn_ir_context *cx, const qn_op *op) {
  const qn_type *type = op->results[0].type;
  int64_t count = is_flat(type) ? qn_type_elements(type) : -1;
  int64_t bytes = count > 0 ? qn_type_bytes(type->shaped.element) : 0;
  int64_t most = bytes > 0 ? QN_SCRATCH_MAX_BYTES / bytes : 0;
  const qn_op *parent = qn_op_parent(op);
  if (!parent || parent->kind != QN_OP_FUNC)
    return qn_op_complain(cx, op, "must be in the block of a function");
  if (count > 0 && count <= most) return true;
  return qn_op_complain(cx, op, "result #0 must be static 1D memref of 1 to %d bytes, but got %s",
                        QN_SCRATCH_MAX_BYTES, qn_type_quoted(cx, type));
}

/* Whether the operands are a memref of the vector's element type and an index. */
static bool is_access(const qn_op *op, uint32_t memref, const qn_type *vector) {
  const qn_type *type = qn_op_operand(op, memref)->type;
  return is_flat(type) && qn_is_vector_1d(vector) &&
         type->shaped.element == vector->shaped.element &&
         qn_op_operand(op, memref + 1)->type->kind == QN_TYPE_INDEX;
}

/* Whether the vector is rows of 16 i32 accumulators. */
static bool is_sums(const qn_type *type) {
  if (!qn_is_vector_1d(type) || !qn_is_i(type->shaped.element, 32)) return false;
  int64_t count = type->shaped.dims[0];
  return count > 0 && count % QN_TILE_SUMS == 0 && count <= QN_TILE_SUMS * QN_TILE_ROWS;
}

/* Whether the vector is rows of quads of bytes. */
static bool is_bytes(const qn_type *type, int64_t rows) {
  if (!qn_is_vector_1d(type) || !qn_is_i(type->shaped.element, 8)) return false;
  int64_t count = type->shaped.dims[0];
  return count > 0 && count % (rows * QN_TILE_QUAD) == 0 && count <= rows * QN_TILE_BYTES;
}

bool qn_verify_tile_load(qn_ir_context *cx, const qn_op *op) {
  const qn_type *out = op->results[0].type;
  int64_t rows = qn_op_tile_rows(op);
  bool sums = is_sums(out) && out->shaped.dims[0] == rows * QN_TILE_SUMS;
  if (is_access(op, 0, out) && (sums || is_bytes(out, rows))) return true;
  return qn_op_complain(cx, op,
                        "takes a 1D memref and an index to rows of 16 i32 or of 4, 8, ... 64 i8");
}

bool qn_verify_tile_dot(qn_ir_context *cx, const qn_op *op) {
  const qn_type *acc = qn_op_operand(op, 0)->type, *a = qn_op_operand(op, 1)->type;
  const qn_type *b = qn_op_operand(op, 2)->type;
  bool ok = is_sums(acc) && op->results[0].type == acc;
  int64_t rows = ok ? acc->shaped.dims[0] / QN_TILE_SUMS : 1;
  ok = ok && is_bytes(a, rows) && is_bytes(b, a->shaped.dims[0] / rows / QN_TILE_QUAD);
  if (ok && b->shaped.dims[0] == a->shaped.dims[0] / rows * QN_TILE_SUMS) return true;
  return qn_op_complain(cx, op,
                        "takes rows of 16 i32, as many rows of 4, 8, ... 64 i8, and 16 i8 for "
                        "each byte of such a row");
}

bool qn_verify_tile_store(qn_ir_context *cx, const qn_op *op) {
  const qn_type *sums = qn_op_operand(op, 0)->type;
  if (is_access(op, 1, sums) && is_sums(sums) && qn_op_row_stride(op) >= QN_TILE_SUMS) return true;
  return qn_op_complain(cx, op,
                        "takes rows of 16 i32, a 1D memref of i32 and an index, and rows that "
                        "don't overlap");
}
