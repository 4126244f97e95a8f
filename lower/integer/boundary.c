/* Preserves the quantization of inputs and outputs. Integer types no longer contain scale and zero
 * point, so these are stored in the attributes of arguments and results, which the runtime's
 * descriptions use. An importer has stored them already; a module from text has only the types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/port.h"
#include "lower/integer/integer.h"

/* Sets scale and zero point of a type with one scale; returns false and changes nothing for other
 * types. */
static bool add_quantization(qn_port *port, const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->count != 1 || qn_port_has(port, QN_PORT_SCALE)) return false;
  port->scale = quant->scales[0];
  port->zero_point = quant->zero_points[0];
  qn_port_note(port, QN_PORT_SCALE);
  qn_port_note(port, QN_PORT_ZERO_POINT);
  return true;
}

static qn_status keep_side(qn_integer *in, qn_op *func, qn_side side, const qn_type *const *types,
                           uint32_t count) {
  qn_port *ports = QN_NEW_ARRAY(in->scratch, (size_t)count + 1, qn_port);
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    QN_TRY(qn_port_read(in->cx, func, side, i, &ports[i]));
    changed |= add_quantization(&ports[i], types[i]);
  }
  if (changed) qn_ports_set(in->module, func, side, ports, count);
  return QN_OK;
}

qn_status qn_integer_keep_quantization(qn_integer *in, qn_op *func) {
  const qn_type *type = qn_op_function_type(func);
  QN_TRY(keep_side(in, func, QN_SIDE_ARGUMENTS, type->function.inputs, type->function.input_count));
  return keep_side(in, func, QN_SIDE_RESULTS, type->function.results, type->function.result_count);
}
