/* A compiled model in a shared object: open, find its entry, close.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_LIBRARY_H
#define QN_RUNTIME_LIBRARY_H

#include <quern/base.h>

#include "runtime/abi.h"

typedef struct qn_library qn_library;

/* Opens the file and looks up SYMBOL_model. QN_IO when the system can't load it, QN_NOT_FOUND
 * without that symbol, QN_INVALID when it is of another ABI version; the reason is written to
 * `out_reason`
 * (`reason_bytes` of them, always terminated). Code of the file runs while it is loaded: open only
 * what you would execute. */
QN_NODISCARD qn_status qn_library_open(const char *path, const char *symbol, char *out_reason,
                                       size_t reason_bytes, qn_library **out_library);
/* Instances of the entry must be gone by then; NULL is allowed. */
void qn_library_close(qn_library *library);
const qn_abi_model *qn_library_model(const qn_library *library);

#endif
