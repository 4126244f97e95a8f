/* Compiled models in shared objects, by the system's loader.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct qn_library {
  void *handle;
  const qn_abi_model *model;
};

static qn_status look_up(qn_library *library, const char *path, const char *symbol,
                         char *out_reason, size_t reason_bytes) {
  char name[256];
  int length = snprintf(name, sizeof name, "%s_model", symbol);
  if (length < 0 || (size_t)length >= sizeof name) {
    snprintf(out_reason, reason_bytes, "symbol name too long");
    return QN_INVALID;
  }
  library->model = dlsym(library->handle, name);
  if (!library->model) {
    snprintf(out_reason, reason_bytes, "%s has no symbol %s", path, name);
    return QN_NOT_FOUND;
  }
  if (!qn_abi_is_known(library->model)) {
    snprintf(out_reason, reason_bytes, "%s is of ABI version %u, this reads %u and %u", path,
             library->model->version, QN_ABI_VERSION, QN_ABI_VERSION_PREPARED);
    return QN_INVALID;
  }
  if (library->model->supported && !library->model->supported()) {
    snprintf(out_reason, reason_bytes, "%s is compiled for %s, which this machine can't run", path,
             library->model->target);
    return QN_UNSUPPORTED;
  }
  return QN_OK;
}

qn_status qn_library_open(const char *path, const char *symbol, char *out_reason,
                          size_t reason_bytes, qn_library **out_library) {
  *out_library = NULL;
  qn_library *library = calloc(1, sizeof *library);
  if (!library) {
    snprintf(out_reason, reason_bytes, "out of memory");
    return QN_LIMIT;
  }
  qn_status status = QN_IO;
  library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library->handle)
    status = look_up(library, path, symbol, out_reason, reason_bytes);
  else
    snprintf(out_reason, reason_bytes, "%s", dlerror());
  if (status != QN_OK) {
    qn_library_close(library);
    return status;
  }
  *out_library = library;
  return QN_OK;
}

void qn_library_close(qn_library *library) {
  if (!library) return;
  if (library->handle) dlclose(library->handle);
  free(library);
}

const qn_abi_model *qn_library_model(const qn_library *library) { return library->model; }
