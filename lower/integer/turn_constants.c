/* Transposes of large constants become constants.
 *
 *   before: %0 = "ml.const"() {value = ...} : () -> tensor<4096x1024xi8>         bytes of the file
 *           %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>} : ... -> tensor<1024x4096xi8>
 *           %2 = quant.scast %1 : tensor<1024x4096xi8> to tensor<1024x4096x!w>
 *   after:  %2 = "ml.const"() {value = ...} : () -> tensor<1024x4096x!w>
 *
 * An importer leaves weights in the layout of the file, in the memory of the file, if copies would
 * take much memory. Passes need constants. Smaller transposes are left to other passes.
 * Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/transpose.h"
#include "ir/ops/forms.h"
#include "lower/integer/integer.h"

enum { SMALLEST = 1 << 16 }; /* bytes */

typedef struct turning {
  qn_module *module;
  qn_arena *scratch;
  bool changed;
} turning;

/* The payload of operand 0 if it is a large constant. */
static const qn_attr *large_constant(const qn_op *op) {
  const qn_value *x = qn_op_operand(op, 0);
  const qn_attr *value = qn_value_constant(x);
  if (!value || !qn_attr_is_elements(value)) return NULL;
  return qn_type_size(x->type) >= SMALLEST ? value : NULL;
}

/* The payload of the result. */
static const qn_attr *turned(const turning *t, const qn_op *op, const qn_attr *value) {
  qn_ir_context *cx = t->module->cx;
  const qn_type *from = qn_op_operand(op, 0)->type,
                *stored = qn_type_stored(cx, op->results[0].type);
  const qn_i64s perm = qn_op_perm(op);
  if (value->dense.splat) return qn_attr_dense(cx, stored, value->dense.bytes, false);
  int64_t strides[QN_TRANSPOSE_MAX_RANK], along[QN_TRANSPOSE_MAX_RANK], stride = 1;
  for (uint32_t d = from->shaped.rank; d-- > 0; stride *= from->shaped.dims[d]) along[d] = stride;
  for (uint32_t d = 0; d < perm.count; d++) strides[d] = along[perm.data[d]];
  const qn_arena_mark mark = qn_arena_get_mark(t->scratch);
  uint8_t *bytes = qn_arena_alloc(t->scratch, value->dense.bytes.size);
  qn_transpose(from->shaped.rank, stored->shaped.dims, strides,
               qn_type_bytes(qn_type_element(stored)), value->dense.bytes.data, bytes);
  const qn_attr *out = qn_attr_dense(cx, stored, (qn_bytes){bytes, value->dense.bytes.size}, false);
  qn_arena_rewind(t->scratch, mark);
  return out;
}

static bool has_typed_reader(const qn_op *op) {
  const qn_use *use = op->results[0].first_use;
  return use && !use->next && use->owner->kind == QN_OP_QUANT_SCAST;
}

static void erase_unused(qn_module *module, qn_op *op) {
  if (!qn_value_has_uses(&op->results[0])) qn_op_erase(module, op);
}

/* Replaces `last`, which is the transpose or the op that states its quantized type. */
static void replace(turning *t, qn_op *transpose, qn_op *last, const qn_attr *value) {
  qn_op *source = qn_op_operand(transpose, 0)->op;
  qn_builder b = qn_builder_before(t->module, last);
  value = turned(t, transpose, value);
  qn_value *constant =
      qn_build_1(&b, QN_OP_ML_CONST, last->results[0].type, NULL, 0, QN_ATTRS({"value", value}));
  qn_value_replace_all_uses(&last->results[0], constant);
  qn_op_erase(t->module, last);
  if (transpose != last) erase_unused(t->module, transpose);
  erase_unused(t->module, source);
  t->changed = true;
}

static void visit(qn_op *op, void *user) {
  turning *t = user;
  qn_op *transpose = op->kind == QN_OP_QUANT_SCAST ? qn_op_operand(op, 0)->op : op;
  if (!transpose || transpose->kind != QN_OP_ML_TRANSPOSE) return;
  if (op == transpose && has_typed_reader(op)) return; /* replaced with that reader */
  const qn_attr *value = large_constant(transpose);
  if (value) replace(t, transpose, op, value);
}

bool qn_integer_turn_constants(qn_module *module, qn_arena *scratch) {
  turning t = {.module = module, .scratch = scratch};
  qn_integer_for_each(module, visit, &t);
  return t.changed;
}

static qn_status run(qn_pass_context *pc) {
  pc->changed = qn_integer_turn_constants(pc->module, pc->scratch);
  return QN_OK;
}

const qn_pass qn_pass_turn_constants = {
    .name = "turn-constants",
    .summary = "transposes of large constants become constants",
    .numerics = QN_EXACT,
    .run = run,
};
