/* CPU levels with schedules, grouped by architecture and in ascending order. A host uses the last
 * level of its architecture whose features it has. The x86-64 baseline has neither fused
 * multiply-add nor byte products, so its matrix products widen bytes to 16 bits first. "generic"
 * requires only what every 64-bit CPU can do, with 128-bit vectors, which LLVM splits if a CPU has
 * none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/target.h"

#include "base/check.h"

const qn_dot qn_dot_pairs = {.name = "pairs of 16 bits",
                             .op = QN_OP_QUERN_MADD_S16,
                             .bytes = 2,
                             .x = QN_TAKES_BOTH,
                             .w = QN_TAKES_BOTH,
                             .depth = 2,
                             .block = 1,
                             .sum_bits = 32,
                             .sums = 1,
                             .cycles = 2,
                             .latency = 1};
const qn_dot qn_dot_saturating = {.name = "pairs of bytes that saturate",
                                  .op = QN_OP_QUERN_MADD_U8S8,
                                  .bytes = 1,
                                  .x = QN_TAKES_UNSIGNED,
                                  .w = QN_TAKES_SIGNED,
                                  .depth = 2,
                                  .block = 1,
                                  .sum_bits = 16,
                                  .sums = 2,
                                  .saturates = true,
                                  .cycles = 1,
                                  .latency = 1};
#define GROUPS                                                                                     \
  .op = QN_OP_ARITH_MULI, .bytes = 1, .x = QN_TAKES_SIGNED, .w = QN_TAKES_SIGNED, .depth = 1,      \
  .block = 1, .sum_bits = 16
const qn_dot qn_dot_groups_of_pairs = {GROUPS,        .name = "bytes in groups, by pairs",
                                       .sums = 2,     .quads = 4,
                                       .spread = 0.5, .cycles = 1.5,
                                       .latency = 3};
const qn_dot qn_dot_groups = {GROUPS, .name = "bytes in groups", .sums = 1, .cycles = 1,
                              .latency = 3};
const qn_dot qn_dot_groups_by_parity = {
    GROUPS,      .name = "bytes in groups, by parity", .by_parity = true, .sums = 1, .cycles = 2,
    .latency = 1};
#undef GROUPS
#define QUADS                                                                                      \
  .op = QN_OP_QUERN_DOT, .bytes = 1, .w = QN_TAKES_SIGNED, .depth = 4, .block = 1, .sum_bits = 32, \
  .sums = 1
/* Latency of 5 cycles, plus the uneven distribution of products over two ports. */
const qn_dot qn_dot_unsigned = {QUADS, .name = "quads of bytes, x without sign",
                                .x = QN_TAKES_UNSIGNED, .cycles = 0.5, .latency = 6.5};
const qn_dot qn_dot_signed = {QUADS,
                              .name = "quads of bytes, x with sign",
                              .x = QN_TAKES_SIGNED,
                              .quads = 4,
                              .cycles = 0.5,
                              .latency = 4,
                              .issue = 0.25};
const qn_dot qn_dot_mixed = {QUADS,
                             .name = "quads of bytes, x of either sign",
                             .x = QN_TAKES_BOTH,
                             .quads = 4,
                             .cycles = 0.5,
                             .latency = 4,
                             .issue = 0.25};
/* Per lane a load, two extensions and two products; the extensions of x serve all lanes. */
#define SCALAR_QUADS                                                                               \
  QUADS, .name = "quads of bytes, by pairs in scalars", .x = QN_TAKES_BOTH, .quads = 4,            \
         .spread = 3, .spill = 32, .cycles = 20, .latency = 1
const qn_dot qn_dot_scalar = {SCALAR_QUADS, .splits = true};
const qn_dot qn_dot_scalar_quads = {SCALAR_QUADS};
#undef SCALAR_QUADS
const qn_dot qn_dot_scalar_singles = {.name = "single bytes in scalars",
                                      .single = true,
                                      .op = QN_OP_QUERN_DOT,
                                      .bytes = 1,
                                      .x = QN_TAKES_BOTH,
                                      .w = QN_TAKES_SIGNED,
                                      .depth = 1,
                                      .block = 1,
                                      .sum_bits = 32,
                                      .sums = 1,
                                      .spill = 32,
                                      .cycles = 40,
                                      .latency = 1};
