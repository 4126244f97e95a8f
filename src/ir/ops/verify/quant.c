/* Verifiers of the quant dialect. Messages are upstream's, prefixed by the op's name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/types/quant_at.h"

/* ---- the quantized type against the shape that holds it ---- */

static bool verify_per_axis(qn_ir_context *cx, const qn_op *op, const qn_type *type,
                            const qn_quant_uniform *q) {
  if (type->kind != QN_TYPE_TENSOR) {
    return qn_op_complain(cx, op, "scalar types may not use per-axis quantization");
  }
  if (!type->shaped.ranked) return true;
  if (q->axis < 0 || (uint32_t)q->axis >= type->shaped.rank) {
    return qn_op_complain(cx, op, "quantized dimension must be less than tensor rank");
  }
  int64_t dim = type->shaped.dims[q->axis];
  if (dim != QN_DYNAMIC && dim != (int64_t)q->count) {
    return qn_op_complain(cx, op, "quantized dimension size does not match number of scales");
  }
  return true;
}

static bool verify_blocks(qn_ir_context *cx, const qn_op *op, const qn_type *type,
                          const qn_quant_uniform *q) {
  for (uint32_t i = 0; i < q->block_count; i++) {
    int32_t axis = q->block_axes[i];
    if (axis < 0 || (uint32_t)axis >= type->shaped.rank) {
      return qn_op_complain(cx, op, "quantized dimension %d must be less than tensor rank %u", axis,
                            type->shaped.rank);
    }
    int64_t dim = type->shaped.dims[axis];
    if (dim != QN_DYNAMIC && dim % q->block_sizes[i] != 0) {
      return qn_op_complain(cx, op,
                            "tensor dimension size %lld at axis %d must be divisible by the "
                            "corresponding block size %lld",
                            (long long)dim, axis, (long long)q->block_sizes[i]);
    }
  }
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    if (type->shaped.dims[i] == 0) {
      return qn_op_complain(
          cx, op, "tensor dimension size of zero is not allowed with sub-channel quantization");
    }
  }
  return true;
}

static bool verify_sub_channel(qn_ir_context *cx, const qn_op *op, const qn_type *type,
                               const qn_quant_uniform *q) {
  if (type->kind != QN_TYPE_TENSOR) {
    return qn_op_complain(cx, op, "scalar types may not use sub-channel quantization");
  }
  if (!type->shaped.ranked) {
    return qn_op_complain(cx, op,
                          "tensor containing the sub-channel quantized type must be ranked");
  }
  if (!verify_blocks(cx, op, type, q)) return false;
  if (q->grid_rank != type->shaped.rank) {
    return qn_op_complain(cx, op, "Rank of scales %u must match the rank of the tensor %u",
                          q->grid_rank, type->shaped.rank);
  }
  for (uint32_t i = 0; i < q->grid_rank; i++) {
    int64_t dim = type->shaped.dims[i], block = qn_quant_block_size(q, i);
    if (dim == QN_DYNAMIC) continue;
    int64_t expected = block ? dim / block : 1;
    if (q->grid_dims[i] != expected) {
      return qn_op_complain(
          cx, op,
          "dimension size %lld of scales tensor at axis %u should match (tensor "
          "dimension at axis / block sizes at axis) = %lld, but the type has %lld",
          (long long)expected, i, (long long)expected, (long long)q->grid_dims[i]);
    }
  }
  return true;
}

bool qn_verify_quant_shape(qn_ir_context *cx, const qn_op *op, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q) return true;
  if (q->scheme == QN_PER_AXIS) return verify_per_axis(cx, op, type, q);
  return q->scheme == QN_PER_LAYER || verify_sub_channel(cx, op, type, q);
}

/* Checks that zero points are values of the full storage range, even if the type narrows it;
 * upstream accepts any. */
static bool verify_zero_points(qn_ir_context *cx, const qn_op *op, const qn_quant_uniform *q) {
  int64_t low, high;
  qn_storage_range(q->storage->integer.width, q->is_signed, &low, &high);
  for (uint32_t i = 0; i < q->count; i++) {
    if (q->zero_points[i] >= low && q->zero_points[i] <= high) continue;
    return qn_op_complain(cx, op, "zero point %lld out of storage type range [%lld, %lld]",
                          (long long)q->zero_points[i], (long long)low, (long long)high);
  }
  return true;
}

