/* Functions of the file: kernels, and the entry points, which are those of an object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"
#include "codegen/comment.h"
#include "ir/walk.h"

/* ---- kernels ---- */

/* Whether a kernel writes to its buffer, or takes its address for a view. */
static bool is_written(const qn_value *buffer) {
  for (const qn_use *use = buffer->first_use; use; use = use->next) {
    if (use->owner->kind == QN_OP_MEMREF_VIEW) return true;
    if (qn_c_is_store(use->owner) && qn_op_operand(use->owner, 1) == buffer) return true;
  }
  return false;
}

static void put_layers(qn_c *c, const qn_op *kernel) {
  const qn_attr *layers = qn_op_layers(kernel);
  for (uint32_t i = 0; layers && i < layers->array.count; i++) {
    const qn_attr *layer = layers->array.items[i];
    if (layer->kind != QN_ATTR_STRING) continue;
    qn_text_puts(&c->code, "/* ");
    qn_cg_put_comment(&c->code, layer->string);
    qn_text_puts(&c->code, " */\n");
  }
}

static void bind_buffer(qn_c *c, const qn_value *buffer, uint32_t i) {
  const char *type = is_written(buffer) ? "unsigned char *" : "const unsigned char *";
  qn_c_lane lane = qn_c_declare(c, 'a', type, qn_c_format(c, "args[%u]", i));
  const qn_c_type *element = qn_c_type_of(c, buffer->type);
  qn_c_remark(c, "%lld x %s", (long long)buffer->type->shaped.dims[0],
              element->of_signed ? element->of_signed : element->name);
  qn_c_bind(c, buffer, &lane, 1);
}

static void bind_bound(qn_c *c, const qn_value *bound, const char *name) {
  const char *type = qn_c_type_of(c, bound->type)->name;
  qn_c_lane lane = qn_c_declare(c, 'i', type, qn_c_format(c, "(%s)%s", type, name));
  qn_c_bind(c, bound, &lane, 1);
}

/* The macro before functions that have a section of their own (helpers.c). */
static const char *placement(const qn_c *c) {
  return c->source->options->code_section ? "CODE " : "";
}

void qn_c_emit_kernel(qn_c *c, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  uint32_t buffers = body->arg_count - 2;
  put_layers(c, op);
  for (uint32_t i = 0; i < buffers; i++) bind_buffer(c, body->args[i], i);
  bind_bound(c, body->args[buffers], "lo");
  bind_bound(c, body->args[buffers + 1], "hi");
  qn_c_emit_block(c, body);
  qn_c_flush(c, qn_c_format(c, "static %svoid %s(void *const *args, intptr_t lo, intptr_t hi)",
                            placement(c), qn_c_name(c, op)));
}

/* ---- SYMBOL_invoke ---- */

static const char *argument(qn_c *c, qn_binding binding) {
  switch (binding.role) {
  case QN_ROLE_INPUT:
    return qn_c_format(c, "(unsigned char *)call->inputs[%u]", binding.number);
  case QN_ROLE_OUTPUT:
    return qn_c_format(c, "(unsigned char *)call->outputs[%u]", binding.number);
  case QN_ROLE_STATE:
    return qn_c_format(
        c, "(unsigned char *)call->states + %llu",
        (unsigned long long)c->source->interface.model.states[binding.number].offset);
  case QN_ROLE_SHAPE:
    return qn_c_format(c, "(%s)call->sizes[%u]", qn_c_integer(c->index_bits)->name, binding.number);
  case QN_ROLE_PREPARED:
    return "(unsigned char *)call->prepared";
  default:
    return "(unsigned char *)call->arena";
  }
}

void qn_c_emit_launch(qn_c *c, const qn_op *op) {
  uint32_t count = op->operand_count - 1;
  const qn_op *kernel = qn_cg_named(c->source, qn_op_kernel(op));
  QN_ASSERT(kernel && kernel->kind == QN_OP_FUNC); /* check.c has looked it up */
  qn_text comment = {0};
  qn_cg_put_comment(&comment, qn_op_layer_name(op));
  qn_str shapes = qn_op_layer_shapes(op);
  if (shapes.size > 0) qn_text_puts(&comment, ": ");
  qn_cg_put_comment(&comment, shapes);
  if (comment.size > 0) qn_c_line_put(c, "/* %s */", comment.data);
  qn_text_deinit(&comment);
  for (uint32_t i = 0; i < count; i++)
    qn_c_line_put(c, "args[%u] = %s;", i, qn_c_operand(c, op, i)->lanes[0].text);
  const qn_c_lane *units = qn_c_operand(c, op, count)->lanes;
  const char *number = units->constant ? qn_c_format(c, "%lld", (long long)units->number)
                                       : qn_c_format(c, "(intptr_t)%s", qn_c_in(c, units));
  qn_c_line_put(c, "launch(call, %s, args, %s, %lld, %d);", qn_c_name(c, kernel), number,
                (long long)c->step++, qn_op_find(op, QN_A_ALONE) != NULL);
}

