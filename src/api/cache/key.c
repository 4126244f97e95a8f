/* The key of a cache entry: a digest of the build of this library, the model's file, the load
 * options and the compile options. Each part is digested with its length, so that different lists
 * of parts never give the same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <link.h>
#include <nettle/sha2.h>
#include <string.h>

#include "api/cache/cache.h"

_Static_assert(QN_CACHE_DIGEST == SHA256_DIGEST_SIZE, "keys are SHA-256");

/* ---- identity of this build: the build id that the linker wrote into the file with this code
 * ---- */

typedef struct build {
  uintptr_t here; /* an address in the file with this code */
  const uint8_t *id;
  size_t size; /* bytes of the build id; 0 if not found */
} build;

static size_t padded(size_t size) { return (size + 3) & ~(size_t)3; }

static void read_notes(build *b, const uint8_t *notes, size_t size) {
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    memcpy(&note, notes, sizeof note);
    size_t name = padded(note.n_namesz), all = sizeof note + name + padded(note.n_descsz);
    if (all > size) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      b->id = notes + sizeof note + name;
      b->size = note.n_descsz;
    }
    notes += all;
    size -= all;
  }
}

static bool covers(const struct dl_phdr_info *file, uintptr_t address) {
  for (size_t i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && address - (file->dlpi_addr + part->p_vaddr) < part->p_memsz)
      return true;
  }
  return false;
}

static int look(struct dl_phdr_info *file, size_t size, void *user) {
  build *b = user;
  (void)size;
  if (!covers(file, b->here)) return 0;
  for (size_t i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    if (part->p_type == PT_NOTE)
      read_notes(b, (const uint8_t *)(file->dlpi_addr + part->p_vaddr), part->p_memsz);
  }
  return 1;
}

static build build_of_this(void) {
  build b = {.here = (uintptr_t)qn_cache_key_of};
  dl_iterate_phdr(look, &b);
  return b;
}

/* ---- the key ---- */

static void add(struct sha256_ctx *state, const void *data, size_t size) {
  uint64_t length = size;
  sha256_update(state, sizeof length, (const uint8_t *)&length);
  sha256_update(state, size, data);
}

static void add_str(struct sha256_ctx *state, qn_str text) { add(state, text.data, text.size); }

/* Adds a text. NULL and the empty text give different digests. */
static void add_text(struct sha256_ctx *state, const char *text_or_null) {
  uint8_t given = text_or_null != NULL;
  add(state, &given, 1);
  if (given) add(state, text_or_null, strlen(text_or_null));
}

static void add_model(struct sha256_ctx *state, const qn_model *model) {
  qn_bytes file = qn_file_bytes(model->file);
  /* locations of MLIR text contain the name, and steps in the code contain locations */
  add_str(state, model->name);
  add_str(state, model->reading);
  add(state, file.data, file.size);
}

static void add_target(struct sha256_ctx *state, const qn_codegen_target *target) {
  add_text(state, target->level->name);
  add_str(state, target->triple);
  add_str(state, target->cpu);
  add_str(state, target->tune);
  add_str(state, target->features);
}

static void add_options(struct sha256_ctx *state, const qn_compile_options *options) {
  const uint8_t small[] = {options->keep_tensors != 0, (uint8_t)options->optimize,
                           options->io_in_arena != 0};
  const uint64_t limit = options->arena_limit;
  add(state, small, sizeof small);
  add(state, &limit, sizeof limit);
  add_text(state, options->symbol);
  add_text(state, options->disabled);
}

bool qn_cache_key_of(const qn_model *model, const qn_compile_options *options,
                     const qn_codegen_target *target, qn_cache_key *out_key) {
  build b = build_of_this();
  if (model->changed || options->explain || b.size == 0) return false;
  struct sha256_ctx state;
  sha256_init(&state);
  add(&state, b.id, b.size);
  add(&state, &(uint32_t){qn_codegen_llvm_version()}, sizeof(uint32_t));
  add_model(&state, model);
  add_target(&state, target);
  add_options(&state, options);
  sha256_digest(&state, sizeof out_key->bytes, out_key->bytes);
  return true;
}
