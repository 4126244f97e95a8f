/* quern verify: replays recorded cases. One executable keeps every tensor, and the digest of each
 * is compared. A second, ordinary JIT executable, which reuses memory, must give the same outputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/tensors/digest.h"
#include "cli/golden.h"
#include "cli/recording/record.h"
#include "cli/table.h"
#include "cli/tensors/tensors.h"

typedef struct kept {
  int64_t index;
  char sha256[DIGEST_HEX];
  bool differs; /* until it is shown to be equal */
  bool is_open; /* the profile's runtime computes it in float, or from what is open and differs */
} kept;

/* One build of the model under test. */
typedef struct build {
  qn_executable *executable;
  cli_tensors tensors;
} build;

typedef struct verifier {
  cli *c;
  qn_model *model;
  build keeping, ordinary; /* ordinary.executable is NULL with the interpreter */
  kept *kept;              /* of the last invocation */
  size_t kept_count, kept_capacity;
  size_t tensors, tensors_differing, outputs, outputs_differing; /* so far */
  size_t in_float;    /* of those that differ: the profile leaves them open */
  json_t *report;     /* cases */
  json_t *inspection; /* read when it is asked for */
} verifier;

/* ---- builds ---- */

static void close_build(build *b) {
  cli_tensors_destroy(&b->tensors);
  qn_executable_destroy(b->executable);
  *b = (build){0};
}

static cli_exit open_build(verifier *v, bool keep, build *b) {
  close_build(b);
  cli_exit code = cli_compile(v->c, v->model, keep, &b->executable);
  if (code == CLI_OK) code = cli_tensors_create(v->c, b->executable, &b->tensors);
  return code;
}

static cli_exit open_builds(verifier *v) {
  cli_exit code = open_build(v, true, &v->keeping);
  bool jit = cli_engine(v->c) == QN_ENGINE_JIT;
  if (code == CLI_OK && jit) code = open_build(v, false, &v->ordinary);
  return code;
}

static cli_exit invoke(build *b) {
  return cli_exit_of(qn_executable_invoke(b->executable, (const void *const *)b->tensors.inputs,
                                          (void *const *)b->tensors.outputs));
}

/* ---- tensors ---- */

static void keep(void *user, int64_t index, const void *data, size_t bytes) {
  verifier *v = user;
  if (v->kept_count == v->kept_capacity) {
    v->kept_capacity = v->kept_capacity ? 2 * v->kept_capacity : 64;
    v->kept = cli_need(realloc(v->kept, v->kept_capacity * sizeof *v->kept));
  }
  kept *k = &v->kept[v->kept_count++];
  *k = (kept){.index = index, .differs = true};
  digest_sha256(data, bytes, k->sha256);
}

static kept *find_kept(const verifier *v, int64_t index) {
  for (size_t i = 0; i < v->kept_count; i++) {
    if (v->kept[i].index == index) return &v->kept[i];
  }
  return NULL;
}

static const json_t *inspected(verifier *v, const char *key) {
  char *text;
  size_t size;
  if (!v->inspection && qn_model_inspect(v->model, &text, &size) == QN_OK) {
    v->inspection = json_loadb(text, size, 0, NULL);
    qn_free(text);
  }
  return json_object_get(v->inspection, key);
}

/* Whether no op writes the tensor, because the importer has merged its operator into another op. */
static bool is_absorbed(verifier *v, int64_t tensor) {
  size_t i;
  json_t *number;
  json_array_foreach(inspected(v, "absorbed"), i, number) {
    if (json_integer_value(number) == tensor) return true;
  }
  return false;
}

/* The report row of the operator that writes a tensor; NULL if unknown. */
static const json_t *row_of(verifier *v, int64_t tensor) {
  size_t i, k;
  json_t *row, *number;
  json_array_foreach(inspected(v, "operators"), i, row) {
    json_array_foreach(json_object_get(row, "tensors"), k, number) {
      if (json_integer_value(number) == tensor) return row;
    }
  }
  return NULL;
}

