/* Entry of the .tflite importer: the file, its operator codes and its subgraphs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

#include "import/graph/batch.h"
#include "import/graph/main.h"
#include "import/tflite/importer.h"
#include "ir/ops/forms.h"

enum { CODE_CUSTOM = 32, SCHEMA_VERSION = 3, NAME_OF_CUSTOM = 80 };

#define REASON(ident, text) static const char why_##ident[] = text;
#include "import/tflite/refused.def"
#undef REASON

static const qn_tflite_builtin builtins[] = {
#define SUPPORTED(name, import, kind, options, least, most, results, version)                      \
  {{#name, qn_##import, QN_OP_##kind, least, most, results, NULL}, QN_FB_##options, version},
#define NAMED(name, why)                                                                           \
  {{#name, NULL, QN_OP_UNREGISTERED, 0, -1, -1, why_##why}, QN_FB_NO_OPTIONS, 0},
#include "import/tflite/ops.def"
#undef SUPPORTED
#undef NAMED
};

static const qn_tflite_builtin customs[] = {
#define CUSTOM(name, import, kind, least, most, results)                                           \
  {{name, qn_##import, QN_OP_##kind, least, most, results, NULL}, QN_FB_NO_OPTIONS, 1},
#include "import/tflite/customs.def"
#undef CUSTOM
};

static const qn_tflite_builtin *custom_named(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(customs); i++)
    if (qn_str_equal(name, qn_str_of(customs[i].row.name))) return &customs[i];
  return NULL;
}

bool qn_import_is_tflite(qn_bytes bytes) {
  return bytes.size >= 8 && memcmp(bytes.data + 4, "TFL3", 4) == 0;
}

/* Reads an operator code. Files older than the 32-bit field have only the 8-bit one; newer files
 * repeat small codes in it. */
static void read_code(qn_graph *graph, qn_fb_table table, qn_tflite_code *out) {
  int64_t old = qn_fb_int(table, QN_FB_OPERATOR_CODE_DEPRECATED_BUILTIN_CODE);
  int64_t code = qn_fb_int(table, QN_FB_OPERATOR_CODE_BUILTIN_CODE);
  if (old > code) code = old;
  out->version = qn_fb_int(table, QN_FB_OPERATOR_CODE_VERSION);
  if (code >= 0 && code < (int64_t)QN_COUNT(builtins)) {
    out->builtin = &builtins[code];
    out->name = qn_str_of(builtins[code].row.name);
  } else {
    out->name = qn_arena_format(&graph->arena, "builtin %lld", (long long)code);
  }
  if (code != CODE_CUSTOM) return;
  qn_str custom = qn_fb_string(table, QN_FB_OPERATOR_CODE_CUSTOM_CODE);
  const qn_tflite_builtin *known = custom_named(custom);
  if (known) out->builtin = known;
  custom = qn_graph_printable(&graph->arena, custom, NAME_OF_CUSTOM);
  out->name = qn_arena_format(&graph->arena, "CUSTOM '%.*s'", QN_STR_ARG(custom));
}

static void read_codes(qn_tflite *file, qn_fb_table model) {
  qn_fb_vector codes = qn_fb_vector_of(model, QN_FB_MODEL_OPERATOR_CODES);
  file->code_count = codes.count;
  file->codes = QN_NEW_ARRAY(&file->graph.arena, (size_t)codes.count + 1, qn_tflite_code);
  for (uint32_t i = 0; i < codes.count; i++)
    read_code(&file->graph, qn_fb_child_at(codes, i, QN_FB_OPERATOR_CODE), &file->codes[i]);
}

/* ---- signatures ---- */

static qn_str key_of(qn_fb_vector signatures, uint32_t i) {
  return qn_fb_string(qn_fb_child_at(signatures, i, QN_FB_SIGNATURE), QN_FB_SIGNATURE_KEY);
}

enum { MOST_LISTED = 16 };

/* Stores the signatures as an attribute of the module, for inspection. */
static void keep_signatures(qn_graph *graph, qn_fb_vector signatures) {
  const qn_attr *keys[MOST_LISTED];
  uint32_t count = 0;
  for (; count < signatures.count && count < MOST_LISTED; count++) {
    qn_str key = qn_graph_printable(&graph->arena, key_of(signatures, count), NAME_OF_CUSTOM);
    keys[count] = qn_attr_string(graph->cx, key);
  }
  if (count > 0)
    qn_op_set_attr(graph->module, graph->module->op, qn_attr_decls[QN_A_SIGNATURES].name,
                   qn_attr_array(graph->cx, keys, count));
}

/* "'a', 'b'" */
static qn_str list_signatures(qn_graph *graph, qn_fb_vector signatures) {
  qn_text text = {0};
  for (uint32_t i = 0; i < signatures.count && i < MOST_LISTED; i++) {
    qn_str key = qn_graph_printable(&graph->arena, key_of(signatures, i), NAME_OF_CUSTOM);
    qn_text_format(&text, "%s'%.*s'", i ? ", " : "", QN_STR_ARG(key));
  }
  qn_str list = qn_arena_str(&graph->arena, qn_text_view(&text));
  qn_text_deinit(&text);
  return list;
}

