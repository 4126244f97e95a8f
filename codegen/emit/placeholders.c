/* Placeholders for the large constants of an object.
 *
 * LLVM holds a constant four times on the way to an object: as itself, as a fragment of a section,
 * in the file, and in a copy of the file. A placeholder of the same size begins with a marker
 * number, followed by zeros, which take no memory except in the file. In the file its position is
 * found by the number. The optimizer treats its content as unknown.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "codegen/emit/emit.h"

/* Minimum size of a replaced constant; smaller ones are many and save little. */
enum { MIN_BYTES = 4 << 10 };

typedef struct marker {
  char magic[24];
  uint64_t number;
} marker;

static const marker prototype = {.magic = "quern: constant number"};

/* Whether LLVM would treat the bytes as a C string (its only zero is the last byte), which has a
 * separate section. */
static bool is_string(qn_bytes bytes) {
  return memchr(bytes.data, 0, bytes.size) == bytes.data + bytes.size - 1;
}

bool qn_cg_has_placeholder(const qn_cg *cg, const qn_attr *value) {
  qn_bytes bytes = value->dense.bytes;
  return cg->source->placeholders && !value->dense.splat && bytes.size >= MIN_BYTES &&
         !is_string(bytes);
}

LLVMValueRef qn_cg_placeholder(qn_cg *cg, const qn_attr *value) {
  marker first = prototype;
  first.number = cg->placeholders.count;
  qn_array_push(&cg->placeholders, value->dense.bytes);
  LLVMTypeRef zeros = LLVMArrayType2(cg->i8, value->dense.bytes.size - sizeof first);
  LLVMValueRef parts[] = {
      LLVMConstStringInContext2(cg->llvm, (const char *)&first, sizeof first, 1),
      LLVMConstNull(zeros)};
  return LLVMConstStructInContext(cg->llvm, parts, QN_COUNT(parts), 0);
}

/* Offset of the next marker from `at` on; the end of the file if none. */
static size_t find(qn_bytes file, size_t at, uint64_t *out_number) {
  const uint8_t *found =
      memmem(file.data + at, file.size - at, prototype.magic, sizeof prototype.magic);
  if (!found) return file.size;
  size_t place = (size_t)(found - file.data);
  *out_number = UINT64_MAX;
  if (file.size - place >= sizeof(marker))
    memcpy(out_number, found + offsetof(marker, number), sizeof *out_number);
  return place;
}

/* Finds all placeholders. LLVM wrote each marker once; if each occurs exactly once, these are the
 * placeholders. Any further occurrence is in the model's own bytes. */
static bool find_all(const qn_cg *cg, qn_bytes file, size_t *places) {
  uint64_t number;
  size_t next = 0, end = 0;
  for (size_t at = 0; (at = find(file, at, &number)) < file.size; at += sizeof prototype.magic) {
    if (next == cg->placeholders.count || number != next || at < end) return false;
    size_t size = cg->placeholders.data[next].size;
    if (size > file.size - at) return false;
    places[next++] = at;
    end = at + size;
  }
  return next == cg->placeholders.count;
}

bool qn_cg_replace_placeholders(qn_cg *cg, uint8_t *file, size_t size) {
  size_t count = cg->placeholders.count, *places = QN_NEW_ARRAY(&cg->arena, count + 1, size_t);
  if (count > 0 && !find_all(cg, (qn_bytes){file, size}, places)) return false;
  for (size_t i = 0; i < count; i++) {
    qn_bytes content = cg->placeholders.data[i];
    QN_ASSERT(places[i] <= size && content.size <= size - places[i]);
    memcpy(file + places[i], content.data, content.size);
  }
  return true;
}
