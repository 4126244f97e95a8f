/* quern verify: replays recorded cases. One executable keeps every tensor, and the digest of each
 * is compared. A second, ordinary JIT executable, which reuses memory, must give the same outputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/verify.h"
#include "cli/recording/record.h"

/* ---- builds ---- */

static cli_exit open_builds(verifier *v) {
  cli_exit code = verify_open_build(v, true, &v->keeping);
  bool jit = cli_engine(v->c) == QN_ENGINE_JIT;
  if (code == CLI_OK && jit) code = verify_open_build(v, false, &v->ordinary);
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

/* Whether no op writes the tensor, because the importer has merged its operator into another op. */
static bool is_absorbed(verifier *v, int64_t tensor) {
  size_t i;
  json_t *number;
  json_array_foreach(verify_inspected(v, "absorbed"), i, number) {
    if (json_integer_value(number) == tensor) return true;
  }
  return false;
}

/* Marks tensors whose bits the profile does not specify: their operator is computed in float, or
 * reads such a tensor that differs. Operators are visited in execution order, so the tensors that
 * an operator reads are decided before.
 */
static void decide_open(verifier *v) {
  size_t i, k;
  json_t *row, *number;
  json_array_foreach(verify_inspected(v, "operators"), i, row) {
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
  if (code == CLI_OK) verify_report(v, one, invocation, &o, first_name);
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

static cli_exit replay(cli *c) {
  golden g;
  cli_exit code = golden_open(c, c->options.golden, &g);
  if (code != CLI_OK) return code;
  verifier v = {.c = c, .report = json_array()};
  code = cli_load(c, &v.model);
  if (code == CLI_OK) code = open_builds(&v);
  if (code == CLI_OK) code = verify_cases(&v, &g);
  if (code == CLI_OK) code = verify_print(&v);
  verify_close(&v);
  golden_close(&g);
  return code;
}

static cli_exit verify(cli *c) {
  const cli_options *o = &c->options;
  if (o->board) return verify_on_board(c);
  if (o->io_in_arena) return cli_fail(c, CLI_USAGE, "--io-in-arena goes with --board");
  if (o->target || o->emit) return cli_fail(c, CLI_USAGE, "--target and --emit go with --board");
  if (o->golden && o->record)
    return cli_fail(c, CLI_USAGE, "--golden and --record exclude each other");
  if (!o->golden && !o->record) return cli_fail(c, CLI_USAGE, "--golden DIR is missing");
  if (o->golden && (o->cases || o->binding_count))
    return cli_fail(c, CLI_USAGE, "--cases, inputs and --size go with --record");
  return o->record ? record_cases(c) : replay(c);
}

static const char *const options[] = {
    "golden", "record",  "cases",        "input",       "image",       "size",     "engine",
    "stage",  "threads", "board",        "target",      "cpu",         "features", "optimize",
    "emit",   "json",    "disable-pass", "io-in-arena", "arena-limit", NULL};
static const char *const frequent[] = {"golden", "record", "cases",   "input", "board", "numerics",
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
        "recorded with --size, or by the model with the file's own batch.\n"
        "\n"
        "--board NAME runs the object on an emulated board instead, whole and with every launch "
        "cut "
        "in\n"
        "two, and compares the outputs with those of DIR, or, without --golden, with those of the\n"
        "interpreter for random cases (--cases) and the given inputs. It needs a cross compiler "
        "and QEMU\n"
        "(gcc-arm-none-eabi and qemu-system-arm, or gcc-riscv64-unknown-elf and "
        "qemu-system-misc).\n"
        "--target and --cpu are those of the board's core unless given; with --emit c the C output "
        "is\n"
        "compiled. The stack that calls took is measured.\n"
        "\n"
        "  quern verify model.tflite --board an386\n"
        "  quern verify model.tflite --board an385 --target thumbv6m-none-eabi --cpu "
        "cortex-m0plus\n",
    .run = verify,
};