/* The location of the operator that writes a tensor, as text. */
static const char *operator_of(verifier *v, int64_t tensor) {
  return json_string_value(json_object_get(row_of(v, tensor), "location"));
}

/* Marks tensors whose bits the profile does not specify: their operator is computed in float, or
 * reads such a tensor that differs. Operators are visited in execution order, so the tensors that
 * an operator reads are decided before.
 */
static void decide_open(verifier *v) {
  size_t i, k;
  json_t *row, *number;
  json_array_foreach(inspected(v, "operators"), i, row) {
    bool open = json_object_get(row, "in_float") || json_object_get(row, "reads_in_float");
    json_array_foreach(json_object_get(row, "reads"), k, number) {
      const kept *read = find_kept(v, json_integer_value(number));
      open |= read && read->is_open && read->differs;
    }
    json_array_foreach(json_object_get(row, "tensors"), k, number) {
      kept *written = find_kept(v, json_integer_value(number));
      if (written) written->is_open = open;
    }
  }
}

/* ---- one invocation ---- */

typedef struct outcome {
  size_t tensors, tensors_differing, outputs, outputs_differing, open;
  int64_t first;          /* tensor, -1: none */
  const char *first_name; /* interned in the report */
  bool first_missing;
} outcome;

static cli_exit compare_tensors(verifier *v, const char *path, outcome *o, char **out_first_name) {
  golden_tensors expected;
  cli_exit code = golden_read_tensors(v->c, path, &expected);
  if (code != CLI_OK) return code;
  v->kept_count = 0;
  code = cli_exit_of(qn_executable_tensors(v->keeping.executable, keep, v));
  bool differ = false;
  for (size_t i = 0; i < expected.count && code == CLI_OK; i++) {
    kept *is = find_kept(v, expected.rows[i].index);
    if (is) is->differs = strcmp(is->sha256, expected.rows[i].sha256) != 0;
    differ |= is && is->differs;
  }
  if (differ) decide_open(v);
  for (size_t i = 0; i < expected.count && code == CLI_OK; i++) {
    const kept *is = find_kept(v, expected.rows[i].index);
    if (!is && v->c->options.rules) continue; /* rules remove unused tensors */
    if (!is && is_absorbed(v, expected.rows[i].index)) continue;
    o->tensors++;
    if (is && !is->differs) continue;
    if (is && is->is_open) o->open++;
    if ((is && is->is_open) || o->tensors_differing++) continue;
    o->first = expected.rows[i].index;
    o->first_missing = !is;
    *out_first_name = cli_text("%s", expected.rows[i].name);
  }
  golden_tensors_free(&expected);
  return code;
}

static cli_exit compare_outputs(verifier *v, const golden_case *one, uint32_t invocation,
                                const build *b, outcome *o) {
  for (uint32_t i = 0; i < b->tensors.output_count; i++) {
    qn_tensor_info info = qn_executable_output(b->executable, i);
    char *path = golden_path(one, invocation, "out", i, "npy"), *file;
    npy array;
    cli_exit code = cli_read_npy(v->c, path, &info, &file, &array);
    free(path);
    if (code != CLI_OK) return code;
    o->outputs++;
    const kept *is = find_kept(v, info.index);
    bool differs = cli_compare(&info, b->tensors.outputs[i], array.data).count > 0;
    if (differs && is && is->is_open)
      o->open++;
    else
      o->outputs_differing += differs;
    qn_free(file);
  }
  return CLI_OK;
}

static cli_exit run_build(verifier *v, const golden_case *one, uint32_t invocation, build *b) {
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < b->tensors.input_count && code == CLI_OK; i++) {
    char *path = golden_path(one, invocation, "in", i, "npy");
    code = cli_tensors_read_recorded(v->c, &b->tensors, i, path);
    free(path);
  }
  return code == CLI_OK ? invoke(b) : code;
}

