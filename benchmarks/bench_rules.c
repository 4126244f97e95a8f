/* Measures how the time of rule matching grows with the graph. The graph is a chain of
 * convolutions, activations, pools and casts; rules are matched by one decision tree, and each rule
 * alone. Times are CPU times of one process, the minimum of a few runs.
 *
 * usage: bench_rules OPS FILE.rr...
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ir/walk.h"
#include "rules/rewrite/run.h"
#include "text/text.h"

enum { REPEATS = 3 };

#define X "tensor<1x4x4x4x!x>"
#define F "tensor<1x4x4x4xf32>"

/* Adds ops that no rule of the library rewrites, so that only the search is measured. */
static void put_module(qn_text *text, long ops) {
  static const char *const lines[] = {
      "\"ml.conv\"(%%%ld, %%w, %%b) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, "
      "dilations = array<i64: 1, 1>, groups = 1 : i64} : (" X ", tensor<4x3x3x4x!w>, "
      "tensor<4xi32>) -> " X,
      "\"ml.max_pool\"(%%%ld) {kernel_sizes = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, "
      "strides = array<i64: 1, 1>} : (" X ") -> " X,
      "\"ml.transpose\"(%%%ld) {perm = array<i64: 0, 2, 1, 3>} : (" X ") -> " X,
      "\"ml.sigmoid\"(%%%ld) : (" X ") -> " X,
      "quant.dcast %%%ld : " X " to " F,
      "\"ml.exp\"(%%%ld) : (" F ") -> " F,
      "quant.qcast %%%ld : " F " to " X,
      "\"ml.hard_swish\"(%%%ld) : (" X ") -> " X,
  };
  enum { LINES = sizeof lines / sizeof lines[0] };
  qn_text_puts(text, "!x = !quant.uniform<i8:f32, 0.5:3>\n!w = !quant.uniform<i8:f32, 0.25>\n"
                     "func.func @main(%0: " X ", %w: tensor<4x3x3x4x!w>, %b: tensor<4xi32>) -> " X
                     " {\n");
  long last = ops - ops % LINES;
  for (long i = 0; i < last; i++) {
    qn_text_format(text, "  %%%ld = ", i + 1);
    qn_text_format(text, lines[i % LINES], i);
    qn_text_putc(text, '\n');
  }
  qn_text_format(text, "  return %%%ld : " X "\n}\n", last);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure(qn_module *module, const qn_rule_set *set, qn_rule_matcher matcher,
                      int64_t *out_applied) {
  double best = 1e9;
  for (int i = 0; i < REPEATS; i++) {
    qn_rule_run run;
    qn_rule_run_options options = QN_RULE_RUN_OPTIONS_INIT;
    options.matcher = matcher;
    options.limit = 0; /* searched, not changed */
    double start = seconds();
    qn_rule_run_init(&run, module, set, &options);
    if (qn_rule_run_all(&run) != QN_OK) exit(1);
    *out_applied = run.applied;
    qn_rule_run_deinit(&run);
    double taken = seconds() - start;
    if (taken < best) best = taken;
  }
  return best;
}

/* All rules at every op, whatever the kind of their root and their pass: matching alone. */
static double match_all(qn_module *module, const qn_rule_set *set, bool by_tree,
                        uint64_t *out_found) {
  qn_rule_run run;
  qn_rule_run_options options = QN_RULE_RUN_OPTIONS_INIT;
  qn_rule_found_list found = {0};
  qn_rule_run_init(&run, module, set, &options);
  const qn_rule **rules = QN_NEW_ARRAY(&run.arena, run.states.count + 1, const qn_rule *);
  uint32_t count = 0;
  for (size_t i = 0; i < run.states.count; i++)
    if (!run.states.data[i].missing) rules[count++] = run.states.data[i].expanded;
  qn_rule_tree *tree = qn_rule_tree_build(&run.arena, &run.view, rules, count);
  double start = seconds();
  *out_found = 0;
  QN_FOR_EACH_OP(op, qn_op_body(qn_op_body(module->op)->first)) {
    if (op->result_count == 0) continue;
    qn_rule_operand root = qn_rule_operand_of(&run.graph, &op->results[0], QN_RULE_NATURAL);
    qn_rule_binding binding;
    found.count = 0;
    if (by_tree) qn_rule_tree_match(tree, root, &found);
    *out_found += found.count;
    for (uint32_t i = 0; i < count && !by_tree; i++)
      for (uint32_t choice = 0; qn_rule_match(&run.view, rules[i], root, &choice, &binding);
           choice++)
        ++*out_found;
  }
  double taken = seconds() - start;
  qn_array_free(&found);
  qn_rule_tree_free(tree);
  qn_rule_run_deinit(&run);
  return taken;
}

int main(int argc, char **argv) {
  qn_ir_context cx;
  qn_module *module;
  qn_rule_set set;
  qn_text text = {0};
  if (argc < 3) return fprintf(stderr, "usage: bench_rules OPS FILE.rr...\n"), 2;
  qn_ir_context_init(&cx);
  qn_rule_set_init(&set, &cx.diag, &(qn_rule_options){0});
  for (int i = 2; i < argc; i++) {
    qn_file *file; /* lives as long as the process */
    const char *reason;
    const qn_rule_file *read;
    if (qn_file_open(argv[i], &file, &reason) != QN_OK) return fprintf(stderr, "%s\n", reason), 3;
    qn_bytes bytes = qn_file_bytes(file);
    qn_str source = {(const char *)bytes.data, bytes.size};
    if (qn_rule_set_add(&set, qn_str_of(argv[i]), source, &read) != QN_OK) return 3;
  }
  put_module(&text, strtol(argv[1], NULL, 10));
  if (qn_text_parse(&cx, qn_text_view(&text), qn_str_of("module"), &module) != QN_OK) return 3;
  int64_t applied;
  double tree = measure(module, &set, QN_RULE_BY_TREE, &applied);
  double plain = measure(module, &set, QN_RULE_BY_ONE, &applied);
  printf("%zu rules, %s ops: tree %.3f s, each alone %.3f s, ratio %.2f; %lld would apply\n",
         set.rules.count, argv[1], tree, plain, plain / tree, (long long)applied);
  uint64_t found[2];
  tree = match_all(module, &set, true, &found[0]);
  plain = match_all(module, &set, false, &found[1]);
  printf("all at every op: tree %.3f s, each alone %.3f s, ratio %.2f; %llu and %llu found\n", tree,
         plain, plain / tree, (unsigned long long)found[0], (unsigned long long)found[1]);
  qn_module_destroy(module);
  qn_rule_set_deinit(&set);
  qn_text_deinit(&text);
  qn_ir_context_deinit(&cx);
  return 0;
}
