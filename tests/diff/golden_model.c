/* Replays recorded answers of a reference runtime: imports a model, runs every recorded case in the
 * interpreter at a stage, and compares the SHA-256 of every tensor that an operator writes, and all
 * outputs. A folder GOLDEN/CASE holds in<k>.npy, out<k>.npy and tensors.json.
 *
 *   golden_model SHARED PROFILE MODEL STAGE
 *
 * SHARED is a folder with models/ and golden/; the environment variable QUERN_SHARED overrides it.
 * Exit code 0: all equal; 1: a difference or an error; 77: the folder is missing, skipped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdlib.h>

#include <jansson.h>
#include <nettle/sha2.h>

#include "base/file.h"
#include "eval/eval.h"
#include "import/import.h"
#include "lower/lower.h"

enum { SKIPPED = 77, HEX_SIZE = 2 * SHA256_DIGEST_SIZE + 1 };

typedef struct replay {
  qn_ir_context cx;
  qn_module *module;
  const qn_op *main;
  const json_t *recorded; /* of the current case: array of tensors */
  const char *name;       /* of the current case */
  qn_arena paths;
  int compared, different;
} replay;

/* ---- files ---- */

static void print_diag(void *user, const qn_diag *diag) {
  (void)user;
  qn_text text = {0};
  qn_diag_render(diag, (qn_str){NULL, 0}, false, &text);
  fputs(text.data, stderr);
  qn_text_deinit(&text);
}

static qn_file *open_file(const char *path) {
  qn_file *file = NULL;
  const char *reason = NULL;
  if (qn_file_open(path, &file, &reason) != QN_OK) return NULL;
  return file;
}

/* The data of a version 1 .npy file: what follows the header. */
static qn_bytes npy_data(qn_bytes file) {
  static const uint8_t magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  if (file.size < 10 || memcmp(file.data, magic, sizeof magic) != 0) return (qn_bytes){NULL, 0};
  size_t start = 10 + (size_t)file.data[8] + ((size_t)file.data[9] << 8);
  if (start > file.size) return (qn_bytes){NULL, 0};
  return (qn_bytes){file.data + start, file.size - start};
}

/* ---- digests ---- */

static void digest(const qn_rt_value *value, char hex[HEX_SIZE]) {
  struct sha256_ctx context;
  uint8_t bytes[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, (size_t)value->size, value->data);
  sha256_digest(&context, sizeof bytes, bytes);
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

static const json_t *recorded_tensor(const replay *r, int64_t index) {
  size_t i;
  json_t *row;
  json_array_foreach(r->recorded, i, row) {
    if (json_integer_value(json_object_get(row, "index")) == index) return row;
  }
  return NULL;
}

static void compare_tensor(void *user, const qn_op *op, uint32_t result, const qn_rt_value *value) {
  replay *r = user;
  qn_i64s numbers = qn_op_i64s(op, "quern.tensors");
  const json_t *row = result < numbers.count ? recorded_tensor(r, numbers.data[result]) : NULL;
  if (!row) return;
  char hex[HEX_SIZE];
  digest(value, hex);
  r->compared++;
  const char *wanted = json_string_value(json_object_get(row, "sha256"));
  if (wanted && strcmp(hex, wanted) == 0) return;
  if (r->different++ < 5)
    printf("%s: tensor %lld '%s' of %.*s differs\n", r->name, (long long)numbers.data[result],
           json_string_value(json_object_get(row, "name")), QN_STR_ARG(op->name));
}

/* ---- one case ---- */

static bool read_inputs(replay *r, const char *folder, qn_rt_value *args, qn_file **files) {
  const qn_block *body = qn_op_body(r->main);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const char *path = qn_arena_format(&r->paths, "%s/in%u.npy", folder, i).data;
    files[i] = open_file(path);
    qn_bytes data = files[i] ? npy_data(qn_file_bytes(files[i])) : (qn_bytes){NULL, 0};
    const qn_type *type = body->args[i]->type;
    int64_t size = qn_type_elements(type) * qn_type_bytes(qn_type_element(type));
    if ((int64_t)data.size != size) {
      printf("%s: %lld bytes needed\n", path, (long long)size);
      return false;
    }
    args[i] = (qn_rt_value){.type = type, .data = (uint8_t *)(uintptr_t)data.data, .size = size};
  }
  return true;
}

