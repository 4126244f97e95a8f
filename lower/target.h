/* What a schedule may know of the CPU: widths, registers, and which products are exact. One row per
 * level in target.c; which instructions those are is known to codegen/machine alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TARGET_H
#define QN_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef enum qn_dot_kind {
  QN_DOT_S16,  /* quern.madd_s16 only: any CPU */
  QN_DOT_MADD, /* quern.madd_u8s8 + quern.madd_s16 (SSSE3, AVX2, AVX-512BW) */
  QN_DOT_U8S8, /* quern.dot_u8s8 (AVX-512 VNNI, AVX-VNNI) */
} qn_dot_kind;

/* What a kind of dot product asks of its operands, and what it costs. */
typedef struct qn_dot {
  uint32_t bytes;  /* of a factor: 1, or 2 when bytes are widened first */
  bool x_unsigned; /* takes 0 to 255: of i8 x, x + 128 */
  bool saturates;  /* sums of two products, at 16 bits: exact for some weights only */
  double cycles;   /* of a quad and vector, at best */
  double latency;  /* of a chain of them, in cycles */
} qn_dot;
const qn_dot *qn_dot_of(qn_dot_kind kind);

/* A unit that multiplies tiles: quern.tile_dot is an instruction. */
typedef struct qn_tile_limits {
  uint32_t count; /* of tiles; 0: there is no such unit */
  uint32_t rows, row_bytes;
  double least_cycles;                   /* of a product; else one more than its rows */
  double load_cycles, l2_load_cycles;    /* of an AMX tile, from L1d and from L2 */
  uint32_t l1_bytes;                     /* weights up to this size stay in L1d, */
  uint32_t l1_pixels;                    /* if there are at least so many pixels */
  uint32_t least_pixels, least_channels; /* below, weights are all that takes time, or most of a
                                            tile is empty */
} qn_tile_limits;

typedef struct qn_target {
  const char *name;         /* a row of target.c, for example "x86-64-v3" */
  const char *architecture; /* first part of a triple; NULL: any, without instructions of its own */
  const char *llvm_cpu;     /* CPU name for LLVM when compiling for the level itself; NULL: by the
                               architecture */
  const char *llvm_features; /* "+avx512vnni,..." added to llvm_cpu */
  uint32_t vector_bytes;     /* 16, 32 or 64 */
  uint32_t vector_registers; /* 16 or 32 */
  uint32_t accumulators; /* vectors of sums that a tile of byte products has at most: what is left
                            of the registers by factors and products */
  uint32_t l1_bytes;     /* size of L1d */
  uint32_t l2_bytes;     /* size of L2, at least */
  uint32_t l2_bytes_per_cycle; /* sustained bandwidth of L2; 0: unknown */
  uint32_t prefetch_distance;  /* bytes, for 8-bit weights beyond L2; 0: no prefetch */
  qn_dot_kind dot;
  qn_tile_limits tiles;
  bool fma;      /* one-rounding multiply-add on f32 vectors */
  bool rounding; /* floats to whole numbers in one instruction */
  bool permutes; /* quern.lookup is a few instructions; so are its dot products of bytes one */
  const char *summary;
} qn_target;

/* All levels: "generic", then those of an architecture from the least to the best. */
const qn_target *qn_targets(uint32_t *out_count);
/* By level name; NULL when unknown. */
const qn_target *qn_target_find(qn_str name);

#endif
