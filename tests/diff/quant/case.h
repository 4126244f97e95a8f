/* A random quantized type and shape, its text, inputs, and the results of its casts by definition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFF_QUANT_CASE_H
#define QN_TESTS_DIFF_QUANT_CASE_H

#include "base/str.h"
#include "exact.h"
#include "ir/types/type.h"

/* Sizes of dimensions are at most QUANT_MAX_SIZE. */
enum { QUANT_MAX_RANK = 4, QUANT_MAX_SIZE = 4, QUANT_MAX_COUNT = 256 };

typedef enum quant_shape {
  QUANT_SCALAR,
  QUANT_STATIC,
  QUANT_DYNAMIC,
  QUANT_UNRANKED,
  QUANT_SHAPES
} quant_shape;

/* The roundings of qn_exact_rounding, then stochastic rounding. */
enum { QUANT_STOCHASTIC = QN_EXACT_FLOOR + 1, QUANT_ROUNDINGS };
extern const char *const quant_rounding_names[QUANT_ROUNDINGS];
extern const char *const quant_float_names[QN_F64 + 1];
extern const qn_exact_format quant_formats[QN_F64 + 1];

typedef struct quant_case {
  uint64_t state; /* of the random numbers */
  qn_float_kind expressed;
  int width, rounding;
  bool is_signed;
  int64_t low, high, min, max; /* range of the storage type; of the quantized type */
  quant_shape kind;
  int rank;
  int64_t dims[QUANT_MAX_RANK], blocks[QUANT_MAX_RANK], count;
  bool dynamic[QUANT_MAX_RANK];
  qn_quant_scheme scheme;
  int axis;
  int64_t grid[QUANT_MAX_RANK];
  double scales[QUANT_MAX_COUNT]; /* as in the text */
  int64_t zero_points[QUANT_MAX_COUNT];
  int64_t seed; /* of stochastic rounding */
  bool agrees;  /* inputs are made by agree.c */
} quant_case;

/* ---- random numbers ---- */

uint64_t quant_mix(uint64_t z); /* the output function of SplitMix64 */
uint64_t quant_next(quant_case *c);
int64_t quant_between(quant_case *c, int64_t lo, int64_t hi); /* inclusive */
bool quant_one_in(quant_case *c, int64_t n);

/* ---- cases ---- */

/* A random case. Rounding and seed are given, because the casts of a module share them. */
quant_case quant_case_random(uint64_t seed, int rounding, int64_t rounding_seed);
/* Case `number` of all combinations of rounding, kind of shape with granularity, expressed type and
 * storage type (i2 to i32, u4, u8, u16, u32), in this order; rounding is the outermost. Other
 * properties are random. */
quant_case quant_case_listed(uint64_t number);
uint64_t quant_case_listed_count(void);

/* A case with rounding to even, and inputs for which upstream's lowering is right (agree.c). */
quant_case quant_case_agreeing(uint64_t seed);
double quant_agreeing_real(quant_case *c, int64_t element);
int64_t quant_agreeing_stored(quant_case *c);

/* A random input: near ties or integers of the stored scale, beyond its ends, or any bit pattern.
 */
double quant_case_real(quant_case *c, int64_t element);
/* A random value between min and max, often one of them. */
int64_t quant_case_stored(quant_case *c);
/* The bits of the storage type as an integer. */
int64_t quant_case_as_stored(const quant_case *c, int64_t bits);

/* ---- as text (text.c) ---- */

/* Aliases !q7, !stored7, !integer7, !real7 of case 7: the quantized type; and tensors (or scalars)
 * of that type, of its storage type, and of its expressed type. */
void quant_case_put_types(const quant_case *c, unsigned number, qn_text *text);

/* ---- the definition (define.c) ---- */

/* Number of scales; and the index of an element's scale and zero point. */
int64_t quant_grid_count(const quant_case *c);
int64_t quant_grid_at(const quant_case *c, int64_t element);
/* The scale rounded to the expressed type. */
double quant_scale_of(const quant_case *c, int64_t grid_element);

/* The result that the pass documents. *out_ideal: whether the exact quotient or product gives the
 * same. `cast` is the number of the cast in its function. */
int64_t quant_define_qcast(const quant_case *c, double x, int64_t element, uint64_t cast,
                           bool *out_ideal);
double quant_define_dcast(const quant_case *c, int64_t stored, int64_t element, bool *out_ideal);

#endif
