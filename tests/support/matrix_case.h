/* Random convolutions, depthwise convolutions and matrix products of the integer stage, with
 * results computed by plain reference loops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_MATRIX_CASE_H
#define QN_TESTS_SUPPORT_MATRIX_CASE_H

#include "ir/module.h"
#include "quant/fma_form.h"

typedef enum qn_case_op { QN_CASE_CONV, QN_CASE_DEPTHWISE, QN_CASE_LINEAR } qn_case_op;
typedef enum qn_case_weights {
  QN_CASE_SMALL,   /* -30 .. 30 */
  QN_CASE_FULL,    /* -128 .. 127 */
  QN_CASE_EXTREME, /* -128 or 127: every second pair saturates */
  QN_CASE_LIMIT, /* 32 or, seldom, 33, of both signs: four of a sign just fit into 16 bits or not */
  QN_CASE_TRAINED, /* -127 .. 127, small ones more often */
  QN_CASE_WIDE,    /* i16, -255 .. 255 */
  QN_CASE_WIDEST,  /* i16, -255 or 255 */
  QN_CASE_WHOLE    /* i16, any: with words only */
} qn_case_weights;

typedef struct qn_case {
  qn_case_op op;
  int64_t batch, height, width, channels; /* of x; linear: batch * height * width rows */
  int64_t out_channels;                   /* depthwise: a multiple of channels */
  int64_t kernel_height, kernel_width, stride, dilation, groups;
  bool x_unsigned, y_unsigned, real;
  bool given; /* weights of 8 bits and bias are arguments, after the others */
  bool w_unsigned;
  int32_t x_zero, w_zero; /* zero points, of weights that are given */
  bool words;             /* activations of i16, bias of i64, without residual */
  qn_case_weights weights;
  double scale; /* of the multipliers, about; a channel's is within a factor of two */
  int32_t zero_point, min, max;
  bool residual;       /* the result is added to a second input: a post-op in the same kernel */
  bool residual_first; /* which is the first operand then */
  bool padded;         /* and gets a border of zero points; not for linear */
  uint32_t seed;
} qn_case;

/* A case with the constants that go with it. */
typedef struct qn_case_data {
  qn_case shape;
  int64_t out_height, out_width, taps, x_count, y_count;
  int64_t result_count; /* of what @main returns: with the border */
  int32_t *weights;     /* [channel][tap], without zero point */
  uint8_t *stored;      /* of those that are given, in the operator's own order, */
  int32_t *given_bias;  /* and their bias */
  int64_t *bias;
  int64_t element_bytes; /* of x and y */
  qn_requant *requant;
} qn_case_data;

/* One pixel, one tap, one group: the caller sets channels and the rest. */
qn_case qn_case_plain(qn_case_op op, qn_case_weights weights);
uint32_t qn_case_random(uint32_t *state);
qn_case_data qn_case_make(qn_arena *arena, const qn_case *shape);
/* func.func @main of one op and its constants, of the addition and the pad. */
qn_module *qn_case_module(qn_ir_context *cx, const qn_case_data *data);
void qn_case_fill(const qn_case_data *data, uint32_t *seed, uint8_t *out_x);
/* Without the addition and the pad. */
void qn_case_reference(const qn_case_data *data, const uint8_t *x, uint8_t *out_y);
/* Where two results differ, in words, in the arena; NULL: nowhere. `where` says who computed y. */
const char *qn_case_difference(qn_arena *arena, const qn_case *shape, const char *where,
                               const uint8_t *y, const uint8_t *expected, int64_t count);
/* Text for messages, in the arena. */
const char *qn_case_describe(qn_arena *arena, const qn_case *shape);

#endif
