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
  QN_CASE_EXTREME, /* -128 or 127: every second sum of two products saturates int16 */
  QN_CASE_LIMIT,   /* 32 or, rarely, 33, of both signs: four weights of one sign just fit an int16
                      sum, or just not */
  QN_CASE_TRAINED, /* -127 .. 127; small magnitudes are more frequent, as in trained weights */
  QN_CASE_WIDE,    /* i16, -255 .. 255 */
  QN_CASE_WIDEST,  /* i16, -255 or 255 */
  QN_CASE_WHOLE,   /* i16, any value; only with int16 activations */
  QN_CASE_RAISED   /* i16, 0 .. 255: bytes and a base */
} qn_case_weights;

typedef struct qn_case {
  qn_case_op op;
  int64_t batch, height, width, channels; /* of x; linear: batch * height * width rows */
  int64_t out_channels;                   /* depthwise: a multiple of channels */
  int64_t kernel_height, kernel_width, stride, dilation, groups;
  bool x_unsigned, y_unsigned, real;
  bool given; /* the 8-bit weights and the bias are arguments of @main, after the other arguments */
  bool w_unsigned;
  int32_t x_zero, w_zero; /* zero points; w_zero only for runtime weights */
  bool words;             /* activations are i16 and the bias is i64; not with residual */
  qn_case_weights weights;
  double scale; /* approximate size of the multipliers; a channel's may differ by a factor of two */
  int32_t zero_point, min, max;
  bool alike;          /* all channels have one multiplier */
  bool residual;       /* adds a second input to the result: a fused post-op */
  bool residual_first; /* the second input is the first operand of that addition */
  /* The channels are those of phase_rows x phase_columns phases, as of a transposed convolution,
   * which reshapes and a transpose bring to their rows and columns; 0: one phase. Not for linear.
   */
  int64_t phase_rows, phase_columns;
  bool joined; /* the result and the second input are the channels of a concatenation, in the order
                  of residual_first */
  bool padded; /* a pad op follows that pads the result with its zero point; not for linear */
  bool dequantized; /* an ml.dequantize_float follows; not with int16, phases, padded or joined
                       results */
  uint32_t seed;
} qn_case;

/* A case and the constants that it needs. */
typedef struct qn_case_data {
  qn_case shape;
  int64_t out_height, out_width, taps, x_count, y_count;
  int64_t result_count; /* elements of the result of @main, with padding */
  int32_t *weights;     /* [channel][tap], without zero point */
  uint8_t *stored;      /* weights that are arguments, in the operator's own order */
  int32_t *given_bias;  /* bias that is an argument */
  int64_t *bias;
  int64_t element_bytes; /* of x and y */
  int64_t result_bytes;  /* of the result of @main */
  qn_requant *requant;
} qn_case_data;

/* Whether @main has a second input, of the shape of y. */
static inline bool qn_case_reads_r(const qn_case *s) { return s->residual || s->joined; }

/* A case with one pixel, one tap and one group. The caller sets channels and all other fields. */
qn_case qn_case_plain(qn_case_op op, qn_case_weights weights);
uint32_t qn_case_random(uint32_t *state);
/* A number from lo to hi. */
int64_t qn_case_range(uint32_t *state, int64_t lo, int64_t hi);
qn_case_data qn_case_make(qn_arena *arena, const qn_case *shape);
/* A module whose func.func @main has the op with its constants, then the addition, the phases, the
 * concatenation, the padding and the dequantization of the case. */
qn_module *qn_case_module(qn_ir_context *cx, const qn_case_data *data);
void qn_case_fill(const qn_case_data *data, uint32_t *seed, uint8_t *out_x);
/* Computes y by plain loops, without the ops that follow. */
void qn_case_reference(const qn_case_data *data, const uint8_t *x, uint8_t *out_y);
/* Text that describes the first difference of two results, allocated in the arena; NULL if they are
 * equal. `where` names the code that computed y. */
const char *qn_case_difference(qn_arena *arena, const qn_case *shape, const char *where,
                               const uint8_t *y, const uint8_t *expected, int64_t count);
/* Text of the case for messages, allocated in the arena. */
const char *qn_case_describe(qn_arena *arena, const qn_case *shape);

#endif
