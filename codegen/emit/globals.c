/* Constants: as LLVM globals, some with a placeholder, or as a memory image outside of LLVM.
 *
 * Most bytes of JIT code are constants, which LLVM would hold four times: as a constant, a fragment
 * of a section, an object, and linked. So they are written once to their final location, and the
 * linker gets their addresses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/walk.h"

static size_t bytes_of(const qn_attr *value) {
  size_t size = value->dense.bytes.size;
  return value->dense.splat ? (size_t)qn_type_elements(value->type) * size : size;
}

/* Writes the payload as it is in memory; a splat is expanded. */
static void put_content(uint8_t *to, const qn_attr *value) {
  qn_bytes each = value->dense.bytes;
  for (size_t i = 0, size = bytes_of(value); i < size; i += each.size)
    memcpy(to + i, each.data, each.size);
}

/* ---- as LLVM globals ---- */

static LLVMValueRef payload(const qn_cg *cg, const qn_attr *value) {
  qn_bytes bytes = value->dense.bytes;
  if (!value->dense.splat)
    return LLVMConstStringInContext2(cg->llvm, (const char *)bytes.data, bytes.size, 1);
  size_t size = bytes_of(value);
  uint8_t *expanded = qn_heap_new(size + 1);
  put_content(expanded, value);
  LLVMValueRef content = LLVMConstStringInContext2(cg->llvm, (const char *)expanded, size, 1);
  qn_heap_free(expanded);
  return content;
}

void qn_emit_memref_global(qn_cg *cg, const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_INITIAL_VALUE);
  bool stands_in = qn_cg_has_placeholder(cg, value);
  LLVMValueRef content = stands_in ? qn_cg_placeholder(cg, value) : payload(cg, value);
  LLVMValueRef global = LLVMAddGlobal(cg->module, LLVMTypeOf(content), qn_cg_symbol_name(cg, op));
  LLVMSetInitializer(global, content);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetExternallyInitialized(global, stands_in);
  LLVMSetLinkage(global, qn_cg_symbol_linkage(cg, LLVMPrivateLinkage));
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  size_t element = (size_t)qn_type_bytes(qn_type_element(value->type));
  LLVMSetAlignment(global, qn_target_constant_align(cg->level, bytes_of(value), element));
  if (cg->source->options
          ->section) { /* one section for all, even if a linker could merge constants */
    LLVMSetSection(global, cg->source->options->section);
    LLVMSetUnnamedAddress(global, LLVMNoUnnamedAddr);
  }
  qn_map_set(&cg->symbols, op, global);
}

void qn_emit_memref_get_global(qn_cg *cg, const qn_op *op) {
  const qn_op *global = qn_cg_named(cg->source, qn_op_global_name(op));
  QN_ASSERT(global && global->kind == QN_OP_MEMREF_GLOBAL);
  e_set(cg, op, qn_cg_symbol(cg, global));
}

/* ---- as an image ---- */

enum { ALIGN = QN_ABI_ALIGN };

qn_file *qn_cg_image_file(const qn_cg_source *source, const qn_op *global) {
  const qn_attr *value = qn_op_find(global, QN_A_INITIAL_VALUE);
  if (value->dense.splat) return NULL;
  qn_file *file = qn_module_file_of(source->module, value->dense.bytes);
  return file && qn_file_is_sealed(file) ? file : NULL;
}

static size_t aligned(size_t at) { return (at + ALIGN - 1) / ALIGN * ALIGN; }

/* Offsets of the next symbol, name and content. Contents that are copied from files come last, so
 * that their pages are not allocated before. */
typedef struct places {
  size_t symbol, name, content, copied;
} places;

static size_t *content_place(const qn_cg_source *source, const qn_op *global, places *at) {
  return qn_cg_image_file(source, global) ? &at->copied : &at->content;
}

/* Allocates the offset of a content and advances *at. */
static size_t take_place(const qn_op *global, size_t *at) {
  size_t place = *at;
  *at = aligned(place + bytes_of(qn_op_find(global, QN_A_INITIAL_VALUE)));
  return place;
}

/* Offsets of the first symbol, name and content; *out_end: end of the image. */
static places begin_of(const qn_cg_source *source, size_t *out_end) {
  places at = {.symbol = sizeof(qn_cg_image)}, sizes = {0};
  size_t symbols = 0, names = 0;
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) {
    if (op->kind != QN_OP_MEMREF_GLOBAL) continue;
    symbols++;
    names += sizeof QN_PART_PREFIX + qn_op_sym_name(op).size;
    (void)take_place(op, content_place(source, op, &sizes));
  }
  at.name = at.symbol + symbols * sizeof(qn_cg_image_symbol);
  at.content = aligned(at.name + names);
  at.copied = at.content + sizes.content;
  *out_end = at.copied + sizes.copied;
  return at;
}

size_t qn_cg_image_size(const qn_cg_source *source) {
  size_t end;
  (void)begin_of(source, &end);
  return end;
}

static uint64_t put_global(const qn_cg_source *source, uint8_t *image, places *at,
                           const qn_op *global) {
  size_t *next = content_place(source, global, at), place = take_place(global, next);
  if (next == &at->content) put_content(image + place, qn_op_find(global, QN_A_INITIAL_VALUE));
  return place;
}

static void put_symbol(const qn_cg_source *source, uint8_t *image, places *at,
                       const qn_op *global) {
  qn_str name = qn_op_sym_name(global);
  const qn_cg_image_symbol symbol = {.name = at->name,
                                     .content = put_global(source, image, at, global)};
  memcpy(image + at->symbol, &symbol, sizeof symbol);
  memcpy(image + at->name, QN_PART_PREFIX, sizeof QN_PART_PREFIX - 1);
  memcpy(image + at->name + sizeof QN_PART_PREFIX - 1, name.data, name.size);
  at->symbol += sizeof symbol;
  at->name += sizeof QN_PART_PREFIX + name.size;
}

void qn_cg_image_write(const qn_cg_source *source, uint8_t *image) {
  size_t end;
  places at = begin_of(source, &end);
  qn_cg_image head = {.magic = QN_CG_IMAGE_MAGIC};
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) {
    if (op->kind != QN_OP_MEMREF_GLOBAL) continue;
    put_symbol(source, image, &at, op);
    head.count++;
  }
  memcpy(image, &head, sizeof head);
}
