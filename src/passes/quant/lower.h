/* Lowers a quant cast as upstream MLIR does; ir/cast_form has Quern's lowering. In both, a
 * quant.scast remains at the quantized side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_QUANT_LOWER_H
#define QN_PASSES_QUANT_LOWER_H

#include "ir/cast_form/cast_form.h"

/* Like qn_build_cast_form, but emits upstream's ops in upstream's order. */
qn_value *qn_lower_cast_as_upstream(qn_emit *e, qn_value *x);

#endif
