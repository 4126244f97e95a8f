/* Entry of the .onnx importer: the file, its versions and functions, and its nodes in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/batch.h"
#include "import/graph/main.h"
#include "import/graph/opaque.h"
#include "import/onnx/importer.h"
#include "import/onnx/value.h"
#include "ir/ops/forms.h"

#include <stdlib.h>

#define STANDARD QN_ONNX_STANDARD
#define MICROSOFT QN_ONNX_MICROSOFT
#define BOTH (QN_ONNX_STANDARD | QN_ONNX_MICROSOFT)
#define ONCE false
#define STEPS true

#define REASON(ident, text) static const char why_##ident[] = text;
#include "import/onnx/refused.def"
#undef REASON

static const qn_onnx_row rows[] = {
#define SUPPORTED(domains, name, import, kind, rounding, least, most, results)                     \
  {{#name, qn_onnx_##import, QN_OP_##kind, least, most, results, NULL}, domains, rounding},
#define NAMED(domains, name, why)                                                                  \
  {{#name, NULL, QN_OP_UNREGISTERED, 0, -1, -1, why_##why}, domains, ONCE},
#include "import/onnx/ops.def"
#undef SUPPORTED
#undef NAMED
};

/* ---- versions ---- */

static void check_versions(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  const qn_pb_message *import;
  int64_t ir = qn_pb_int(im->model, QN_PB_MODEL_IR_VERSION);
  if (ir < QN_ONNX_OLDEST_IR)
    qn_graph_model_error(graph, NULL, ir < 1 ? QN_INVALID : QN_UNSUPPORTED,
                         "IR version %lld; versions from %d on are read", (long long)ir,
                         QN_ONNX_OLDEST_IR);
  if (ir > QN_ONNX_NEWEST_IR)
    qn_warning(&graph->cx->diag, graph->loc, "IR version %lld; the newest known is %d",
               (long long)ir, QN_ONNX_NEWEST_IR);
  if (qn_pb_count(im->model, QN_PB_MODEL_OPSET_IMPORT) == 0)
    qn_graph_model_error(graph, NULL, QN_INVALID, "the file imports no operator set");
  for (qn_pb_walk walk = qn_pb_begin(im->model, QN_PB_MODEL_OPSET_IMPORT);
       qn_pb_next_child(&walk, &import);) {
    qn_str domain = qn_pb_string(import, QN_PB_OPSET_DOMAIN);
    int64_t version = qn_pb_int(import, QN_PB_OPSET_VERSION);
    if (domain.size > 0 && !qn_str_is(domain, "ai.onnx")) continue;
    if (version < QN_ONNX_OLDEST_OPSET || version > QN_ONNX_NEWEST_OPSET)
      qn_graph_model_error(graph, NULL, version < 1 ? QN_INVALID : QN_UNSUPPORTED,
                           "version %lld of the operator set; %d to %d are supported",
                           (long long)version, QN_ONNX_OLDEST_OPSET, QN_ONNX_NEWEST_OPSET);
  }
}

static void read_functions(qn_onnx *im) {
  const qn_pb_message *function;
  for (qn_pb_walk walk = qn_pb_begin(im->model, QN_PB_MODEL_FUNCTIONS);
       qn_pb_next_child(&walk, &function);) {
    qn_str domain = qn_pb_string(function, QN_PB_FUNCTION_DOMAIN);
    if (qn_str_is(domain, "ai.onnx")) domain = qn_str_of("");
    qn_str name = qn_pb_string(function, QN_PB_FUNCTION_NAME),
           overload = qn_pb_string(function, QN_PB_FUNCTION_OVERLOAD);
    qn_str key = qn_arena_format(&im->graph.arena, "%.*s:%.*s:%.*s", QN_STR_ARG(domain),
                                 QN_STR_ARG(name), QN_STR_ARG(overload));
    if (qn_str_map_get(&im->functions, key)) {
      qn_str shown = qn_graph_printable(&im->graph.arena, name, 80);
      qn_graph_model_error(&im->graph, NULL, QN_INVALID, "there are two functions '%.*s'",
                           QN_STR_ARG(shown));
    }
    qn_str_map_set(&im->functions, key, (void *)(uintptr_t)function);
  }
}

/* ---- nodes ---- */

