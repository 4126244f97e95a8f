/* What a loops-stage module says about itself in attributes: inputs, outputs, states, sizes, arena,
 * steps, probes. Pure IR, no LLVM: the descriptor, the entry point and the C header all start from
 * this.
 *
 * On the arguments of @main (ir/entry/port.h): quern.role; on inputs, outputs and states also
 * quern.dtype and quern.shape, the largest one, and optionally quern.name, quern.scale,
 * quern.zero_point, quern.index, quern.sizes and, of a state, quern.initial; on shapes, which are
 * of type index, quern.name and quern.bound. On the module: quern.arena_bytes, and optionally
 * quern.numerics and quern.probes, an array of dictionaries {index, offset, bytes, output, size}.
 * On each quern.launch: optionally quern.name and quern.macs, and the unit quern.alone where the
 * work is too small to be spread over threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_INTERFACE_H
#define QN_CODEGEN_INTERFACE_H

#include "ir/entry/port.h"
#include "lower/target.h"
#include "runtime/abi.h"

typedef struct qn_binding {
  qn_role role;
  uint32_t number; /* among the arguments of that role */
} qn_binding;

typedef struct qn_interface {
  qn_abi_model model;         /* without functions and `target`; arrays and names in the arena */
  const qn_attr **initial;    /* of each state: dense elements, or NULL for zeros */
  const qn_binding *bindings; /* one per argument of @main */
  const qn_op *main;
} qn_interface;

/* Reports everything that is missing, contradicts the types of @main, or is too large for code of
 * the level, which also says how states are aligned. */
QN_NODISCARD qn_status qn_interface_read(const qn_module *loops, const qn_target *level,
                                         qn_arena *arena, qn_interface *out_interface);
/* The prefix of the exported names must be a C identifier. */
QN_NODISCARD qn_status qn_interface_check_symbol(qn_ir_context *cx, qn_str symbol);

#endif
