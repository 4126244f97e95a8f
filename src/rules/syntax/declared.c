/* Signatures that a C++ file declares in comments for tools like this one:
 * ":::EXTERNAL_SHAPEFN::: { OpRef add_pads(Replacement &, OpRef, OpRef); }".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "rules/syntax/parser.h"

/* The letter of a C++ parameter type (see qn_rule_external): 's' for the split context, ' ' for
 * other parameters that are not operands of the rule, 0 for an unknown type. */
static char letter_of(qn_str type) {
  static const struct {
    const char *word;
    char letter;
  } words[] = {{"Replacement", ' '}, {"Split_Context", 's'}, {"OpRef", 'o'},    {"OpDef", 'o'},
               {"size_t", 'u'},      {"unsigned", 'u'},      {"uint32_t", 'u'}, {"float", 'f'},
               {"bool", 'b'},        {"DType", 'd'},         {"int32_t", 'i'},  {"int", 'i'}};
  for (size_t i = 0; i < QN_COUNT(words); i++)
    if (memmem(type.data, type.size, words[i].word, strlen(words[i].word))) return words[i].letter;
  return '\0';
}

/* Reads one signature from the text after its mark. Returns false if it is malformed or has an
 * unknown type. */
static bool read_one(qn_arena *arena, qn_str text, qn_rule_declared *out_declared) {
  const char *end = text.data + text.size;
  const char *open = memchr(text.data, '(', text.size);
  const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
  if (!close) return false;
  const char *name_end = open;
  while (name_end > text.data && name_end[-1] == ' ') name_end--;
  const char *name = name_end;
  while (name > text.data && qn_rule_is_name_part(name[-1])) name--;
  qn_str list = {open + 1, (size_t)(close - open - 1)}, type;
  char *letters = qn_arena_alloc(arena, list.size + 1);
  size_t count = 0;
  while (qn_str_next(&list, &type)) {
    char letter = letter_of(type);
    if (letter == '\0') return false;
    if (letter != ' ' && letter != 's') letters[count++] = letter;
  }
  *out_declared = (qn_rule_declared){{name, (size_t)(name_end - name)}, {letters, count}};
  return name < name_end;
}

void qn_rule_parse_declared(qn_arena *arena, qn_rule_file *file) {
  static const char mark[] = ":::EXTERNAL_SHAPEFN:::";
  enum { LONGEST = 1000 };
  QN_ARRAY(qn_rule_declared) list = {0};
  const char *end = file->source.data + file->source.size;
  for (const char *at = file->source.data; at < end;) {
    const char *found = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
    if (!found) break;
    at = found + sizeof mark - 1;
    size_t size = (size_t)(end - at) < LONGEST ? (size_t)(end - at) : LONGEST;
    qn_rule_declared declared;
    if (read_one(arena, (qn_str){at, size}, &declared)) qn_array_push(&list, declared);
  }
  file->declared = qn_arena_copy(arena, list.data, list.count * sizeof *list.data);
  file->declared_count = (uint32_t)list.count;
  qn_array_free(&list);
}