/* Whether the import function copes without a first result: others state errors about it. */
static bool may_omit_first(const qn_graph_row *row) {
  return row->import == qn_onnx_import_recurrent || row->import == qn_onnx_import_if ||
         row->import == qn_onnx_import_loop || row->import == qn_onnx_import_scan;
}

static bool has_result(const qn_graph_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++)
    if (qn_graph_number(op->outputs, i) >= 0) return true;
  return false;
}

static bool check_counts(qn_graph_op *op) {
  const qn_graph_row *row = op->row;
  bool more = row->most >= 0 && op->inputs.count > (uint32_t)row->most;
  for (uint32_t i = row->most >= 0 ? (uint32_t)row->most : 0; more && i < op->inputs.count; i++)
    more = qn_graph_has_input(op, i); /* trailing operands may be omitted */
  if (op->inputs.count < (uint32_t)row->least || more)
    qn_graph_error(op, NULL, QN_INVALID, "%u operands; %d%s expected", op->inputs.count, row->least,
                   row->most == row->least ? " are" : " or more are");
  /* No operand of an operator that takes any number of them, but at least one, is optional. */
  const bool needs_all = row->most < 0 && row->least > 0;
  const uint32_t needed = needs_all ? op->inputs.count : (uint32_t)row->least;
  for (uint32_t i = 0; i < needed && i < op->inputs.count; i++)
    if (!qn_graph_has_input(op, i))
      qn_graph_error(op, NULL, QN_INVALID, "operand %u is missing", i);
  if (row->results >= 0 && op->outputs.count > (uint32_t)row->results)
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "%u results; %d %s supported", op->outputs.count,
                   row->results, row->results == 1 ? "is" : "are");
  if (!has_result(op))
    qn_graph_error(op, NULL, QN_INVALID, "it has no result");
  else if (qn_graph_number(op->outputs, 0) < 0 && !may_omit_first(row))
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "its first result must have a name");
  return !op->failed;
}

/* Loads the tensors that the node names, so that import functions find those that must be there. */
static bool load_tensors(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->inputs.count; i++)
    if (qn_graph_has_input(op, i)) (void)qn_graph_input(op, i);
  for (uint32_t i = 0; i < op->outputs.count; i++)
    if (qn_graph_number(op->outputs, i) >= 0) (void)qn_graph_output(op, i);
  return !op->failed;
}

static bool check_node(qn_graph_op *op, const qn_onnx_node *node) {
  qn_str domain = qn_pb_string(node->message, QN_PB_NODE_DOMAIN);
  domain = qn_graph_printable(&op->graph->arena, domain, 80);
  if (node->opset == 0)
    return qn_graph_error(op, NULL, QN_INVALID, "the file does not import its operator set '%.*s'",
                          QN_STR_ARG(domain));
  if (!op->row || !op->row->import)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED, "the operator %.*s%s%.*s is not supported%s%s",
                          QN_STR_ARG(op->name), domain.size ? " of " : "", QN_STR_ARG(domain),
                          op->row ? ": " : "", op->row ? op->row->unsupported : "");
  return check_counts(op) && load_tensors(op);
}

/* Marks the results of a failed node, so that their readers fail without a message. */
static void leave_failed(qn_graph_op *op) {
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    int32_t number = qn_graph_number(op->outputs, i);
    if (number < 0) continue;
    op->graph->tensors[number].loaded = true;
    op->graph->tensors[number].bad = true;
  }
  if (!op->graph->options->keep_unsupported || op->graph->status != QN_OK) return;
  if (op->reason.size == 0) op->reason = qn_str_of("one of its tensors is not supported");
  qn_graph_build_opaque(op);
}

void qn_onnx_import_nodes(qn_onnx *im, const qn_onnx_node *const *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    qn_onnx_op op = qn_onnx_open_op(im, order[i]);
    if (check_node(&op.op, op.node)) op.op.row->import(&op.op);
    qn_onnx_note_halves(&op.op);
    qn_onnx_fold(&op.op);
    if (op.op.failed) leave_failed(&op.op);
  }
}

