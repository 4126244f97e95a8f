/* Evaluators of constants, memref and the memory ops of vector. Every access is checked: an index
 * outside of its memref is an error at the op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/eval_op.h"
#include "ir/ops/tile.h"

/* Writes the elements of a dense payload, expanding a splat. */
static void expand(const qn_attr *dense, uint8_t *out, int64_t bytes) {
  qn_bytes payload = dense->dense.bytes;
  if (bytes == 0) return; /* an empty payload has no address */
  if (!dense->dense.splat) {
    memcpy(out, payload.data, (size_t)bytes);
    return;
  }
  qn_rt_fill(out, bytes, payload.data, (int64_t)payload.size);
}

/* Whether all elements of the constant fit in an index of the module. True for other types. */
static bool fits_index(const qn_eval *ev, const qn_attr *value, const qn_type *type) {
  if (ev->index_bits >= 64 || qn_type_element(type)->kind != QN_TYPE_INDEX) return true;
  if (!qn_attr_is_elements(value) && value->kind != QN_ATTR_INTEGER) return true;
  bool lanes = qn_attr_is_elements(value);
  int64_t count = lanes && !value->dense.splat ? qn_type_elements(value->type) : 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t x = lanes ? qn_dense_int(value, i) : value->integer;
    if (x != qn_low_bits(x, ev->index_bits, true)) return false;
  }
  return true;
}

qn_status qn_eval_arith_constant(qn_eval *ev, const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  const qn_type *type = op->results[0].type;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  if (!fits_index(ev, value, type))
    return qn_eval_fail(ev, op, "does not fit an index of %u bits", ev->index_bits);
  if (qn_attr_is_elements(value)) {
    if (!qn_type_is_static(type)) return qn_eval_fail(ev, op, "has a dynamic shape");
    expand(value, out->data, out->size);
    return QN_OK;
  }
  switch (value->kind) {
  case QN_ATTR_BOOL:
    out->i = value->boolean;
    return QN_OK;
  case QN_ATTR_INTEGER:
    out->i = qn_type_is_int(type, 1) ? value->integer & 1 : value->integer;
    return QN_OK;
  case QN_ATTR_FLOAT:
    qn_rt_set_float(out, 0, value->number);
    return QN_OK;
  case QN_ATTR_ELIDED:
    return qn_eval_fail(ev, op, "has an elided value");
  default:
    return qn_eval_fail(ev, op, "has a value that can't be interpreted");
  }
}

/* ---- memref ---- */

qn_status qn_eval_memref_global(qn_eval *ev, const qn_op *op) {
  return qn_eval_fail(ev, op, "can't be executed inside of a function");
}

static qn_status load_global(qn_eval *ev, const qn_op *op, const qn_op *global, qn_rt_value **out) {
  const qn_attr *type = qn_op_find(global, QN_A_GLOBAL_TYPE),
                *value = qn_op_find(global, QN_A_INITIAL_VALUE);
  if (!type || !value || !qn_attr_is_elements(value))
    return qn_eval_fail(ev, op, "names a global without initial value");
  int64_t elements = qn_type_elements(type->type);
  int64_t bytes = elements * qn_type_bytes(qn_type_element(type->type));
  qn_rt_value *loaded = QN_NEW(ev->arena, qn_rt_value);
  *loaded = (qn_rt_value){.type = type->type, .size = bytes, .constant = true};
  loaded->data = qn_arena_alloc(ev->arena, (size_t)bytes + 1);
  expand(value, loaded->data, bytes);
  qn_map_set(&ev->globals, global, loaded);
  *out = loaded;
  return QN_OK;
}

qn_status qn_eval_memref_get_global(qn_eval *ev, const qn_op *op) {
  const qn_op *global = qn_eval_symbol(ev, qn_op_global_name(op));
  if (!global || global->kind != QN_OP_MEMREF_GLOBAL)
    return qn_eval_fail(ev, op, "names no global");
  qn_rt_value *loaded = qn_map_get(&ev->globals, global);
  if (!loaded) QN_TRY(load_global(ev, op, global, &loaded));
  *qn_eval_result(ev, op, 0) = *loaded;
  return QN_OK;
}

qn_status qn_eval_memref_view(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *source = qn_eval_operand(ev, op, 0);
  int64_t offset = qn_eval_operand(ev, op, 1)->i;
  const qn_type *type = op->results[0].type;
  int64_t elements = qn_type_elements(type);
  if (elements < 0) return qn_eval_fail(ev, op, "has a dynamic shape");
  int64_t bytes = elements * qn_type_bytes(qn_type_element(type));
  if (offset < 0 || offset > source->size || bytes > source->size - offset)
    return qn_eval_fail(ev, op, "covers bytes [%lld, %lld) of %lld", (long long)offset,
                        (long long)(offset + bytes), (long long)source->size);
  *qn_eval_result(ev, op, 0) = (qn_rt_value){
      .type = type, .data = source->data + offset, .size = bytes, .constant = source->constant};
  return QN_OK;
}

