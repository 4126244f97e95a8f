/* Entry of the .tflite importer: the file, its operator codes and its subgraphs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

#include "ir/numerics.h"

enum { CODE_CUSTOM = 32, SCHEMA_VERSION = 3, NAME_OF_CUSTOM = 80 };

#define REASON(ident, text) static const char why_##ident[] = text;
#include "import/tflite/refused.def"
#undef REASON

static const qn_tflite_builtin builtins[] = {
#define SUPPORTED(name, import, kind, options, least, most, results, version)                      \
  {#name, qn_tflite_##import, QN_OP_##kind, QN_FB_##options, least, most, results, version, NULL},
#define NAMED(name, why)                                                                           \
  {#name, NULL, QN_OP_UNREGISTERED, QN_FB_NO_OPTIONS, 0, -1, -1, 0, why_##why},
#include "import/tflite/ops.def"
#undef SUPPORTED
#undef NAMED
};

static const qn_tflite_builtin customs[] = {
#define CUSTOM(name, import, kind, least, most, results)                                           \
  {name, qn_tflite_##import, QN_OP_##kind, QN_FB_NO_OPTIONS, least, most, results, 1, NULL},
#include "import/tflite/customs.def"
#undef CUSTOM
};

static const qn_tflite_builtin *custom_named(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(customs); i++)
    if (qn_str_equal(name, qn_str_of(customs[i].name))) return &customs[i];
  return NULL;
}

bool qn_import_is_tflite(qn_bytes bytes) {
  return bytes.size >= 8 && memcmp(bytes.data + 4, "TFL3", 4) == 0;
}

/* Files older than the 32-bit field have only the 8-bit one; newer ones repeat small codes in it.
 */
static void read_code(qn_tflite *im, qn_fb_table table, qn_tflite_code *out) {
  int64_t old = qn_fb_int(table, QN_FB_OPERATOR_CODE_DEPRECATED_BUILTIN_CODE);
  int64_t code = qn_fb_int(table, QN_FB_OPERATOR_CODE_BUILTIN_CODE);
  if (old > code) code = old;
  out->version = qn_fb_int(table, QN_FB_OPERATOR_CODE_VERSION);
  if (code >= 0 && code < (int64_t)QN_COUNT(builtins)) {
    out->builtin = &builtins[code];
    out->name = qn_str_of(builtins[code].name);
  } else {
    out->name = qn_arena_format(&im->arena, "builtin %lld", (long long)code);
  }
  if (code != CODE_CUSTOM) return;
  qn_str custom = qn_fb_string(table, QN_FB_OPERATOR_CODE_CUSTOM_CODE);
  const qn_tflite_builtin *known = custom_named(custom);
  if (known) out->builtin = known;
  custom = qn_tflite_printable(&im->arena, custom, NAME_OF_CUSTOM);
  out->name = qn_arena_format(&im->arena, "CUSTOM '%.*s'", QN_STR_ARG(custom));
}

static void read_codes(qn_tflite *im, qn_fb_table model) {
  qn_fb_vector codes = qn_fb_vector_of(model, QN_FB_MODEL_OPERATOR_CODES);
  im->code_count = codes.count;
  im->codes = QN_NEW_ARRAY(&im->arena, (size_t)codes.count + 1, qn_tflite_code);
  for (uint32_t i = 0; i < codes.count; i++)
    read_code(im, qn_fb_child_at(codes, i, QN_FB_OPERATOR_CODE), &im->codes[i]);
}

static bool open_tensors(qn_tflite *im, qn_fb_table subgraph) {
  qn_fb_vector tensors = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_TENSORS);
  uint32_t operators = qn_fb_vector_of(subgraph, QN_FB_SUBGRAPH_OPERATORS).count;
  if (tensors.count > QN_TFLITE_MAX_TENSORS || operators > QN_TFLITE_MAX_OPERATORS) {
    qn_tflite_model_error(im, NULL, QN_LIMIT,
                          "%u tensors and %u operators; the limits are %d and %d", tensors.count,
                          operators, QN_TFLITE_MAX_TENSORS, QN_TFLITE_MAX_OPERATORS);
    return false;
  }
  im->tensor_count = tensors.count;
  im->tensors = QN_NEW_ARRAY(&im->arena, (size_t)tensors.count + 1, qn_tflite_tensor);
  for (uint32_t i = 0; i < tensors.count; i++) {
    im->tensors[i].table = qn_fb_child_at(tensors, i, QN_FB_TENSOR);
    im->tensors[i].index = i;
    im->tensors[i].writer = -1;
  }
  return true;
}

static void read_model(qn_tflite *im, qn_fb_table model) {
  int64_t version = qn_fb_int(model, QN_FB_MODEL_VERSION);
  if (version != SCHEMA_VERSION)
    qn_tflite_model_error(im, NULL, QN_UNSUPPORTED,
                          "version %lld of the file format; only %d is supported",
                          (long long)version, SCHEMA_VERSION);
  qn_fb_vector subgraphs = qn_fb_vector_of(model, QN_FB_MODEL_SUBGRAPHS);
  if (subgraphs.count == 0) {
    qn_tflite_model_error(im, NULL, QN_INVALID, "the file has no subgraph");
    return;
  }
  if (subgraphs.count > 1)
    qn_remark(&im->cx->diag, im->loc, "only the first of %u subgraphs is imported",
              subgraphs.count);
  im->buffers = qn_fb_vector_of(model, QN_FB_MODEL_BUFFERS);
  read_codes(im, model);
  qn_fb_table subgraph = qn_fb_child_at(subgraphs, 0, QN_FB_SUBGRAPH);
  if (open_tensors(im, subgraph)) qn_tflite_graph(im, subgraph);
}

/* The name without folders, so that the IR does not depend on where the file lies. */
static qn_str base_name(qn_str path) {
  for (size_t i = path.size; i > 0; i--)
    if (path.data[i - 1] == '/') return (qn_str){path.data + i, path.size - i};
  return path;
}

static void set_module_attrs(qn_tflite *im, qn_str numerics) {
  qn_str source = qn_tflite_printable(&im->arena, base_name(im->options->path), SIZE_MAX);
  qn_op_set_attr(im->module, im->module->op, qn_numerics_attr, qn_attr_string(im->cx, numerics));
  qn_op_set_attr(im->module, im->module->op, "quern.source", qn_attr_string(im->cx, source));
}

qn_status qn_import_tflite(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                           qn_module **out_module) {
  *out_module = NULL;
  qn_bytes bytes = qn_file_bytes(file);
  const qn_loc *loc = qn_loc_file(&cx->diag, options->path, 0, 0);
  qn_str numerics = options->numerics.size ? options->numerics : qn_str_of("litert-ref");
  const qn_profile *profile;
  QN_TRY(qn_profile_find(&cx->diag, loc, numerics, &profile));
  qn_fb_table model;
  QN_TRY(qn_fb_verify(&cx->diag, loc, bytes, &model));
  qn_tflite im = {.cx = cx,
                  .options = options,
                  .profile = profile,
                  .loc = loc,
                  .batch = options->batch > 0 ? options->batch : 1,
                  .work = 4096 + 8 * (int64_t)bytes.size};
  qn_arena_init(&im.arena);
  im.module = qn_module_create(cx, loc);
  qn_module_retain_file(im.module, file);
  set_module_attrs(&im, numerics);
  read_model(&im, model);
  qn_arena_deinit(&im.arena);
  if (im.status == QN_OK)
    *out_module = im.module;
  else
    qn_module_destroy(im.module);
  return im.status;
}
