/* Long random graphs through the pipelines of passes on graphs: they are valid afterwards,
 * graph-exact keeps every bit, and the time per op does not grow with the graph.
 *
 *   graph_scale OPS FACTOR     graphs of OPS and of OPS * FACTOR ops
 *
 * Times are CPU times, the least of a few runs; "time per op" is that of the pass manager alone.
 * Ops are counted as they are built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "ir/clone.h"
#include "ir/walk.h"
#include "pass/manager.h"
#include "pass/pipeline.h"
#include "passes/passes.h"
#include "tests/differ/graph_build.h"

enum { RUNS = 3, LONGEST_PIECE = 4 };
/* Maximum factor between the time per op of the longer graph and that of the shorter. Cache misses
 * alone cause a part of it. */
static const double most_growth = 3;

static bool count_op(qn_op *op, void *user) {
  (void)op;
  ++*(int64_t *)user;
  return true;
}
static int64_t ops_of(const qn_module *module) {
  int64_t count = 0;
  qn_walk_pre(module->op, count_op, &count);
  return count;
}

/* The mean of a piece's result, as one element. */
static qn_value *summary(qn_random_model *m, qn_value *x) {
  const int64_t one = 1;
  x = step_flatten(m, step_tanh(m, x));
  return qn_build_1(&m->b, QN_OP_ML_REDUCE_MEAN, graph_tensor(m, 1, &one), QN_VALUES(x),
                    QN_ATTRS({"axes", qn_random_i64s(m, (const int64_t[]){0}, 1)},
                             {"keep_dims", qn_attr_bool(&m->cx, true)}));
}

/* Pieces that begin with one input and what the pieces before made of it. */
static void build(qn_random_model *m, int64_t ops) {
  static const int64_t dims[] = {1, 3, 4, 2};
  qn_value *input = qn_random_input(m, graph_tensor(m, 4, dims)), *last = summary(m, input);
  uint32_t begin = m->module->value_count;
  while (m->module->value_count - begin < ops) {
    qn_value *x = qn_build_1(&m->b, QN_OP_ML_ADD, input->type, QN_VALUES(input, last), NULL);
    x = step_first(m, x);
    for (int64_t i = qn_random_between(m, 1, LONGEST_PIECE); i > 0; i--) x = step_other(m, x);
    last = summary(m, x);
  }
  qn_random_end(m, &last, 1);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool run(qn_module *module, const char *text, double *seconds) {
  qn_registry registry = {0};
  qn_pipeline *pipeline = NULL;
  qn_registry_add_table(&registry, qn_passes);
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.verify_each = false; /* the caller verifies once */
  qn_status status =
      qn_pipeline_parse_text(module->cx, &registry, qn_str_of(text), qn_str_of("scale"), &pipeline);
  double begin = cpu_seconds();
  if (status == QN_OK) status = qn_pipeline_execute(module, pipeline, &settings);
  *seconds = cpu_seconds() - begin;
  if (pipeline) qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  if (status == QN_OK) status = qn_verify(module);
  if (status != QN_OK) fprintf(stderr, "%s fails\n", text);
  return status == QN_OK;
}

/* graph-exact changes no bit of the results. */
static bool keeps_bits(differ *d) {
  qn_random_run after;
  double seconds;
  if (differ_interpret(d, d->m.module, &d->expected) != QN_OK) return false;
  qn_module *module = qn_module_clone(d->m.module);
  bool ok = run(module, "graph-exact", &seconds) && differ_interpret(d, module, &after) == QN_OK;
  if (ok) {
    ok = differ_same(d, &after);
    qn_arena_deinit(&after.arena);
  }
  qn_module_destroy(module);
  qn_arena_deinit(&d->expected.arena);
  if (!ok) fprintf(stderr, "graph-exact changes results\n");
  return ok;
}

/* Seconds per op of graph-default; below 0 when something is wrong. */
static double measure(int64_t ops) {
  const differ_options options = {0};
  differ_counts counts = {0};
  differ d = {.options = &options, .counts = &counts};
  qn_random_begin(&d.m, 1, "litert-ref");
  build(&d.m, ops);
  bool ok = qn_verify(d.m.module) == QN_OK;
  differ_make_inputs(&d);
  ok = ok && keeps_bits(&d);
  double least = -1, seconds;
  int64_t before = ops_of(d.m.module), left = 0;
  for (int i = 0; i < RUNS && ok; i++) {
    qn_module *module = qn_module_clone(d.m.module);
    ok = run(module, "graph-default", &seconds);
    least = i == 0 || seconds < least ? seconds : least;
    left = ops_of(module);
    qn_module_destroy(module);
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%lld ops, %lld afterwards: %.2f us per op, %ld KiB at most\n", (long long)before,
         (long long)left, least / (double)before * 1e6, usage.ru_maxrss);
  qn_arena_deinit(&d.inputs.arena);
  qn_random_free(&d.m);
  return ok ? least / (double)before : -1;
}

int main(int argc, char **argv) {
  int64_t ops = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
  int64_t factor = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
  if (ops < 1 || factor < 1) return 2;
  double few = measure(ops), many = measure(ops * factor);
  if (few < 0 || many < 0) return 1;
  if (many <= few * most_growth) return 0;
  fprintf(stderr, "the time per op grows %.1f times\n", many / few);
  return 1;
}
