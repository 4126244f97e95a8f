/* Arguments of @main of the loops stage, for tests that call it themselves.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_MAIN_ARGUMENTS_H
#define QN_TESTS_MAIN_ARGUMENTS_H

#include <stdio.h>

#include "ir/entry/port.h"
#include "ir/module.h"

/* Whether @main takes inputs, outputs, the arena, and nothing else but prepared memory, in this
 * order. Says on stderr what else it takes, so that a test does not report it as a difference. */
static inline bool takes_only_memory(const qn_module *loops, uint32_t inputs, uint32_t outputs) {
  const qn_op *main_func = qn_module_main(loops);
  uint32_t count = qn_op_body(main_func)->arg_count, arena = inputs + outputs;
  for (uint32_t i = 0; i < count; i++) {
    qn_role expected = i < inputs  ? QN_ROLE_INPUT
                       : i < arena ? QN_ROLE_OUTPUT
                       : i > arena ? QN_ROLE_PREPARED
                                   : QN_ROLE_ARENA;
    qn_port port;
    qn_status status = qn_port_read(loops->cx, main_func, QN_SIDE_ARGUMENTS, i, &port);
    if (status == QN_OK && port.role == expected) continue;
    fprintf(stderr, "argument %u of @main is not the %s\n", i, qn_role_name(expected));
    return false;
  }
  if (count == arena + 1 || count == arena + 2) return true;
  fprintf(stderr, "@main has %u arguments: %u inputs and %u outputs are known\n", count, inputs,
          outputs);
  return false;
}

#endif
