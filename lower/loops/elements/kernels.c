/* Kernels of ops on tensors, except linalg.generic.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/loops/constants.h"
#include "lower/loops/nest.h"
#include "lower/loops/vec.h"
#include "lower/loops/elements/record.h"

/* Maximum size of the arena. The shapes come from the interpreter, which has the same limit, so
 * that a single size does not overflow here. */
enum { MAX_ARENA_BYTES = INT32_MAX };

/* ---- buffers ---- */

qn_value *qn_elements_buffer(qn_elements *t, const qn_value *value) {
  qn_place_of *place = qn_elements_place(t, value);
  if (place->buffer) return place->buffer;
  const qn_type *element = qn_elements_memory_element(t->lo->cx, place->type);
  const qn_type *type = qn_type_buf(t->lo->cx, element, qn_elements_count(place->type));
  place->buffer = qn_constants_buffer(t->lo, type, place->content);
  return place->buffer;
}

qn_status qn_elements_new_buffer(qn_elements *t, const qn_op *op, qn_place_of *place) {
  if (place->buffer) return QN_OK;
  const qn_type *element = qn_elements_memory_element(t->lo->cx, place->type);
  int64_t count = qn_elements_count(place->type);
  int64_t bytes =
      count * qn_type_bytes(element); /* at most 2 GiB, which the interpreter has checked */
  qn_builder *b = &t->lo->main;
  qn_value *const operands[] = {t->memory, qn_build_index(b, t->arena_bytes)};
  int64_t line = t->lo->target->line_bytes, most = qn_target_max_bytes(t->lo->target);
  if (most > MAX_ARENA_BYTES) most = MAX_ARENA_BYTES;
  t->arena_bytes += (bytes + line - 1) / line * line;
  if (t->arena_bytes > most)
    return qn_error(&t->lo->cx->diag, op->loc, QN_LIMIT, "the function needs more than %lld bytes",
                    (long long)most);
  place->buffer =
      qn_build_1(b, QN_OP_MEMREF_VIEW, qn_type_buf(t->lo->cx, element, count), operands, 2, NULL);
  return QN_OK;
}

/* ---- elements ---- */

qn_value *qn_elements_load(qn_builder *b, const qn_type *type, qn_value *buffer, qn_value *at) {
  const qn_type *held = buffer->type->shaped.element;
  const qn_type *element = qn_elements_element(b->module->cx, type);
  qn_value *value = qn_build_1(b, QN_OP_MEMREF_LOAD, held, QN_VALUES(buffer, at), NULL);
  return held == element ? value : qn_build_unary(b, QN_OP_ARITH_TRUNCI, value, element);
}

void qn_elements_store(qn_builder *b, qn_value *value, qn_value *buffer, qn_value *at) {
  const qn_type *held = buffer->type->shaped.element;
  if (value->type != held) value = qn_build_unary(b, QN_OP_ARITH_EXTSI, value, held);
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(value, buffer, at), NULL);
}

/* Lists the buffers of the operands, then of the result. */
static qn_status gather(qn_elements *t, const qn_op *op, qn_value ***out_buffers) {
  qn_value **buffers = QN_NEW_ARRAY(t->lo->scratch, op->operand_count + 2, qn_value *);
  QN_TRY(qn_elements_new_buffer(t, op, qn_elements_place(t, &op->results[0])));
  for (uint32_t i = 0; i < op->operand_count; i++)
    buffers[i] = qn_elements_buffer(t, qn_op_operand(op, i));
  buffers[op->operand_count] = qn_elements_place(t, &op->results[0])->buffer;
  *out_buffers = buffers;
  return QN_OK;
}

/* ---- vectors ---- */

/* Lanes of a register of the widest element type; 1: scalar. */
static int64_t lanes_of(const qn_elements *t, const qn_type *const *types, uint32_t count) {
  uint32_t bytes = 1;
  for (uint32_t i = 0; i < count; i++) {
    const qn_type *held = qn_elements_memory_element(t->lo->cx, types[i]);
    if (held != qn_elements_element(t->lo->cx, types[i])) return 1;
    if (qn_type_bytes(held) > bytes) bytes = qn_type_bytes(held);
  }
  return t->lo->target->vector_bytes / bytes;
}

/* Loads elements [at, at + lanes); a scalar for one lane. */
static qn_value *load_lanes(qn_builder *b, const qn_type *type, qn_value *buffer, qn_value *at,
                            int64_t lanes) {
  if (lanes == 1) return qn_elements_load(b, type, buffer, at);
  return qn_vec_load(b, buffer, at, 0, lanes);
}

