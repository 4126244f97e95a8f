/* Recognizes files that were passed as MLIR text by mistake, by their first characters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_FILE_KIND_H
#define QN_BASE_FILE_KIND_H

#include <quern/base.h>

/* What the text is if it can't be MLIR, as a phrase for messages; NULL if it may be MLIR.
 * qn_file_kind is the same for binary files. */
const char *qn_text_kind(qn_bytes bytes);
/* A hint how a file of `kind` (a result of qn_text_kind or qn_file_kind) can be converted to a
 * model that Quern reads; NULL if it can't be converted. */
const char *qn_file_remedy(const char *kind);

#endif
