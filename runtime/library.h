/* A compiled model in a shared object: opens the object, finds the model's descriptor, closes the
 * object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_LIBRARY_H
#define QN_RUNTIME_LIBRARY_H

#include <quern/base.h>

#include "runtime/abi.h"

typedef struct qn_library qn_library;

/* Opens the file and looks up SYMBOL_model. Errors: QN_IO if the system can't load the file;
 * QN_NOT_FOUND if it lacks the symbol; QN_INVALID if the model has another ABI version. The reason
 * is written to out_reason[reason_bytes], always terminated. Code of the file runs while it is
 * loaded, so open only files whose code may be executed. */
QN_NODISCARD qn_status qn_library_open(const char *path, const char *symbol, char *out_reason,
                                       size_t reason_bytes, qn_library **out_library);
/* Closes the object; NULL is allowed. Instances of its model must be destroyed before. */
void qn_library_close(qn_library *library);
const qn_abi_model *qn_library_model(const qn_library *library);

#endif