static void report(verifier *v, const golden_case *one, uint32_t invocation, const outcome *o,
                   const char *first_name) {
  json_t *row = json_pack("{s:s, s:i, s:I, s:I, s:I, s:I, s:I}", "case", one->name, "invocation",
                          (int)invocation, "tensors", (json_int_t)o->tensors, "differing_tensors",
                          (json_int_t)o->tensors_differing, "outputs", (json_int_t)o->outputs,
                          "differing_outputs", (json_int_t)o->outputs_differing, "in_float",
                          (json_int_t)o->open);
  if (o->first >= 0) {
    const char *where = operator_of(v, o->first);
    json_t *name = json_string(first_name ? first_name : "");
    json_t *location = where ? json_string(where) : NULL;
    json_object_set_new(row, "first_tensor", json_integer(o->first));
    json_object_set_new(row, "first_name", name ? name : json_null());
    json_object_set_new(row, "first_operator", location ? location : json_null());
    json_object_set_new(row, "first_is_missing", json_boolean(o->first_missing));
  }
  json_array_append_new(v->report, row);
  v->tensors += o->tensors;
  v->tensors_differing += o->tensors_differing;
  v->outputs += o->outputs;
  v->outputs_differing += o->outputs_differing;
  v->in_float += o->open;
}

static cli_exit verify_invocation(verifier *v, const golden_case *one, uint32_t invocation) {
  outcome o = {.first = -1};
  char *first_name = NULL, *path = golden_path(one, invocation, "tensors", -1, "json");
  cli_exit code = run_build(v, one, invocation, &v->keeping);
  if (code == CLI_OK) code = compare_tensors(v, path, &o, &first_name);
  if (code == CLI_OK) code = compare_outputs(v, one, invocation, &v->keeping, &o);
  if (code == CLI_OK && v->ordinary.executable) {
    code = run_build(v, one, invocation, &v->ordinary);
    if (code == CLI_OK) code = compare_outputs(v, one, invocation, &v->ordinary, &o);
  }
  if (code == CLI_OK) report(v, one, invocation, &o, first_name);
  free(first_name);
  free(path);
  return code;
}

/* ---- all cases ---- */

static cli_exit verify_cases(verifier *v, const golden *g) {
  for (size_t i = 0; i < g->count; i++) {
    /* Several invocations are recorded from a fresh start, consecutively. */
    cli_exit code = g->cases[i].numbered && i > 0 ? open_builds(v) : CLI_OK;
    v->c->progress = cli_progress_begin("verifying", v->c->options.verbose);
    cli_progress_set(v->c->progress, (int64_t)i, (int64_t)g->count);
    for (uint32_t k = 0; k < g->cases[i].invocations && code == CLI_OK; k++) {
      code = verify_invocation(v, &g->cases[i], k);
    }
    cli_progress_end(v->c->progress);
    v->c->progress = NULL;
    if (code != CLI_OK) return code;
  }
  return CLI_OK;
}

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static json_int_t number_of(const json_t *row, const char *key) {
  return json_integer_value(json_object_get(row, key));
}

