/* Checks that an object has no undefined symbols, so that the user sees an error before linking
 * fails. check.c rejects ops that are known to call a library routine. This check detects any other
 * symbol that LLVM introduces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>

#include "codegen/error.h"
#include "codegen/machine/machine.h"

/* Properties of a symbol table that 32-bit and 64-bit ELF share. The file was written by LLVM, so
 * it is not checked for damage. */
typedef struct symbols {
  qn_bytes file;
  size_t first, count, size; /* offset in the file; number of symbols; bytes of one */
  size_t names;              /* offset of the names in the file */
  bool wide;
} symbols;

#define FIND(name, bits)                                                                           \
  static void name(symbols *s) {                                                                   \
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
    }                                                                                              \
  }
FIND(find_narrow, 32)
FIND(find_wide, 64)
#undef FIND

static symbols symbols_of(qn_bytes object) {
  symbols s = {.file = object};
  QN_ASSERT(object.size > sizeof(Elf64_Ehdr) && memcmp(object.data, ELFMAG, SELFMAG) == 0);
  s.wide = object.data[EI_CLASS] == ELFCLASS64;
  (s.wide ? find_wide : find_narrow)(&s);
  return s;
}

/* The name of symbol i if it is undefined; NULL if it is defined, or has no name. */
static const char *needed(const symbols *s, size_t i) {
  const uint8_t *at = s->file.data + s->first + i * s->size;
  Elf64_Sym wide;
  Elf32_Sym narrow;
  if (s->wide)
    memcpy(&wide, at, sizeof wide);
  else
    memcpy(&narrow, at, sizeof narrow);
  bool undefined = (s->wide ? wide.st_shndx : narrow.st_shndx) == SHN_UNDEF;
  size_t name = s->wide ? wide.st_name : narrow.st_name;
  return undefined && name ? (const char *)s->file.data + s->names + name : NULL;
}

static bool is_listed(const qn_cg *cg, const char *name) {
  for (const char *const *known = cg->architecture->library; *known; known++)
    if (strcmp(*known, name) == 0) return true;
  return false;
}

qn_status qn_cg_check_alone(const qn_cg *cg, qn_bytes object) {
  const symbols s = symbols_of(object);
  qn_ir_context *cx = cg->source->cx;
  qn_text names = {0};
  for (size_t i = 0; i < s.count; i++) {
    const char *name = needed(&s, i);
    if (name && !is_listed(cg, name)) qn_text_format(&names, " %s", name);
  }
  qn_status status = QN_OK;
  if (names.size > 0)
    status = qn_error(&cx->diag, cg->source->module->op->loc, QN_UNSUPPORTED,
                      "code of the level %s would need routines of a library:%s", cg->level->name,
                      names.data);
  qn_text_deinit(&names);
  return status;
}
