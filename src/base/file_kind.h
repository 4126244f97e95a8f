/* What text is by its first characters, where it is surely no MLIR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_FILE_KIND_H
#define QN_BASE_FILE_KIND_H

#include <quern/base.h>

/* NULL: it may be. See also qn_file_kind, of bytes. */
const char *qn_text_kind(qn_bytes bytes);
/* How a file of such a kind, of either function, becomes a model that can be read; NULL: not at
 * all. */
const char *qn_file_remedy(const char *kind);

#endif
