/* A plugin of QEMU (plugin interface 1) that counts the executions of translated blocks:
 *
 *   cc -O2 -shared -fPIC benchmarks/count_blocks.c -o blocks.so
 *   qemu-system-arm -plugin ./blocks.so -d plugin ...
 *
 * prints "block ADDRESS INSTRUCTIONS EXECUTIONS" for each at the end. boards.py reads it. Only the
 * functions in use are declared here, so that no header of QEMU is needed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum { ADD = 0, MAX_BLOCKS = 1 << 16 };

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*call)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int op, void *to,
                                              uint64_t by);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id, void *), void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
void qemu_plugin_outs(const char *text);

/* A block that is translated twice has two entries. */
static struct { uint64_t address, instructions, executions; } blocks[MAX_BLOCKS];
static size_t used;

static void translated(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  if (used == MAX_BLOCKS) return;
  blocks[used].address = qemu_plugin_tb_vaddr(block);
  blocks[used].instructions = qemu_plugin_tb_n_insns(block);
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &blocks[used++].executions, 1);
}

static void end(plugin_id id, void *user) {
  (void)id;
  (void)user;
  for (size_t i = 0; i < used; i++) {
    char line[96];
    snprintf(line, sizeof line, "block %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", blocks[i].address,
             blocks[i].instructions, blocks[i].executions);
    qemu_plugin_outs(line);
  }
}

int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
  (void)info;
  (void)count;
  (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, end, NULL);
  return 0;
}
