/* Text of the model inside comments of C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/comment.h"

void qn_cg_put_comment(qn_text *out, qn_str words) {
  for (size_t i = 0; i < words.size; i++) {
    char c = words.data[i];
    bool plain = c >= ' ' && c < 0x7F && c != '\\' && c != '*' && c != '?';
    qn_text_putc(out, plain ? c : '_');
  }
}