static void compare_outputs(replay *r, const char *folder, const qn_rt_value *results) {
  uint32_t count = qn_op_body(r->main)->last->operand_count;
  for (uint32_t i = 0; i < count; i++) {
    const char *path = qn_arena_format(&r->paths, "%s/out%u.npy", folder, i).data;
    qn_file *file = open_file(path);
    qn_bytes data = file ? npy_data(qn_file_bytes(file)) : (qn_bytes){NULL, 0};
    bool equal = (int64_t)data.size == results[i].size &&
                 memcmp(data.data, results[i].data, data.size) == 0;
    if (!equal) printf("%s differs\n", path);
    r->different += !equal;
    qn_file_release(file);
  }
}

static void run_case(replay *r, const char *folder) {
  enum { MAX_PORTS = 16 };
  qn_rt_value args[MAX_PORTS], results[MAX_PORTS] = {0};
  qn_file *files[MAX_PORTS] = {NULL};
  const qn_block *body = qn_op_body(r->main);
  QN_ASSERT(body->arg_count <= MAX_PORTS && body->last->operand_count <= MAX_PORTS);
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_eval_options options = {.observe = compare_tensor, .user = r};
  if (!read_inputs(r, folder, args, files) ||
      qn_eval_call(r->module, r->main, args, body->arg_count, results, &arena, &options) != QN_OK)
    r->different++;
  else
    compare_outputs(r, folder, results);
  for (int i = 0; i < MAX_PORTS; i++) qn_file_release(files[i]);
  qn_arena_deinit(&arena);
}

static void replay_case(replay *r, const char *golden, const char *name) {
  const char *folder = qn_arena_format(&r->paths, "%s/%s", golden, name).data;
  const char *path = qn_arena_format(&r->paths, "%s/tensors.json", folder).data;
  json_t *recorded = json_load_file(path, 0, NULL);
  if (!json_is_array(recorded)) {
    printf("%s: can't be read\n", path);
    r->different++;
    return;
  }
  r->recorded = recorded;
  r->name = name;
  int before = r->compared;
  run_case(r, folder);
  int missing = (int)json_array_size(recorded) - (r->compared - before);
  if (missing != 0) printf("%s: %d recorded tensors were not seen\n", name, missing);
  r->different += missing != 0;
  json_decref(recorded);
}

/* ---- the model ---- */

static bool load_model(replay *r, const char *path, const char *profile, qn_stage stage) {
  static const qn_pass *const passes[] = {&qn_pass_lower_to_integer};
  qn_file *file = open_file(path);
  if (!file) return false;
  const qn_import_options options = {.path = qn_str_of(path), .numerics = qn_str_of(profile)};
  qn_status status = qn_import_tflite(&r->cx, file, &options, &r->module);
  qn_file_release(file);
  if (status != QN_OK) return false;
  const qn_lower_config config = {.keep_tensors = true};
  const qn_pipeline_options pipeline = {.config = &config, .verify_each = true};
  if (stage == QN_STAGE_INTEGER && qn_pipeline_run(r->module, passes, 1, &pipeline) != QN_OK) return false;
  r->main = qn_module_main(r->module);
  return r->main != NULL;
}

static int is_case(const struct dirent *entry) { return entry->d_name[0] != '.'; }

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "usage: golden_model SHARED PROFILE MODEL STAGE\n"), 1;
  const char *shared = getenv("QUERN_SHARED") ? getenv("QUERN_SHARED") : argv[1];
  replay r = {0};
  qn_arena_init(&r.paths);
  const char *model = qn_arena_format(&r.paths, "%s/models/%s.tflite", shared, argv[3]).data;
  const char *golden = qn_arena_format(&r.paths, "%s/golden/%s/%s", shared, argv[2], argv[3]).data;
  struct dirent **cases = NULL;
  int count = scandir(golden, &cases, is_case, alphasort);
  if (count <= 0) {
    printf("SKIP: no recorded cases in %s (set QUERN_SHARED)\n", golden);
    return SKIPPED;
  }
  qn_stage stage;
  if (!qn_stage_of_name(qn_str_of(argv[4]), &stage)) return fprintf(stderr, "unknown stage\n"), 1;
  qn_ir_context_init(&r.cx);
  r.cx.diag.handler = print_diag;
  bool loaded = load_model(&r, model, argv[2], stage);
  for (int i = 0; i < count; i++) {
    if (loaded) replay_case(&r, golden, cases[i]->d_name);
    free(cases[i]);
  }
  free(cases);
  if (!loaded) r.different++;
  printf("%s %s %s: %d cases, %d tensors compared, %d differences\n", argv[2], argv[3], argv[4], count,
         r.compared, r.different);
  qn_module_destroy(r.module);
  qn_ir_context_deinit(&r.cx);
  qn_arena_deinit(&r.paths);
  return r.different == 0 && r.compared > 0 ? 0 : 1;
}
