/* The loss of a quantized tensor against the same tensor in floats, and its cause. Each possible
 * cause is removed from the data in turn; the signal-to-noise ratio (SNR) after that shows how much
 * the cause contributed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LOSS_H
#define QN_CLI_LOSS_H

#include <quern/quern.h>
#include <stdbool.h>

/* Possible causes. The one whose removal improves the SNR most is reported; of almost equal ones,
 * the first. */
typedef enum loss_cause {
  LOSS_ZERO_POINT, /* all values are off by whole steps, or the range has the wrong middle */
  LOSS_CLIPPING,   /* values are outside of the range, which is too small */
  LOSS_SCALE,      /* values are off by a factor, or the steps are larger than needed */
  LOSS_BIAS,       /* each channel (last dimension) is off by a constant */
  LOSS_CAUSES,
  LOSS_ROUNDING = LOSS_CAUSES, /* no cause above: no encoding with as many bits is better */
  LOSS_OTHER,                  /* no cause above: wrong weights, or arithmetic */
  LOSS_INPUTS                  /* the loss is in the inputs of the operator */
} loss_cause;
extern const char *const loss_cause_names[];

/* SNRs are in dB with the floats as signal: INFINITY without noise, NAN without signal. */
typedef struct loss_report {
  double snr_db;               /* SNR of the tensor */
  double stored_db;            /* SNR of the floats rounded to the tensor's encoding */
  double ideal_db;             /* SNR of the floats rounded to as many bits over their own range */
  double without[LOSS_CAUSES]; /* SNR with one cause removed; NAN if unknown */
  loss_cause cause;
  /* share of elements whose stored value is an end of the range and whose float is outside of it */
  double clipped;
  double away;   /* mean difference in steps */
  double factor; /* factor by which the floats are nearest to the tensor */
} loss_report;

/* Whether a loss can be computed: floats on one side, stored integers with one scale on the
 * other. */
bool loss_is_of(const qn_tensor_info *real, const qn_tensor_info *stored);
loss_report loss_of(const qn_tensor_info *real, const void *real_data, const qn_tensor_info *stored,
                    const void *stored_data);

#endif
