/* Generated cases from seeds, and how much was compared.
 *
 *   differ modules|models|operands|control CASES [SEED [JIT_EVERY [AOT_EVERY]]] [-v]
 *   differ modules|models|operands|control seconds=N [SEED ...]
 *   differ operands round SEED JIT_EVERY AOT_EVERY REASONS
 *   differ control round SEED JIT_EVERY AOT_EVERY
 *
 * A round is all rows with all operands, or in branches and loops. With REASONS, of what can't be
 * reached (operands.txt), the coverage of operands is printed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include "tests/differ/differ.h"

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_counts(const char *name, const differ_counts *c, double seconds) {
  printf("%s: %llu executions in %.1f CPU seconds (%.0f a second): %llu comparisons, %llu texts, "
         "%llu passes, %llu memory plans, %llu by JIT, %llu objects; %llu undefined, %llu "
         "unsupported, "
         "%llu through float, %llu with control flow, %llu with open sizes and %llu unsupported\n",
         name, (unsigned long long)c->cases, seconds, (double)c->cases / seconds,
         (unsigned long long)c->compared, (unsigned long long)c->texts,
         (unsigned long long)c->passes, (unsigned long long)c->plans, (unsigned long long)c->jits,
         (unsigned long long)c->aots, (unsigned long long)c->undefined,
         (unsigned long long)c->unsupported, (unsigned long long)c->fallbacks,
         (unsigned long long)c->controls, (unsigned long long)c->sized,
         (unsigned long long)c->unsized);
}

static uint64_t number(int argc, char **argv, int i, uint64_t otherwise) {
  return argc > i && argv[i][0] != '-' ? strtoull(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    differ_case *run;
  } kinds[] = {{"modules", differ_module},
               {"models", differ_model},
               {"operands", differ_operands},
               {"control", differ_control}};
  if (argc < 3) {
    fprintf(stderr,
            "usage: %s modules|models|operands|control CASES|seconds=N [SEED [JIT [AOT]]] [-v]\n",
            argv[0]);
    return 2;
  }
  differ_options options = {.jit_every = (uint32_t)number(argc, argv, 4, 200),
                            .aot_every = (uint32_t)number(argc, argv, 5, 20000),
                            .verbose = strcmp(argv[argc - 1], "-v") == 0};
  differ_counts counts = {.coverage = calloc(1, sizeof *counts.coverage)};
  bool timed = strncmp(argv[2], "seconds=", 8) == 0;
  uint64_t limit = strtoull(argv[2] + (timed ? 8 : 0), NULL, 10), seed = number(argc, argv, 3, 1);
  bool round = strcmp(argv[2], "round") == 0, control = strcmp(argv[1], "control") == 0;
  options.round = round;
  if (round) limit = control ? differ_control_round() : differ_operands_round();
  int failures = counts.coverage ? 0 : 1;
  for (size_t k = 0; k < QN_COUNT(kinds); k++) {
    if (strcmp(argv[1], kinds[k].name) != 0) continue;
    double start = cpu_seconds();
    while (timed ? cpu_seconds() - start < (double)limit : counts.cases < limit) {
      uint64_t at = seed + counts.cases;
      if (kinds[k].run(qn_choices_of_seed(at), &options, &counts)) continue;
      fprintf(stderr, "seed %llu\n", (unsigned long long)at);
      if (++failures == 10) break;
    }
    print_counts(argv[1], &counts, cpu_seconds() - start);
  }
  if (argc > 6 && !differ_coverage_print(counts.coverage, argv[6])) failures++;
  if (round && control && !differ_control_print(counts.coverage)) failures++;
  free(counts.coverage);
  return failures != 0 || counts.cases == 0;
}
