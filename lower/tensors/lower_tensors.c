/* Driver: shapes first, then one kernel per op, then the copies of results to the outputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/tensors/tensors.h"

#include "ir/entry/port.h"
#include "ir/verify/verify.h"
#include "ir/walk.h"
#include "lower/loops/check.h"
#include "lower/loops/constants.h"
#include "lower/loops/interface.h"
#include "lower/loops/kernel.h"
#include "lower/loops/sizes.h"
#include "lower/tensors/trace.h"

/* ---- the new @main ---- */

static qn_port describe(const qn_trace *t, qn_role role, const qn_type *type) {
  qn_ir_context *cx = t->elements.lo->cx;
  const qn_type *element = qn_elements_memory_element(cx, type);
  qn_port port = QN_PORT_INIT;
  int64_t *count = QN_NEW(t->elements.lo->scratch, int64_t);
  *count = qn_elements_count(type);
  port.role = role;
  port.dtype = qn_loops_dtype(element);
  if (!port.dtype) {
    *count *= qn_type_bytes(element);
    port.dtype = QN_DTYPE_U8;
  }
  port.shape = (qn_i64s){count, 1};
  qn_port_note(&port, QN_PORT_ROLE);
  qn_port_note(&port, QN_PORT_DTYPE);
  qn_port_note(&port, QN_PORT_SHAPE);
  return port;
}

/* Creates @main; its last argument, the arena, has size 0 for now. */
static qn_op *create_main(qn_trace *t) {
  const qn_block *body = qn_op_body(t->func);
  uint32_t count = body->arg_count + t->result->operand_count + 1, n = 0;
  qn_ir_context *cx = t->elements.lo->cx;
  const qn_type **types = QN_NEW_ARRAY(t->elements.lo->scratch, count, const qn_type *);
  qn_port *ports = QN_NEW_ARRAY(t->elements.lo->scratch, count, qn_port);
  for (uint32_t i = 0; i + 1 < count; i++) {
    bool input = i < body->arg_count;
    const qn_value *value = input ? body->args[i] : qn_op_operand(t->result, i - body->arg_count);
    const qn_type *type = qn_trace_place(t, value)->type;
    ports[n] = describe(t, input ? QN_ROLE_INPUT : QN_ROLE_OUTPUT, type);
    types[n++] = qn_type_buf(cx, qn_elements_memory_element(cx, type), qn_elements_count(type));
  }
  ports[n] = (qn_port){.role = QN_ROLE_ARENA};
  qn_port_note(&ports[n], QN_PORT_ROLE);
  types[n++] = qn_type_buf(cx, qn_type_i(cx, 8), 0);
  qn_builder b = qn_builder_at_end(t->elements.lo->module, qn_op_body(t->elements.lo->module->op),
                                   t->func->loc);
  qn_op *func = qn_build_func(&b, qn_str_of("main"), qn_type_function(cx, types, n, NULL, 0), NULL);
  qn_ports_set(t->elements.lo->module, func, QN_SIDE_ARGUMENTS, ports, n);
  return func;
}

static void set_arena(qn_trace *t, qn_op *main_func) {
  qn_ir_context *cx = t->elements.lo->cx;
  qn_module *m = t->elements.lo->module;
  const qn_block *body = qn_op_body(main_func);
  qn_value_set_type(t->elements.memory, qn_type_buf(cx, qn_type_i(cx, 8), t->elements.arena_bytes));
  const qn_type **types = QN_NEW_ARRAY(t->elements.lo->scratch, body->arg_count, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++) types[i] = body->args[i]->type;
  const qn_type *type = qn_type_function(cx, types, body->arg_count, NULL, 0);
  qn_op_set_attr(m, main_func, "function_type", qn_attr_type(cx, type));
  qn_op_set_attr(m, m->op, "quern.arena_bytes", qn_attr_i64(cx, t->elements.arena_bytes));
  qn_interface_set_target(m, t->elements.lo->target);
}

