/* Evaluators of math's elementary functions. They apply quant/elementary.h to each element. f16 and
 * bf16 are computed in f32.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/elementary.h"

#include "eval/ops/elementwise.h"
#include "ir/types/float_format.h"

static double value_of(qn_function function, qn_float_kind kind, const double x[2]) {
  if (kind == QN_F64) return qn_function_f64(function, x[0], x[1]);
  return (double)qn_function_f32(function, (float)x[0], (float)x[1]);
}

static qn_status evaluate(qn_eval *ev, const qn_op *op, qn_function function) {
  qn_lanes lanes;
  const qn_function_row *row = &qn_functions[function];
  qn_float_kind kind = qn_type_element(op->results[0].type)->float_kind;
  bool known = kind == QN_F16 || kind == QN_BF16 || kind == QN_F32;
  if (!known && !(kind == QN_F64 && row->has_f64))
    return qn_error(&ev->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' op is not defined for elements of this type", QN_STR_ARG(op->name));
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  for (int64_t i = 0; i < lanes.count; i++) {
    double x[2] = {0};
    for (int k = 0; k < row->arguments; k++)
      x[k] = qn_float_load(kind, lanes.in[k] + i * lanes.in_bytes);
    qn_float_store(kind, value_of(function, kind, x), lanes.out + i * lanes.out_bytes);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}

#define FUNCTION(dialect, DIALECT, name, NAME, ...)                                                \
  qn_status qn_eval_##dialect##_##name(qn_eval *ev, const qn_op *op) {                             \
    return evaluate(ev, op, QN_FUNCTION_##NAME);                                                   \
  }
#include "quant/elementary.def"
#undef FUNCTION
