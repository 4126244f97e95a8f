/* CPU descriptions for schedules: vector width, registers, caches, and which products are exact.
 * target.c has one row per CPU level. Only codegen/machine maps ops to instructions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TARGET_H
#define QN_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/op.h"

/* Signedness that a product supports for the bytes of a factor. */
typedef enum qn_signs {
  QN_TAKES_SIGNED = 1,
  QN_TAKES_UNSIGNED = 2,
  QN_TAKES_BOTH = QN_TAKES_SIGNED | QN_TAKES_UNSIGNED
} qn_signs;

/* A byte dot product: the signedness it requires of its factors, what it computes, its cost.
 * lower/loops/products.h builds it. */
typedef struct qn_dot {
  const char *name;
  qn_op_kind op;  /* the op that multiplies */
  uint32_t bytes; /* bytes of a factor: 1, or 2 if bytes are widened first */
  qn_signs x, w;
  /* `depth`: products along K that one op adds to one accumulator lane. `block`: rows of x and
   * columns of w per 128 bits of accumulators; 1, or 2 if 2 rows times 2 columns of 8 bytes give 4
   * accumulators. */
  uint32_t depth, block;
  /* Bits of the first summation of products. If below 32, the weights must prove that the sums fit.
   */
  uint32_t sum_bits;
  uint32_t sums;  /* such sums per accumulator lane, which are added to it at the end */
  bool single;    /* an op takes one byte of x for all lanes, which is loaded as a scalar */
  bool splits;    /* the target has no vectors: they become scalars, whose lanes move one by one */
  bool by_parity; /* instructions multiply, widen and narrow the even or the odd lanes of vectors */
  bool saturates; /* sums of sum_bits saturate instead of wrapping, so an overflow gives a wrong
                     result */
  uint32_t quads; /* quads of x in a vector, if a product can broadcast any one of them at no cost;
                     0 if a quad must be broadcast first */
  double spread;  /* cycles per quad of x to broadcast it, if that is not a load */
  double spill;   /* cycles per quad and accumulator vector that the registers do not hold */
  double cycles;  /* throughput: cycles per quad and vector, at best */
  double sum_cycles; /* cycles to add a vector of sums of 16 bits to the accumulators, of single
                        bytes in groups; elsewhere `cycles` includes them */
  double latency;    /* latency of dependent products, in cycles */
  double issue;      /* cycles that a step takes longer per instruction that is not a product; 0 if
                        products leave the issue of the others idle */
} qn_dot;

/* Bytes widened to 16 bits, products summed in pairs. Available on any CPU. */
extern const qn_dot qn_dot_pairs;
/* Products of bytes, summed in pairs in 16 bits with saturation. */
extern const qn_dot qn_dot_saturating;
/* Products of signed bytes, summed in 16 bits in groups whose weights prove that the sums fit. The
 * first has two such sums per accumulator lane, the others one. */
extern const qn_dot qn_dot_groups_of_pairs, qn_dot_groups, qn_dot_groups_by_parity;
/* Four products of bytes per lane, exact for all weights. */
extern const qn_dot qn_dot_unsigned, qn_dot_signed, qn_dot_mixed;
/* The same by two products of pairs per lane, in scalar registers; and one product per lane. */
extern const qn_dot qn_dot_scalar, qn_dot_scalar_singles;
/* As qn_dot_scalar, where the target has vectors for other ops. */
extern const qn_dot qn_dot_scalar_quads;
/* Two rows of x times two columns of weights, 8 bytes each. */
extern const qn_dot qn_dot_blocks;
/* Sixteen bytes of x times as many weights of one channel, added to one accumulator in a scalar
 * register. */
extern const qn_dot qn_dot_across;
/* One byte of x times one weight per lane, summed in 32 bits: weights of 8 bits, for scalars; and
 * of 16 bits, for vectors that a scalar multiplies. */
extern const qn_dot qn_dot_singles, qn_dot_wide_singles;
/* One byte of x times one weight of 8 bits per lane, summed in 16 bits in groups of eight, four or
 * two, whose weights prove that the sums fit. */
extern const qn_dot qn_dot_single_groups;