/* The address of `bytes` bytes at the op's indices: operands [first, end) of the op. */
static qn_status address(qn_eval *ev, const qn_op *op, uint32_t memref, int64_t bytes,
                         uint8_t **out) {
  const qn_rt_value *buffer = qn_eval_operand(ev, op, memref);
  const qn_type *type = buffer->type;
  uint32_t rank = type->shaped.rank, first = memref + 1;
  if (op->operand_count - first != rank)
    return qn_eval_fail(ev, op, "has a wrong number of indices");
  int64_t linear = 0;
  for (uint32_t d = 0; d < rank; d++) {
    int64_t index = qn_eval_operand(ev, op, first + d)->i, size = type->shaped.dims[d];
    if (index < 0 || (size != QN_DYNAMIC && index >= size && bytes > 0))
      return qn_eval_fail(ev, op, "accesses index %lld of dimension %u of size %lld",
                          (long long)index, d, (long long)size);
    linear = linear * (d ? size : 1) + index;
  }
  int64_t at = linear * qn_type_bytes(qn_type_element(type));
  if (bytes > buffer->size - at)
    return qn_eval_fail(ev, op, "accesses bytes [%lld, %lld) of a memref of %lld", (long long)at,
                        (long long)(at + bytes), (long long)buffer->size);
  *out = buffer->data + at;
  return QN_OK;
}

static qn_status load(qn_eval *ev, const qn_op *op) {
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  uint8_t *from;
  if (qn_type_is_shaped(out->type)) {
    QN_TRY(address(ev, op, 0, out->size, &from));
    qn_rt_copy(out->data, from, out->size);
  } else {
    QN_TRY(address(ev, op, 0, qn_type_bytes(out->type), &from));
    qn_rt_set_scalar(out, from);
  }
  return QN_OK;
}

static qn_status store(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *value = qn_eval_operand(ev, op, 0);
  if (qn_eval_operand(ev, op, 1)->constant) return qn_eval_fail(ev, op, "writes to a constant");
  int64_t bytes = qn_type_is_shaped(value->type) ? value->size : qn_type_bytes(value->type);
  uint8_t *to, scratch[QN_SCALAR_BYTES];
  QN_TRY(address(ev, op, 1, bytes, &to));
  qn_rt_copy(to, qn_rt_bytes(value, scratch), bytes);
  return QN_OK;
}

/* ---- memory and tiles of kernels ---- */

/* A prefetch accesses nothing, so any index is valid. */
qn_status qn_eval_quern_prefetch(qn_eval *ev, const qn_op *op) {
  (void)ev;
  (void)op;
  return QN_OK;
}

/* The interpreter evaluates ops in their order anyway. */
qn_status qn_eval_quern_boundary(qn_eval *ev, const qn_op *op) {
  (void)ev;
  (void)op;
  return QN_OK;
}

qn_status qn_eval_quern_opaque(qn_eval *ev, const qn_op *op) {
  qn_eval_result(ev, op, 0)->i = qn_eval_operand(ev, op, 0)->i;
  return QN_OK;
}

/* Fills scratch with unusual bytes, so that a read before the first write is noticed. */
qn_status qn_eval_quern_scratch(qn_eval *ev, const qn_op *op) {
  enum { UNDEFINED = 0xA5 };
  const qn_type *type = op->results[0].type;
  int64_t bytes = qn_type_size(type);
  qn_rt_value *out = &ev->values[op->results[0].id];
  if (!out->data) out->data = qn_arena_alloc(ev->arena, (size_t)bytes);
  out->type = type, out->size = bytes;
  memset(out->data, UNDEFINED, (size_t)bytes);
  return QN_OK;
}

/* The address of a tile's rows; checks that all of them are in bounds. */
static qn_status tile_address(qn_eval *ev, const qn_op *op, uint32_t memref, int64_t rows,
                              int64_t row_bytes, int64_t *out_stride, uint8_t **out) {
  const qn_type *type = qn_eval_operand(ev, op, memref)->type;
  *out_stride = qn_op_row_stride(op) * qn_type_bytes(qn_type_element(type));
  return address(ev, op, memref, qn_tile_extent(rows, row_bytes, *out_stride), out);
}

qn_status qn_eval_quern_tile_load(qn_eval *ev, const qn_op *op) {
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  int64_t rows = qn_op_tile_rows(op), bytes = out->size / rows, stride;
  uint8_t *from;
  QN_TRY(tile_address(ev, op, 0, rows, bytes, &stride, &from));
  for (int64_t r = 0; r < rows; r++)
    memcpy(out->data + r * bytes, from + r * stride, (size_t)bytes);
  return QN_OK;
}

qn_status qn_eval_quern_tile_store(qn_eval *ev, const qn_op *op) {
  enum { ROW = QN_TILE_SUMS * sizeof(int32_t) };
  const qn_rt_value *value = qn_eval_operand(ev, op, 0);
  if (qn_eval_operand(ev, op, 1)->constant) return qn_eval_fail(ev, op, "writes to a constant");
  int64_t rows = value->size / ROW, stride;
  uint8_t *to;
  QN_TRY(tile_address(ev, op, 1, rows, ROW, &stride, &to));
  for (int64_t r = 0; r < rows; r++) memcpy(to + r * stride, value->data + r * ROW, ROW);
  return QN_OK;
}

qn_status qn_eval_memref_load(qn_eval *ev, const qn_op *op) { return load(ev, op); }
qn_status qn_eval_memref_store(qn_eval *ev, const qn_op *op) { return store(ev, op); }
qn_status qn_eval_vector_load(qn_eval *ev, const qn_op *op) { return load(ev, op); }
qn_status qn_eval_quern_reload(qn_eval *ev, const qn_op *op) { return load(ev, op); }
qn_status qn_eval_vector_store(qn_eval *ev, const qn_op *op) { return store(ev, op); }
