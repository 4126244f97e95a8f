/* Batch sizes other than the file's: dimension 0 of every input is set again, shapes are computed
 * from there, and each operator must keep batch elements separate. Dynamic batch sizes: the graph
 * is read for the upper bound.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/batch.h"

#include "ir/clone.h"
#include "ir/entry/entry.h"

/* Whether dimension 0 of the tensor gets the new batch size: inputs, and states of the main graph,
 * which have separate values per batch element. */
static bool has_batch(const qn_graph *graph, const qn_graph_tensor *tensor, int64_t stored) {
  bool keeps = tensor->is_state && !graph->frame->outer && stored == graph->stored_batch;
  return graph->options->rebatch && (tensor->is_input || keeps);
}

/* The size that the options give for a dimension of a name; 0: none. */
static int64_t named_size(qn_graph *graph, const qn_graph_tensor *tensor, uint32_t i) {
  const qn_import_options *options = graph->options;
  for (uint32_t k = 0; tensor->dim_names && k < options->dimension_count; k++) {
    if (!qn_str_is(tensor->dim_names[i], options->dimensions[k].name)) continue;
    graph->named[k] = true;
    return options->dimensions[k].size;
  }
  return 0;
}

int64_t qn_graph_bind(qn_graph *graph, qn_graph_tensor *tensor, uint32_t i, int64_t stored,
                      bool is_unknown) {
  bool entries = i == 0 && has_batch(graph, tensor, stored);
  if (entries && graph->stored_batch == 0) graph->stored_batch = stored < 1 ? 1 : stored;
  bool unknown = is_unknown || stored == -1 || entries;
  const int64_t named = unknown && !entries ? named_size(graph, tensor, i) : 0;
  if (named > 0) return named;
  if (unknown) tensor->dynamic |= 1u << i;
  bool bind = entries || (unknown && (tensor->is_input || stored == -1));
  if (bind && tensor->is_input) graph->bound = true;
  if (bind && stored != graph->batch) graph->rebound = true;
  return bind ? graph->batch : stored;
}

/* Whether dimension 0 of the tensor has the new batch size, and in the file the file's. */
static bool carries(const qn_graph *graph, const qn_graph_tensor *tensor) {
  const qn_graph_shape *shape = &tensor->shape, *stored = tensor->stored;
  if (!stored || stored->rank == 0 || stored->rank != shape->rank || shape->dims[0] != graph->batch)
    return false;
  if (stored->dims[0] != graph->stored_batch && stored->dims[0] != -1) return false;
  for (uint32_t i = 1; i < shape->rank; i++)
    if (stored->dims[i] != shape->dims[i] && stored->dims[i] != -1) return false;
  return true;
}

static bool is_another(const qn_graph *graph) {
  return graph->options->rebatch && graph->batch != graph->stored_batch;
}

static bool reads_batch(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    int32_t index = qn_graph_number(op->inputs, i);
    const qn_graph_tensor *tensor = index >= 0 ? &op->graph->tensors[index] : NULL;
    bool computed = tensor && (tensor->is_input || tensor->writer >= 0);
    if (computed && carries(op->graph, tensor)) return true;
  }
  return false;
}

/* Whether an op mixes batch elements, for example by joining or reversing them. */
static bool mixes(const qn_op *op) {
  const qn_attr *axis = qn_op_find(op, QN_A_AXIS);
  if (axis && axis->kind == QN_ATTR_INTEGER && axis->integer == 0) return true;
  qn_i64s axes = qn_op_axes(op);
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] == 0) return true;
  return false;
}

void qn_graph_check_batch(qn_graph_op *op, const qn_op *last) {
  qn_graph *graph = op->graph;
  if (!is_another(graph) || op->failed || !reads_batch(op)) return;
  for (const qn_op *built = graph->block->last; built && built != last; built = built->prev)
    if (mixes(built)) {
      qn_graph_error(op, NULL, QN_UNSUPPORTED,
                     "it works across the entries of a batch, which is %lld in the file",
                     (long long)graph->stored_batch);
      return;
    }
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_graph_tensor *y = &graph->tensors[qn_graph_number(op->outputs, i)];
    bool constant = y->value && y->value->op && qn_op_has(y->value->op, QN_CONSTANT);
    if (constant || carries(graph, y)) continue;
    qn_graph_error(op, y, QN_UNSUPPORTED,
                   "it does not keep the entries of a batch apart, which is %lld in the file",
                   (long long)graph->stored_batch);
    return;
  }
}