static void store_lanes(qn_builder *b, qn_value *value, qn_value *buffer, qn_value *at) {
  if (qn_type_is_shaped(value->type))
    qn_vec_store(b, value, buffer, at, 0);
  else
    qn_elements_store(b, value, buffer, at);
}

/* ---- kernels ---- */

enum { COPY_FROM, COPY_TO, COPY_WHEN, COPY_ARGS };

typedef struct copying {
  const qn_type *type;
  bool sometimes; /* the copy is conditional on the i1 in COPY_WHEN */
} copying;

static void copy_elements(qn_kernel *k, void *user, qn_value *at, int64_t lanes) {
  const copying *c = user;
  qn_builder *b = &k->b;
  const qn_type *held = k->args[COPY_TO]->type->shaped.element;
  qn_value *value = load_lanes(b, c->type, k->args[COPY_FROM], at, lanes);
  if (c->sometimes) {
    qn_value *old = load_lanes(b, c->type, k->args[COPY_TO], at, lanes);
    qn_value *zero = qn_build_index(b, 0);
    qn_value *taken = qn_elements_load(b, qn_type_i(b->cx, 1), k->args[COPY_WHEN], zero);
    value = qn_build_select(b, taken, value, old);
  }
  if (lanes == 1 && value->type != held && qn_type_is_unsigned(qn_type_element(c->type)))
    value = qn_build_unary(b, QN_OP_ARITH_EXTUI, value, held);
  store_lanes(b, value, k->args[COPY_TO], at);
}

void qn_elements_copy(qn_elements *t, const qn_op *op, const qn_type *type, qn_value *from,
                      qn_value *to, qn_value *when) {
  qn_value *const buffers[COPY_ARGS] = {[COPY_FROM] = from, [COPY_TO] = to, [COPY_WHEN] = when};
  int64_t count = qn_elements_count(type);
  copying c = {type, when != NULL};
  qn_kernel k = qn_kernel_begin(t->lo, "copy", op, buffers, when ? COPY_ARGS : COPY_WHEN);
  qn_nest_flat(&k, count, lanes_of(t, &type, 1), copy_elements, &c);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
}

enum { FILL_TO, FILL_ARGS };

static void fill_elements(qn_kernel *k, void *user, qn_value *at, int64_t lanes) {
  const qn_attr *splat = user;
  qn_builder *b = &k->b;
  const qn_type *element = qn_type_element(splat->type);
  const qn_type *type = lanes > 1 ? qn_type_vec(b->cx, element, lanes) : element;
  qn_value *value = element->kind == QN_TYPE_FLOAT
                        ? qn_build_float(b, qn_dense_float(splat, 0), type)
                        : qn_build_int(b, qn_dense_int(splat, 0), type);
  store_lanes(b, value, k->args[FILL_TO], at);
}

void qn_elements_fill(qn_elements *t, const qn_op *op, const qn_type *type, const qn_attr *splat,
                      qn_value *to) {
  int64_t count = qn_elements_count(type);
  qn_value *const buffers[FILL_ARGS] = {[FILL_TO] = to};
  qn_kernel k = qn_kernel_begin(t->lo, "fill", op, buffers, FILL_ARGS);
  qn_nest_flat(&k, count, lanes_of(t, &type, 1), fill_elements, (void *)(uintptr_t)splat);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
}

/* Computes element i of the result from element i of each tensor operand. */
static void compute_elements(qn_kernel *k, void *user, qn_value *at, int64_t lanes) {
  const qn_op *op = user;
  qn_builder *b = &k->b;
  qn_value **operands = QN_NEW_ARRAY(k->lo->scratch, op->operand_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *type = qn_op_operand(op, i)->type;
    bool shaped = qn_type_is_shaped(type);
    qn_value *from = shaped ? at : qn_build_index(b, 0);
    operands[i] = load_lanes(b, type, k->args[i], from, shaped ? lanes : 1);
  }
  qn_value *value = qn_elements_lanes_op(b, op, operands, lanes);
  store_lanes(b, value, k->args[op->operand_count], at);
}

static qn_status elementwise(qn_elements *t, const qn_op *op) {
  qn_value **buffers;
  QN_TRY(gather(t, op, &buffers));
  uint32_t operands = op->operand_count;
  const qn_type *result = qn_elements_place(t, &op->results[0])->type;
  const qn_type **types = QN_NEW_ARRAY(t->lo->scratch, operands + 1, const qn_type *);
  for (uint32_t i = 0; i < operands; i++) types[i] = qn_op_operand(op, i)->type;
  types[operands] = result;
  int64_t count = qn_elements_count(result), lanes = lanes_of(t, types, operands + 1);
  qn_kernel k = qn_kernel_begin(t->lo, "elementwise", op, buffers, operands + 1);
  qn_nest_flat(&k, count, lanes, compute_elements, (void *)(uintptr_t)op);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}
