/* Verifiers of the linalg dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/linalg.h"

#include "ir/op_attrs.h"
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/walk.h"

const char qn_iterator_prefix[] = "#linalg.iterator_type<";

qn_str qn_iterator_kind(const qn_attr *iterator_type) {
  qn_str none = {"", 0};
  if (!iterator_type || iterator_type->kind != QN_ATTR_OPAQUE) return none;
  qn_str text = iterator_type->string;
  size_t prefix = sizeof qn_iterator_prefix - 1;
  if (!qn_str_starts(text, qn_iterator_prefix) || text.data[text.size - 1] != '>') return none;
  return (qn_str){text.data + prefix, text.size - prefix - 1};
}

bool qn_is_iterator_kind(qn_str kind) {
  return qn_str_is(kind, "parallel") || qn_str_is(kind, "reduction") || qn_str_is(kind, "window");
}

bool qn_generic_range(const qn_op *op, uint32_t loop, uint32_t *out_operand, uint32_t *out_dim) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_affine_map *map = qn_generic_map(op, i);
    for (uint32_t d = 0; d < map->result_count; d++) {
      if (map->results[d]->kind != QN_AFFINE_DIM || map->results[d]->value != loop) continue;
      *out_operand = i;
      *out_dim = d;
      return true;
    }
  }
  return false;
}

bool qn_generic_is_indexed(const qn_op *op, uint32_t loop) {
  QN_FOR_EACH_OP(nested, qn_op_body(op))
  if (nested->kind == QN_OP_LINALG_INDEX && qn_op_dim(nested) == (int64_t)loop) return true;
  return false;
}

static bool is_scalar_constant(const qn_value *value) {
  return value->op && qn_op_has(value->op, QN_CONSTANT) && !qn_type_is_shaped(value->type);
}

bool qn_generic_is_closed(const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  QN_FOR_EACH_OP(inner, body) {
    if (!qn_op_has(inner, QN_PURE | QN_TERMINATOR) || inner->region_count > 0) return false;
    for (uint32_t i = 0; i < inner->operand_count; i++) {
      const qn_value *value = qn_op_operand(inner, i);
      bool inside = (value->op ? value->op->block : value->block) == body;
      if (!inside && !is_scalar_constant(value)) return false;
    }
  }
  return true;
}

/* ---- linalg.generic ---- */

static bool is_output(const qn_type *type) { return qn_is_ranked_tensor(type); }

static uint32_t rank_of(const qn_type *type) {
  return qn_is_ranked_tensor(type) ? type->shaped.rank : 0;
}

static bool check_operand_types(qn_ir_context *cx, const qn_op *op) {
  uint32_t inputs = qn_generic_inputs(op), outputs = op->operand_count - inputs;
  for (uint32_t i = 0; i < inputs; i++) {
    const qn_type *type = qn_op_operand(op, i)->type;
    bool scalar = !qn_type_is_shaped(type);
    if (!scalar && !qn_is_ranked_tensor(type)) {
      return qn_op_complain(cx, op, "operand #%u must be a scalar or ranked tensor, but got %s", i,
                            qn_type_quoted(cx, type));
    }
  }
  if (!qn_check_operands_from(cx, op, inputs, is_output, "ranked tensor of any type values"))
    return false;
  if (op->result_count != outputs) {
    return qn_op_complain(cx, op,
                          "expected the number of tensor results (%u) to be equal to the number "
                          "of output tensors (%u)",
                          op->result_count, outputs);
  }
  for (uint32_t i = 0; i < outputs; i++) {
    const qn_type *type = qn_op_operand(op, inputs + i)->type;
    if (op->results[i].type == type) continue;
    return qn_op_complain(
        cx, op, "expected type of operand #%u (%s) to match type of corresponding result (%s)",
        inputs + i, qn_type_quoted(cx, type), qn_type_quoted(cx, op->results[i].type));
  }
  return true;
}

static bool check_iterators(qn_ir_context *cx, const qn_op *op) {
  for (uint32_t i = 0; i < qn_generic_loops(op); i++) {
    qn_str kind = qn_iterator_kind(qn_op_find(op, QN_A_ITERATOR_TYPES)->array.items[i]);
    if (qn_is_iterator_kind(kind)) continue;
    return qn_op_complain(cx, op,
                          "attribute 'iterator_types' failed to satisfy constraint: Iterator type "
                          "should be an enum.");
  }
  return true;
}

