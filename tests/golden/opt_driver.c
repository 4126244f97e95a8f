/* Reads a module, verifies it, runs passes, prints it: what the golden tests run.
 *   opt_driver [--generic] [--locations] [--type-aliases] [--allow-unregistered-dialect]
 *              [--no-verify] [--elide-above N] [--round-trip] [--pass NAME]... [--keep-tensors]
 * FILE
 * --round-trip also parses what was printed, in both forms, and fails unless the modules are equal.
 * Diagnostics go to standard error. Exit code 1 when there was any error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "ir/clone.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "text/text.h"

enum { MAX_PASSES = 8 };

typedef struct options {
  qn_print_options print;
  bool allow_unregistered, verify, round_trip;
  const qn_pass *passes[MAX_PASSES];
  uint32_t pass_count;
  qn_lower_config config;
  const char *path;
} options;

static bool add_pass(options *o, const char *name) {
  for (const qn_pass *const *pass = qn_lower_passes; *pass && o->pass_count < MAX_PASSES; pass++) {
    if (!(*pass)->run || !qn_str_is(qn_str_of(name), (*pass)->name)) continue;
    o->passes[o->pass_count++] = *pass;
    return true;
  }
  return false;
}

static void show(void *user, const qn_diag *diag) {
  (void)user;
  qn_text text = {0};
  qn_diag_render(diag, (qn_str){NULL, 0}, false, &text);
  fprintf(stderr, "%.*s", QN_STR_ARG(qn_text_view(&text)));
  qn_text_deinit(&text);
}

static int complain(const char *what) {
  fprintf(stderr, "opt_driver: %s\n", what);
  return 1;
}

/* Prints in the given form and reads that back in the same context. */
static int check_round_trip(qn_ir_context *cx, const qn_module *module,
                            const qn_print_options *print) {
  qn_text text = {0};
  qn_module *again = NULL;
  qn_text_print(module, print, &text);
  cx->allow_unregistered = true;
  int failed = 0;
  if (qn_text_parse(cx, qn_text_view(&text), qn_str_of("printed"), &again) != QN_OK)
    failed = complain("what was printed does not parse");
  else if (!qn_op_equal(module->op, again->op))
    failed = complain("what was printed is another module");
  if (failed) fprintf(stderr, "%.*s", QN_STR_ARG(qn_text_view(&text)));
  qn_module_destroy(again);
  qn_text_deinit(&text);
  return failed;
}

static int run(qn_ir_context *cx, const options *o, qn_bytes bytes) {
  qn_module *module = NULL;
  qn_str text = {(const char *)bytes.data, bytes.size};
  if (qn_text_parse(cx, text, qn_str_of(o->path), &module) != QN_OK) return 1;
  int failed = o->verify && qn_verify(module) != QN_OK;
  const qn_pipeline_options pipeline = {.config = &o->config, .verify_each = true};
  if (!failed) failed = qn_pipeline_run(module, o->passes, o->pass_count, &pipeline) != QN_OK;
  if (!failed && o->round_trip) {
    failed = check_round_trip(cx, module, &(qn_print_options){.generic = false}) ||
             check_round_trip(cx, module, &(qn_print_options){.generic = true}) ||
             check_round_trip(cx, module, &(qn_print_options){.locations = true}) ||
             check_round_trip(cx, module, &(qn_print_options){.type_aliases = true});
  }
  if (!failed) {
    qn_text out = {0};
    qn_text_print(module, &o->print, &out);
    fwrite(out.data, 1, out.size, stdout);
    qn_text_deinit(&out);
  }
  qn_module_destroy(module);
  return failed;
}

static bool parse_options(int argc, char **argv, options *o) {
  for (int i = 1; i < argc; i++) {
    qn_str arg = qn_str_of(argv[i]);
    if (qn_str_is(arg, "--generic"))
      o->print.generic = true;
    else if (qn_str_is(arg, "--locations"))
      o->print.locations = true;
    else if (qn_str_is(arg, "--type-aliases"))
      o->print.type_aliases = true;
    else if (qn_str_is(arg, "--allow-unregistered-dialect"))
      o->allow_unregistered = true;
    else if (qn_str_is(arg, "--no-verify"))
      o->verify = false;
    else if (qn_str_is(arg, "--round-trip"))
      o->round_trip = true;
    else if (qn_str_is(arg, "--elide-above") && i + 1 < argc)
      o->print.elide_elements_above = strtoll(argv[++i], NULL, 10);
    else if (qn_str_is(arg, "--keep-tensors"))
      o->config.keep_tensors = true;
    else if (qn_str_is(arg, "--pass") && i + 1 < argc) {
      if (!add_pass(o, argv[++i])) return false;
    } else if (!o->path)
      o->path = argv[i];
    else
      return false;
  }
  return o->path != NULL;
}

int main(int argc, char **argv) {
  options o = {.verify = true};
  if (!parse_options(argc, argv, &o)) return complain("usage: opt_driver [options] FILE");
  qn_file *file;
  const char *reason;
  if (qn_file_open(o.path, &file, &reason) != QN_OK) return complain(reason);
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  cx.diag.handler = show;
  cx.print_type = qn_text_print_type;
  cx.allow_unregistered = o.allow_unregistered;
  int failed = run(&cx, &o, qn_file_bytes(file));
  qn_ir_context_deinit(&cx);
  qn_file_release(file);
  return failed;
}