/* Defines the values of outputs, in the file's layout. */
static void give_outputs(qn_onnx *im) {
  for (uint32_t i = 0; i < im->graph.outputs.count; i++) {
    qn_graph_tensor *tensor = &im->graph.tensors[qn_graph_number(im->graph.outputs, i)];
    qn_onnx_op op = {.op = {.graph = &im->graph,
                            .frame = im->graph.frame,
                            .name = qn_str_of("output"),
                            .is_interface = true}};
    if (tensor->bad || !qn_graph_load(&im->graph, &op.op, tensor)) continue;
    tensor->value = qn_onnx_for_interface(&op.op, tensor, qn_onnx_output_value(&op.op, tensor));
  }
}

/* Lists float tensors that no op produces, because their readers round them inside one op
 * (quern.absorbed). */
static void note_absorbed(qn_onnx *im) {
  qn_graph *graph = &im->graph;
  int64_t *numbers = QN_NEW_ARRAY(&graph->arena, graph->tensor_count, int64_t);
  uint32_t count = 0;
  for (uint32_t i = 0; i < im->order_count; i++)
    for (uint32_t k = 0; k < im->order[i]->output_count; k++) {
      int32_t number = im->order[i]->outputs[k];
      if (number < 0 || graph->tensors[number].dtype != QN_GRAPH_FLOAT32) continue;
      if (!im->extras[number].has_value) numbers[count++] = number;
    }
  if (count > 0)
    qn_op_set_attr(graph->module, graph->module->op, qn_attr_decls[QN_A_ABSORBED].name,
                   qn_attr_i64s(graph->cx, numbers, count));
}

static void read_model(qn_onnx *im) {
  const qn_pb_message *graph = qn_pb_child(im->model, QN_PB_MODEL_GRAPH);
  check_versions(im);
  read_functions(im);
  if (!graph) {
    qn_graph_model_error(&im->graph, NULL, QN_INVALID, "the file has no graph");
    return;
  }
  for (size_t i = 0; i < QN_COUNT(rows); i++)
    qn_str_map_set(&im->rows, qn_str_of(rows[i].row.name), (void *)(uintptr_t)&rows[i]);
  qn_graph_frame frame = {0};
  im->graph.frame = &frame;
  if (qn_onnx_open_graph(im, graph)) {
    qn_graph_main *function = qn_graph_begin_main(&im->graph);
    qn_onnx_open_inputs(im);
    qn_onnx_import_nodes(im, im->order, im->order_count);
    give_outputs(im);
    note_absorbed(im);
    qn_graph_end_main(&im->graph, function);
  }
  im->graph.frame = NULL;
}

static bool has_fixed_input(const qn_graph *graph, const qn_graph_tensor *tensor) {
  (void)graph, (void)tensor;
  return false; /* those are no inputs: graph.c */
}

static const qn_graph_format format = {
    .name = "onnx", .has_all_types = true, .load = qn_onnx_load, .is_fixed_input = has_fixed_input};

/* 4-bit weights become floats if the operator has float operands. */
enum { FLOAT_OF_NIBBLES = 4 };

static qn_status read_file(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                           qn_module **out_module) {
  qn_onnx im = {0};
  *out_module = NULL;
  QN_TRY(qn_graph_begin(&im.graph, &format, qn_onnx_importer.numerics, cx, file, options));
  im.graph.work *= FLOAT_OF_NIBBLES;
  qn_status status =
      qn_pb_read(&cx->diag, im.graph.loc, qn_file_bytes(file), &im.graph.arena, &im.model);
  if (status == QN_OK)
    read_model(&im);
  else
    im.graph.status = status;
  for (qn_onnx_scope *s = im.scopes; s; s = s->next) qn_str_map_deinit(&s->names);
  qn_str_map_deinit(&im.rows);
  qn_str_map_deinit(&im.functions);
  status = qn_graph_end(&im.graph, out_module);
  for (size_t i = 0; i < QN_COUNT(im.reserved); i++) free(im.reserved[i]);
  return status;
}

qn_status qn_import_onnx(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                         qn_module **out_module) {
  return qn_graph_import(read_file, cx, file, options, out_module);
}

const qn_importer qn_onnx_importer = {.name = "onnx",
                                      .extension = ".onnx",
                                      .numerics = "onnx",
                                      .matches = qn_pb_is_model,
                                      .read = qn_import_onnx,
                                      .catalogue = &qn_onnx_catalogue};