#undef QUADS
const qn_dot qn_dot_blocks = {.name = "blocks of bytes",
                              .op = QN_OP_QUERN_DOT_BLOCKS,
                              .bytes = 1,
                              .x = QN_TAKES_BOTH,
                              .w = QN_TAKES_SIGNED,
                              .depth = 8,
                              .block = 2,
                              .sum_bits = 32,
                              .sums = 1,
                              .cycles = 0.25,
                              .latency = 2,
                              .issue = 0.25};

/* Per quad and vector of four channels: a quarter of four loads of weights and of four products,
 * which take two cycles each. */
const qn_dot qn_dot_across = {.name = "bytes across a vector",
                              .op = QN_OP_QUERN_DOT,
                              .bytes = 1,
                              .x = QN_TAKES_SIGNED,
                              .w = QN_TAKES_SIGNED,
                              .depth = 16,
                              .block = 1,
                              .sum_bits = 32,
                              .sums = 1,
                              .cycles = 4,
                              .latency = 1};

#define SINGLES                                                                                    \
  .op = QN_OP_ARITH_MULI, .single = true, .depth = 1, .block = 1, .sums = 1, .latency = 1
/* A quad and vector of four lanes is 16 products and additions. */
const qn_dot qn_dot_singles = {SINGLES,        .splits = true,     .name = "single bytes",
                               .bytes = 1,     .x = QN_TAKES_BOTH, .w = QN_TAKES_SIGNED,
                               .sum_bits = 32, .spread = 4,        .cycles = 32};
const qn_dot qn_dot_wide_singles = {SINGLES,
                                    .name = "single bytes, weights of 16 bits",
                                    .bytes = 2,
                                    .x = QN_TAKES_BOTH,
                                    .w = QN_TAKES_BOTH,
                                    .sum_bits = 32,
                                    .spread = 2,
                                    .cycles = 8};
/* Sums of 16 bits take half of the registers and of the time of those of 32 bits. */
const qn_dot qn_dot_single_groups = {SINGLES,
                                     .name = "single bytes in groups",
                                     .bytes = 1,
                                     .x = QN_TAKES_SIGNED,
                                     .w = QN_TAKES_SIGNED,
                                     .sum_bits = 16,
                                     .spread = 2,
                                     .cycles = 4,
                                     .sum_cycles = 2};
#undef SINGLES

/* Properties of 64-bit levels: pointers of 64 bits, floats, and cache lines of 64 bytes. Loads
 * compare only the low twelve bits of their address with earlier stores at first. */
#define WIDE .index_bits = 64, .line_bytes = 64, .alias_bytes = 4096, .f32 = true, .f64 = true

/* Cache sizes of small cores: 32 KiB L1d, and a share of a shared L2. No software prefetch, which
 * would cost in-order cores an issue slot. */
#define ARM_COMMON                                                                                 \
  WIDE, .vector_bytes = 16, .vector_registers = 32, .accumulators = 24, .l1_bytes = 32768,         \
        .l2_bytes = 262144, .l2_bytes_per_cycle = 16, .groups = &qn_dot_groups, .fma = true,       \
        .rounding = true, .halves = true, .unzips = true, .boundaries = true, .reloads = true,     \
        .rescales = true

/* Scalars are computed in vectors of four, so eight of them fill the float registers. With V, a
 * vector of 64 bytes takes four registers of 128 bits. */
#define RISCV_COMMON                                                                               \
  WIDE, .l1_bytes = 32768, .l2_bytes = 262144, .l2_bytes_per_cycle = 16, .fma = true,              \
        .rounding = true

/* Properties of microcontrollers: pointers of 32 bits, and integers only. Vectors of 128 bits are
 * split into scalars. */
#define NARROW_COMMON .index_bits = 32, .narrow16 = true, .vector_bytes = 16, .boundaries = true
/* Few registers hold the accumulators of one vector, a byte of x and a weight. */
#define NARROW NARROW_COMMON, .vector_registers = 6, .accumulators = 1, .dot = &qn_dot_singles
/* Fourteen general registers hold the accumulators of one vector, and what a step needs; or those
 * of two pixels of a depthwise convolution. */
#define NARROW_DSP NARROW_COMMON, .vector_registers = 7, .accumulators = 1, .dot = &qn_dot_scalar

