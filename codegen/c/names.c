/* Names of the file: symbols of the module may be any text, C identifiers may not.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "codegen/c/c.h"
#include "ir/walk.h"

enum { MAX_NAME = 48 }; /* C99 compilers distinguish 63 characters */

static bool is_plain(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
}

const char *qn_c_find_name(const char *text, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
    bool begins = at == text || !(is_plain(at[-1]) || at[-1] == '_');
    if (begins && !is_plain(at[size]) && at[size] != '_') return at;
  }
  return NULL;
}

/* The prefix keeps names apart from keywords, from macros, and from the names of helpers. */
static const char *name_for(qn_c *c, const qn_op *op) {
  qn_str symbol = qn_op_sym_name(op);
  qn_text text = {0};
  qn_text_puts(&text, op->kind == QN_OP_FUNC ? "kernel_" : "data_");
  for (size_t i = 0; i < symbol.size && i < MAX_NAME; i++)
    qn_text_putc(&text, is_plain(symbol.data[i]) ? symbol.data[i] : '_');
  qn_str name = qn_arena_str(&c->arena, qn_text_view(&text));
  for (uint32_t n = 2; qn_str_map_get(&c->taken, name); n++)
    name = qn_arena_format(&c->arena, "%s_%u", text.data, n);
  qn_text_deinit(&text);
  return name.data;
}

/* Names that begin with the symbol, which could be "kernel" or "data". */
static void take_exported(qn_c *c) {
  static const char *const suffixes[] = {"call",    "invoke", "kernel", "model",
                                         "prepare", "reset",  "run",    "supported"};
  for (size_t i = 0; i < QN_COUNT(suffixes); i++) {
    const char *name = qn_c_format(c, "%s_%s", c->symbol, suffixes[i]);
    qn_str_map_set(&c->taken, qn_str_of(name), (void *)(uintptr_t)name);
  }
}

void qn_c_name_symbols(qn_c *c) {
  take_exported(c);
  QN_FOR_EACH_OP(op, qn_op_body(c->source->module->op)) {
    bool named = op->kind == QN_OP_FUNC || op->kind == QN_OP_MEMREF_GLOBAL;
    if (!named || op == c->source->interface.main) continue;
    const char *name = name_for(c, op);
    qn_str_map_set(&c->taken, qn_str_of(name), (void *)(uintptr_t)name);
    qn_map_set(&c->names, op, (void *)(uintptr_t)name);
  }
}

const char *qn_c_name(const qn_c *c, const qn_op *op) {
  const char *name = qn_map_get(&c->names, op);
  QN_ASSERT(name);
  return name;
}

void qn_c_put_template(const qn_c *c, const char *text, qn_text *out) {
  for (; *text; text++) {
    if (*text == '$')
      qn_text_puts(out, c->symbol);
    else
      qn_text_putc(out, *text);
  }
}

/* A digit after an octal escape of three digits is not part of it; "?" could begin a trigraph. */
void qn_c_put_string(qn_text *out, const char *string) {
  qn_text_putc(out, '"');
  for (; *string; string++) {
    unsigned char ch = (unsigned char)*string;
    bool plain = ch >= ' ' && ch < 0x7F && ch != '"' && ch != '\\' && ch != '?';
    if (plain)
      qn_text_putc(out, (char)ch);
    else
      qn_text_format(out, "\\%03o", ch);
  }
  qn_text_putc(out, '"');
}
