/* What plugins of QEMU (plugin interface 1) that count share: the functions in use, so that no
 * header of QEMU is needed, and the installation. The plugin defines `translated` and `end`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BENCHMARKS_COUNT_H
#define QN_BENCHMARKS_COUNT_H

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
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
void qemu_plugin_outs(const char *text);

static void translated(plugin_id id, struct qemu_plugin_tb *block); /* a block, before it runs */
static void end(plugin_id id, void *user);                          /* of the emulator */

int qemu_plugin_install(plugin_id id, const void *info, int count, char **arguments) {
  (void)info;
  (void)count;
  (void)arguments;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, end, NULL);
  return 0;
}

#endif
