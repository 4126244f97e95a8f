/* The roofline of a launch: either arithmetic bounds its time, or the bandwidth of the memory from
 * which it reads.
 *
 * A tensor that a launch reads was written shortly before, so it is in the smallest cache that
 * holds all bytes the launch touches. Its constants were last read one invocation ago, so they are
 * in the smallest cache that holds all bytes of an invocation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/bench/bench.h"

bool bench_fills_border(const char *kernel) { return strncmp(kernel, "border_", 7) == 0; }

static const qn_memory_level *level_of(const qn_machine *machine, size_t bytes) {
  for (uint32_t i = 0; i < machine->level_count; i++)
    if (bytes <= machine->levels[i].bytes) return &machine->levels[i];
  return machine->level_count ? &machine->levels[machine->level_count - 1] : NULL;
}

bench_bound bench_bound_of(const bench_run *run, const qn_step_info *step) {
  const qn_machine *machine = &run->machine;
  if (!run->machine_known || machine->level_count == 0 || bench_fills_border(step->kernel))
    return (bench_bound){NULL, 0};
  double threads = (double)run->threads;
  double compute = (double)step->macs / (machine->macs_per_second[step->factor] * threads);
  size_t touched = run->stats.arena_bytes + run->stats.code_bytes;
  const qn_memory_level *near = level_of(machine, step->value_bytes + step->constant_bytes);
  const qn_memory_level *far = level_of(machine, touched);
  double values = (double)step->value_bytes / (near->bytes_per_second * threads);
  double constants = (double)step->constant_bytes / (far->bytes_per_second * threads);
  if (compute >= values + constants) return (bench_bound){"compute", compute};
  return (bench_bound){values >= constants ? near->name : far->name, values + constants};
}
