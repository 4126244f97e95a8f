/* Entry of the .tflite importer: the file, its operator codes and its subgraphs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

#include "eval/fold.h"
#include "import/tflite/importer.h"
#include "ir/numerics.h"
#include "ir/verify/verify.h"

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

/* ---- signatures ---- */

static qn_str key_of(qn_fb_vector signatures, uint32_t i) {
  return qn_fb_string(qn_fb_child_at(signatures, i, QN_FB_SIGNATURE), QN_FB_SIGNATURE_KEY);
}

enum { MOST_LISTED = 16 };

/* On the module, for who looks at it. */
static void keep_signatures(qn_tflite *im, qn_fb_vector signatures) {
  const qn_attr *keys[MOST_LISTED];
  uint32_t count = 0;
  for (; count < signatures.count && count < MOST_LISTED; count++) {
    qn_str key = qn_tflite_printable(&im->arena, key_of(signatures, count), NAME_OF_CUSTOM);
    keys[count] = qn_attr_string(im->cx, key);
  }
  if (count > 0)
    qn_op_set_attr(im->module, im->module->op, qn_attr_decls[QN_A_SIGNATURES].name,
                   qn_attr_array(im->cx, keys, count));
}

/* "'a', 'b'" */
static qn_str list_signatures(qn_tflite *im, qn_fb_vector signatures) {
  qn_text text = {0};
  for (uint32_t i = 0; i < signatures.count && i < MOST_LISTED; i++) {
    qn_str key = qn_tflite_printable(&im->arena, key_of(signatures, i), NAME_OF_CUSTOM);
    qn_text_format(&text, "%s'%.*s'", i ? ", " : "", QN_STR_ARG(key));
  }
  qn_str list = qn_arena_str(&im->arena, qn_text_view(&text));
  qn_text_deinit(&text);
  return list;
}

/* The subgraph of the signature that the user names; else the first. */
static bool choose_graph(qn_tflite *im, qn_fb_table model, uint32_t *out_number) {
  qn_fb_vector signatures = qn_fb_vector_of(model, QN_FB_MODEL_SIGNATURES);
  qn_str wanted = im->options->signature;
  *out_number = 0;
  keep_signatures(im, signatures);
  if (wanted.size == 0) {
    if (signatures.count > 1)
      qn_remark(&im->cx->diag, im->loc, "the first subgraph is imported; the signatures are %.*s",
                QN_STR_ARG(list_signatures(im, signatures)));
    return true;
  }
  for (uint32_t i = 0; i < signatures.count; i++) {
    if (!qn_str_equal(key_of(signatures, i), wanted)) continue;
    qn_fb_table signature = qn_fb_child_at(signatures, i, QN_FB_SIGNATURE);
    int64_t number = qn_fb_int(signature, QN_FB_SIGNATURE_SUBGRAPH);
    if (number >= 0 && number < im->subgraphs.count) {
      *out_number = (uint32_t)number;
      return true;
    }
    qn_tflite_model_error(im, NULL, QN_INVALID, "signature '%.*s' is of subgraph %lld of %u",
                          QN_STR_ARG(wanted), (long long)number, im->subgraphs.count);
    return false;
  }
  im->status = qn_error(&im->cx->diag, im->loc, QN_NOT_FOUND,
                        "there is no signature '%.*s'; there are: %.*s", QN_STR_ARG(wanted),
                        QN_STR_ARG(list_signatures(im, signatures)));
  return false;
}

static void report_unreached(qn_tflite *im) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < im->subgraphs.count; i++) count += !im->reached[i];
  if (count > 0)
    qn_remark(&im->cx->diag, im->loc, "%u of %u subgraphs are not imported, as nothing calls them",
              count, im->subgraphs.count);
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
  im->buffers = qn_fb_vector_of(model, QN_FB_MODEL_BUFFERS);
  read_codes(im, model);
  im->subgraphs = subgraphs;
  im->variables = QN_NEW_ARRAY(&im->arena, QN_TFLITE_MAX_VARIABLES, qn_tflite_variable);
  qn_tflite_frame frame = {0, false, NULL};
  if (!choose_graph(im, model, &frame.subgraph)) return;
  im->frame = &frame;
  im->reached = QN_NEW_ARRAY(&im->arena, (size_t)subgraphs.count + 1, bool);
  im->reached[frame.subgraph] = true;
  qn_fb_table subgraph = qn_fb_child_at(subgraphs, frame.subgraph, QN_FB_SUBGRAPH);
  if (qn_tflite_open_graph(im, subgraph) && qn_tflite_take_part(im)) qn_tflite_graph(im);
  im->frame = NULL;
  report_unreached(im);
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

/* What the checks of an operator let pass and its op does not take is not supported either. */
static bool is_valid(qn_module *module, const qn_import_options *options) {
  return qn_verify(module) == QN_OK &&
         (options->keep_unsupported || qn_verify_stage(module, QN_STAGE_MODEL) == QN_OK);
}

/* Some 10,000 operators, however small the file is. */
enum { LEAST_CALLS = 1 << 18 };

qn_status qn_tflite_read(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                         qn_module **out_module) {
  *out_module = NULL;
  qn_bytes bytes = qn_file_bytes(file);
  const qn_loc *loc = qn_loc_file(&cx->diag, options->path, 0, 0);
  qn_str numerics = options->numerics;
  if (numerics.size == 0) numerics = qn_str_of(qn_tflite_importer.numerics);
  const qn_profile *profile;
  QN_TRY(qn_profile_find(&cx->diag, loc, numerics, &profile));
  qn_fb_table model;
  size_t front;
  QN_TRY(qn_fb_verify(&cx->diag, loc, bytes, &model, &front));
  qn_tflite im = {.cx = cx,
                  .options = options,
                  .profile = profile,
                  .loc = loc,
                  .file = bytes,
                  .front = front,
                  .batch = options->batch > 0 ? options->batch : 1,
                  .work = 4096 + 8 * (int64_t)bytes.size,
                  .calls = LEAST_CALLS + 8 * (int64_t)bytes.size};
  qn_arena_init(&im.arena);
  im.module = qn_module_create(cx, loc);
  qn_module_retain_file(im.module, file);
  set_module_attrs(&im, numerics);
  read_model(&im, model);
  qn_folder_destroy(im.folder);
  qn_arena_deinit(&im.arena);
  if (im.status == QN_OK && !is_valid(im.module, options)) im.status = QN_UNSUPPORTED;
  if (im.status == QN_OK)
    *out_module = im.module;
  else
    qn_module_destroy(im.module);
  return im.status;
}

qn_status qn_import_tflite(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                           qn_module **out_module) {
  qn_status status = qn_tflite_read(cx, file, options, out_module);
  if (status != QN_OK) return qn_tflite_blame_batch(cx, file, options, status);
  if (options->any_size) status = qn_tflite_check_sizes(cx, file, options, *out_module);
  if (status == QN_OK) return QN_OK;
  qn_module_destroy(*out_module);
  *out_module = NULL;
  return status;
}

const qn_importer qn_tflite_importer = {.name = "tflite",
                                        .extension = ".tflite",
                                        .numerics = "litert-ref",
                                        .matches = qn_import_is_tflite,
                                        .may_be_long = true,
                                        .has_parts = true,
                                        .read = qn_import_tflite,
                                        .catalogue = &qn_tflite_catalogue};
