/* Attributes of a loops module:
 *
 *   module   quern.arena_bytes, quern.target, with keep_tensors quern.probes, and the attributes
 *            of the integer stage
 *   @main    arg_attrs as in ir/entry/port.h, with quern.dtype and quern.shape
 *            and, with io_in_arena, quern.offset
 *   probe    {index, offset, bytes, output, size}: where a tensor of the model is. offset: in the
 *            arena, -1 if the tensor is an output; output: number of the output, -1 if in the
 *            arena; size: index of its dynamic size, absent if static
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/interface.h"

#include "ir/entry/dtype.h"
#include "ir/walk.h"
#include "lower/loops/batches.h"
#include "lower/loops/check.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/elements/elements.h"

/* A tensor of whole batches is passed as bytes, because memref.view takes bytes. */
static const qn_type *buffer_type(qn_loops *lo, const qn_type *tensor, bool has_batch) {
  const qn_type *element = qn_elements_memory_element(lo->cx, tensor->shaped.element);
  int64_t count = qn_type_elements(tensor);
  if (has_batch) return qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), count * qn_type_bytes(element));
  return qn_type_buf(lo->cx, element, count);
}

/* ---- the arguments of @main ---- */

typedef struct argument {
  const qn_type *type;
  qn_port port;
} argument;

static argument tensor_argument(qn_loops *lo, const qn_value *value, const qn_port *known,
                                qn_role role, uint32_t number) {
  const qn_type *type = qn_batch_whole_type(lo, value);
  argument a = {buffer_type(lo, type, qn_batch_has(lo, value)), *known};
  qn_port *port = &a.port;
  port->role = role;
  if (!qn_port_has(port, QN_PORT_NAME))
    port->name = qn_arena_format(lo->scratch, "%s%u", qn_role_name(role), number);
  port->dtype = qn_dtype_at_interface(type->shaped.element, known->dtype);
  port->shape = (qn_i64s){type->shaped.dims, type->shaped.rank};
  static const qn_port_field always[] = {QN_PORT_ROLE,  QN_PORT_NAME,  QN_PORT_DTYPE,
                                         QN_PORT_SHAPE, QN_PORT_SCALE, QN_PORT_ZERO_POINT,
                                         QN_PORT_INDEX};
  for (size_t i = 0; i < QN_COUNT(always); i++) qn_port_note(port, always[i]);
  return a;
}

static argument size_argument(qn_loops *lo, const qn_size *size) {
  argument a = {qn_type_index(lo->cx), QN_PORT_INIT};
  a.port.role = QN_ROLE_SHAPE;
  a.port.name = size->name;
  a.port.bound = size->bound;
  qn_port_note(&a.port, QN_PORT_ROLE);
  qn_port_note(&a.port, QN_PORT_NAME);
  qn_port_note(&a.port, QN_PORT_BOUND);
  return a;
}

/* Memory that buffers share: the arena or prepared memory. */
static argument memory_argument(qn_loops *lo, qn_role role, int64_t bytes) {
  argument a = {qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), bytes), QN_PORT_INIT};
  a.port.role = role;
  qn_port_note(&a.port, QN_PORT_ROLE);
  return a;
}

/* All arguments in order: inputs, outputs, states, the arena, sizes, and, if `has_prepared`,
 * prepared memory. */
static argument *list_arguments(qn_loops *lo, qn_memory_sizes sizes, bool has_prepared,
                                uint32_t *out_count) {
  const qn_entry *e = &lo->entry;
  const qn_block *body = qn_op_body(e->func);
  const qn_op *ret = body->last;
  uint32_t count = e->input_count + e->output_count + e->state_count + e->size_count + 2, n = 0;
  argument *list = QN_NEW_ARRAY(lo->scratch, count, argument);
  for (uint32_t i = 0; i < e->input_count; i++)
    list[n++] =
        tensor_argument(lo, body->args[e->inputs[i]], &e->args[e->inputs[i]], QN_ROLE_INPUT, i);
  for (uint32_t i = 0; i < e->output_count; i++)
    list[n++] = tensor_argument(lo, qn_op_operand(ret, e->outputs[i]), &e->results[e->outputs[i]],
                                QN_ROLE_OUTPUT, i);
  for (uint32_t i = 0; i < e->state_count; i++)
    list[n++] = tensor_argument(lo, body->args[e->state_arguments[i]],
                                &e->args[e->state_arguments[i]], QN_ROLE_STATE, i);
  list[n++] = memory_argument(lo, QN_ROLE_ARENA, sizes.arena_bytes);
  for (uint32_t i = 0; i < e->size_count; i++) list[n++] = size_argument(lo, &e->sizes[i]);
  if (has_prepared) list[n++] = memory_argument(lo, QN_ROLE_PREPARED, sizes.prepared_bytes);
  *out_count = n;
  return list;
}

static const qn_type *function_type(qn_loops *lo, const argument *list, uint32_t count) {
  const qn_type **types = QN_NEW_ARRAY(lo->scratch, count, const qn_type *);
  for (uint32_t i = 0; i < count; i++) types[i] = list[i].type;
  return qn_type_function(lo->cx, types, count, NULL, 0);
}

