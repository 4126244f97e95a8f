/* The CPU levels for which schedules exist. Each is a superset of the ones that it replaces in
 * practice; a host takes the last level whose features it has. The baseline of x86-64 has neither
 * fused multiply-add nor byte products, so its matrix products widen to 16 bits first. "generic"
 * has what every 64-bit CPU can do, with vectors of 128 bits, which LLVM takes apart where a CPU
 * has none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/target.h"

#include "base/check.h"

static const qn_dot dots[] = {
    [QN_DOT_S16] = {.bytes = 2, .cycles = 2, .latency = 1},
    [QN_DOT_MADD] = {.bytes = 1, .x_unsigned = true, .saturates = true, .cycles = 1, .latency = 1},
    /* The latency is that of 5 cycles and of two ports between which products are not dealt evenly.
     */
    [QN_DOT_U8S8] = {.bytes = 1, .x_unsigned = true, .cycles = 0.5, .latency = 6.5},
};

const qn_dot *qn_dot_of(qn_dot_kind kind) { return &dots[kind]; }

static const qn_target targets[] = {
    {.name = "generic",
     .llvm_features = "",
     .vector_bytes = 16,
     .vector_registers = 16,
     .accumulators = 8,
     .dot = QN_DOT_S16,
     .summary = "vectors of 128 bits, no instruction by name"},
    {.name = "x86-64",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64",
     .llvm_features = "",
     .vector_bytes = 16,
     .vector_registers = 16,
     .accumulators = 8,
     .dot = QN_DOT_S16,
     .summary = "SSE2, the baseline of the architecture"},
    {.name = "x86-64-v3",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v3",
     .llvm_features = "",
     .vector_bytes = 32,
     .vector_registers = 16,
     .accumulators = 8,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = QN_DOT_MADD,
     .fma = true,
     .rounding = true,
     .summary = "AVX2 and FMA"},
    {.name = "avxvnni",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v3",
     .llvm_features = "+avxvnni",
     .vector_bytes = 32,
     .vector_registers = 16,
     .accumulators = 12,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = QN_DOT_U8S8,
     .fma = true,
     .rounding = true,
     .summary = "AVX2, FMA and AVX-VNNI byte dot products"},
    {.name = "x86-64-v4",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "",
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 16,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 64,
     .prefetch_distance = 16384,
     .dot = QN_DOT_MADD,
     .fma = true,
     .rounding = true,
     .summary = "AVX-512 F, BW, VL, DQ, CD"},
    {.name = "avx512vnni",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni",
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = QN_DOT_U8S8,
     .fma = true,
     .rounding = true,
     .summary = "AVX-512 with VNNI byte dot products"},
    {.name = "avx512vbmi",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni,+avx512vbmi",
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = QN_DOT_U8S8,
     .fma = true,
     .rounding = true,
     .permutes = true,
     .summary = "AVX-512 with VNNI and VBMI byte permutes"},
    {.name = "x86-64-amx",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni,+avx512vbmi,+amx-tile,+amx-int8",
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = QN_DOT_U8S8,
     .tiles = {.count = 8,
               .rows = 16,
               .row_bytes = 64,
               .least_cycles = 9,
               .load_cycles = 9.5,
               .l2_load_cycles = 18,
               .l1_bytes = 16384,
               .l1_pixels = 100,
               .least_pixels = 4,
               .least_channels = 16},
     .fma = true,
     .rounding = true,
     .permutes = true,
     .summary = "AVX-512 with VNNI and VBMI, and AMX tiles of bytes; experimental"},
};

const qn_target *qn_targets(uint32_t *out_count) {
  *out_count = QN_COUNT(targets);
  return targets;
}

const qn_target *qn_target_find(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(targets); i++)
    if (qn_str_is(name, targets[i].name)) return &targets[i];
  return NULL;
}
