/* The epilogue of kernels with 32-bit accumulators: requantize, clamp, narrow to bytes.
 *
 * A channel's parameters are int32 elements. Those of the channels of one accumulator vector are
 * stored as consecutive vectors, one per parameter, so that each is one load. The first parameter
 * is the initial accumulator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MATRIX_EPILOGUE_REQUANT_H
#define QN_LOWER_LOOPS_MATRIX_EPILOGUE_REQUANT_H

#include "lower/loops/loops.h"
#include "lower/loops/matrix/pack.h"
#include "lower/loops/proofs.h"
#include "lower/loops/vec.h"
#include "quant/fma_form.h"
#include "quant/long_form.h"

typedef enum qn_epilogue_kind {
  QN_EPILOGUE_BITS,      /* init, scale, offset; no conversions: QN_FMA_BITS */
  QN_EPILOGUE_ONE,       /* init, scale, offset */
  QN_EPILOGUE_RESCALED,  /* init, mantissa, left shift: quern.rescale */
  QN_EPILOGUE_SIGNED,    /* init, scale, offset, offset for negative accumulators */
  QN_EPILOGUE_TRUNCATED, /* as SIGNED; truncates, then adds the zero point */
  QN_EPILOGUE_PACKED,    /* as DOUBLE without left shift: 32 * init + right shift - 1, mantissa */
  QN_EPILOGUE_DOUBLE,    /* M32 in integers: init, mantissa, left shift, right shift */
  QN_EPILOGUE_LIMITED, /* as DOUBLE, after clamping the accumulator to a limit; a last parameter is
                          0 for ties up */
  QN_EPILOGUE_ONCE,    /* M32s in integers: init, mantissa, right shift */
  QN_EPILOGUE_REAL,    /* product in double, half away from zero: init, multiplier (two int32) */
  QN_EPILOGUE_SINGLE,  /* float32, ties to even: init, multiplier, offset */
  QN_EPILOGUE_EVEN,    /* double, ties to even: init, multiplier, offset (two int32 each) */
  QN_EPILOGUE_WIDE, /* M32 or M32s by a 64-bit multiply-add: 256 * init + right shift - 1, mantissa;
                       or M32 by quern.rescale: 256 * init + the lowest byte of the left shift,
                       mantissa */
  QN_EPILOGUE_HALVES, /* as WIDE, in 6 bytes: halves.h */
  QN_EPILOGUE_LONG,   /* integers: init, offset (two int32), factor, shift: quant/long_form.h */
  QN_EPILOGUE_KINDS
} qn_epilogue_kind;
enum {
  QN_EPILOGUE_MAX_WORDS = 6,
  QN_EPILOGUE_MAX_VECTORS = 4,
  QN_PACKED_SHIFT_BITS = 5,
  QN_WIDE_SHIFT_BITS = 8
};

/* The form HALVES of all channels (halves.h). */
typedef struct qn_halves {
  int32_t *factors;   /* [channel] mantissa; the fields in its lowest bits are part of it */
  int32_t *starts;    /* [channel] initial accumulator */
  int32_t right;      /* smallest right shift of a channel, 1 to 20 */
  int32_t low_bits;   /* lowest field: bits of the initial accumulator below the 16 stored ones */
  int32_t shift_bits; /* next field: by how much the channel's right shift is larger */
  bool once;          /* M32s; if not, M32 */
  bool rescales;      /* M32 by quern.rescale */
} qn_halves;

/* The requantization of one op, for all channels. Unsigned results are proved as signed results
 * that are 128 smaller: floats are denser near 0, so that more forms can be proved. Kinds whose
 * offset includes the zero point produce these signed results; kinds that add the zero point as an
 * integer produce unsigned results. */
