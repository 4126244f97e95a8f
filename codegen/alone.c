/* Checks that an object has no undefined symbols, so that the user sees an error before linking
 * fails. check.c rejects ops that are known to call a library routine. This check detects any other
 * symbol that LLVM introduces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>

#include "codegen/error.h"
#include "codegen/machine/machine.h"

/* The symbol table of an object. The file was written by LLVM, so it is not checked for damage. */
typedef struct symbols {
  qn_bytes file;
  size_t first, count, size; /* offset in the file; number of symbols; bytes of one */
  size_t names;              /* offset of the names in the file */
  size_t
      followers; /* offset in a symbol of the number of records that only belong to it; 0: none */
  /* The name of the symbol at an address if it is undefined; empty if it is defined or has none. */
  qn_str (*needed)(const struct symbols *s, const uint8_t *at);
} symbols;

static uint32_t word(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static qn_str name_at(const symbols *s, size_t offset) {
  return qn_str_of((const char *)s->file.data + s->names + offset);
}

/* ---- ELF ---- */

#define ELF(bits)                                                                                  \
  static qn_str needed_by_elf##bits(const symbols *s, const uint8_t *at) {                         \
    Elf##bits##_Sym symbol;                                                                        \
    memcpy(&symbol, at, sizeof symbol);                                                            \
    return symbol.st_shndx == SHN_UNDEF ? name_at(s, symbol.st_name) : (qn_str){0};                \
  }                                                                                                \
                                                                                                   \
  static void find_elf##bits(symbols *s) {                                                         \
    Elf##bits##_Ehdr head;                                                                         \
    Elf##bits##_Shdr table, names;                                                                 \
    memcpy(&head, s->file.data, sizeof head);                                                      \
    for (size_t i = 0; i < head.e_shnum; i++) {                                                    \
      memcpy(&table, s->file.data + head.e_shoff + i * sizeof table, sizeof table);                \
      if (table.sh_type != SHT_SYMTAB) continue;                                                   \
      memcpy(&names, s->file.data + head.e_shoff + table.sh_link * sizeof names, sizeof names);    \
      s->first = table.sh_offset;                                                                  \
      s->size = sizeof(Elf##bits##_Sym);                                                           \
      s->count = table.sh_size / s->size;                                                          \
      s->names = names.sh_offset;                                                                  \
      s->needed = needed_by_elf##bits;                                                             \
    }                                                                                              \
  }
ELF(32)
ELF(64)
#undef ELF

static void find_elf(symbols *s) {
  QN_ASSERT(memcmp(s->file.data, ELFMAG, SELFMAG) == 0);
  (s->file.data[EI_CLASS] == ELFCLASS64 ? find_elf64 : find_elf32)(s);
}

/* ---- Mach-O of 64 bits ---- */

static qn_str needed_by_macho(const symbols *s, const uint8_t *at) {
  enum { KIND = 4, DEBUGGING = 0xe0, PLACE = 0x0e, EXTERNAL = 0x01 };
  bool undefined = (at[KIND] & (DEBUGGING | PLACE)) == 0 && (at[KIND] & EXTERNAL);
  return undefined ? name_at(s, word(at)) : (qn_str){0};
}

static void find_macho(symbols *s) {
  enum { HEADER = 32, MAGIC = 0xfeedfacf - (INT64_C(1) << 32), COMMANDS = 16, SYMBOL_TABLE = 2 };
  QN_ASSERT((int32_t)word(s->file.data) == MAGIC);
  uint32_t count = word(s->file.data + COMMANDS);
  const uint8_t *command = s->file.data + HEADER;
  for (uint32_t i = 0; i < count; i++, command += word(command + 4)) {
    if (word(command) != SYMBOL_TABLE) continue;
    s->first = word(command + 8);
    s->count = word(command + 12);
    s->names = word(command + 16);
  }
  s->size = 16;
  s->needed = needed_by_macho;
}

/* ---- COFF ---- */

static qn_str needed_by_coff(const symbols *s, const uint8_t *at) {
  enum { VALUE = 8, SECTION = 12, CLASS = 16, EXTERNAL = 2, WEAK = 105, SHORT = 8 };
  bool outside = at[SECTION] == 0 && at[SECTION + 1] == 0 && word(at + VALUE) == 0;
  if (!outside || (at[CLASS] != EXTERNAL && at[CLASS] != WEAK)) return (qn_str){0};
  if (word(at) == 0) return name_at(s, word(at + 4));
  return (qn_str){(const char *)at, strnlen((const char *)at, SHORT)};
}

static void find_coff(symbols *s) {
  enum { TABLE = 8, COUNT = 12, FOLLOWERS = 17 };
  s->first = word(s->file.data + TABLE);
  s->count = word(s->file.data + COUNT);
  s->size = 18;
  s->followers = FOLLOWERS;
  s->names = s->first + s->count * s->size;
  s->needed = needed_by_coff;
}

static symbols symbols_of(qn_bytes object, const char *triple) {
  static void (*const finders[])(symbols * s) = {
      [QN_FORMAT_ELF] = find_elf, [QN_FORMAT_MACHO] = find_macho, [QN_FORMAT_COFF] = find_coff};
  symbols s = {.file = object};
  QN_ASSERT(object.size > sizeof(Elf64_Ehdr));
  finders[qn_cg_format_of(triple)](&s);
  return s;
}

static bool is_listed(const qn_cg *cg, qn_str name) {
  for (const char *const *known = cg->architecture->library; *known; known++)
    if (qn_str_is(name, *known)) return true;
  return false;
}

qn_status qn_cg_check_alone(const qn_cg *cg, qn_bytes object) {
  const symbols s = symbols_of(object, cg->source->options->target.triple.data);
  qn_ir_context *cx = cg->source->cx;
  qn_text names = {0};
  for (size_t i = 0; i < s.count; i++) {
    const uint8_t *at = s.file.data + s.first + i * s.size;
    qn_str name = s.needed(&s, at);
    i += s.followers ? at[s.followers] : 0;
    if (name.size && !is_listed(cg, name)) qn_text_format(&names, " %.*s", QN_STR_ARG(name));
  }
  qn_status status = QN_OK;
  if (names.size > 0)
    status = qn_error(&cx->diag, cg->source->module->op->loc, QN_UNSUPPORTED,
                      "code of the level %s would need routines of a library:%s", cg->level->name,
                      names.data);
  qn_text_deinit(&names);
  return status;
}
