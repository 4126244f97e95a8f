/* Describes the host: its name, clock frequency, peak arithmetic rate, and read bandwidth of each
 * memory level. `quern bench` compares operators with these limits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "api/call.h"
#include "api/machine/caches.h"
#include "api/machine/probe.h"

/* The name of the CPU from the CPUID instruction. */
static void name_cpu(char *out, size_t size) {
  snprintf(out, size, "unknown");
#if defined(__x86_64__)
  enum { FIRST = (int)0x80000002, PARTS = 3 };
  unsigned words[4 * PARTS + 1] = {0};
  for (unsigned i = 0; i < PARTS; i++) {
    unsigned *w = words + (size_t)4 * i;
    if (!__get_cpuid((unsigned)FIRST + i, &w[0], &w[1], &w[2], &w[3])) return;
  }
  const char *text = (const char *)words;
  size_t used = 0;
  for (; *text && used + 1 < size; text++) { /* the name is padded with blanks */
    bool blank = *text == ' ' && (used == 0 || text[1] == ' ' || !text[1]);
    if (*text > 0 && !blank) out[used++] = *text;
  }
  if (used > 0) out[used] = '\0';
#endif
}

/* ---- levels of memory ---- */

enum { LARGEST_PROBE = 1 << 26, DRAM_FACTOR = 4 };

/* Buffer size to measure a memory level: clearly larger than the level below, smaller than the
 * level itself. */
static size_t probe_bytes(size_t below, size_t own) {
  size_t bytes = own / 2;
  if (below && bytes > 8 * below) bytes = 8 * below;
  return bytes;
}

static qn_status add_level(qn_context *context, const qn_target *target, const char *name,
                           size_t holds, size_t probe, qn_machine *out) {
  if (probe < 4096 || probe > LARGEST_PROBE) return QN_OK;
  qn_memory_level *level = &out->levels[out->level_count];
  *level = (qn_memory_level){name, holds, 0};
  QN_TRY(qn_probe_bandwidth(context, target, probe, &level->bytes_per_second));
  out->level_count++;
  return QN_OK;
}

static qn_status measure_levels(qn_context *context, const qn_target *target, qn_machine *out) {
  static const char *const names[] = {"L1", "L2", "L3"};
  size_t below = 0;
  for (size_t i = 0; i < QN_COUNT(names); i++) {
    size_t size = qn_cache_bytes((int)i + 1);
    if (size <= below) continue;
    QN_TRY(add_level(context, target, names[i], size, probe_bytes(below, size), out));
    below = size;
  }
  size_t beyond = below ? DRAM_FACTOR * below : LARGEST_PROBE;
  return add_level(context, target, "memory", SIZE_MAX, beyond, out);
}

static qn_status measure(qn_context *context, const char *level, qn_machine *out) {
  const qn_target *target;
  QN_TRY(qn_probe_target(context, level, &target));
  name_cpu(out->cpu, sizeof out->cpu);
  QN_TRY(qn_probe_clock(context, target, &out->clock_hertz));
  for (qn_factor factor = 0; factor < QN_FACTOR_COUNT; factor++)
    QN_TRY(qn_probe_peak(context, target, factor, &out->macs_per_second[factor]));
  return measure_levels(context, target, out);
}

qn_status qn_measure_machine(qn_context *context, const char *level, qn_machine *out_machine) {
  qn_status status;
  *out_machine = (qn_machine){.level_count = 0};
  QN_CALL(&status, context, NULL, NULL, measure(context, level, out_machine));
  return status;
}

static qn_status measure_peak(qn_context *context, const char *level, double *out_macs_per_second) {
  const qn_target *target;
  QN_TRY(qn_probe_target(context, level, &target));
  return qn_probe_peak(context, target, QN_FACTOR_I8, out_macs_per_second);
}

qn_status qn_measure_peak(qn_context *context, const char *level, double *out_macs_per_second) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, measure_peak(context, level, out_macs_per_second));
  return status;
}