typedef struct qn_epilogue {
  int64_t channels;
  qn_proofs *proofs;
  const qn_requant *requant; /* [channel]; zero_point, min and max of the signed results */
  const qn_fma_form *bits;   /* [channel]; NULL if not searched for */
  const qn_fma_form *forms;  /* [channel]; not searched for if all channels have `bits` */
  qn_fma_form *truncated;    /* [channel]; searched for when qn_epilogue_kind_of first needs them */
  qn_long_form *longs;       /* [channel]; likewise */
  const qn_halves *halves;   /* NULL if not proved for all channels, or not searched for */
  const qn_interval *sums;   /* [channel] range of the accumulator */
  int32_t zero_point, min, max; /* of the signed results */
  bool is_unsigned;             /* the result type is unsigned: results are 128 larger */
  bool fma;                     /* the target has fused multiply-add */
  bool f32;                     /* the target has floats; without them WIDE and LONG are the
                                   cheapest kinds */
  bool compact;                 /* the target keeps constants small */
  bool in_scalars;              /* the lanes of a vector are scalar registers of the target */
  bool unzips;   /* one instruction joins every second 16-bit element of two vectors */
  bool rescales; /* quern.rescale is cheaper than a multiply-add whose offset depends on the sign */
  bool multiplies_even; /* of the target */
  bool reloads;         /* the target loads parameters faster than it copies them */
  bool simplifies;      /* a channel whose accumulator is constant begins with sums[channel], which
                           differs from its bias */
  bool starts;          /* accumulators begin with the initial value among the parameters */
  bool shares; /* constants are kept small, and the parameters after the initial accumulator are
                  equal for all channels: they are stored once, before all others. Without
                  floats they are those of LONG, or of RESCALED */
  bool packs_shift; /* shared parameters are those of LONG, and the shift is in the offset */
  qn_requant_rounding rounding;
  bool shifts_left; /* a channel has a multiplier >= 1 */
} qn_epilogue;

/* The epilogue of an op with per-channel requantization. `sums`: [channel] accumulator ranges.
 * `starts`: accumulators begin with the initial value among the parameters, which QN_EPILOGUE_BITS
 * requires. */
qn_epilogue qn_epilogue_of(qn_loops *lo, const qn_op *op, const qn_plan_matrix *plan,
                           const qn_interval *sums, bool starts);

/* The cheapest kind that is exact for all `channels`; negative elements are padding. Must precede
 * qn_epilogue_fill of that kind and these channels. `lanes`: of the vectors that they fill. */
qn_epilogue_kind qn_epilogue_kind_of(const qn_epilogue *epilogue, const int64_t *channels,
                                     int64_t count, int64_t lanes);
/* Whether `kind`, one with fused multiply-add and conversions, is exact for all `channels`. If so,
 * qn_epilogue_fill may follow. */
bool qn_epilogue_serves(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                        int64_t count);
/* The kind that a tile of kind `kind` should use, so that a kernel has few copies of its loops.
 * tiles[k]: number of tiles of kind k. `one_pays`: the epilogue is a large part of the time, so
 * tiles of the cheapest kinds keep their kind. RESCALED is no goal, because it takes twice the
 * instructions of BITS. */
qn_epilogue_kind qn_epilogue_goal(const uint32_t tiles[QN_EPILOGUE_KINDS], qn_epilogue_kind kind,
                                  bool one_pays);
uint32_t qn_epilogue_words(qn_epilogue_kind kind);
/* int32 of the parameters of a vector's channels, and of those that are stored once for all. */
static inline int64_t qn_epilogue_own_size(const qn_epilogue *epilogue, qn_epilogue_kind kind,
                                           int64_t lanes) {
  enum { PAIR = 2 };
  if (kind == QN_EPILOGUE_HALVES) return lanes + lanes / PAIR;
  return lanes * (epilogue->shares ? 1 : qn_epilogue_words(kind));
}
static inline uint32_t qn_epilogue_shared_words(const qn_epilogue *epilogue,
                                                qn_epilogue_kind kind) {
  return epilogue->shares ? qn_epilogue_words(kind) - 1 - epilogue->packs_shift : 0;
}
/* Estimated cycles of the epilogue for `vectors` accumulator vectors of one pixel. */
double qn_epilogue_cycles(const qn_target *target, uint32_t vectors);
/* Writes qn_epilogue_own_size(kind, count) int32 values for the lanes of one vector. `start`:
 * initial accumulators. Padding lanes (channel -1) get 0. */
void qn_epilogue_fill(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                      const int32_t *start, int64_t count, int32_t *out_words);
/* Appends the qn_epilogue_shared_words(kind) parameters that all channels share. */
void qn_epilogue_push_shared(const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_i32_array *params);

/* ---- in the kernel ---- */

/* The initial accumulators of a vector, from its parameters at params[index + offset]. */
qn_value *qn_epilogue_load_start(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                                 qn_value *params, qn_value *index, int64_t offset, int64_t lanes);
/* The same times 256; in the lowest 7 bits may be anything. */
qn_value *qn_epilogue_load_scaled_start(qn_builder *b, const qn_epilogue *epilogue,
                                        qn_epilogue_kind kind, qn_value *params, qn_value *index,
                                        int64_t offset, int64_t lanes);
