/* Reads and writes the attribute dictionaries of a function's arguments and results (arg_attrs,
 * res_attrs). No other code does.
 *
 *   quern.role        "input", "output", "state", "shape", "arena" or "prepared"
 *   quern.name        name in the model
 *   quern.index       tensor number in the model file
 *   quern.scale, quern.zero_point
 *                     of a quantized tensor: real = scale * (stored - zero_point)
 *   quern.sizes       array of strings. String i names the dynamic size of dimension i, which is
 *                     between 1 and the size in the type; "" or absent: static
 *   quern.initial     of a state: its stored values after a reset; zeros if absent
 *   quern.dtype       "ui16", "ui32" or "ui64" of signless integers that are unsigned outside
 *
 * In a loops module, whose types are buffers of one dimension, also:
 *
 *   quern.dtype, quern.shape   element type and shape of the tensor
 *   quern.bound                of a shape argument: its largest value
 *   quern.offset               of an input or output that the caller may place in the arena: byte
 *                              offset of its place there
 *
 * Entries of other dialects are kept.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_PORT_H
#define QN_IR_PORT_H

#include "ir/module.h"

typedef enum qn_role {
  QN_ROLE_INPUT,
  QN_ROLE_OUTPUT,
  QN_ROLE_STATE,    /* persists from one invocation to the next */
  QN_ROLE_SHAPE,    /* a dynamic size */
  QN_ROLE_ARENA,    /* scratch memory */
  QN_ROLE_PREPARED, /* results of constants, which are computed once */
  QN_ROLE_COUNT
} qn_role;
const char *qn_role_name(qn_role role);

typedef enum qn_side { QN_SIDE_ARGUMENTS, QN_SIDE_RESULTS } qn_side;

typedef enum qn_port_field {
  QN_PORT_ROLE,
  QN_PORT_NAME,
  QN_PORT_INDEX,
  QN_PORT_SCALE,
  QN_PORT_ZERO_POINT,
  QN_PORT_SIZES,
  QN_PORT_INITIAL,
  QN_PORT_DTYPE,
  QN_PORT_SHAPE,
  QN_PORT_BOUND,
  QN_PORT_OFFSET,
  QN_PORT_FIELDS
} qn_port_field;

/* An absent field has its default: -1 for the index, NULL or 0 for the others. */
typedef struct qn_port {
  uint32_t present; /* bit set of present fields */
  qn_role role;
  qn_str name;
  int64_t index;
  double scale;
  int64_t zero_point;
  const qn_attr *sizes;
  const qn_attr *initial;
  qn_dtype dtype;
  qn_i64s shape;
  int64_t bound, offset;
  const qn_attr
      *others; /* the dictionary that was read; attributes of other dialects are preserved */
} qn_port;
#define QN_PORT_INIT                                                                               \
  { .index = -1 }

static inline bool qn_port_has(const qn_port *port, qn_port_field field) {
  return (port->present >> field & 1) != 0;
}
static inline void qn_port_note(qn_port *port, qn_port_field field) {
  port->present |= UINT32_C(1) << field;
}

/* Reads the attributes of argument or result i of a verified function. QN_INVALID, with a message,
 * for an attribute of the wrong kind, or an unknown one with our prefix. */
QN_NODISCARD qn_status qn_port_read(qn_ir_context *cx, const qn_op *func, qn_side side, uint32_t i,
                                    qn_port *out_port);
/* quern.name alone; the function need not be valid otherwise. NULL if absent. */
const char *qn_port_name(const qn_op *func, qn_side side, uint32_t i);
/* Reports an error of an argument or result, at the function. */
qn_status QN_PRINTF(5, 6) qn_port_complain(qn_ir_context *cx, const qn_op *func, qn_side side,
                                           uint32_t i, const char *format, ...);

/* The dictionary with all present fields. */
const qn_attr *qn_port_write(qn_ir_context *cx, const qn_port *port);
/* Sets the dictionaries of one side, one per argument or result. */
void qn_ports_set(qn_module *module, qn_op *func, qn_side side, const qn_port *ports,
                  uint32_t count);

/* The name of dimension i in quern.sizes; empty if it is static. */
qn_str qn_port_size_name(const qn_port *port, uint32_t dimension);

#endif