qn_op *qn_interface_create_main(qn_loops *lo) {
  const qn_op *func = lo->entry.func;
  uint32_t count;
  const argument *list = list_arguments(lo, (qn_memory_sizes){0, 0}, false, &count);
  qn_builder b = qn_builder_at_end(lo->module, qn_op_body(lo->module->op), func->loc);
  return qn_build_func(&b, qn_op_sym_name(func), function_type(lo, list, count), NULL);
}

qn_main_arguments qn_interface_arguments(const qn_loops *lo, const qn_op *main_func) {
  const qn_entry *e = &lo->entry;
  qn_value *const *args = qn_op_body(main_func)->args;
  qn_main_arguments all = {.inputs = args};
  all.outputs = all.inputs + e->input_count;
  all.states = all.outputs + e->output_count;
  all.arena = all.states[e->state_count];
  all.sizes = all.states + e->state_count + 1;
  return all;
}

/* ---- probes ---- */

static qn_named_attr named(qn_loops *lo, const char *name, const qn_attr *value) {
  return (qn_named_attr){qn_intern(lo->cx, qn_str_of(name)), value};
}

static const qn_attr *probe(qn_loops *lo, int64_t tensor, const qn_value *v,
                            const int64_t *offsets) {
  qn_buffer_slice place = qn_memory_place(lo->plan, v);
  const qn_buffer *s = &lo->plan->buffers.data[place.buffer];
  bool in_arena = s->space == QN_SPACE_ARENA;
  qn_named_attr items[] = {
      named(lo, "index", qn_attr_i64(lo->cx, tensor)),
      named(lo, "offset",
            qn_attr_i64(lo->cx, in_arena ? offsets[place.buffer] + place.offset : -1)),
      named(lo, "bytes", qn_attr_i64(lo->cx, qn_tensor_bytes(v->type))),
      named(lo, "output", qn_attr_i64(lo->cx, in_arena ? -1 : (int64_t)s->index)),
      named(lo, "size", qn_attr_i64(lo->cx, lo->entry.size_of[v->id].size))};
  uint32_t count = QN_COUNT(items) - (lo->entry.size_of[v->id].size == QN_SIZE_FIXED);
  return qn_attr_dict(lo->cx, items, count);
}

/* A probe for every tensor that an op of the model wrote, in execution order. */
static const qn_attr *probes(qn_loops *lo, const qn_op *func, const int64_t *offsets) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) count += op->result_count;
  const qn_attr **list = QN_NEW_ARRAY(lo->scratch, count, const qn_attr *);
  count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) {
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count && i < tensors.count && !qn_op_has(op, QN_CONSTANT);
         i++)
      if (tensors.data[i] >= 0)
        list[count++] = probe(lo, tensors.data[i], &op->results[i], offsets);
  }
  return qn_attr_array(lo->cx, list, count);
}

void qn_interface_set_target(qn_module *m, const qn_target *target) {
  qn_op_set_attr(m, m->op, "quern.target", qn_attr_string(m->cx, qn_str_of(target->name)));
  if (qn_op_index_bits(m->op) != target->index_bits)
    qn_op_set_attr(m, m->op, "quern.index_bits", qn_attr_i64(m->cx, target->index_bits));
}

/* Adds the places of inputs and outputs in the arena to their ports. */
static void note_places(const qn_loops *lo, const int64_t *offsets, qn_port *ports) {
  for (size_t i = 0; i < lo->plan->buffers.count; i++) {
    const qn_buffer *s = &lo->plan->buffers.data[i];
    bool output = s->space == QN_SPACE_OUTPUT;
    if (s->parent != i || (!output && s->space != QN_SPACE_INPUT)) continue;
    qn_port *port = &ports[s->index + (output ? lo->entry.input_count : 0)];
    port->offset = offsets[i];
    qn_port_note(port, QN_PORT_OFFSET);
  }
}

static void set_bytes(qn_loops *lo, qn_value *memory, int64_t bytes) {
  qn_value_set_type(memory, qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), bytes));
}

void qn_interface_finish(qn_loops *lo, qn_op *main_func, qn_memory_sizes sizes, qn_value *prepared,
                         const int64_t *buffer_offsets) {
  QN_ASSERT(sizes.arena_bytes >= 0 && sizes.prepared_bytes >= 0);
  qn_module *m = lo->module;
  uint32_t count;
  const argument *list = list_arguments(lo, sizes, prepared != NULL, &count);
  qn_port *ports = QN_NEW_ARRAY(lo->scratch, count, qn_port);
  for (uint32_t i = 0; i < count; i++) ports[i] = list[i].port;
  if (lo->io_in_arena) note_places(lo, buffer_offsets, ports);
  set_bytes(lo, qn_interface_arguments(lo, main_func).arena, sizes.arena_bytes);
  if (prepared) set_bytes(lo, prepared, sizes.prepared_bytes);
  qn_op_set_attr(m, main_func, "function_type",
                 qn_attr_type(lo->cx, function_type(lo, list, count)));
  qn_ports_set(m, main_func, QN_SIDE_ARGUMENTS, ports, count);
  qn_op_set_attr(m, m->op, "quern.arena_bytes", qn_attr_i64(lo->cx, sizes.arena_bytes));
  qn_interface_set_target(m, lo->target);
  if (lo->keep_tensors)
    qn_op_set_attr(m, m->op, "quern.probes", probes(lo, lo->entry.func, buffer_offsets));
}
