/* What a schedule may know of the CPU: widths, registers, and which products are exact. One row per
 * level in target.c; which instructions those are is known to codegen/machine alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TARGET_H
#define QN_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/op.h"

/* Which signs the bytes of a factor may have. */
typedef enum qn_signs {
  QN_TAKES_SIGNED = 1,
  QN_TAKES_UNSIGNED = 2,
  QN_TAKES_BOTH = QN_TAKES_SIGNED | QN_TAKES_UNSIGNED
} qn_signs;

/* How bytes of x and of weights are multiplied and summed: what the product asks of its factors,
 * what it computes, and what it costs. lower/loops/products.h builds it. */
typedef struct qn_dot {
  const char *name;
  qn_op_kind op;  /* multiplies */
  uint32_t bytes; /* of a factor: 1, or 2 when bytes are widened first */
  qn_signs x, w;
  /* Products that one lane of sums gets from one op, along K; and the rows of x and columns of w
   * that 128 bits of sums combine: 1, or 2 where 2 rows times 2 columns of 8 bytes are 4 sums. */
  uint32_t depth, block;
  /* Products are added in so many bits first. Below 32, the weights must prove that they fit. A
   * lane of 32 bits gets so many of these sums at the end. */
  uint32_t sum_bits, sums;
  bool saturates; /* these sums: what does not fit is wrong, not wrapped */
  uint32_t quads; /* of x in a vector, of which a product takes any one for all lanes at no cost; 0:
                     one has to be spread first */
  double spread;  /* cycles for that, where it is no load */
  double cycles;  /* of a quad and vector, at best */
  double latency; /* of a chain of them, in cycles */
} qn_dot;

/* Bytes widened to 16 bits and multiplied in pairs: any CPU. */
extern const qn_dot qn_dot_pairs;
/* Pairs of products of bytes summed in 16 bits with saturation. */
extern const qn_dot qn_dot_saturating;
/* Bytes widened and multiplied by themselves, summed in 16 bits in groups that weights prove to
 * fit: two such sums per lane of 32 bits, or one. */
extern const qn_dot qn_dot_groups_of_pairs, qn_dot_groups;
/* Four products of bytes per lane, exact for all weights. */
extern const qn_dot qn_dot_unsigned, qn_dot_signed, qn_dot_mixed;
/* Two rows of x times two columns of weights, of eight bytes each. */
extern const qn_dot qn_dot_blocks;

/* Whether products are exact for all weights of 8 bits. */
static inline bool qn_dot_is_exact(const qn_dot *dot) {
  return dot->bytes == 1 && dot->sum_bits == 32;
}
/* Whether the op that multiplies is a product of elements, whose sums the builder adds itself, in
 * 16 bits that wrap. */
static inline bool qn_dot_is_grouped(const qn_dot *dot) {
  return dot->sum_bits == 16 && !dot->saturates;
}
/* Consecutive factors along K that one op takes for each lane of 32 bits. */
static inline uint32_t qn_dot_run(const qn_dot *dot) { return dot->depth * dot->sums; }
/* What of a weight one factor holds. Of groups not -128: so any two products fit. */
static inline int32_t qn_dot_hold(const qn_dot *dot, int32_t w) {
  if (dot->bytes == 2) return w;
  int32_t least = qn_dot_is_grouped(dot) ? -INT8_MAX : INT8_MIN;
  return w < least ? least : w > INT8_MAX ? INT8_MAX : w;
}
/* Whether the product takes bytes of x as they are. */
static inline bool qn_dot_takes(const qn_dot *dot, bool x_unsigned) {
  return dot->x & (x_unsigned ? QN_TAKES_UNSIGNED : QN_TAKES_SIGNED);
}
/* What is added to every byte of x before it is multiplied, because of its sign. */
static inline int32_t qn_dot_offset(const qn_dot *dot, bool x_unsigned) {
  return qn_dot_takes(dot, x_unsigned) ? 0 : x_unsigned ? -128 : 128;
}
/* Whether bytes of x are without sign when they are multiplied. */
static inline bool qn_dot_sees_unsigned(const qn_dot *dot, bool x_unsigned) {
  return qn_dot_takes(dot, x_unsigned) ? x_unsigned : !x_unsigned;
}

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
  const qn_dot *dot;           /* of bytes */
  const qn_dot *blocks;        /* of bytes, for two rows of x at once; or NULL */
  const qn_dot *groups;        /* of bytes in groups, for a channel per lane; or NULL */
  qn_tile_limits tiles;
  bool fma;      /* one-rounding multiply-add on f32 vectors */
  bool rounding; /* floats to integers in one instruction */
  bool permutes; /* quern.lookup is a few instructions; so are its dot products of bytes one */
  const char *summary;
} qn_target;

/* All levels: "generic", then those of an architecture from the least to the best. */
const qn_target *qn_targets(uint32_t *out_count);
/* By level name; NULL when unknown. */
const qn_target *qn_target_find(qn_str name);

#endif