static const qn_target targets[] = {
    {.name = "generic",
     .llvm_features = "",
     WIDE,
     .vector_bytes = 16,
     .vector_registers = 16,
     .accumulators = 8,
     .dot = &qn_dot_pairs,
     .compact = true,
     .narrow16 = true,
     .summary = "portable 128-bit vectors, no target-specific instructions"},
    {.name = "x86-64",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64",
     .llvm_features = "",
     WIDE,
     .vector_bytes = 16,
     .vector_registers = 16,
     .accumulators = 8,
     .dot = &qn_dot_pairs,
     .summary = "SSE2, the baseline of the architecture"},
    {.name = "x86-64-v3",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v3",
     .llvm_features = "",
     WIDE,
     .vector_bytes = 32,
     .vector_registers = 16,
     .accumulators = 8,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = &qn_dot_saturating,
     .fma = true,
     .rounding = true,
     .halves = true,
     .adds_apart = true,
     .summary = "AVX2 and FMA"},
    {.name = "avxvnni",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v3",
     .llvm_features = "+avxvnni",
     WIDE,
     .vector_bytes = 32,
     .vector_registers = 16,
     .accumulators = 12,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = &qn_dot_unsigned,
     .fma = true,
     .rounding = true,
     .halves = true,
     .adds_apart = true,
     .summary = "AVX2, FMA and AVX-VNNI byte dot products"},
    {.name = "x86-64-v4",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "",
     WIDE,
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 16,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 64,
     .prefetch_distance = 16384,
     .dot = &qn_dot_saturating,
     .fma = true,
     .multiplies_even = true,
     .rounding = true,
     .halves = true,
     .adds_apart = true,
     .summary = "AVX-512 F, BW, VL, DQ, CD"},
    {.name = "avx512vnni",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni",
     WIDE,
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = &qn_dot_unsigned,
     .fma = true,
     .multiplies_even = true,
     .rounding = true,
     .halves = true,
     .adds_apart = true,
     .overlaps = true,
     .dequantizes = true,
     .summary = "AVX-512 with VNNI byte dot products"},
    {.name = "avx512vbmi",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni,+avx512vbmi",
     WIDE,
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = &qn_dot_unsigned,
     .fma = true,
     .multiplies_even = true,
     .rounding = true,
     .halves = true,
     .permutes = true,
     .adds_apart = true,
     .overlaps = true,
     .dequantizes = true,
     .summary = "AVX-512 with VNNI and VBMI byte permutes"},
    {.name = "x86-64-amx",
     .architecture = "x86_64",
     .llvm_cpu = "x86-64-v4",
     .llvm_features = "+avx512vnni,+avx512vbmi,+amx-tile,+amx-int8",
     WIDE,
     .vector_bytes = 64,
     .vector_registers = 32,
     .accumulators = 24,
     .l1_bytes = 32768,
     .l2_bytes = 1048576,
     .l2_bytes_per_cycle = 40,
     .prefetch_distance = 16384,
     .dot = &qn_dot_unsigned,
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
     .multiplies_even = true,
     .rounding = true,
     .halves = true,
     .permutes = true,
     .adds_apart = true,
     .overlaps = true,
     .summary = "AVX-512 with VNNI and VBMI, and AMX int8 tiles"},
    {.name = "armv8",
     .architecture = "aarch64",
     .llvm_cpu = "generic",
     .llvm_features = "",
     ARM_COMMON,
     .dot = &qn_dot_groups_of_pairs,
     .summary = "NEON, the baseline of the architecture"},
    {.name = "armv8-dot",
     .architecture = "aarch64",
     .llvm_cpu = "generic",
     .llvm_features = "+dotprod",
     ARM_COMMON,
     .dot = &qn_dot_signed,
     .summary = "NEON with byte dot products"},
    {.name = "armv8-i8mm",
     .architecture = "aarch64",
     .llvm_cpu = "generic",
     .llvm_features = "+dotprod,+i8mm",
     ARM_COMMON,
     .dot = &qn_dot_mixed,
     .blocks = &qn_dot_blocks,
     .summary = "NEON with byte dot products, and int8 matrix products (i8mm)"},
    {.name = "cortex-m0plus",
     .architecture = "thumbv6m",
     .llvm_cpu = "cortex-m0plus",
     .llvm_features = "",
     NARROW,
     .line_bytes = 8,
     .summary = "16-bit Thumb, 32-bit products only; Cortex-M0 and M0+"},
    {.name = "cortex-m3",
     .architecture = "thumbv7m",
     .llvm_cpu = "cortex-m3",
     .llvm_features = "",
     NARROW,
     .line_bytes = 8,
     .summary = "Thumb-2, with 64-bit products"},
    {.name = "cortex-m4",
     .architecture = "thumbv7em",
     .llvm_cpu = "cortex-m4",
     .llvm_features = "-fpregs",
     NARROW_DSP,
     .line_bytes = 8,
     .summary = "Thumb-2 with the DSP extension; a floating-point unit is not required"},
    {.name = "cortex-m7",
     .architecture = "thumbv7em",
     .llvm_cpu = "cortex-m7",
     .llvm_features = "-fpregs",
     NARROW_DSP,
     .line_bytes = 32,
     .l1_bytes = 16384,
     .summary = "as cortex-m4, scheduled for a dual-issue core with caches"},
    {.name = "cortex-m55",
     .architecture = "thumbv8.1m.main",
     .llvm_cpu = "cortex-m55",
     .llvm_features = "-vfp2sp",
     NARROW_COMMON,
     .vector_registers = 8,
     .accumulators = 1,
     .dot = &qn_dot_scalar_quads,
     .across = &qn_dot_across,
     .groups = &qn_dot_groups_by_parity,
     .rescales = true,
     .line_bytes = 32,
     .l1_bytes = 16384,
     .summary = "Armv8.1-M with the DSP extension and the integers of Helium"},
    {.name = "rv64",
     .architecture = "riscv64",
     .llvm_cpu = "generic-rv64",
     .llvm_features = "+m,+a,+f,+d,+c",
     .llvm_tune = "rocket",
     RISCV_COMMON,
     .vector_bytes = 16,
     .vector_registers = 6,
     .accumulators = 2,
     .dot = &qn_dot_singles,
     .summary = "RV64GC, the baseline of the architecture: scalar code"},
    {.name = "rv64v",
     .architecture = "riscv64",
     .llvm_cpu = "generic-rv64",
     .llvm_features = "+m,+a,+f,+d,+c,+v,+zba,+zbb",
     RISCV_COMMON,
     .vector_bytes = 64,
     .vector_registers = 8,
     .accumulators = 4,
     .dot = &qn_dot_wide_singles,
     .single_groups = &qn_dot_single_groups,
     .join_cycles = 120,
     .summary = "RV64GC with V (VLEN of 128 or more), Zba and Zbb"},
    {.name = "rv32imc",
     .architecture = "riscv32",
     .llvm_cpu = "generic-rv32",
     .llvm_features = "+m,+c",
     NARROW,
     .line_bytes = 8,
     .summary = "RV32I with multiplication (M) and compressed instructions (C)"},
};

