/* Text of the model inside comments of C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_COMMENT_H
#define QN_CODEGEN_COMMENT_H

#include "base/str.h"

/* Appends words of the model. Characters that could end the comment, begin a trigraph or splice
 * lines, and all that are not printable ASCII, are replaced. */
void qn_cg_put_comment(qn_text *out, qn_str words);

#endif