static void print_table(const verifier *v) {
  static const cli_column columns[] = {
      {"case", 'l'},    {"run", 'r'},    {"tensors", 'r'},         {"differ", 'r'},
      {"outputs", 'r'}, {"differ", 'r'}, {"first difference", 'l'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(v->report, i, row) {
    cli_table_cell(&table, "%s", text_of(row, "case"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "invocation"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "tensors"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "differing_tensors"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "outputs"));
    cli_table_cell(&table, "%lld", (long long)number_of(row, "differing_outputs"));
    if (json_object_get(row, "first_tensor")) {
      bool missing = json_is_true(json_object_get(row, "first_is_missing"));
      cli_table_cell(&table, "tensor %lld '%s'%s, %s", (long long)number_of(row, "first_tensor"),
                     text_of(row, "first_name"), missing ? " (not written)" : "",
                     text_of(row, "first_operator"));
    } else {
      cli_table_cell(&table, "%s", number_of(row, "differing_outputs") ? "outputs only" : "none");
    }
  }
  cli_table_end(&table, stdout);
  printf("%zu tensors compared, %zu differ; %zu outputs compared, %zu differ\n", v->tensors,
         v->tensors_differing, v->outputs, v->outputs_differing);
  if (v->in_float > 0)
    printf("%zu more differ that the runtime of the profile computes in float, or from such\n",
           v->in_float);
}

static cli_exit print_json(const verifier *v) {
  json_t *all = json_pack(
      "{s:o, s:O, s:I, s:I, s:I, s:I, s:I}", "model", cli_json_text(v->c->options.argument),
      "cases", v->report, "tensors", (json_int_t)v->tensors, "differing_tensors",
      (json_int_t)v->tensors_differing, "outputs", (json_int_t)v->outputs, "differing_outputs",
      (json_int_t)v->outputs_differing, "in_float", (json_int_t)v->in_float);
  return cli_print_document(v->c, all, JSON_INDENT(1));
}

static cli_exit replay(cli *c) {
  golden g;
  cli_exit code = golden_open(c, c->options.golden, &g);
  if (code != CLI_OK) return code;
  verifier v = {.c = c, .report = json_array()};
  code = cli_load(c, &v.model);
  if (code == CLI_OK) code = open_builds(&v);
  if (code == CLI_OK) code = verify_cases(&v, &g);
  if (code == CLI_OK) {
    if (c->options.json) code = print_json(&v);
    if (!c->options.json) print_table(&v);
    if (code == CLI_OK && (v.tensors_differing || v.outputs_differing)) code = CLI_MISMATCH;
  }
  close_build(&v.keeping);
  close_build(&v.ordinary);
  qn_model_destroy(v.model);
  json_decref(v.report);
  json_decref(v.inspection);
  free(v.kept);
  golden_close(&g);
  return code;
}

static cli_exit verify(cli *c) {
  const cli_options *o = &c->options;
  if (o->golden && o->record)
    return cli_fail(c, CLI_USAGE, "--golden and --record exclude each other");
  if (!o->golden && !o->record) return cli_fail(c, CLI_USAGE, "--golden DIR is missing");
  if (o->golden && (o->cases || o->binding_count))
    return cli_fail(c, CLI_USAGE, "--cases, inputs and --size go with --record");
  return o->record ? record_cases(c) : replay(c);
}

static const char *const options[] = {"golden",   "record", "cases",        "input",   "image",
                                      "size",     "engine", "stage",        "threads", "cpu",
                                      "features", "json",   "disable-pass", NULL};
static const char *const frequent[] = {"golden", "record", "cases",   "input", "numerics", "engine",
                                       "stage",  "cpu",    "threads", "json",  NULL};

const cli_command cli_verify = {
    .name = "verify",
    .argument = "MODEL",
    .summary = "compare every tensor with recorded results",
    .groups = CLI_LOADING | CLI_REWRITING,
    .options = options,
    .frequent = frequent,
    .details =
        "DIR has one subdirectory per case: in<k>.npy, out<k>.npy, and tensors.json with the "
        "SHA-256 of\n"
        "every tensor that an operator writes. in<k>.<n>.npy and so on hold consecutive "
        "invocations from\n"
        "reset states. The exit code is 1 if anything differs; the first differing row names the\n"
        "operator. What the runtime of the profile computes in float, or from such a tensor that "
        "differs, "
        "is\ncounted apart. With the JIT, two builds are checked: one that keeps all tensors, and "
        "the "
        "normal one.\n"
        "A CPU level that this machine lacks can be checked with --stage loops --cpu LEVEL.\n"
        "--record DIR creates such a directory from this model: one case of the given inputs, and "
        "random\n"
        "cases. With --any-size, each case has the batch size of its inputs, up to the upper "
        "bound:\n"
        "recorded with --size, or by the model with the file's own batch.\n",
    .run = verify,
};
