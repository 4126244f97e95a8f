/* Inputs, outputs, states and dynamic sizes as the API returns them, for a module at the model or
 * integer stage, and for machine code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"
#include "ir/entry/dtype.h"

typedef struct reader {
  const qn_module *module;
  const qn_entry *entry;
  qn_arena *arena;
} reader;

static qn_status read_tensor(const reader *r, const qn_value *value, const qn_port *port,
                             qn_tensor_info *out) {
  const qn_type *type = value->type;
  int64_t elements = qn_type_elements(type);
  qn_dtype dtype = qn_dtype_at_interface(qn_type_element(type), port->dtype);
  if (type->kind != QN_TYPE_TENSOR || elements < 0 || !dtype)
    return qn_error(&r->module->cx->diag, r->entry->func->loc, QN_UNSUPPORTED,
                    "the main function has an input or output that is not a static tensor of a "
                    "supported type");
  const qn_quant_uniform *quant = qn_type_quant(type);
  bool typed = quant && quant->count == 1;
  *out = (qn_tensor_info){
      .name = port->name.data ? qn_arena_str(r->arena, port->name).data : "",
      .dtype = dtype,
      .rank = type->shaped.rank,
      .dims = qn_arena_copy(r->arena, type->shaped.dims, type->shaped.rank * sizeof(int64_t)),
      .bytes = (size_t)(elements * qn_type_bytes(qn_type_element(type))),
      .scale = port->scale,
      .zero_point = port->zero_point,
      .index = port->index,
      .size = r->entry->size_of[value->id].size,
      .size_dimension = r->entry->size_of[value->id].dimension,
  };
  if (!qn_port_has(port, QN_PORT_SCALE) && typed) out->scale = quant->scales[0];
  if (!qn_port_has(port, QN_PORT_ZERO_POINT) && typed) out->zero_point = quant->zero_points[0];
  return QN_OK;
}

static qn_status read_arguments(const reader *r, const uint32_t *numbers, uint32_t count,
                                qn_tensor_info **out) {
  *out = QN_NEW_ARRAY(r->arena, (size_t)count + 1, qn_tensor_info);
  for (uint32_t i = 0; i < count; i++)
    QN_TRY(read_tensor(r, qn_op_body(r->entry->func)->args[numbers[i]], &r->entry->args[numbers[i]],
                       &(*out)[i]));
  return QN_OK;
}

static qn_status read_results(const reader *r, qn_tensor_info **out) {
  const qn_entry *e = r->entry;
  *out = QN_NEW_ARRAY(r->arena, (size_t)e->output_count + 1, qn_tensor_info);
  for (uint32_t i = 0; i < e->output_count; i++)
    QN_TRY(read_tensor(r, qn_op_operand(qn_op_body(e->func)->last, e->outputs[i]),
                       &e->results[e->outputs[i]], &(*out)[i]));
  return QN_OK;
}

typedef qn_status entry_reader(const qn_module *module, const qn_op *func, qn_arena *arena,
                               qn_entry *out_entry);

static qn_status read_by(entry_reader *read_entry, const qn_module *module, qn_arena *arena,
                         qn_entry *out_entry, qn_signature *out_signature) {
  const qn_op *func = qn_module_main(module);
  if (!func || !qn_op_body(func))
    return qn_error(&module->cx->diag, module->op->loc, QN_INVALID,
                    "the module has no @main and not exactly one public function");
  QN_TRY(read_entry(module, func, arena, out_entry));
  reader r = {module, out_entry, arena};
  qn_signature *s = out_signature;
  *s =
      (qn_signature){.input_count = out_entry->input_count,
                     .output_count = out_entry->output_count,
                     .state_count = out_entry->state_count,
                     .size_count = out_entry->size_count,
                     .sizes = QN_NEW_ARRAY(arena, (size_t)out_entry->size_count + 1, qn_size_info)};
  for (uint32_t i = 0; i < s->size_count; i++)
    s->sizes[i] = (qn_size_info){qn_arena_str(arena, out_entry->sizes[i].name).data,
                                 out_entry->sizes[i].bound, out_entry->sizes[i].bound};
  QN_TRY(read_arguments(&r, out_entry->inputs, s->input_count, &s->inputs));
  QN_TRY(read_arguments(&r, out_entry->state_arguments, s->state_count, &s->states));
  return read_results(&r, &s->outputs);
}

qn_status qn_signature_read(const qn_module *module, qn_arena *arena, qn_entry *out_entry,
                            qn_signature *out_signature) {
  return read_by(qn_entry_read, module, arena, out_entry, out_signature);
}

qn_status qn_signature_read_largest(const qn_module *module, qn_arena *arena, qn_entry *out_entry,
                                    qn_signature *out_signature) {
  return read_by(qn_entry_read_largest, module, arena, out_entry, out_signature);
}

static void resize(qn_tensor_info *tensors, uint32_t count, uint32_t index, int64_t size) {
  for (uint32_t i = 0; i < count; i++) {
    if (tensors[i].size != (int32_t)index) continue;
    /* qn_signature has writable dimensions */
    int64_t *dim = (int64_t *)&tensors[i].dims[tensors[i].size_dimension];
    tensors[i].bytes = tensors[i].bytes / (size_t)*dim * (size_t)size;
    *dim = size;
  }
}

void qn_signature_set_size(qn_signature *signature, uint32_t index, int64_t size) {
  signature->sizes[index].size = size;
  resize(signature->inputs, signature->input_count, index, size);
  resize(signature->outputs, signature->output_count, index, size);
}

/* ---- signature of machine code ---- */

static qn_tensor_info *tensors_of_abi(const qn_abi_tensor *from, uint32_t count, qn_arena *arena) {
  qn_tensor_info *to = QN_NEW_ARRAY(arena, (size_t)count + 1, qn_tensor_info);
  for (uint32_t i = 0; i < count; i++)
    to[i] =
        (qn_tensor_info){.name = from[i].name,
                         .dtype = (qn_dtype)from[i].dtype,
                         .rank = from[i].rank,
                         .dims = qn_arena_copy(arena, from[i].dims, from[i].rank * sizeof(int64_t)),
                         .bytes = (size_t)from[i].bytes,
                         .scale = from[i].scale,
                         .zero_point = from[i].zero_point,
                         .index = from[i].index,
                         .size = from[i].sizes[qn_abi_size_dimension(&from[i])] - 1,
                         .size_dimension = qn_abi_size_dimension(&from[i])};
  return to;
}

void qn_signature_of_abi(const qn_abi_model *entry, qn_arena *arena, qn_signature *out_signature) {
  qn_signature *s = out_signature;
  *s = (qn_signature){.inputs = tensors_of_abi(entry->inputs, entry->input_count, arena),
                      .outputs = tensors_of_abi(entry->outputs, entry->output_count, arena),
                      .states = tensors_of_abi(entry->states, entry->state_count, arena),
                      .sizes = QN_NEW_ARRAY(arena, (size_t)entry->size_count + 1, qn_size_info),
                      .input_count = entry->input_count,
                      .output_count = entry->output_count,
                      .state_count = entry->state_count,
                      .size_count = entry->size_count};
  for (uint32_t i = 0; i < entry->size_count; i++)
    s->sizes[i] =
        (qn_size_info){entry->sizes[i].name, entry->sizes[i].bound, entry->sizes[i].bound};
}
