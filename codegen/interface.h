/* What a loops-stage module says about itself in attributes: inputs, outputs, arena, steps, probes.
 * Pure IR, no LLVM: the descriptor, the entry point and the C header all start from this.
 *
 * On the arguments of @main (arg_attrs, one dictionary each): quern.role = "input", "output" or
 * "arena"; on inputs and outputs also quern.name, quern.dtype ("i8", "ui8", "i16", "i32", "i64",
 * "f32", "i1"), quern.shape = array<i64>, and optionally quern.scale, quern.zero_point,
 * quern.index. On the module: quern.arena_bytes, and optionally quern.numerics and quern.probes, an
 * array of dictionaries {index, offset, bytes, output}. On each quern.launch: optionally quern.name
 * and quern.macs, and the unit quern.alone where the work is too small to be spread over threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_INTERFACE_H
#define QN_CODEGEN_INTERFACE_H

#include "ir/module.h"
#include "runtime/abi.h"

typedef enum qn_role { QN_ROLE_INPUT, QN_ROLE_OUTPUT, QN_ROLE_ARENA } qn_role;

typedef struct qn_binding {
  qn_role role;
  uint32_t number; /* among the arguments of that role */
} qn_binding;

typedef struct qn_interface {
  qn_abi_model model;         /* without `invoke` and `target`; arrays and names in the arena */
  const qn_binding *bindings; /* one per argument of @main */
  const qn_op *main;
} qn_interface;

/* Reports everything that is missing or contradicts the types of @main. */
QN_NODISCARD qn_status qn_interface_read(const qn_module *loops, qn_arena *arena,
                                         qn_interface *out_interface);
/* The prefix of the exported names must be a C identifier. */
QN_NODISCARD qn_status qn_interface_check_symbol(qn_ir_context *cx, qn_str symbol);

#endif