/* Whether products are exact for all 8-bit weights. */
static inline bool qn_dot_is_exact(const qn_dot *dot) {
  return dot->bytes == 1 && dot->sum_bits == 32;
}
/* Whether sums of 16 bits wrap. The op is then a product of elements, and the builder adds. */
static inline bool qn_dot_is_grouped(const qn_dot *dot) {
  return dot->sum_bits == 16 && !dot->saturates;
}
/* Whether the lanes of a vector are scalar registers. */
static inline bool qn_dot_is_scalar(const qn_dot *dot) { return dot->spill > 0; }
/* Whether each product multiplies four consecutive bytes of x, in vectors. */
static inline bool qn_dot_takes_quads(const qn_dot *dot) {
  bool of_quads = qn_dot_is_exact(dot) ? dot->depth == 4 : dot->saturates;
  return of_quads && dot->bytes == 1 && !dot->single && !qn_dot_is_scalar(dot);
}
/* Whether x is widened to 16 bits before the product. */
static inline bool qn_dot_widens(const qn_dot *dot) {
  return dot->bytes == 2 || (dot->single && dot->op != QN_OP_QUERN_DOT);
}
/* Consecutive factors along K that one op multiplies per accumulator lane. */
static inline uint32_t qn_dot_run(const qn_dot *dot) { return dot->depth * dot->sums; }
/* The part of a weight that one factor can hold: the weight clamped to i8, or the whole weight with
 * 16-bit factors. Groups of several bytes of x exclude -128, so that any two products fit in 16
 * bits. */
static inline int32_t qn_dot_hold(const qn_dot *dot, int32_t w) {
  if (dot->bytes == 2) return w;
  int32_t least = qn_dot_is_grouped(dot) && !dot->single ? -INT8_MAX : INT8_MIN;
  return w < least ? least : w > INT8_MAX ? INT8_MAX : w;
}
/* Whether the product supports the signedness of x without conversion. */
static inline bool qn_dot_takes(const qn_dot *dot, bool x_unsigned) {
  return dot->x & (x_unsigned ? QN_TAKES_UNSIGNED : QN_TAKES_SIGNED);
}
/* Offset that is added to every byte of x before the product, to convert its signedness: 0, 128 or
 * -128. */
static inline int32_t qn_dot_offset(const qn_dot *dot, bool x_unsigned) {
  return qn_dot_takes(dot, x_unsigned) ? 0 : x_unsigned ? -128 : 128;
}
/* Whether bytes of x are unsigned in the product, after that conversion. */
static inline bool qn_dot_sees_unsigned(const qn_dot *dot, bool x_unsigned) {
  return qn_dot_takes(dot, x_unsigned) ? x_unsigned : !x_unsigned;
}

/* The matrix unit (AMX), for which quern.tile_dot is an instruction. A tile is rows x row_bytes. */
typedef struct qn_tile_limits {
  uint32_t count; /* number of AMX tiles; 0 if there is no matrix unit */
  uint32_t rows, row_bytes;
  double least_cycles; /* minimum cycles of a tile product, which takes rows + 1 otherwise */
  double load_cycles, l2_load_cycles;    /* cycles of loading an AMX tile from L1d and from L2 */
  uint32_t l1_bytes;                     /* a weight panel up to this size stays in L1d */
  uint32_t l1_pixels;                    /* if it is used for at least this many pixels */
  uint32_t least_pixels, least_channels; /* with fewer pixels the load of weights dominates; with
                                            fewer channels most of a tile is empty */
} qn_tile_limits;

