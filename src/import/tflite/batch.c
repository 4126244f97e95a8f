/* Another batch than the file fixes: dimension 0 of every input is bound anew, shapes are computed
 * from there on, and each operator must carry the entries through side by side. And a batch that
 * each call says: the graph is read for the largest one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/clone.h"
#include "ir/entry/entry.h"

/* Whether the tensor has the new batch where the file has its own. */
static bool carries(const qn_tflite *im, const qn_tflite_tensor *tensor) {
  qn_fb_vector stored = qn_fb_vector_of(tensor->table, QN_FB_TENSOR_SHAPE);
  const qn_tflite_shape *shape = &tensor->shape;
  if (stored.count == 0 || stored.count != shape->rank || shape->dims[0] != im->batch) return false;
  int64_t entries = qn_fb_i32_at(stored, 0);
  if (entries != im->stored_batch && entries != -1) return false;
  for (uint32_t i = 1; i < shape->rank; i++) {
    int64_t size = qn_fb_i32_at(stored, i);
    if (size != shape->dims[i] && size != -1) return false;
  }
  return true;
}

static bool is_another(const qn_tflite *im) {
  return im->options->rebatch && im->batch != im->stored_batch;
}

static bool reads_batch(qn_tflite_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    int32_t index = qn_fb_i32_at(op->inputs, i);
    const qn_tflite_tensor *tensor = index >= 0 ? &op->im->tensors[index] : NULL;
    bool computed = tensor && (tensor->is_input || tensor->writer >= 0);
    if (computed && carries(op->im, tensor)) return true;
  }
  return false;
}

/* Whether an op joins, reverses or otherwise mixes the entries. */
static bool mixes(const qn_op *op) {
  const qn_attr *axis = qn_op_find(op, QN_A_AXIS);
  if (axis && axis->kind == QN_ATTR_INTEGER && axis->integer == 0) return true;
  qn_i64s axes = qn_op_axes(op);
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] == 0) return true;
  return false;
}

void qn_tflite_check_batch(qn_tflite_op *op, const qn_op *last) {
  qn_tflite *im = op->im;
  if (!is_another(im) || op->failed || !reads_batch(op)) return;
  for (const qn_op *built = im->block->last; built && built != last; built = built->prev)
    if (mixes(built)) {
      qn_tflite_error(op, NULL, QN_UNSUPPORTED,
                      "it works across the entries of a batch, which is %lld in the file",
                      (long long)im->stored_batch);
      return;
    }
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    const qn_tflite_tensor *y = &im->tensors[qn_fb_i32_at(op->outputs, i)];
    bool constant = y->value && y->value->op && qn_op_has(y->value->op, QN_CONSTANT);
    if (constant || carries(im, y)) continue;
    qn_tflite_error(op, y, QN_UNSUPPORTED,
                    "it does not keep the entries of a batch apart, which is %lld in the file",
                    (long long)im->stored_batch);
    return;
  }
}

bool qn_tflite_check_sequence(qn_tflite_op *op, bool time_major) {
  if (!time_major || !is_another(op->im)) return true;
  return qn_tflite_error(
      op, NULL, QN_UNSUPPORTED,
      "its first dimension is the time, not the batch, which is %lld in the file",
      (long long)op->im->stored_batch);
}

/* What does not fit with another batch is malformed only where it does not with the file's own. */
qn_status qn_tflite_blame_batch(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                                qn_status status) {
  if (!options->rebatch || (status != QN_INVALID && status != QN_UNSUPPORTED)) return status;
  qn_import_options own = *options;
  own.batch = 0;
  own.rebatch = own.any_size = false;
  qn_module *module;
  qn_diag_state state = qn_diag_silence(&cx->diag);
  bool good = qn_tflite_read(cx, file, &own, &module) == QN_OK;
  qn_diag_restore(&cx->diag, &state);
  if (!good) return status;
  qn_module_destroy(module);
  return qn_error(&cx->diag, qn_loc_file(&cx->diag, options->path, 0, 0), QN_UNSUPPORTED,
                  "the operators named allow no batch but that of the file: %lld entries take "
                  "several calls",
                  (long long)options->batch);
}

/* ---- a size of each call ---- */

/* Where operators that can't be compiled are kept, so is what can't have such a size; the first
 * reason. */