/* ---- the lowering ---- */

/* Lowers a return. The first one is lowered unconditionally; another one overwrites the results if
 * control reaches it. */
static void lower_return(qn_trace *t, const qn_op *ret, qn_value *active,
                         qn_value *const *outputs) {
  for (uint32_t i = 0; i < ret->operand_count; i++) {
    const qn_value *value = qn_op_operand(ret, i);
    qn_elements_copy(&t->elements, ret, qn_trace_place(t, value)->type,
                     qn_elements_buffer(&t->elements, value), outputs[i],
                     ret == t->result ? NULL : active);
  }
}

static qn_status lower_body(qn_trace *t, qn_value *const *outputs) {
  for (qn_flow *flow = t->flow; flow; flow = flow->next) {
    QN_TRY(qn_trace_enter(t, flow));
    QN_FOR_EACH_OP(op, flow->block) {
      t->elements.lo->main.loc = op->loc;
      QN_TRY(qn_elements_lower_op(&t->elements, op));
    }
    const qn_op *last = flow->block->last;
    if (last->kind == QN_OP_FUNC_RETURN) lower_return(t, last, flow->active, outputs);
  }
  qn_build_0(&t->elements.lo->main, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  return QN_OK;
}

static qn_status lower(qn_trace *t) {
  qn_op *main_func = create_main(t);
  qn_block *body = qn_op_body(main_func);
  t->elements.lo->main = qn_builder_at_end(t->elements.lo->module, body, t->func->loc);
  t->elements.lo->kernels = qn_kernels_create(t->elements.lo, main_func);
  t->elements.lo->constants = qn_constants_create(t->elements.lo);
  t->elements.memory = body->args[body->arg_count - 1];
  for (uint32_t i = 0; i < qn_op_body(t->func)->arg_count; i++)
    qn_trace_place(t, qn_op_body(t->func)->args[i])->buffer = body->args[i];
  qn_status status = lower_body(t, body->args + qn_op_body(t->func)->arg_count);
  set_arena(t, main_func);
  qn_kernels_destroy(t->elements.lo->kernels);
  qn_constants_destroy(t->elements.lo->constants);
  QN_TRY(status);
  QN_TRY(qn_verify(t->elements.lo->module));
  return qn_verify_stage(t->elements.lo->module, QN_STAGE_LOOPS);
}

static const qn_type *const *result_types(const qn_trace *t, qn_arena *arena) {
  const qn_op *ret = t->result;
  const qn_type **types = QN_NEW_ARRAY(arena, ret->operand_count + 1, const qn_type *);
  for (uint32_t i = 0; i < ret->operand_count; i++)
    types[i] = qn_trace_place(t, qn_op_operand(ret, i))->type;
  return types;
}

qn_status qn_lower_tensors(const qn_module *module, const qn_op *func, const qn_type *const *types,
                           const qn_tensors_options *options, qn_arena *arena,
                           qn_tensors_result *out_result) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_loops lo = {
      .cx = module->cx, .scratch = &scratch, .kept = &scratch, .target = options->target};
  qn_trace t = {.elements = {.lo = &lo}, .source = module, .func = func};
  t.elements.places = QN_NEW_ARRAY(&scratch, module->value_count + 1, qn_place_of);
  *out_result = (qn_tensors_result){0};
  qn_status status = qn_loops_check_index_width(module, func, options->target);
  if (status == QN_OK) status = qn_trace_run(&t, types, options->max_steps);
  if (status == QN_OK) {
    lo.module = qn_module_create(module->cx, func->loc);
    status = lower(&t);
    if (status != QN_OK) qn_module_destroy(lo.module);
  }
  if (status == QN_OK)
    *out_result = (qn_tensors_result){.loops = lo.module, .types = result_types(&t, arena)};
  qn_arena_deinit(&scratch);
  return status;
}