/* Selects the subgraph of the named signature; else the first. */
static bool choose_graph(qn_graph *graph, qn_fb_table model, uint32_t *out_number) {
  qn_fb_vector signatures = qn_fb_vector_of(model, QN_FB_MODEL_SIGNATURES);
  qn_str wanted = graph->options->signature;
  *out_number = 0;
  keep_signatures(graph, signatures);
  if (wanted.size == 0) {
    if (signatures.count > 1)
      qn_remark(&graph->cx->diag, graph->loc,
                "the first subgraph is imported; the signatures are %.*s",
                QN_STR_ARG(list_signatures(graph, signatures)));
    return true;
  }
  for (uint32_t i = 0; i < signatures.count; i++) {
    if (!qn_str_equal(key_of(signatures, i), wanted)) continue;
    qn_fb_table signature = qn_fb_child_at(signatures, i, QN_FB_SIGNATURE);
    int64_t number = qn_fb_int(signature, QN_FB_SIGNATURE_SUBGRAPH);
    if (number >= 0 && number < graph->subgraph_count) {
      *out_number = (uint32_t)number;
      return true;
    }
    qn_graph_model_error(graph, NULL, QN_INVALID, "signature '%.*s' is of subgraph %lld of %u",
                         QN_STR_ARG(wanted), (long long)number, graph->subgraph_count);
    return false;
  }
  graph->status = qn_error(&graph->cx->diag, graph->loc, QN_NOT_FOUND,
                           "there is no signature '%.*s'; there are: %.*s", QN_STR_ARG(wanted),
                           QN_STR_ARG(list_signatures(graph, signatures)));
  return false;
}

static void report_unreached(qn_graph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->subgraph_count; i++) count += !graph->reached[i];
  if (count > 0)
    qn_remark(&graph->cx->diag, graph->loc,
              "%u of %u subgraphs are not imported, as nothing calls them", count,
              graph->subgraph_count);
}

static void read_subgraph(qn_graph *graph, uint32_t number) {
  const qn_graph_frame frame = {number, false, NULL};
  graph->frame = &frame;
  graph->reached[number] = true;
  if (qn_tflite_open(graph, number) && qn_tflite_take_part(graph)) {
    qn_graph_main *main = qn_graph_begin_main(graph);
    qn_tflite_read_ops(graph);
    qn_graph_end_main(graph, main);
  }
  graph->frame = NULL;
}

static void read_model(qn_tflite *file, qn_fb_table model) {
  qn_graph *graph = &file->graph;
  uint32_t number;
  int64_t version = qn_fb_int(model, QN_FB_MODEL_VERSION);
  if (version != SCHEMA_VERSION)
    qn_graph_model_error(graph, NULL, QN_UNSUPPORTED,
                         "version %lld of the file format; only %d is supported",
                         (long long)version, SCHEMA_VERSION);
  file->subgraphs = qn_fb_vector_of(model, QN_FB_MODEL_SUBGRAPHS);
  if (file->subgraphs.count == 0) {
    qn_graph_model_error(graph, NULL, QN_INVALID, "the file has no subgraph");
    return;
  }
  file->buffers = qn_fb_vector_of(model, QN_FB_MODEL_BUFFERS);
  read_codes(file, model);
  graph->subgraph_count = file->subgraphs.count;
  graph->reached = QN_NEW_ARRAY(&graph->arena, (size_t)graph->subgraph_count + 1, bool);
  if (!choose_graph(graph, model, &number)) return;
  read_subgraph(graph, number);
  report_unreached(graph);
}

static const qn_graph_format format = {.name = "tflite",
                                       .load = qn_tflite_load,
                                       .is_fixed_input = qn_tflite_is_fixed_input,
                                       .option = qn_tflite_option,
                                       .real_option = qn_tflite_real_option,
                                       .list_option = qn_tflite_list_option,
                                       .string_option = qn_tflite_string_option,
                                       .open = qn_tflite_open,
                                       .read_ops = qn_tflite_read_ops,
                                       .cost = qn_tflite_cost};

/* Reads the file for the batch size of the options only. */
static qn_status read_file(qn_ir_context *cx, qn_file *mapped, const qn_import_options *options,
                           qn_module **out_module) {
  *out_module = NULL;
  qn_tflite file = {.file = qn_file_bytes(mapped)};
  qn_graph *graph = &file.graph;
  QN_TRY(qn_graph_begin(graph, &format, qn_tflite_importer.numerics, cx, mapped, options));
  qn_fb_table model;
  graph->status = qn_fb_verify(&cx->diag, graph->loc, file.file, &model, &file.front);
  if (graph->status == QN_OK) read_model(&file, model);
  return qn_graph_end(graph, out_module);
}

qn_status qn_import_tflite(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                           qn_module **out_module) {
  return qn_graph_import(read_file, cx, file, options, out_module);
}

const qn_importer qn_tflite_importer = {.name = "tflite",
                                        .extension = ".tflite",
                                        .numerics = "litert-ref",
                                        .matches = qn_import_is_tflite,
                                        .may_be_long = true,
                                        .has_parts = true,
                                        .has_signatures = true,
                                        .read = qn_import_tflite,
                                        .catalogue = &qn_tflite_catalogue};