static void keep_reason(qn_module *module, qn_op *op, qn_str reason) {
  if (qn_op_reason(op).size > 0) return;
  qn_op_set_attr(module, op, qn_attr_decls[QN_A_REASON].name, qn_attr_string(module->cx, reason));
}

void qn_tflite_name_size(qn_tflite *im, const qn_tflite_tensor *tensor, qn_port *port) {
  if (!im->options->any_size || tensor->dynamic == 0) return;
  const qn_attr *names[QN_TFLITE_MAX_RANK];
  uint32_t d = 0;
  bool outermost = true;
  for (; !(tensor->dynamic >> d & 1); d++) {
    names[d] = qn_attr_string(im->cx, qn_str_of(""));
    outermost = outermost && tensor->shape.dims[d] == 1;
  }
  bool alone = tensor->dynamic >> d == 1;
  if (!outermost || !alone) {
    qn_tflite_code code = {NULL, qn_str_of("input"), 1};
    qn_tflite_op op = {.im = im, .code = &code, .is_interface = true};
    qn_tflite_error(&op, tensor, QN_UNSUPPORTED,
                    "dimension %u is %s: a call can say the size of one dimension, of which all "
                    "before it are 1",
                    d, alone ? "unknown" : "not the only one that is unknown");
    if (op.reason.size > 0) keep_reason(im->module, im->module->op, op.reason);
    return;
  }
  names[d] = qn_attr_string(im->cx, qn_str_of("batch"));
  port->sizes = qn_attr_array(im->cx, names, d + 1);
  qn_port_note(port, QN_PORT_SIZES);
}

/* What only says sizes to the importer, as it has found out: numbers for the largest batch. */
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

/* Where two graphs part: the op of `module`, of which `a` is a copy in another size. */
static qn_op *first_difference(qn_module *module, const qn_module *a, const qn_module *b) {
  const qn_op *x = qn_op_body(qn_module_main(a))->first, *y = qn_op_body(qn_module_main(b))->first;
  qn_op *at = qn_op_body(qn_module_main(module))->first;
  while (x->next && y->next && alike(x, y)) x = x->next, y = y->next, at = at->next;
  return at;
}

static qn_status refuse(qn_module *module, qn_op *at, const qn_import_options *options,
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

/* The module with another size in its types, against what is read for that size. */
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
    status = refuse(module, first_difference(module, bound, other), options, size);
  qn_module_destroy(bound);
  qn_arena_deinit(&scratch);
  return status;
}

static qn_status check_size(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                            qn_module *module, int64_t size) {
  qn_import_options with = *options;
  with.batch = size;
  qn_module *other;
  qn_diag_state state = qn_diag_silence(&cx->diag); /* it says the same again */
  qn_status status = qn_tflite_read(cx, file, &with, &other);
  qn_diag_restore(&cx->diag, &state);
  if (status != QN_OK) {
    status = qn_tflite_read(cx, file, &with, &other);
    QN_ASSERT(status != QN_OK);
    return status;
  }
  status = compare(module, other, options, size);
  qn_module_destroy(other);
  return status;
}

/* Whether every op works entry by entry. */
static qn_status check_entries(qn_module *module) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_entry entry;
  qn_status status = qn_entry_read(module, qn_module_main(module), &scratch, &entry);
  qn_arena_deinit(&scratch);
  return status;
}

/* The same where operators that can't be compiled are kept: who compiles it is told. */
static bool is_to_look_at(qn_ir_context *cx, const qn_import_options *options, qn_module *module) {
  if (!options->keep_unsupported) return false;
  qn_diag_state state = qn_diag_silence(&cx->diag);
  qn_status status = check_entries(module);
  qn_diag_restore(&cx->diag, &state);
  return status == QN_UNSUPPORTED;
}

qn_status qn_tflite_check_sizes(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                                qn_module *module) {
  int64_t bound = options->batch;
  if (bound < 2) return QN_OK;
  erase_dead(module);
  if (is_to_look_at(cx, options, module)) return QN_OK;
  qn_status status = check_entries(module);
  /* Of 1 too much is left out to compare with. */
  if (status == QN_OK && bound > 2) status = check_size(cx, file, options, module, bound - 1);
  if (status == QN_OK && bound > 3) status = check_size(cx, file, options, module, 2);
  return status == QN_OK && bound == 2 ? check_size(cx, file, options, module, 3) : status;
}
