/* Measures how time and memory of parsing, printing and the passes of the quant dialect grow with
 * the number of ops of a module.
 *
 * Every step runs in a new process, so the peak memory is that of the step and its preparation.
 * A time is the CPU time of the step alone, the minimum of a few processes: CPU time depends less
 * on other load of the machine than wall time.
 *
 * usage: bench_passes [largest number of ops]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pass/manager.h"
#include "passes/passes.h"
#include "text/text.h"

enum { REPEATS = 5 };

typedef struct figure {
  double seconds;
  size_t text_bytes;
  long peak_kib;
} figure;

/* ---- modules ---- */

#define QUANTIZED "!quant.uniform<i8:f32, 0.5:3>"

/* One function; per five ops a pair of casts and some arithmetic, each depending on the one before.
 */
static void put_one_function(qn_text *text, int64_t ops) {
  qn_text_puts(text, "func.func @main(%d0: tensor<8xf32>, %f0: i32) -> (tensor<8xf32>, i32) {\n");
  long long groups = ops / 5;
  for (long long i = 1; i <= groups; i++) {
    qn_text_format(text,
                   "  %%q%lld = quant.qcast %%d%lld : tensor<8xf32> to tensor<8x" QUANTIZED ">\n",
                   i, i - 1);
    qn_text_format(
        text, "  %%d%lld = quant.dcast %%q%lld : tensor<8x" QUANTIZED "> to tensor<8xf32>\n", i, i);
    qn_text_format(text, "  %%k%lld = arith.constant %lld : i32\n", i, i % 50);
    qn_text_format(text, "  %%e%lld = arith.addi %%f%lld, %%k%lld : i32\n", i, i - 1, i);
    qn_text_format(text, "  %%f%lld = arith.muli %%e%lld, %%e%lld : i32\n", i, i, i);
  }
  qn_text_format(text, "  return %%d%lld, %%f%lld : tensor<8xf32>, i32\n}\n", groups, groups);
}

/* Functions of five ops, each calling the one before. */
static void put_many_functions(qn_text *text, int64_t ops) {
  qn_text_puts(text, "func.func @f0(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                     "  return %x : tensor<8xf32>\n}\n");
  for (long long i = 1; i <= ops / 5; i++) {
    qn_text_format(text, "func.func @f%lld(%%x: tensor<8xf32>) -> tensor<8xf32> {\n", i);
    qn_text_puts(text, "  %q = quant.qcast %x : tensor<8xf32> to tensor<8x" QUANTIZED ">\n"
                       "  %d = quant.dcast %q : tensor<8x" QUANTIZED "> to tensor<8xf32>\n");
    qn_text_format(text, "  %%r = func.call @f%lld(%%d) : (tensor<8xf32>) -> tensor<8xf32>\n",
                   i - 1);
    qn_text_puts(text, "  return %r : tensor<8xf32>\n}\n");
  }
}

/* The least text per op: scalars, each the sum of the one before with itself. */
static void put_scalar_ops(qn_text *text, int64_t ops) {
  qn_text_puts(text, "func.func @main(%0: i32) -> i32 {\n");
  for (long long i = 1; i <= ops; i++)
    qn_text_format(text, "  %%%lld = arith.addi %%%lld, %%%lld : i32\n", i, i - 1, i - 1);
  qn_text_format(text, "  return %%%lld : i32\n}\n", (long long)ops);
}

/* ---- steps ---- */

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool run_pass(qn_module *module, const char *name) {
  qn_registry registry = {0};
  qn_registry_add_table(&registry, qn_passes);
  qn_pipeline *pipeline = NULL;
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.verify_each = false;
  bool done = qn_pipeline_parse_text(module->cx, &registry, qn_str_of(name), qn_str_of("passes"),
                                     &pipeline) == QN_OK &&
              qn_pipeline_execute(module, pipeline, &settings) == QN_OK;
  qn_pipeline_destroy(pipeline);
  qn_registry_deinit(&registry);
  return done;
}

/* In a process of its own. "parse" ends when the module is there; others begin then. */
static bool measure(const char *step, void (*put)(qn_text *, int64_t), int64_t ops, figure *out) {
  qn_text text = {0}, printed = {0};
  qn_ir_context cx;
  qn_module *module = NULL;
  qn_ir_context_init(&cx);
  put(&text, ops);
  qn_str name = qn_str_of(step);
  out->text_bytes = qn_text_view(&text).size;
  double start = cpu_seconds();
  if (qn_text_parse(&cx, qn_text_view(&text), qn_str_of("text"), &module) != QN_OK) return false;
  bool done = true;
  if (!qn_str_is(name, "parse")) {
    start = cpu_seconds();
    if (qn_str_is(name, "verify"))
      done = qn_verify(module) == QN_OK;
    else if (qn_str_is(name, "print"))
      qn_text_print(module, NULL, &printed);
    else
      done = run_pass(module, step);
  }
  out->seconds = cpu_seconds() - start;
  qn_module_destroy(module);
  qn_text_deinit(&printed);
  qn_text_deinit(&text);
  qn_ir_context_deinit(&cx);
  return done;
}

static bool measure_apart(const char *step, void (*put)(qn_text *, int64_t), int64_t ops,
                          figure *out) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  pid_t child = fork();
  if (child == 0) {
    figure f = {0};
    bool done = measure(step, put, ops, &f) && write(ends[1], &f, sizeof f) == (ssize_t)sizeof f;
    _exit(done ? 0 : 1);
  }
  close(ends[1]);
  int status = 1;
  struct rusage used;
  bool done = child > 0 && read(ends[0], out, sizeof *out) == (ssize_t)sizeof *out;
  close(ends[0]);
  if (child > 0 && wait4(child, &status, 0, &used) == child) out->peak_kib = used.ru_maxrss;
  return done && status == 0;
}

static bool report(const char *shape, const char *step, void (*put)(qn_text *, int64_t),
                   int64_t ops) {
  figure least = {.seconds = 1e9}, f;
  for (int i = 0; i < REPEATS; i++) {
    if (!measure_apart(step, put, ops, &f)) return false;
    if (f.seconds < least.seconds) least = f;
  }
  printf("| %s | %s | %lld | %.2f | %.0f | %.1f | %.1f |\n", shape, step, (long long)ops,
         least.seconds * 1e3, least.seconds * 1e9 / (double)ops,
         (double)least.text_bytes * 1e-6 / least.seconds, (double)least.peak_kib / 1024);
  fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  static const char *const steps[] = {"parse",        "print", "verify",
                                      "canonicalize", "cse",   "lower-quant-ops"};
  int64_t most = argc > 1 ? strtoll(argv[1], NULL, 10) : 100000;
  bool done = true;
  printf("| module | step | ops | CPU ms | ns / op | MB/s of text | peak MiB |\n"
         "|---|---|---:|---:|---:|---:|---:|\n");
  for (size_t i = 0; i < QN_COUNT(steps); i++) {
    for (int64_t ops = 1000; ops <= most; ops *= 10) {
      done = done && report("one function", steps[i], put_one_function, ops);
      done = done && report("many functions", steps[i], put_many_functions, ops);
      done = done && report("scalar ops", steps[i], put_scalar_ops, ops);
    }
  }
  return done ? 0 : 1;
}
