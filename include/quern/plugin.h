/* Passes in a shared object. A plug-in exports one function:
 *
 *   #include <quern/plugin.h>
 *   static qn_status run(const qn_pass_api *api, qn_pass_run *run, void *user) { ... }
 *   static const qn_user_pass passes[] = {
 *       {.size = sizeof(qn_user_pass), .name = "my-pass", .summary = "does it", .run = run}};
 *   QN_PLUGIN_EXPORT const qn_plugin *qn_plugin_describe(void) {
 *     static const qn_plugin plugin = {QN_PASS_API_VERSION, "mine", "1.0", passes, 1};
 *     return &plugin;
 *   }
 *
 * It is compiled with this header alone (cc -shared -fPIC) and links with nothing of Quern. One
 * that was made for another version of the interface is rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_PLUGIN_H
#define QUERN_PLUGIN_H

#include <quern/pass.h>

#ifdef __cplusplus
#define QN_PLUGIN_EXPORT extern "C" QN_API
#else
#define QN_PLUGIN_EXPORT QN_API
#endif

typedef struct qn_plugin {
  uint32_t api_version; /* QN_PASS_API_VERSION; the first field in every version of the struct */
  const char *name, *version;
  const qn_user_pass *passes;
  uint32_t pass_count;
  const qn_user_option *config_keys; /* keys for qn_run_options.config */
  uint32_t config_key_count;
} qn_plugin;

QN_PLUGIN_EXPORT const qn_plugin *qn_plugin_describe(void);

#endif
