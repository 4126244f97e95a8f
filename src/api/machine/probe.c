/* The common part of measurements: main function, compilation, timing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/probe.h"

#include <string.h>

#include "api/call.h"
#include "api/executable.h"
#include "base/clock.h"
#include "base/heap.h"

qn_status qn_probe_target(qn_context *context, const char *level, const qn_target **out_target) {
  qn_diag_engine *diag = &context->ir.diag;
  *out_target = qn_target_find(qn_str_of(level));
  if (*out_target) return QN_OK;
  return qn_error(diag, diag->unknown, QN_NOT_FOUND, "there is no CPU level '%s'", level);
}

qn_probe qn_probe_begin(qn_context *context, const qn_target *target, int64_t input_bytes) {
  qn_ir_context *cx = &context->ir;
  qn_probe p = {.context = context,
                .cx = cx,
                .target = target,
                .module = qn_module_create(cx, NULL),
                .input_bytes = input_bytes,
                .bytes = qn_type_vec(cx, qn_type_i(cx, 8), target->vector_bytes)};
  const qn_type *index = qn_type_index(cx);
  const qn_type *inputs[] = {qn_type_buf(cx, qn_type_i(cx, 8), input_bytes),
                             qn_type_buf(cx, qn_type_i(cx, 8), target->vector_bytes), index, index};
  qn_builder top = qn_builder_at_end(p.module, qn_op_body(p.module->op), NULL);
  qn_op *func =
      qn_build_func(&top, qn_str_of("probe"), qn_type_function(cx, inputs, 4, NULL, 0), "private");
  qn_value **args = qn_op_body(func)->args;
  p.input = args[0], p.output = args[1], p.lower = args[2], p.upper = args[3];
  p.b = qn_builder_at_end(p.module, qn_op_body(func), func->loc);
  return p;
}

static const qn_attr *describe(const qn_probe *p, const char *role, const char *name,
                               int64_t bytes) {
  const qn_named_attr attrs[] = {
      {qn_str_of("quern.role"), qn_attr_string(p->cx, qn_str_of(role))},
      {qn_str_of("quern.name"), qn_attr_string(p->cx, qn_str_of(name))},
      {qn_str_of("quern.dtype"), qn_attr_string(p->cx, qn_str_of("i8"))},
      {qn_str_of("quern.shape"), qn_attr_i64s(p->cx, &bytes, 1)},
  };
  return qn_attr_dict(p->cx, attrs, bytes ? QN_COUNT(attrs) : 1);
}

static void build_main(const qn_probe *p, int64_t rounds) {
  const qn_type *arena = qn_type_buf(p->cx, qn_type_i(p->cx, 8), QN_ABI_ALIGN);
  const qn_type *inputs[] = {p->input->type, p->output->type, arena};
  const qn_attr *attrs[] = {describe(p, "input", "x", p->input_bytes),
                            describe(p, "output", "y", p->target->vector_bytes),
                            describe(p, "arena", "", 0)};
  qn_builder b = qn_builder_at_end(p->module, qn_op_body(p->module->op), NULL);
  qn_op *func =
      qn_build_func(&b, qn_str_of("main"), qn_type_function(p->cx, inputs, 3, NULL, 0), NULL);
  qn_op_set_attr(p->module, func, "arg_attrs", qn_attr_array(p->cx, attrs, 3));
  qn_value **args = qn_op_body(func)->args;
  b = qn_builder_at_end(p->module, qn_op_body(func), func->loc);
  qn_value *count = qn_build_index(&b, rounds);
  qn_build_0(&b, QN_OP_QUERN_LAUNCH, QN_VALUES(args[0], args[1], count),
             QN_ATTRS({"kernel", qn_attr_symbol(p->cx, qn_str_of("probe"))}));
  qn_build_0(&b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  qn_op_set_attr(p->module, p->module->op, "quern.arena_bytes", qn_attr_i64(p->cx, QN_ABI_ALIGN));
}

/* Measures the time of the fastest try. `memory` has input_bytes + QN_ABI_ALIGN bytes. */
static qn_status time_rounds(const qn_probe *p, qn_executable *executable, uint8_t *memory,
                             int tries, double *out_seconds) {
  enum { MAX_VECTOR = 64 };
  uint8_t output[MAX_VECTOR];
  QN_ASSERT(p->target->vector_bytes <= MAX_VECTOR);
  uint8_t *input = memory + (QN_ABI_ALIGN - (uintptr_t)memory % QN_ABI_ALIGN);
  /* written, because all pages that were never written are the same physical page */
  memset(input, 0, (size_t)p->input_bytes);
  const void *inputs[] = {input};
  void *outputs[] = {output};
  qn_status status = QN_OK;
  double best = 1e9;
  for (int i = 0; i < tries && status == QN_OK; i++) {
    double start = qn_clock_now();
    status = qn_executable_invoke(executable, inputs, outputs);
    double seconds = qn_clock_now() - start;
    if (seconds < best) best = seconds;
  }
  *out_seconds = best > 0 ? best : 1e-9;
  return status;
}

qn_status qn_probe_end(qn_probe *probe, qn_value *kept, int64_t rounds, int tries,
                       double *out_seconds) {
  qn_builder *b = &probe->b;
  if (kept->type != probe->bytes)
    kept = qn_build_1(b, QN_OP_VECTOR_BITCAST, probe->bytes, QN_VALUES(kept), NULL);
  qn_build_0(b, QN_OP_VECTOR_STORE, QN_VALUES(kept, probe->output, qn_build_index(b, 0)), NULL);
  qn_build_0(b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  build_main(probe, rounds);
  qn_model model = {.context = probe->context,
                    .module = probe->module,
                    .stage = QN_STAGE_LOOPS,
                    .trusted = true,
                    .name = qn_str_of("probe")};
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cpu = probe->target->name;
  /* Allocated before the executable: an aborted allocation after it would leak the executable,
   * which the caller owns. */
  uint8_t *memory = qn_heap_new((size_t)probe->input_bytes + QN_ABI_ALIGN);
  qn_executable *executable = NULL;
  qn_status status = qn_verify(probe->module);
  if (status == QN_OK) status = qn_compile(&model, &options, &executable);
  if (status == QN_OK) status = time_rounds(probe, executable, memory, tries, out_seconds);
  qn_executable_destroy(executable);
  qn_heap_free(memory);
  qn_module_destroy(probe->module);
  return status;
}