#undef NARROW_DSP
#undef NARROW
#undef NARROW_COMMON
#undef RISCV_COMMON
#undef ARM_COMMON
#undef WIDE

/* Other products than pairs of 16 bits have weights of bytes already. */
qn_target qn_target_optimized(const qn_target *target, qn_tradeoff tradeoff) {
  qn_target copy = *target;
  if (tradeoff == QN_TRADEOFF_BALANCED) return copy;
  copy.narrow16 = tradeoff == QN_TRADEOFF_SIZE;
  copy.compact = copy.narrow16 && target->dot == &qn_dot_pairs;
  return copy;
}

int64_t qn_target_max_bytes(const qn_target *target) {
  return target->index_bits == 64 ? INT64_C(1) << 36 : (INT64_C(1) << 30) - 1;
}

uint32_t qn_target_constant_align(const qn_target *target, size_t bytes, size_t element) {
  enum { WORD = 4, SHARE = 16 };
  const size_t least = element > WORD ? element : WORD;
  if (target->compact) return target->vector_bytes;
  uint32_t align = target->line_bytes;
  if (!target->f32 && target->dot->splits) align = 2 * WORD;
  while (!target->f32 && align > least && align > bytes / SHARE) align /= 2;
  return align;
}

bool qn_target_holds_index(const qn_target *target, const qn_value *value, int64_t *out_index) {
  const qn_attr *constant = qn_value_constant(value);
  int64_t most = qn_target_max_bytes(target), count = 1;
  if (!constant || qn_type_element(value->type)->kind != QN_TYPE_INDEX) return true;
  bool lanes = qn_attr_is_elements(constant);
  if (!lanes && constant->kind != QN_ATTR_INTEGER) return true;
  if (lanes && !constant->dense.splat) count = qn_type_elements(constant->type);
  for (int64_t i = 0; i < count; i++) {
    *out_index = lanes ? qn_dense_int(constant, i) : constant->integer;
    if (*out_index < -most || *out_index > most) return false;
  }
  return true;
}

const qn_target *qn_targets(uint32_t *out_count) {
  *out_count = QN_COUNT(targets);
  return targets;
}

const qn_target *qn_target_find(qn_str name) {
  for (size_t i = 0; i < QN_COUNT(targets); i++)
    if (qn_str_is(name, targets[i].name)) return &targets[i];
  return NULL;
}