bool qn_graph_check_sequence(qn_graph_op *op, bool time_major) {
  if (!time_major || !is_another(op->graph)) return true;
  return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                        "its first dimension is the time, not the batch, which is %lld in the file",
                        (long long)op->graph->stored_batch);
}

/* Returns QN_UNSUPPORTED instead of QN_INVALID for errors that do not occur with the file's own
 * batch size. */
static qn_status blame_batch(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                             const qn_import_options *options, qn_status status) {
  if (!options->rebatch || (status != QN_INVALID && status != QN_UNSUPPORTED)) return status;
  qn_import_options own = *options;
  own.batch = 0;
  own.rebatch = own.any_size = false;
  qn_module *module;
  qn_diag_state state = qn_diag_silence(&cx->diag);
  bool good = read(cx, file, &own, &module) == QN_OK;
  qn_diag_restore(&cx->diag, &state);
  if (!good) return status;
  qn_module_destroy(module);
  return qn_error(&cx->diag, qn_loc_file(&cx->diag, options->path, 0, 0), QN_UNSUPPORTED,
                  "the operators named allow no batch but that of the file: %lld entries take "
                  "several calls",
                  (long long)options->batch);
}

/* ---- dynamic batch size ---- */

/* With keep_unsupported: stores on the op why it cannot have a dynamic size; the first reason
 * stays. */
static void keep_reason(qn_module *module, qn_op *op, qn_str reason) {
  if (qn_op_reason(op).size > 0) return;
  qn_op_set_attr(module, op, qn_attr_decls[QN_A_REASON].name, qn_attr_string(module->cx, reason));
}

void qn_graph_name_size(qn_graph *graph, const qn_graph_tensor *tensor, qn_port *port) {
  if (!graph->options->any_size || tensor->dynamic == 0) return;
  const qn_attr *names[QN_GRAPH_MAX_RANK];
  uint32_t d = 0;
  bool outermost = true;
  for (; !(tensor->dynamic >> d & 1); d++) {
    names[d] = qn_attr_string(graph->cx, qn_str_of(""));
    outermost = outermost && tensor->shape.dims[d] == 1;
  }
  bool alone = tensor->dynamic >> d == 1;
  if (!outermost || !alone) {
    qn_graph_op op = {.graph = graph, .name = qn_str_of("input"), .is_interface = true};
    qn_graph_error(&op, tensor, QN_UNSUPPORTED,
                   "dimension %u is %s: a call can say the size of one dimension, of which all "
                   "before it are 1",
                   d, alone ? "unknown" : "not the only one that is unknown");
    if (op.reason.size > 0) keep_reason(graph->module, graph->module->op, op.reason);
    return;
  }
  bool named = tensor->dim_names && tensor->dim_names[d].size > 0;
  qn_str name = named ? tensor->dim_names[d] : qn_str_of("batch");
  names[d] = qn_attr_string(graph->cx, qn_graph_printable(&graph->arena, name, SIZE_MAX));
  port->sizes = qn_attr_array(graph->cx, names, d + 1);
  qn_port_note(port, QN_PORT_SIZES);
}

/* Erases unused ops whose values only gave sizes to the importer: they contain the sizes of the
 * upper bound. */
static void erase_dead(qn_module *module) {
  qn_block *block = qn_op_body(qn_module_main(module));
  for (qn_op *op = block->last, *before; op; op = before) {
    before = op->prev;
    if (qn_op_is_dead(op)) qn_op_erase(module, op);
  }
}

static bool alike(const qn_op *a, const qn_op *b) {
  bool same =
      a->kind == b->kind && a->result_count == b->result_count && a->attr_count == b->attr_count;
  for (uint32_t i = 0; same && i < a->result_count; i++)
    same = a->results[i].type == b->results[i].type;
  for (uint32_t i = 0; same && i < a->attr_count; i++)
    same = qn_attr_equal(a->attrs[i].value, b->attrs[i].value);
  return same;
}

/* The first op of `module` that differs from its counterpart; `a` is a copy of the module with
 * another size. */
