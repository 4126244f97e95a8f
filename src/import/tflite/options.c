/* Options of operators, by their names in schema.def.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

qn_fb_table qn_tflite_table(const qn_graph_op *op) {
  return (qn_fb_table){qn_tflite_of(op->graph)->file, op->at, QN_FB_OPERATOR};
}

static qn_fb_table options_of(const qn_graph_op *op) {
  return qn_fb_options(qn_tflite_table(op), qn_tflite_builtin_of(op)->options);
}

static qn_fb_row field_of(const qn_graph_op *op, const char *name) {
  qn_fb_row table = qn_tflite_builtin_of(op)->options;
  for (qn_fb_row row = table + 1; row < QN_FB_ROW_COUNT && qn_fb_schema[row].table == table; row++)
    if (strcmp(qn_fb_schema[row].name, name) == 0) return row;
  QN_UNREACHABLE("the table of options has no such field");
}

int64_t qn_tflite_option(const qn_graph_op *op, const char *name) {
  return qn_fb_int(options_of(op), field_of(op, name));
}

double qn_tflite_real_option(const qn_graph_op *op, const char *name) {
  return (double)qn_fb_float(options_of(op), field_of(op, name));
}

qn_graph_list qn_tflite_list_option(const qn_graph_op *op, const char *name) {
  return qn_tflite_list(options_of(op), field_of(op, name));
}

qn_str qn_tflite_string_option(const qn_graph_op *op, const char *name) {
  return qn_fb_string(options_of(op), field_of(op, name));
}

qn_graph_list qn_tflite_list(qn_fb_table table, qn_fb_row field) {
  static const uint8_t dtypes[] = {[QN_FB_KIND_I32S] = QN_GRAPH_INT32,
                                   [QN_FB_KIND_I64S] = QN_GRAPH_INT64,
                                   [QN_FB_KIND_F32S] = QN_GRAPH_FLOAT32};
  qn_fb_kind kind = qn_fb_schema[field].kind;
  QN_ASSERT(kind < QN_COUNT(dtypes) && dtypes[kind] != QN_GRAPH_UNKNOWN);
  qn_fb_vector vector = qn_fb_vector_of(table, field);
  if (vector.count == 0) return (qn_graph_list){.dtype = dtypes[kind]};
  return (qn_graph_list){vector.file.data + vector.at, vector.count, dtypes[kind]};
}

bool qn_tflite_fused(qn_graph_op *op, const qn_attr **out_attr) {
  static const char *const names[] = {NULL, "relu", "relu_n1_to_1", "relu6", NULL, NULL};
  static const char *const ignored[] = {NULL, NULL, NULL, NULL, "TANH", "SIGN_BIT"};
  int64_t code = qn_graph_option(op, "ACTIVATION");
  *out_attr = NULL;
  if (code < 0 || code >= (int64_t)QN_COUNT(names))
    return qn_graph_error(op, NULL, QN_INVALID, "unknown fused activation %lld", (long long)code);
  bool is_float = qn_graph_output(op, 0)->dtype == QN_GRAPH_FLOAT32;
  if (ignored[code] && is_float)
    return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                          "the fused activation %s of a float operator is not supported",
                          ignored[code]);
  if (ignored[code])
    qn_graph_warn(
        op, NULL,
        "the fused activation %s is left out, as the quantized kernels of the runtimes do",
        ignored[code]);
  if (names[code])
    *out_attr = qn_attr_string(op->graph->cx, qn_str_of(names[code]));
  else
    *out_attr = qn_graph_unfused(op->graph, qn_graph_output(op, 0)->dtype);
  return true;
}
