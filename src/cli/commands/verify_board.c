/* quern verify --board: an emulated board runs the object on recorded inputs, or on random ones
 * that the interpreter has answered, and its outputs are compared here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/board/board.h"
#include "cli/commands/verify.h"
#include "cli/recording/record.h"

/* The board calls each invocation twice: as it is, and with every launch cut in two. */
enum { CALLS = 2 };

typedef struct run {
  verifier v; /* v.keeping: the interpreter, which has the types of inputs and outputs */
  const cli_board *board;
  cli_workshop shop;
  qn_form form;
  qn_compile_options options; /* of the code that the board runs */
  golden cases;
  char *answers;
  size_t answer_bytes;
} run;

/* ---- command line ---- */

static cli_exit check_usage(cli *c, qn_form *out_form) {
  const cli_options *o = &c->options;
  if (o->record) return cli_fail(c, CLI_USAGE, "--record and --board exclude each other");
  if (o->engine || o->stage || o->threads)
    return cli_fail(c, CLI_USAGE, "--engine, --stage and --threads don't go with --board");
  if (o->any_size) return cli_fail(c, CLI_USAGE, "--any-size does not go with --board");
  if (o->golden && (o->cases || o->binding_count))
    return cli_fail(c, CLI_USAGE, "--cases and inputs go with --board without --golden");
  bool is_c = o->emit && strcmp(o->emit, "c") == 0;
  if (o->emit && !is_c && strcmp(o->emit, "obj") != 0)
    return cli_fail(c, CLI_USAGE, "--emit is obj or c with --board, not '%s'", o->emit);
  *out_form = is_c ? QN_FORM_C : QN_FORM_OBJECT;
  return CLI_OK;
}

static cli_exit choose_target(run *r) {
  cli *c = r->v.c;
  cli_exit code = cli_compile_options(c, r->v.model, &r->options);
  if (code != CLI_OK) return code;
  if (!r->options.triple) r->options.triple = r->board->triple;
  if (!r->options.cpu) r->options.cpu = r->board->cpu;
  r->options.symbol = "model";
  const char *begins = r->board->architecture;
  if (strncmp(r->options.triple, begins, strlen(begins)) != 0)
    return cli_fail(c, CLI_USAGE, "board %s runs code for --target %s..., not %s", r->board->name,
                    begins, r->options.triple);
  return cli_usage_of(qn_compile_options_check(c->context, &r->options));
}

/* ---- cases ---- */

/* Without --golden, the interpreter of the model's own stage answers random inputs. */
static cli_exit open_cases(run *r) {
  cli *c = r->v.c;
  if (c->options.golden) return golden_open(c, c->options.golden, &r->cases);
  char *folder = cli_workshop_path(&r->shop, "golden");
  c->options.record = folder;
  cli_exit code = record_model(c, r->v.model);
  c->options.record = NULL;
  if (code == CLI_OK) code = golden_open(c, folder, &r->cases);
  free(folder);
  return code;
}

static cli_exit put_case(run *r, FILE *to, const golden_case *one) {
  cli_tensors *t = &r->v.keeping.tensors;
  for (uint32_t k = 0; k < one->invocations; k++) {
    const unsigned char fresh[4] = {k == 0};
    bool written = fwrite(fresh, sizeof fresh, 1, to) == 1;
    for (uint32_t i = 0; i < t->input_count; i++) {
      char *path = golden_path(one, k, "in", i, "npy");
      cli_exit code = cli_tensors_read_input(r->v.c, t, i, path);
      free(path);
      if (code != CLI_OK) return code;
      qn_tensor_info info = qn_executable_input(r->v.keeping.executable, i);
      written = written && (info.bytes == 0 || fwrite(t->inputs[i], info.bytes, 1, to) == 1);
    }
    if (!written) return cli_fail(r->v.c, CLI_INVALID, "%s: can't be written", r->shop.folder);
  }
  return CLI_OK;
}

static cli_exit put_cases(run *r) {
  char *path = cli_workshop_path(&r->shop, "cases");
  FILE *to = fopen(path, "wb");
  cli_exit code = to ? CLI_OK : cli_fail(r->v.c, CLI_INVALID, "%s: can't be written", path);
  for (size_t i = 0; i < r->cases.count && code == CLI_OK; i++)
    code = put_case(r, to, &r->cases.cases[i]);
  if (to && fclose(to) != 0 && code == CLI_OK)
    code = cli_fail(r->v.c, CLI_INVALID, "%s: can't be written", path);
  free(path);
  return code;
}

/* ---- answers ---- */

static size_t output_bytes(const run *r) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < r->v.keeping.tensors.output_count; i++)
    bytes += qn_executable_output(r->v.keeping.executable, i).bytes;
  return bytes;
}

