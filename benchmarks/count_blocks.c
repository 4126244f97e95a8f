/* A plugin of QEMU (plugin interface 1) that counts the executions of translated blocks:
 *
 *   cc -O2 -shared -fPIC benchmarks/count_blocks.c -o blocks.so
 *   qemu-system-arm -plugin ./blocks.so -d plugin ...
 *
 * prints "block ADDRESS INSTRUCTIONS EXECUTIONS" for each at the end, and "lost COUNT" if the table
 * was too small for all of them. boards.py reads it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "count.h"

enum { MAX_BLOCKS = 1 << 16 };

/* A block that is translated twice has two entries. */
static struct { uint64_t address, instructions, executions; } blocks[MAX_BLOCKS];
static size_t used, lost;

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  if (used == MAX_BLOCKS) { /* QEMU keeps the address of a counter, so the table cannot move */
    lost++;
    return;
  }
  blocks[used].address = qemu_plugin_tb_vaddr(block);
  blocks[used].instructions = qemu_plugin_tb_n_insns(block);
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &blocks[used++].executions, 1);
}

static void end(plugin_id id, void *user) {
  (void)id;
  (void)user;
  char line[96];
  for (size_t i = 0; i < used; i++) {
    snprintf(line, sizeof line, "block %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", blocks[i].address,
             blocks[i].instructions, blocks[i].executions);
    qemu_plugin_outs(line);
  }
  if (lost == 0) return;
  snprintf(line, sizeof line, "lost %zu\n", lost);
  qemu_plugin_outs(line);
}