/* ---- casts ---- */

static bool is_signless_int(const qn_type *type) {
  return type->kind == QN_TYPE_INTEGER && type->integer.sign == QN_SIGNLESS;
}
static bool is_storage_or_quant(const qn_type *type) {
  return is_signless_int(type) || qn_type_is_quant(type);
}

static const struct {
  bool (*from)(const qn_type *element);
  bool (*to)(const qn_type *element);
  const char *from_text, *to_text;
} casts[QN_OP_COUNT] = {
    [QN_OP_QUANT_QCAST] = {qn_is_float, qn_type_is_quant, "floating-point", "quantized type"},
    [QN_OP_QUANT_DCAST] = {qn_type_is_quant, qn_is_float, "quantized type", "floating-point"},
    [QN_OP_QUANT_SCAST] = {is_storage_or_quant, is_storage_or_quant,
                           "signless integer or quantized type",
                           "signless integer or quantized type"},
};

static bool is_scalar_or_tensor(const qn_type *type) {
  return !qn_type_is_shaped(type) || type->kind == QN_TYPE_TENSOR;
}

static bool verify_ends(qn_ir_context *cx, const qn_op *op, const qn_type *in, const qn_type *out) {
  bool ok = true;
  if (!is_scalar_or_tensor(in) || !casts[op->kind].from(qn_type_element(in))) {
    ok = qn_op_complain(cx, op, "operand #0 must be scalar or tensor of %s, but got %s",
                        casts[op->kind].from_text, qn_type_quoted(cx, in));
  }
  if (!is_scalar_or_tensor(out) || !casts[op->kind].to(qn_type_element(out))) {
    ok = qn_op_complain(cx, op, "result #0 must be scalar or tensor of %s, but got %s",
                        casts[op->kind].to_text, qn_type_quoted(cx, out));
  }
  return ok;
}

/* Checks that the integer has the width of the storage: i8 for i8, u8, si8 and ui8. */
static bool verify_storage(qn_ir_context *cx, const qn_op *op, const qn_type *quantized,
                           const qn_type *integer) {
  qn_quant_storage storage;
  return (qn_quant_storage_of(quantized, &storage) && storage.width == integer->integer.width) ||
         qn_op_complain(cx, op, "storage type in quantized type expected to match integer type");
}

static bool verify_arithmetic(qn_ir_context *cx, const qn_op *op, const qn_type *quantized,
                              const qn_type *real) {
  const qn_quant_uniform *q = qn_type_quant(quantized);
  if (!q) { /* any and calibrated have no parameters to convert with */
    return qn_op_complain(cx, op, "requires a uniform quantized type, but got %s",
                          qn_type_quoted(cx, quantized));
  }
  return q->expressed == real ||
         qn_op_complain(cx, op, "expressed type in quantized type expected to match float type");
}

bool qn_verify_quant_cast(qn_ir_context *cx, const qn_op *op) {
  const qn_type *in = qn_op_operand(op, 0)->type, *out = op->results[0].type;
  if (!verify_ends(cx, op, in, out)) return false;
  if (!qn_same_shape(in, out)) {
    return qn_op_complain(cx, op,
                          "failed to verify that input and result are both scalars or both tensors "
                          "with matching shape");
  }
  bool from_quant = qn_type_is_quant(qn_type_element(in));
  if (from_quant == qn_type_is_quant(qn_type_element(out))) {
    return qn_op_complain(cx, op,
                          "failed to verify that input must be integer and result must be "
                          "quantized, or vice versa");
  }
  const qn_type *quantized = from_quant ? in : out;
  const qn_type *plain = qn_type_element(from_quant ? out : in);
  if (op->kind == QN_OP_QUANT_SCAST) {
    return verify_storage(cx, op, quantized, plain) && qn_verify_quant_shape(cx, op, quantized);
  }
  return verify_arithmetic(cx, op, quantized, plain) && qn_verify_quant_shape(cx, op, quantized) &&
         verify_zero_points(cx, op, qn_type_quant(quantized));
}
