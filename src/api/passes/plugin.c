/* Plug-ins: shared objects with passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <quern/plugin.h>

#include "api/call.h"

typedef const qn_plugin *describe_fn(void);

static qn_status fail(qn_context *context, const char *path, qn_status status, const char *what) {
  const qn_loc *loc = qn_loc_file(&context->ir.diag, qn_str_of(path), 0, 0);
  return qn_error(&context->ir.diag, loc, status, "%s", what);
}

static qn_status register_all(qn_context *context, const char *path, const qn_plugin *plugin) {
  if (!plugin) return fail(context, path, QN_INVALID, "the plug-in describes nothing");
  if (plugin->api_version != QN_PASS_API_VERSION) {
    const qn_loc *loc = qn_loc_file(&context->ir.diag, qn_str_of(path), 0, 0);
    return qn_error(&context->ir.diag, loc, QN_INVALID,
                    "the plug-in is made for version %u of the pass interface, this is version %d",
                    plugin->api_version, QN_PASS_API_VERSION);
  }
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < plugin->pass_count; i++) {
    qn_status one = qn_pass_register(context, &plugin->passes[i]);
    if (status == QN_OK) status = one;
  }
  for (uint32_t i = 0; i < plugin->config_key_count; i++) {
    qn_status one = qn_config_key_register(context, &plugin->config_keys[i]);
    if (status == QN_OK) status = one;
  }
  return status == QN_OK ? QN_OK : fail(context, path, status, "parts of it are rejected");
}

static qn_status load(qn_context *context, const char *path) {
  qn_text full = {0};
  /* without a slash, dlopen would search its own directories */
  if (!strchr(path, '/')) qn_text_puts(&full, "./");
  qn_text_puts(&full, path);
  void *library = dlopen(full.data, RTLD_NOW | RTLD_LOCAL);
  qn_text_deinit(&full);
  if (!library) return fail(context, path, QN_IO, dlerror());
  void *symbol = dlsym(library, "qn_plugin_describe");
  describe_fn *describe;
  memcpy(&describe, &symbol, sizeof describe);
  if (symbol) return register_all(context, path, describe());
  (void)dlclose(library);
  return fail(context, path, QN_INVALID, "is no plug-in: it does not export qn_plugin_describe");
}

qn_status qn_context_load_plugin(qn_context *context, const char *path) {
  qn_status status;
  QN_CALL(&status, context, path, NULL, load(context, path));
  return status;
}