static qn_op *first_difference(qn_module *module, const qn_module *a, const qn_module *b) {
  const qn_op *x = qn_op_body(qn_module_main(a))->first, *y = qn_op_body(qn_module_main(b))->first;
  qn_op *at = qn_op_body(qn_module_main(module))->first;
  while (x->next && y->next && alike(x, y)) x = x->next, y = y->next, at = at->next;
  return at;
}

static qn_status reject(qn_module *module, qn_op *at, const qn_import_options *options,
                        int64_t size) {
  qn_text text = {0};
  qn_text_format(&text,
                 "it depends on a size known at run time only by more than its shape: for a batch "
                 "of %lld it is another one",
                 (long long)size);
  qn_status status = QN_OK;
  if (options->keep_unsupported)
    keep_reason(module, at, qn_text_view(&text));
  else
    status = qn_error(&module->cx->diag, at->loc, QN_UNSUPPORTED, "%s", text.data);
  qn_text_deinit(&text);
  return status;
}

/* Compares the module, with another size in its types, with the module that was read for that size.
 */
static qn_status compare(qn_module *module, qn_module *other, const qn_import_options *options,
                         int64_t size) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_module *bound = qn_module_clone(module);
  qn_entry entry;
  qn_status status = qn_entry_read(bound, qn_module_main(bound), &scratch, &entry);
  if (status == QN_OK && entry.size_count > 0) qn_entry_bind(bound, &entry, &size);
  erase_dead(other);
  if (status == QN_OK && !qn_op_equal(bound->op, other->op))
    status = reject(module, first_difference(module, bound, other), options, size);
  qn_module_destroy(bound);
  qn_arena_deinit(&scratch);
  return status;
}

static qn_status check_size(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                            const qn_import_options *options, qn_module *module, int64_t size) {
  qn_import_options with = *options;
  with.batch = size;
  qn_module *other;
  qn_diag_state state =
      qn_diag_silence(&cx->diag); /* silenced, because it would report the same problems again */
  qn_status status = read(cx, file, &with, &other);
  qn_diag_restore(&cx->diag, &state);
  if (status != QN_OK) {
    status = read(cx, file, &with, &other);
    QN_ASSERT(status != QN_OK);
    return status;
  }
  status = compare(module, other, options, size);
  qn_module_destroy(other);
  return status;
}

/* Checks that every op keeps batch elements separate. */
static qn_status check_entries(qn_module *module) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_entry entry;
  qn_status status = qn_entry_read(module, qn_module_main(module), &scratch, &entry);
  qn_arena_deinit(&scratch);
  return status;
}

/* With keep_unsupported: stores the reason on the ops instead of reporting it. */
static bool is_to_look_at(qn_ir_context *cx, const qn_import_options *options, qn_module *module) {
  if (!options->keep_unsupported) return false;
  qn_diag_state state = qn_diag_silence(&cx->diag);
  qn_status status = check_entries(module);
  qn_diag_restore(&cx->diag, &state);
  return status == QN_UNSUPPORTED;
}

/* Checks a module that was read for the largest size: reading the file for another size must give
 * the same module, except for the dimensions in tensor shapes. */
static qn_status check_sizes(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                             const qn_import_options *options, qn_module *module) {
  int64_t bound = options->batch;
  if (bound < 2) return QN_OK;
  erase_dead(module);
  if (is_to_look_at(cx, options, module)) return QN_OK;
  qn_status status = check_entries(module);
  /* size 1 is not compared, because the import omits many ops for it */
  if (status == QN_OK && bound > 2) status = check_size(read, cx, file, options, module, bound - 1);
  if (status == QN_OK && bound > 3) status = check_size(read, cx, file, options, module, 2);
  return status == QN_OK && bound == 2 ? check_size(read, cx, file, options, module, 3) : status;
}

qn_status qn_graph_import(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                          const qn_import_options *options, qn_module **out_module) {
  qn_status status = read(cx, file, options, out_module);
  if (status != QN_OK) return blame_batch(read, cx, file, options, status);
  if (options->any_size) status = check_sizes(read, cx, file, options, *out_module);
  if (status == QN_OK) return QN_OK;
  qn_module_destroy(*out_module);
  *out_module = NULL;
  return status;
}