/* The parameters after the initial accumulator, for the vector whose parameters begin at
 * params[index + offset]. `stride`: elements from one parameter to the next; `lanes` unless the
 * parameters of several vectors are grouped. */
typedef struct qn_epilogue_params {
  qn_value *words[QN_EPILOGUE_MAX_WORDS - 1];
  bool doubled; /* WIDE and HALVES: the accumulators are given times 2 */
} qn_epilogue_params;
qn_epilogue_params qn_epilogue_load(qn_builder *b, const qn_epilogue *epilogue,
                                    qn_epilogue_kind kind, qn_value *params, qn_value *index,
                                    int64_t offset, int64_t stride, int64_t lanes);

/* Whether kernels load initial accumulators and offsets for each pixel: a multiply-add overwrites
 * its addend, and an instruction loads up to four vectors. The parameters of up to
 * QN_EPILOGUE_MAX_VECTORS vectors are then grouped: the initial accumulators of all of them, their
 * scales, their offsets, as qn_epilogue_fill stores them for the lanes of all vectors. */
static inline bool qn_epilogue_reloads(const qn_epilogue *epilogue, qn_epilogue_kind kind) {
  return epilogue->reloads && (kind == QN_EPILOGUE_BITS || kind == QN_EPILOGUE_ONE);
}
/* Replaces the offset of a kind that reloads. */
void qn_epilogue_set_offset(qn_builder *b, qn_epilogue_params *params, qn_value *words);
/* Requantizes accumulators to i32 results, zero point included. For BITS the result is the low half
 * of a lane. Results are not yet clamped to [min, max], and those that are 128 smaller are not yet
 * converted to unsigned. */
qn_value *qn_epilogue_apply(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                            const qn_epilogue_params *params, qn_value *acc);

/* Clamps lanes and truncates each to a byte, in lane order. */
qn_value *qn_epilogue_truncate(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                               qn_value *lanes);

/* The channel, relative to the first, that lane `lane` of vector `vector` must hold so that
 * narrowing up to 4 vectors, which works within 128 bits, gives bytes in channel order.
 * `interleaved`: how the kind narrows (qn_epilogue_is_interleaved). */
int64_t qn_epilogue_lane_channel(bool interleaved, uint32_t vectors, uint32_t vector, int64_t lane);
static inline bool qn_epilogue_is_interleaved(const qn_epilogue *epilogue, qn_epilogue_kind kind) {
  return kind == QN_EPILOGUE_BITS && !epilogue->unzips;
}
/* Clamps and narrows `count` vectors; returns the first `valid` bytes. */
qn_value *qn_epilogue_narrow(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *const *vectors, uint32_t count, int64_t valid);
/* The same for several pixels of `count` vectors each, up to QN_EPILOGUE_MAX_VECTORS in total;
 * returns the first `valid` bytes of each, a multiple of 4 if there are several. */
qn_value *qn_epilogue_narrow_pixels(qn_builder *b, const qn_epilogue *epilogue,
                                    qn_epilogue_kind kind, qn_value *const *vectors,
                                    uint32_t pixels, uint32_t count, int64_t valid);

/* Clamps and narrows four vectors to bytes in channel order: lane l of vectors 0 to 3 is channel
 * 4l, 4l + 2, 4l + 1, 4l + 3. Any kind but BITS. */
qn_value *qn_epilogue_narrow_by_parity(qn_builder *b, const qn_epilogue *epilogue,
                                       qn_epilogue_kind kind, qn_value *const *vectors);

/* Clamped stored values as floats, for a fused addition on float lanes. */
qn_value *qn_epilogue_floats(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *lanes);
/* Narrows to bytes for a shuffle: the first 4 * count bytes of each 16 come from the same 128 bits
 * of all vectors, vector by vector. Any kind but BITS. */
qn_value *qn_epilogue_pack(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                           qn_value *const *vectors, uint32_t count);
/* Clamps and narrows the i32 results of the fused addition, which are not interleaved. */
qn_value *qn_epilogue_narrow_whole(qn_builder *b, int32_t min, int32_t max, bool is_unsigned,
                                   qn_value *const *vectors, uint32_t count, int64_t valid);

#endif