/* Ends a kernel or SYMBOL_invoke. */
void qn_c_emit_return(qn_c *c, const qn_op *op) {
  (void)op;
  if (!c->in_invoke) return;
  qn_c_line_put(c, "report(call, %lld);", (long long)c->step);
  qn_c_line_put(c, "return 0;");
}

static void emit_invoke(qn_c *c) {
  const qn_op *op = c->source->interface.main;
  const qn_block *body = qn_op_body(op);
  unsigned most = 1;
  bool whiles = false;
  QN_FOR_EACH_NESTED_OP(nested, op) {
    whiles |= nested->kind == QN_OP_SCF_WHILE;
    bool more = qn_op_is_step(nested) && nested->operand_count > most;
    if (more) most = nested->operand_count;
  }
  c->in_invoke = true;
  qn_c_line_put(c, "void *args[%u];", most);
  if (whiles) qn_c_line_put(c, "int64_t iterations = 0;");
  for (uint32_t i = 0; i < body->arg_count; i++) {
    qn_binding binding = c->source->interface.bindings[i];
    const char *type =
        binding.role == QN_ROLE_SHAPE ? qn_c_integer(c->index_bits)->name : "unsigned char *";
    qn_c_lane lane = qn_c_declare(c, 'a', type, argument(c, binding));
    qn_c_bind(c, body->args[i], &lane, 1);
  }
  qn_c_emit_block(c, body);
  qn_c_flush(c, qn_c_format(c, "%sint32_t %s_invoke(const %s_call *call)", placement(c), c->symbol,
                            c->symbol));
  c->in_invoke = false;
}

/* As codegen/helpers.c: the step callback, and a kernel over [0, count) in the caller's threads. */
static void put_launch(qn_c *c) {
  static const char text[] =
      "/* Calls the caller's `step`. */\n"
      "static void report(const $_call *call, intptr_t k) {\n"
      "  if (call->step) call->step(call->user, k);\n"
      "}\n\n"
      "/* Runs a kernel over [0, count), in the caller's threads if there are any and the work is "
      "not small. */\n"
      "static void launch(const $_call *call, $_kernel *kernel, void *const *args, "
      "intptr_t count,\n"
      "                   intptr_t k, int small) {\n"
      "  report(call, k);\n"
      "  if (call->parallel_for && count > 1 && !small)\n"
      "    call->parallel_for(call->pool, kernel, args, count);\n"
      "  else\n"
      "    kernel(args, 0, count);\n"
      "}\n\n";
  qn_c_put_template(c, text, &c->code);
}

/* ---- SYMBOL_reset and SYMBOL_supported ---- */

static void put_initial(qn_c *c, uint32_t k, qn_bytes bytes) {
  qn_text_format(&c->code, "static const unsigned char initial_%u[%llu] = {", k,
                 (unsigned long long)bytes.size);
  for (size_t i = 0; i < bytes.size; i++)
    qn_text_format(&c->code, "%s%u%s", i % 20 ? " " : "\n  ", bytes.data[i],
                   i + 1 < bytes.size ? "," : "");
  qn_text_puts(&c->code, "\n};\n\n");
}

static void emit_reset(qn_c *c) {
  const qn_interface *in = &c->source->interface;
  if (in->model.state_count == 0) return;
  for (uint32_t k = 0; k < in->model.state_count; k++)
    if (in->initial[k] && in->initial[k]->dense.bytes.size > 0)
      put_initial(c, k, in->initial[k]->dense.bytes);
  qn_text_format(&c->code,
                 "void %s_reset(void *states) {\n  unsigned char *to = states;\n  size_t i;\n",
                 c->symbol);
  for (uint32_t k = 0; k < in->model.state_count; k++) {
    const qn_abi_tensor *state = &in->model.states[k];
    size_t period = in->initial[k] ? in->initial[k]->dense.bytes.size : 0;
    if (state->bytes == 0) continue;
    qn_text_format(&c->code,
                   "  for (i = 0; i < %llu; i++) to[%llu + i] = ", (unsigned long long)state->bytes,
                   (unsigned long long)state->offset);
    if (period == 0)
      qn_text_puts(&c->code, "0;\n");
    else
      qn_text_format(&c->code, "initial_%u[i %% %zu];\n", k, period);
  }
  qn_text_puts(&c->code, "}\n\n");
}

void qn_c_emit_entry_points(qn_c *c) {
  put_launch(c);
  emit_invoke(c);
  emit_reset(c);
  qn_text_format(&c->code,
                 "/* What the code needs was checked when it was compiled. */\n"
                 "int32_t %s_supported(void) {\n  return 1;\n}\n\n",
                 c->symbol);
}