static bool check_maps(qn_ir_context *cx, const qn_op *op) {
  const qn_attr *maps = qn_op_find(op, QN_A_INDEXING_MAPS);
  if (maps->array.count != op->operand_count) {
    return qn_op_complain(cx, op,
                          "expected the number of indexing_map (%u) to be equal to the number of "
                          "input/output operands (%u)",
                          maps->array.count, op->operand_count);
  }
  for (uint32_t i = 0; i < maps->array.count; i++) {
    if (maps->array.items[i]->kind != QN_ATTR_AFFINE_MAP) {
      return qn_op_complain(
          cx, op,
          "attribute 'indexing_maps' failed to satisfy constraint: AffineMap array "
          "attribute");
    }
    const qn_affine_map *map = qn_generic_map(op, i);
    uint32_t rank = rank_of(qn_op_operand(op, i)->type);
    if (map->symbols) return qn_op_complain(cx, op, "unexpected symbols in indexing_map #%u", i);
    if (map->dims != qn_generic_loops(op)) {
      return qn_op_complain(
          cx, op, "expected indexing_map #%u to have %u dim(s) to match the number of loops", i,
          qn_generic_loops(op));
    }
    if (map->result_count != rank) {
      return qn_op_complain(
          cx, op, "expected operand #%u rank (%u) to match the result rank of indexing_map (%u)", i,
          rank, map->result_count);
    }
  }
  for (uint32_t loop = 0; loop < qn_generic_loops(op); loop++) {
    uint32_t operand, dim;
    if (!qn_generic_range(op, loop, &operand, &dim)) {
      return qn_op_complain(cx, op, "invalid indexing maps are non-invertible: none is d%u alone",
                            loop);
    }
  }
  return true;
}

static bool check_range(qn_ir_context *cx, const qn_op *op, uint32_t loop, int64_t range) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_affine_map *map = qn_generic_map(op, i);
    for (uint32_t d = 0; d < map->result_count; d++) {
      if (map->results[d]->kind != QN_AFFINE_DIM || map->results[d]->value != loop) continue;
      int64_t size = qn_op_operand(op, i)->type->shaped.dims[d];
      if (range == size || size == QN_DYNAMIC) continue;
      return qn_op_complain(
          cx, op,
          "inferred input/output operand #%u has shape's dimension #%u to be %lld, but found %lld",
          i, d, (long long)range, (long long)size);
    }
  }
  return true;
}

/* Checks that static sizes indexed by a single loop equal its range. Conditions on dynamic sizes or
 * on expressions are checked at run time. */
static bool check_shapes(qn_ir_context *cx, const qn_op *op) {
  for (uint32_t loop = 0; loop < qn_generic_loops(op); loop++) {
    uint32_t operand = 0, dim = 0;
    QN_ASSERT(qn_generic_range(op, loop, &operand, &dim));
    int64_t range = qn_op_operand(op, operand)->type->shaped.dims[dim];
    if (range != QN_DYNAMIC && !check_range(cx, op, loop, range)) return false;
  }
  return true;
}

static bool check_body(qn_ir_context *cx, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  if (!body || body->next) return qn_op_complain(cx, op, "expects region #0 to have 1 block");
  if (body->last->kind != QN_OP_LINALG_YIELD) {
    return qn_op_complain(cx, op, "expects its body to end in 'linalg.yield'");
  }
  if (body->arg_count != op->operand_count) {
    return qn_op_complain(cx, op,
                          "expected as many non-induction variable region arguments as the number "
                          "of input/output operands");
  }
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_type *element = qn_type_element(qn_op_operand(op, i)->type);
    if (body->args[i]->type == element) continue;
    return qn_op_complain(
        cx, op,
        "expected type of bb argument #%u (%s) to match element or self type of the "
        "corresponding operand (%s)",
        i, qn_type_quoted(cx, body->args[i]->type), qn_type_quoted(cx, element));
  }
  return true;
}

bool qn_verify_linalg_generic(qn_ir_context *cx, const qn_op *op) {
  return qn_check_segments(cx, op, 2) && check_operand_types(cx, op) && check_iterators(cx, op) &&
         check_maps(cx, op) && check_shapes(cx, op) && check_body(cx, op);
}

/* ---- the body ---- */

static const qn_op *generic_around(qn_ir_context *cx, const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  if (parent && parent->kind == QN_OP_LINALG_GENERIC) return parent;
  (void)qn_op_complain(cx, op, "expected parent op with LinalgOp interface");
  return NULL;
}

bool qn_verify_linalg_yield(qn_ir_context *cx, const qn_op *op) {
  const qn_op *generic = generic_around(cx, op);
  if (!generic) return false;
  if (op->operand_count != generic->result_count) {
    return qn_op_complain(
        cx, op,
        "expected number of yield values (%u) to match the number of inits / outs "
        "operands of the enclosing LinalgOp (%u)",
        op->operand_count, generic->result_count);
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *is = qn_op_operand(op, i)->type,
                  *wanted = qn_type_element(generic->results[i].type);
    if (is == wanted) continue;
    return qn_op_complain(
        cx, op,
        "type of yield operand %u (%s) doesn't match the element type of the enclosing "
        "linalg.generic op (%s)",
        i + 1, qn_type_quoted(cx, is), qn_type_quoted(cx, wanted));
  }
  return true;
}

bool qn_verify_linalg_index(qn_ir_context *cx, const qn_op *op) {
  const qn_op *generic = generic_around(cx, op);
  if (!generic || !qn_check_result(cx, op, 0, qn_is_index, "index")) return false;
  const qn_attr *iterators = qn_op_find(generic, QN_A_ITERATOR_TYPES);
  if (!iterators || iterators->kind != QN_ATTR_ARRAY) return true; /* reported for the parent */
  int64_t dim = qn_op_dim(op);
  if (dim >= 0 && dim < (int64_t)iterators->array.count) return true;
  return qn_op_complain(
      cx, op,
      "expected dim (%lld) to be lower than the number of loops (%u) of the enclosing LinalgOp",
      (long long)dim, iterators->array.count);
}
