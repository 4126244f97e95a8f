/* The end of every kernel with 32-bit accumulators: requantize, clamp, narrow to bytes.
 *
 * A channel's parameters are words of 32 bits; the words of the channels of one accumulator vector
 * are stored as `words` vectors consecutive, so that they are loaded as they are needed.
 * The first is the value that the accumulator starts with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MATRIX_EPILOGUE_REQUANT_H
#define QN_LOWER_LOOPS_MATRIX_EPILOGUE_REQUANT_H

#include "lower/loops/loops.h"
#include "lower/loops/proofs.h"
#include "lower/loops/vec.h"
#include "quant/fma_form.h"
#include "quant/split_form.h"

typedef enum qn_epilogue_kind {
  QN_EPILOGUE_BITS,      /* words: start, scale, offset; nothing is converted: QN_FMA_BITS */
  QN_EPILOGUE_ONE,       /* start, scale, offset */
  QN_EPILOGUE_SIGNED,    /* start, scale, offset, offset where the accumulator is negative */
  QN_EPILOGUE_TRUNCATED, /* as SIGNED; truncates, then adds the zero point */
  QN_EPILOGUE_SPLIT,   /* start, high, offset, offset where negative, low: see quant/split_form.h */
  QN_EPILOGUE_DOUBLE,  /* M32 in integers: start, mantissa, left shift, right shift */
  QN_EPILOGUE_LIMITED, /* as DOUBLE, of accumulators clamped first: and limit, 0 for ties up */
  QN_EPILOGUE_REAL,    /* product in double, half away from zero: start, multiplier (two words) */
  QN_EPILOGUE_SINGLE,  /* float32, ties to even: start, multiplier, offset */
  QN_EPILOGUE_EVEN,    /* double, ties to even: start, multiplier, offset (two words each) */
  QN_EPILOGUE_KINDS
} qn_epilogue_kind;
enum { QN_EPILOGUE_MAX_WORDS = 6, QN_EPILOGUE_MAX_VECTORS = 4 };

/* The requantization of one op, for all its channels. Results of unsigned type are proved as signed
 * ones, 128 less: floats around 0 are finer, so that more forms can be proved. Kinds whose offset
 * has the zero point make them so; the others, which add it as an integer, unsigned. */
typedef struct qn_epilogue {
  int64_t channels;
  qn_proofs *proofs;
  const qn_requant *requant;    /* [channel]; zero_point, min and max of the signed results */
  const qn_fma_form *bits;      /* [channel]; NULL: not asked for */
  const qn_fma_form *forms;     /* [channel]; not searched for where all have bits */
  qn_fma_form *truncated;       /* [channel], found as qn_epilogue_kind_of needs them */
  qn_split_form *splits;        /* [channel], likewise */
  const qn_interval *sums;      /* [channel] */
  int32_t zero_point, min, max; /* of the signed results */
  bool is_unsigned;             /* results of the type are 128 more */
  bool fma;                     /* the target has multiply-add with one rounding */
  qn_requant_rounding rounding;
  bool shifts_left; /* a channel has a multiplier of 1 or more */
} qn_epilogue;

/* The epilogue of an op that is requantized per channel by a plan. `sums`: the accumulators that
 * can occur. `starts`: they begin with the value among the words, and all else is added to that. */
qn_epilogue qn_epilogue_of(qn_loops *lo, const qn_op *op, const qn_plan_matrix *plan,
                           const qn_interval *sums, bool starts);

/* The cheapest kind that is exact for all of the channels; negative ones are padding. Before
 * qn_epilogue_fill with that kind and these channels. */
qn_epilogue_kind qn_epilogue_kind_of(const qn_epilogue *epilogue, const int64_t *channels,
                                     int64_t count);
/* Whether `kind`, one with multiply-adds and conversions, is exact for all of the channels. As with
 * kind_of, it can be filled then. */
bool qn_epilogue_serves(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                        int64_t count);
/* Which kind a tile of kind `kind` should better have, so that the kernel of a layer has few: tiles
 * of each kind are counted by `tiles`. `one_pays`: the epilogue is a large part of the work, so
 * that tiles with one of the cheapest kinds keep it. */
qn_epilogue_kind qn_epilogue_goal(const uint32_t tiles[QN_EPILOGUE_KINDS], qn_epilogue_kind kind,
                                  bool one_pays);
uint32_t qn_epilogue_words(qn_epilogue_kind kind);
/* About how long the end takes for `vectors` sums of a pixel. */
double qn_epilogue_cycles(const qn_target *target, uint32_t vectors);
/* Writes words * count values for the lanes of one vector; `start` has the accumulators' first
 * values. Padding lanes (channel -1) get zeros. */
void qn_epilogue_fill(const qn_epilogue *epilogue, qn_epilogue_kind kind, const int64_t *channels,
                      const int32_t *start, int64_t count, int32_t *out_words);

/* ---- in the kernel ---- */

/* The words after the initial accumulator, of the vector whose words begin at params[index +
 * offset]. */
typedef struct qn_epilogue_params {
  qn_value *words[QN_EPILOGUE_MAX_WORDS - 1];
} qn_epilogue_params;
qn_epilogue_params qn_epilogue_load(qn_builder *b, qn_epilogue_kind kind, qn_value *params,
                                    qn_value *index, int64_t offset, int64_t lanes);
/* Accumulators to results as the kind makes them, zero point included, as i32; of BITS the lower
 * half is the result. What follows brings them into [min, max] and, where they are 128 less, adds
 * that. */
qn_value *qn_epilogue_apply(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                            const qn_epilogue_params *params, qn_value *acc);

/* The bytes of lanes, one by one. */
qn_value *qn_epilogue_truncate(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                               qn_value *lanes);

/* Narrowing of up to four vectors at once works on 128-bit lanes. Its result is in order when the
 * vectors hold this channel, relative to the first one; `interleaved`: as the kind is narrowed. */
int64_t qn_epilogue_lane_channel(bool interleaved, uint32_t vectors, uint32_t vector, int64_t lane);
static inline bool qn_epilogue_is_interleaved(qn_epilogue_kind kind) {
  return kind == QN_EPILOGUE_BITS;
}
/* Clamps, narrows, and gives the first `valid` bytes. */
qn_value *qn_epilogue_narrow(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *const *vectors, uint32_t count, int64_t valid);

/* Instead, for an op that goes on in the lanes: clamped, as they would be stored, as floats. */
qn_value *qn_epilogue_floats(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                             qn_value *lanes);
/* Or as bytes, of each 16 the first 4 * count from the same 128 bits of all vectors, one after the
 * other; of any kind but BITS. */
qn_value *qn_epilogue_pack(qn_builder *b, const qn_epilogue *epilogue, qn_epilogue_kind kind,
                           qn_value *const *vectors, uint32_t count);
/* Narrows what that op makes, integers, not interleaved. */
qn_value *qn_epilogue_narrow_whole(qn_builder *b, int32_t min, int32_t max, bool is_unsigned,
                                   qn_value *const *vectors, uint32_t count, int64_t valid);

#endif
