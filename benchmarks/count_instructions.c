/* A plugin of QEMU's user-mode emulator (plugin interface 1) that counts executed instructions:
 *
 *   cc -O2 -shared -fPIC benchmarks/count_instructions.c -o count.so
 *   qemu-aarch64 -plugin ./count.so -d plugin PROGRAM
 *
 * prints "instructions: N" at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "count.h"

static uint64_t executed;

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &executed, qemu_plugin_tb_n_insns(block));
}

static void end(plugin_id id, void *user) {
  char line[64];
  (void)id;
  (void)user;
  snprintf(line, sizeof line, "instructions: %" PRIu64 "\n", executed);
  qemu_plugin_outs(line);
}
