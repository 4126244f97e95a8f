/* Comments in text and assembly: before each kernel, the names and shapes of the layers that launch
 * it. Both formats have a function's name on a separate line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codegen/context.h"

/* "@conv_2" of a definition in LLVM's text, "conv_2:" of assembly; empty on any other line. */
static qn_str name_in(qn_str line, qn_emit form) {
  if (form == QN_EMIT_ASM) {
    const char *colon = memchr(line.data, ':', line.size);
    return (qn_str){line.data, colon ? (size_t)(colon - line.data) : 0};
  }
  const char *at = qn_str_starts(line, "define ") ? memchr(line.data, '@', line.size) : NULL;
  if (!at) return (qn_str){line.data, 0};
  const char *end = memchr(at, '(', line.size - (size_t)(at - line.data));
  return (qn_str){at + 1, end ? (size_t)(end - at - 1) : 0};
}

/* Appends a comment. Layer names come from the model, so characters that could end the comment are
 * replaced. */
static void put_comment(qn_text *out, qn_emit form, qn_str words) {
  qn_text_puts(out, form == QN_EMIT_ASM ? "# " : "; ");
  for (size_t i = 0; i < words.size; i++) {
    bool plain = (unsigned char)words.data[i] >= ' ' && words.data[i] != 0x7F;
    qn_text_putc(out, plain ? words.data[i] : '?');
  }
  qn_text_putc(out, '\n');
}

void qn_cg_annotate(const qn_cg_source *source, qn_str text, qn_emit form, qn_text *out) {
  QN_ASSERT(form == QN_EMIT_LLVM || form == QN_EMIT_ASM);
  for (size_t begin = 0, end; begin < text.size; begin = end) {
    const char *newline = memchr(text.data + begin, '\n', text.size - begin);
    end = newline ? (size_t)(newline - text.data) + 1 : text.size;
    qn_str line = {text.data + begin, end - begin}, name = name_in(line, form);
    const qn_op *kernel = name.size > 0 ? qn_cg_named(source, name) : NULL;
    const qn_attr *layers = kernel ? qn_op_layers(kernel) : NULL;
    for (uint32_t i = 0; layers && i < layers->array.count; i++) {
      const qn_attr *layer = layers->array.items[i];
      if (layer->kind == QN_ATTR_STRING) put_comment(out, form, layer->string);
    }
    qn_text_put(out, line);
  }
}
