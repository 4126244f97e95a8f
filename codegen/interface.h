/* The interface of a loops-stage module, from its attributes: inputs, outputs, states, sizes,
 * arena, steps, probes. Pure IR, no LLVM. The descriptor, the entry point and the C header are
 * derived from it.
 *
 * Arguments of @main (ir/entry/port.h) have quern.role. Inputs, outputs and states also have
 * quern.dtype and quern.shape (the upper bound), and optionally quern.name, quern.scale,
 * quern.zero_point, quern.index, quern.sizes; states optionally quern.initial. Sizes, of type
 * index, have quern.name and quern.bound. The module has quern.arena_bytes, and optionally
 * quern.numerics and quern.probes, an array of dictionaries {index, offset, bytes, output, size}. A
 * quern.launch optionally has quern.name, quern.macs, and the unit attribute quern.alone if the
 * work is too small for several threads. A launch with quern.prepares is no step: it is executed
 * once, before the first call, and writes the argument with the role "prepared".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_INTERFACE_H
#define QN_CODEGEN_INTERFACE_H

#include "ir/entry/port.h"
#include "lower/target.h"
#include "runtime/abi.h"

typedef struct qn_binding {
  qn_role role;
  uint32_t number; /* index among the arguments of that role */
} qn_binding;

typedef struct qn_interface {
  qn_abi_model model; /* descriptor without functions and `target`; arrays and names in the arena */
  const qn_attr **initial;    /* [state] dense elements; NULL for zeros */
  const qn_binding *bindings; /* [argument of @main] */
  const qn_op *main;
  bool io_in_arena; /* all inputs and outputs have places in the arena, their `offset` */
} qn_interface;

/* Reads the interface; reports all attributes that are missing or contradict the types of @main,
 * and states that are too large for the level. States are aligned to the level's line_bytes. */
QN_NODISCARD qn_status qn_interface_read(const qn_module *loops, const qn_target *level,
                                         qn_arena *arena, qn_interface *out_interface);
/* Size of prepared memory for constants of `bytes`, with the mark that completes them. */
uint64_t qn_prepared_bytes(const qn_target *level, uint64_t bytes);
/* Checks that the prefix of exported names is a C identifier. */
QN_NODISCARD qn_status qn_interface_check_symbol(qn_ir_context *cx, qn_str symbol);

#endif