typedef struct qn_target {
  const char *name;          /* level name, for example "x86-64-v3" */
  const char *architecture;  /* first part of a target triple; NULL: any architecture, without
                                specific instructions */
  const char *llvm_cpu;      /* CPU name for LLVM when compiling for the level itself; NULL: the
                                architecture's default */
  const char *llvm_features; /* "+avx512vnni,..." added to llvm_cpu */
  const char *llvm_tune; /* CPU for which LLVM schedules code of the level itself; NULL: llvm_cpu */
  uint32_t index_bits;   /* width of index and of pointers: 64 or 32 */
  uint32_t line_bytes;   /* of a cache line: alignment of the arena, buffers and constants */
  uint32_t alias_bytes;  /* two buffers of a kernel never have equal offsets modulo this, because
                            loads would wait for stores to such an offset; 0: no restriction */
  uint32_t vector_bytes; /* 16, 32 or 64 */
  uint32_t vector_registers; /* 16 or 32 */
  uint32_t accumulators;     /* maximum accumulator vectors of a register tile of byte products; the
                                other registers hold factors and products */
  uint32_t l1_bytes;         /* size of L1d */
  uint32_t l2_bytes;         /* minimum size of L2 */
  uint32_t l2_bytes_per_cycle; /* sustained bandwidth of L2; 0: unknown */
  uint32_t prefetch_distance;  /* prefetch distance in bytes for 8-bit weights beyond L2; 0: no
                                  prefetch */
  const qn_dot *dot;           /* byte dot product */
  const qn_dot *single_groups; /* products of single bytes in groups; NULL if none */
  const qn_dot *blocks;        /* byte dot product of two rows and two columns; NULL if none */
  const qn_dot *across;        /* byte dot product of whole vectors; NULL if none */
  const qn_dot *groups;        /* byte products in groups with one channel per lane; NULL if none */
  qn_tile_limits tiles;
  bool compact;    /* constants are kept small: int8 weights take one byte each and are widened in
                      kernels; none is padded to a cache line */
  bool narrow16;   /* 8-bit weights of 16-bit activations take one byte each, and kernels compute
                      what is easily computed instead of reading it; set where `compact` is */
  bool f32, f64;   /* floats are computed by instructions; false: ops on them are rejected, because
                      their code would call a library */
  bool fma;        /* fused multiply-add of f32 vectors */
  bool rounding;   /* rounding of floats to integers is one instruction */
  bool halves;     /* conversion of f16 vectors to f32 is one instruction */
  bool unzips;     /* one instruction joins every second 16-bit element of two vectors */
  bool boundaries; /* kernels limit instruction scheduling, which would load factors of products
                      early and spill accumulators */
  bool reloads;    /* one instruction loads up to four vectors: cheaper than copies in registers */
  bool rescales;   /* quern.rescale is three instructions */
  bool multiplies_even; /* one instruction multiplies the even 32-bit lanes of two vectors to 64
                           bits */
  bool overlaps;        /* units that do not multiply can compute results during products */
  bool dequantizes;   /* a convolution stores real values beyond L2 faster than a kernel after it */
  double join_cycles; /* more cycles per pixel to join the results of several vectors, where that is
                         a gather */
  bool adds_apart;    /* an addition of bytes after a convolution is faster in a kernel of its own,
                         where it fills vectors and does not delay products */
  bool permutes;      /* quern.lookup is a few instructions, and a byte dot product is one */
  const char *summary;
} qn_target;

/* Maximum bytes of a tensor. With a 32-bit index, the arena, the states and the constants have the
 * same limit, a quarter of the address space: a loop counter steps beyond the last element, and no
 * sum of two offsets may wrap. */
int64_t qn_target_max_bytes(const qn_target *target);
/* Alignment of a constant of `bytes`, whose elements have `element` bytes. Constants begin at cache
 * lines, so that vectors of full width do not cross lines; where constants are kept small, at
 * vectors. On microcontrollers without vectors, which load at most two words at once, they begin at
 * two words. On all of them a small constant has a smaller alignment, at most a sixteenth of its
 * size, so that hardly any bytes are padding; but at least a word and an element. */
uint32_t qn_target_constant_align(const qn_target *target, size_t bytes, size_t element);
/* Whether the magnitude of every element of a constant of type index is within that limit. True for
 * all other values. If false, *out_index is the first element beyond the limit. */
bool qn_target_holds_index(const qn_target *target, const qn_value *value, int64_t *out_index);

/* What schedules prefer where code of fewer instructions needs larger constants. */
typedef enum qn_tradeoff {
  QN_TRADEOFF_BALANCED, /* what the level prefers: microcontrollers and "generic" small constants */
  QN_TRADEOFF_SIZE,
  QN_TRADEOFF_SPEED
} qn_tradeoff;

/* The level with another preference. */
qn_target qn_target_optimized(const qn_target *target, qn_tradeoff tradeoff);

/* All levels: "generic", then the levels of each architecture in ascending order. */
const qn_target *qn_targets(uint32_t *out_count);
/* The level with this name; NULL if unknown. */
const qn_target *qn_target_find(qn_str name);

#endif
