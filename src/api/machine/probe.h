/* Measures the host: builds a loops-stage module with one kernel, compiles it and runs it like a
 * model. The kernel reads an input and stores a vector that depends on all of its computations, so
 * that no computation is removed as dead code.
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
  qn_builder b;            /* inserts into the kernel */
  qn_value *input;         /* buffer of input_bytes */
  qn_value *output;        /* buffer of one vector */
  qn_value *lower, *upper; /* bounds of the loop over the iterations of one call */
  int64_t input_bytes;
  const qn_type *bytes; /* vector of i8 with the vector width of the target */
} qn_probe;

/* The target of a level. QN_NOT_FOUND, with a message, if there is no such level. */
QN_NODISCARD qn_status qn_probe_target(qn_context *context, const char *level,
                                       const qn_target **out_target);
qn_probe qn_probe_begin(qn_context *context, const qn_target *target, int64_t input_bytes);
/* Ends the kernel, which stores `kept`, a vector with as many bits as `bytes`. Then runs it `tries`
 * times on zeros, with `rounds` iterations per call, and stores the time of the fastest call. */
QN_NODISCARD qn_status qn_probe_end(qn_probe *probe, qn_value *kept, int64_t rounds, int tries,
                                    double *out_seconds);

/* ---- what is measured ---- */

/* Multiply-accumulates per second of one core, for operands of type `factor`. */
QN_NODISCARD qn_status qn_probe_peak(qn_context *context, const qn_target *target, qn_factor factor,
                                     double *out_macs_per_second);
/* Bytes per second that one core reads from a buffer of `bytes` bytes, read repeatedly. */
QN_NODISCARD qn_status qn_probe_bandwidth(qn_context *context, const qn_target *target,
                                          size_t bytes, double *out_bytes_per_second);
/* Clock frequency of one busy core. */
QN_NODISCARD qn_status qn_probe_clock(qn_context *context, const qn_target *target,
                                      double *out_hertz);

#endif
