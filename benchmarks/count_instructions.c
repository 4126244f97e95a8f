/* A plugin of QEMU's user-mode emulator (plugin interface 1) that counts executed instructions:
 *
 *   cc -O2 -shared -fPIC benchmarks/count_instructions.c -o count.so
 *   qemu-aarch64 -plugin ./count.so -d plugin PROGRAM
 *
 * prints "instructions: N" at the end. Only the functions in use are declared here, so that no
 * header of QEMU is needed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum { ADD = 0 };

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*call)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int op, void *to,
                                              uint64_t by);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id, void *), void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_outs(const char *text);

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

int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
  (void)info;
  (void)count;
  (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, end, NULL);
  return 0;
}