static cli_exit read_answers(run *r) {
  size_t expected = sizeof r->v.stack_bytes;
  for (size_t i = 0; i < r->cases.count; i++)
    expected += r->cases.cases[i].invocations * CALLS * output_bytes(r);
  char *path = cli_workshop_path(&r->shop, "answers");
  cli_exit code = cli_read_file(r->v.c, path, &r->answers, &r->answer_bytes);
  free(path);
  if (code != CLI_OK) return code;
  if (r->answer_bytes != expected)
    return cli_fail(r->v.c, CLI_INTERNAL, "the board wrote %zu bytes, not %zu", r->answer_bytes,
                    expected);
  const unsigned char *end = (const unsigned char *)r->answers + expected - 4;
  r->v.stack_bytes =
      end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
  return CLI_OK;
}

/* Whether the profile's runtime computes the tensor in float, so that its bits are open. */
static bool is_open(run *r, int64_t tensor) {
  const json_t *row = verify_row_of(&r->v, tensor);
  return json_object_get(row, "in_float") || json_object_get(row, "reads_in_float");
}

static cli_exit compare_output(run *r, const golden_case *one, uint32_t k, uint32_t i,
                               const char *is, outcome *o, char **out_first_name) {
  qn_tensor_info info = qn_executable_output(r->v.keeping.executable, i);
  char *path = golden_path(one, k, "out", i, "npy"), *file;
  npy array;
  cli_exit code = cli_read_npy(r->v.c, path, &info, &file, &array);
  free(path);
  if (code != CLI_OK) return code;
  o->outputs++;
  /* Element types need aligned memory, which the file of all answers is not. */
  void *aligned = cli_need(malloc(info.bytes ? info.bytes : 1));
  memcpy(aligned, is, info.bytes);
  bool differs = cli_compare(&info, aligned, array.data).count > 0, open = false;
  free(aligned);
  qn_free(file);
  if (differs) open = is_open(r, info.index);
  o->open += open;
  if (!differs || open || o->outputs_differing++ > 0) return CLI_OK;
  o->first = info.index;
  *out_first_name = cli_text("%s", info.name);
  return CLI_OK;
}

static cli_exit compare_all(run *r) {
  const char *is = r->answers;
  uint32_t outputs = r->v.keeping.tensors.output_count;
  for (size_t n = 0; n < r->cases.count; n++) {
    const golden_case *one = &r->cases.cases[n];
    for (uint32_t k = 0; k < one->invocations; k++) {
      outcome o = {.first = -1};
      char *first_name = NULL;
      cli_exit code = CLI_OK;
      for (uint32_t at = 0; at < CALLS * outputs && code == CLI_OK; at++) {
        code = compare_output(r, one, k, at % outputs, is, &o, &first_name);
        is += qn_executable_output(r->v.keeping.executable, at % outputs).bytes;
      }
      if (code == CLI_OK) verify_report(&r->v, one, k, &o, first_name);
      free(first_name);
      if (code != CLI_OK) return code;
    }
  }
  return CLI_OK;
}

/* ---- all of it ---- */

static cli_exit emit(run *r, char **out_code, size_t *out_size) {
  cli *c = r->v.c;
  c->progress = cli_progress_begin("compiling", c->options.verbose);
  qn_status status = qn_emit_form(r->v.model, &r->options, r->form, out_code, out_size);
  cli_progress_end(c->progress);
  c->progress = NULL;
  return cli_exit_of(status);
}

static cli_exit link_code(run *r) {
  char *code = NULL;
  size_t size = 0;
  cli_exit result = emit(r, &code, &size);
  if (result == CLI_OK)
    result = cli_board_link(r->v.c, &r->shop, r->form, &r->options,
                            (qn_bytes){(const uint8_t *)code, size});
  qn_free(code);
  return result;
}

/* Opens the interpreter for this machine; --target, --cpu and --features are those of the board. */
static cli_exit open_interpreter(run *r) {
  cli_options *o = &r->v.c->options;
  o->engine = "interpreter";
  o->target = o->cpu = o->features = NULL;
  cli_exit code = open_cases(r);
  return code == CLI_OK ? verify_open_build(&r->v, false, &r->v.keeping) : code;
}

static cli_exit work(run *r) {
  cli *c = r->v.c;
  cli_exit code = cli_load(c, &r->v.model);
  if (code == CLI_OK) code = choose_target(r);
  if (code == CLI_OK) code = link_code(r);
  if (code == CLI_OK) code = open_interpreter(r);
  if (code == CLI_OK) code = put_cases(r);
  if (code == CLI_OK) code = cli_board_run(c, &r->shop);
  if (code == CLI_OK) code = read_answers(r);
  if (code == CLI_OK) code = compare_all(r);
  return code == CLI_OK ? verify_print(&r->v) : code;
}

cli_exit verify_on_board(cli *c) {
  run r = {.v = {.c = c, .report = json_array()}};
  cli_exit code = check_usage(c, &r.form);
  if (code == CLI_OK) code = cli_board_find(c, c->options.board, &r.board);
  if (code == CLI_OK) code = cli_workshop_open(c, r.board, &r.shop);
  if (code == CLI_OK) {
    r.v.board = r.board->name;
    code = work(&r);
  }
  verify_close(&r.v);
  golden_close(&r.cases);
  qn_free(r.answers);
  cli_workshop_close(&r.shop);
  return code;
}
