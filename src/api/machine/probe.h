/* A measurement of the machine: a loops-stage module with one kernel, compiled and run like any
 * model. The kernel reads an input and keeps a vector of what it computed, so that nothing of it is
 * left out as unused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_PROBE_H
#define QN_API_PROBE_H

#include "api/api.h"
#include "ir/builder.h"

typedef struct qn_probe {
  qn_context *context;
  qn_ir_context *cx;
  const qn_target *target;
  qn_module *module;
  qn_builder b;            /* in the kernel */
  qn_value *input;         /* buffer of input_bytes */
  qn_value *output;        /* buffer of a vector */
  qn_value *lower, *upper; /* the rounds of a call */
  int64_t input_bytes;
  const qn_type *bytes; /* vector of i8, as wide as the target's */
} qn_probe;

/* The target of a level: QN_NOT_FOUND, with a message, when there is none of that name. */
QN_NODISCARD qn_status qn_probe_target(qn_context *context, const char *level,
                                       const qn_target **out_target);
qn_probe qn_probe_begin(qn_context *context, const qn_target *target, int64_t input_bytes);
/* Stores what the kernel computed and closes it: `kept`, a vector of as many bits as `bytes`. Then
 * seconds of the fastest of `tries` calls of so many rounds, on zeros. */
QN_NODISCARD qn_status qn_probe_end(qn_probe *probe, qn_value *kept, int64_t rounds, int tries,
                                    double *out_seconds);

/* ---- what is measured ---- */

/* Multiply-accumulates of such factors per second of one core. */
QN_NODISCARD qn_status qn_probe_peak(qn_context *context, const qn_target *target, qn_factor factor,
                                     double *out_macs_per_second);
/* Bytes per second that one core reads of a buffer of so many bytes, again and again. */
QN_NODISCARD qn_status qn_probe_bandwidth(qn_context *context, const qn_target *target,
                                          size_t bytes, double *out_bytes_per_second);
/* Cycles per second of one core that is busy. */
QN_NODISCARD qn_status qn_probe_clock(qn_context *context, const qn_target *target,
                                      double *out_hertz);

#endif