const qn_element_record qn_element_record_elementwise = {
    .part = QN_ELEMENT_KERNEL, .build = elementwise, .numbers = QN_ANY_NUMBERS, .in_body = true};

/* Copies one element of an operand, for splats and extracts. */
enum { ONE_FROM, ONE_TO, ONE_ARGS };

static void repeat_element(qn_kernel *k, void *user, qn_value *at, int64_t lanes) {
  qn_builder *b = &k->b;
  qn_value *zero = qn_build_index(b, 0);
  qn_value *value = qn_elements_load(b, user, k->args[ONE_FROM], zero);
  if (lanes > 1) value = qn_vec_broadcast(b, value, lanes);
  store_lanes(b, value, k->args[ONE_TO], at);
}

static qn_status splat(qn_elements *t, const qn_op *op) {
  qn_value **buffers;
  QN_TRY(gather(t, op, &buffers));
  qn_value *const ends[ONE_ARGS] = {/* the sizes of the dimensions are between them */
                                    [ONE_FROM] = buffers[0],
                                    [ONE_TO] = buffers[op->operand_count]};
  const qn_type *type = qn_op_operand(op, 0)->type;
  int64_t count = qn_elements_count(qn_elements_place(t, &op->results[0])->type);
  qn_kernel k = qn_kernel_begin(t->lo, "splat", op, ends, ONE_ARGS);
  qn_nest_flat(&k, count, lanes_of(t, &type, 1), repeat_element, (void *)(uintptr_t)type);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}
const qn_element_record qn_element_record_tensor_splat = {
    .part = QN_ELEMENT_KERNEL, .build = splat, .numbers = 1};

static qn_status from_elements(qn_elements *t, const qn_op *op) {
  qn_value **buffers;
  QN_TRY(gather(t, op, &buffers));
  uint32_t count = op->operand_count;
  qn_kernel k = qn_kernel_begin(t->lo, "from_elements", op, buffers, count + 1);
  qn_value *zero = qn_build_index(&k.b, 0);
  for (uint32_t i = 0; i < count; i++) {
    qn_value *value = qn_elements_load(&k.b, buffers[i]->type, k.args[i], zero);
    qn_elements_store(&k.b, value, k.args[count], qn_build_index(&k.b, i));
  }
  qn_kernel_end(&k, 1, 0);
  return QN_OK;
}
const qn_element_record qn_element_record_tensor_from_elements = {
    .part = QN_ELEMENT_KERNEL, .build = from_elements, .numbers = QN_ANY_NUMBERS};

/* Extracts an element at a constant position, which the interpreter has checked. */
static qn_status extract(qn_elements *t, const qn_op *op) {
  qn_value **buffers;
  QN_TRY(gather(t, op, &buffers));
  const qn_type *type = qn_elements_place(t, qn_op_operand(op, 0))->type;
  int64_t at = 0;
  for (uint32_t d = 0; d < type->shaped.rank; d++) {
    int64_t i;
    memcpy(&i, qn_elements_place(t, qn_op_operand(op, d + 1))->content.data, sizeof i);
    at = at * type->shaped.dims[d] + i;
  }
  qn_value *const ends[ONE_ARGS] = {[ONE_FROM] = buffers[0], [ONE_TO] = buffers[op->operand_count]};
  qn_kernel k = qn_kernel_begin(t->lo, "extract", op, ends, ONE_ARGS);
  qn_value *value =
      qn_elements_load(&k.b, ends[ONE_FROM]->type, k.args[ONE_FROM], qn_build_index(&k.b, at));
  qn_elements_store(&k.b, value, k.args[ONE_TO], qn_build_index(&k.b, 0));
  qn_kernel_end(&k, 1, 0);
  return QN_OK;
}
const qn_element_record qn_element_record_tensor_extract = {
    .part = QN_ELEMENT_KERNEL, .build = extract, .numbers = 1};

qn_status qn_elements_lower_op(qn_elements *t, const qn_op *op) {
  if (op->result_count == 0 || qn_elements_place(t, &op->results[0])->known) return QN_OK;
  const qn_element_record *record = qn_element_record_of(op);
  if (record->part != QN_ELEMENT_ALIAS) return record->build(t, op);
  qn_elements_place(t, &op->results[0])->buffer = qn_elements_buffer(t, qn_op_operand(op, 0));
  return QN_OK;
}
