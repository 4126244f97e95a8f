/* The loss of a quantized tensor against the same tensor in floats, and its cause. Each possible
 * cause is removed from the data in turn; the signal-to-noise ratio (SNR) after that shows how much
 * the cause contributed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LOSS_H
#define QN_CLI_LOSS_H

#include <quern/quern.h>
#include <stdbool.h>

/* Possible causes. The one whose removal improves the SNR most is reported; of equal ones, the
 * first. */
typedef enum loss_cause {
  LOSS_ZERO_POINT, /* all values are whole steps away, or the range is off its middle */
  LOSS_CLIPPING,   /* values beyond the range, which is too small for them */
  LOSS_SCALE, /* values are too large or small by a factor, or steps larger than they need be */
  LOSS_BIAS,  /* each channel, the last dimension, is away by its own constant */
  LOSS_CAUSES,
  LOSS_ROUNDING = LOSS_CAUSES, /* none of these: no encoding of as many bits does better */
  LOSS_OTHER,                  /* none of these: weights, or arithmetic */
  LOSS_INPUTS                  /* what the operator reads has lost it */
} loss_cause;
extern const char *const loss_cause_names[];

/* Ratios are in dB, of the floats as signal; INFINITY without noise, NAN without signal. */
typedef struct loss_report {
  double snr_db;               /* of the tensor as it is */
  double stored_db;            /* of the floats rounded to its encoding */
  double ideal_db;             /* of the floats rounded to as many bits over their own range */
  double without[LOSS_CAUSES]; /* with one cause taken away; NAN: it can't be told */
  loss_cause cause;
  double clipped; /* of the elements: share at an end of the range that lies beyond it in floats */
  double away;    /* mean difference in steps */
  double factor;  /* of the floats, nearest to the tensor */
} loss_report;

/* Whether there is something to tell: floats and stored integers with one scale. */
bool loss_is_of(const qn_tensor_info *real, const qn_tensor_info *stored);
loss_report loss_of(const qn_tensor_info *real, const void *real_data, const qn_tensor_info *stored,
                    const void *stored_data);

#endif
