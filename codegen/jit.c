/* JIT: the same objects as ahead of time, linked by ORC. JITLink writes them to pages that become
 * executable only once they are no longer writable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <sys/mman.h>

#include "base/clock.h"
#include "base/workers.h"
#include "codegen/context.h"
#include "codegen/error.h"
#include "ir/walk.h"

/* A constant that is copied into the image after the module is destroyed. */
typedef struct late_constant {
  qn_file *file; /* source of the copy; NULL if it is already in the image */
  size_t content;
} late_constant;

struct qn_jit {
  LLVMOrcLLJITRef lljit; /* owns the code */
  const qn_abi_model *model;
  uint8_t *pages,
      *image; /* pages of constants that the code reads, and the start of the image; NULL if none */
  size_t page_bytes, image_bytes, code_bytes;
  late_constant *late;
  uint32_t late_count;
};

/* ---- the image of constants ---- */

/* Bytes at the beginning of the image that use huge pages, rounded to whole pages. A model with
 * many weights reads each once per run, so that with 4-KiB pages TLB misses dominate. */
enum { LARGE_PAGE = 2 << 20 };
static size_t large_part(size_t bytes) {
  return (bytes + LARGE_PAGE / 2) / LARGE_PAGE * LARGE_PAGE;
}

/* Maps `bytes` of zeroed, writable memory as the image. seal_image makes it read-only later. Huge
 * pages are requested, and small pages used if the system has none. */
static void open_image(qn_jit *jit, size_t bytes) {
  size_t large = large_part(bytes), all = large > bytes ? large : bytes;
  if (large > 0) all += LARGE_PAGE;
  void *pages = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  jit->pages = jit->image = pages;
  jit->page_bytes = all;
  jit->image_bytes = bytes;
  if (large == 0) return;
  jit->image += LARGE_PAGE - (uintptr_t)pages % LARGE_PAGE;
  (void)madvise(jit->image, large, MADV_HUGEPAGE);
}

/* Makes all pages of the image read-only: mprotect on a part of a huge page would split it. */
static void seal_image(const qn_jit *jit) {
  if (mprotect(jit->pages, jit->page_bytes, PROT_READ) != 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

/* Writes the image, without the constants in files, which are kept and copied by finish_image. */
static void begin_image(qn_jit *jit, const qn_cg_source *source) {
  open_image(jit, qn_cg_image_size(source));
  qn_cg_image_write(source, jit->image);
  const qn_cg_image *head = (const qn_cg_image *)jit->image;
  const qn_cg_image_symbol *symbol = (const qn_cg_image_symbol *)(head + 1);
  jit->late = qn_heap_new((head->count + 1) * sizeof *jit->late);
  QN_FOR_EACH_OP(op, qn_op_body(source->module->op)) {
    if (op->kind != QN_OP_MEMREF_GLOBAL) continue;
    qn_file *file = qn_cg_image_file(source, op);
    if (file) {
      qn_file_retain(file);
      jit->late[jit->late_count++] = (late_constant){file, symbol->content};
    }
    symbol++;
  }
}

/* Copies the remaining constants one by one, releasing each source, so that at most one constant is
 * in memory twice. */
static void finish_image(qn_jit *jit) {
  for (uint32_t i = 0; i < jit->late_count; i++) {
    late_constant *late = &jit->late[i];
    qn_bytes bytes = qn_file_bytes(late->file);
    memcpy(jit->image + late->content, bytes.data, bytes.size);
    qn_file_release(late->file);
    late->file = NULL;
  }
  seal_image(jit);
}

static bool is_image(qn_bytes part) {
  return part.size > sizeof(qn_cg_image) &&
         memcmp(part.data, QN_CG_IMAGE_MAGIC, sizeof QN_CG_IMAGE_MAGIC) == 0;
}

/* Defines the addresses of the constants in ORC. */
static qn_status define_constants(const qn_jit *jit, qn_llvm_notes notes) {
  if (!jit->image) return QN_OK;
  const qn_cg_image *head = (const qn_cg_image *)jit->image;
  const qn_cg_image_symbol *symbols = (const qn_cg_image_symbol *)(head + 1);
  LLVMOrcCSymbolMapPairs pairs = qn_heap_new((head->count + 1) * sizeof *pairs);
  for (uint64_t i = 0; i < head->count; i++) {
    const char *name = (const char *)jit->image + symbols[i].name;
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit->lljit, name);
    pairs[i].Sym.Address = (uintptr_t)jit->image + symbols[i].content;
    pairs[i].Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, head->count);
  qn_heap_free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit->lljit), unit);
  if (error) LLVMOrcDisposeMaterializationUnit(unit);
  return qn_llvm_error(notes, "defining constants", error);
}

/* ---- linking ---- */

/* Error reporter for ORC, which would print errors otherwise: stores them in `notes`, if there are
 * any. */
static void collect(void *notes, LLVMErrorRef error) {
  if (qn_llvm_error(notes, "linking", error) != QN_OK) return;
}

static void drop(void *nothing, LLVMErrorRef error) {
  (void)nothing;
  LLVMConsumeError(error);
}

static void send_errors(qn_jit *jit, LLVMOrcErrorReporterFunction to, void *context) {
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->lljit), to, context);
}

/* Transfers the objects to ORC, which then owns them, including those that it rejects. */
static qn_status add_objects(qn_jit *jit, qn_cg_objects *objects, qn_llvm_notes notes) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit->lljit);
  for (uint32_t i = 0; i < objects->count; i++) {
    LLVMMemoryBufferRef object = objects->parts[i];
    jit->code_bytes += LLVMGetBufferSize(object);
    objects->parts[i] = NULL;
    QN_TRY(qn_llvm_error(notes, "adding an object",
                         LLVMOrcLLJITAddObjectFile(jit->lljit, dylib, object)));
  }
  return QN_OK;
}

static qn_status start(qn_jit *jit, qn_llvm_notes notes) {
  qn_cg_start_llvm();
  QN_TRY(qn_llvm_error(notes, "starting the JIT", LLVMOrcCreateLLJIT(&jit->lljit, NULL)));
  send_errors(jit, collect, notes);
  return QN_OK;
}

static qn_status find_model(qn_jit *jit, const char *name, qn_llvm_notes notes) {
  LLVMOrcExecutorAddress address = 0;
  QN_TRY(qn_llvm_error(notes, "linking", LLVMOrcLLJITLookup(jit->lljit, &address, name)));
  jit->model = (const qn_abi_model *)(uintptr_t)address;
  return QN_OK;
}

/* Lets all threads fetch the linked code. LLVM's linker does so where an architecture needs it, but
 * not on RISC-V, where Linux flushes the whole instruction caches, whatever the range is. */
static void flush_code(void) {
#ifdef __riscv
  __builtin___clear_cache(NULL, (char *)UINTPTR_MAX);
#endif
}

static qn_status link_objects(qn_jit *jit, qn_ir_context *cx, const qn_codegen_options *options,
                              qn_cg_objects *objects) {
  qn_llvm_notes notes = "";
  qn_text name = {0};
  qn_text_format(&name, "%.*s_model", QN_STR_ARG(options->symbol));
  qn_text_putc(&name, '\0');
  qn_status status = start(jit, notes);
  if (status == QN_OK) status = define_constants(jit, notes);
  if (status == QN_OK) status = add_objects(jit, objects, notes);
  if (status == QN_OK) status = find_model(jit, qn_text_view(&name).data, notes);
  flush_code();
  if (jit->lljit) send_errors(jit, drop, NULL);
  qn_text_deinit(&name);
  return status == QN_OK ? QN_OK : qn_llvm_report(cx, notes);
}

static void show(const qn_jit *jit, const qn_codegen_options *options,
                 const qn_cg_objects *objects) {
  qn_code code = {.count = objects->count};
  for (uint32_t i = 0; i < objects->count; i++)
    code.parts[i] = (qn_bytes){(const uint8_t *)LLVMGetBufferStart(objects->parts[i]),
                               LLVMGetBufferSize(objects->parts[i])};
  if (jit->image) code.parts[code.count++] = (qn_bytes){jit->image, jit->image_bytes};
  options->keep(options->keep_user, &code);
}

static qn_status create(qn_jit *jit, qn_cg_source *source) {
  const qn_codegen_options *options = source->options;
  uint32_t threads = options->threads ? options->threads : qn_usable_cpus();
  double begin = qn_clock_now();
  qn_cg_objects *objects = qn_cg_objects_create();
  qn_status status = qn_cg_compile_parts(source, threads, objects);
  if (status == QN_OK && source->constants_apart) begin_image(jit, source);
  /* Destroys the module before linking, because its weights have been copied. */
  if (options->translated) options->translated(options->translated_user);
  if (jit->image) finish_image(jit);
  if (status == QN_OK && options->keep) show(jit, options, objects);
  double compiled = qn_clock_now();
  qn_llvm_working_on(source->name);
  if (status == QN_OK) status = link_objects(jit, source->cx, options, objects);
  qn_llvm_working_on(NULL);
  qn_cg_objects_destroy(objects);
  if (options->out_build_seconds) *options->out_build_seconds = compiled - begin;
  if (options->out_emit_seconds) *options->out_emit_seconds = qn_clock_now() - compiled;
  return status;
}

static void release(void *owner) {
  qn_jit *jit = owner;
  /* An error here cannot be reported; it is consumed. */
  if (jit->lljit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
  if (jit->pages) munmap(jit->pages, jit->page_bytes);
  for (uint32_t i = 0; i < jit->late_count; i++) qn_file_release(jit->late[i].file);
}

qn_status qn_jit_create(qn_module *loops, const qn_codegen_options *options, qn_jit **out_jit) {
  *out_jit = NULL;
  QN_TRY(qn_codegen_check_host(loops->cx, &options->target));
  qn_jit *jit = qn_heap_own(sizeof *jit, release);
  qn_cg_source source;
  qn_status status =
      qn_cg_source_open(&source, &qn_cg_llvm, loops, options, QN_CODE_TRANSLATED_PARTS);
  source.host_checked = true;
  source.counts_iterations = true;
  if (status == QN_OK) status = create(jit, &source);
  qn_cg_source_close(&source);
  if (status == QN_OK)
    *out_jit = jit;
  else
    qn_jit_destroy(jit);
  return status;
}

qn_status qn_jit_link(qn_ir_context *cx, const qn_codegen_options *options, const qn_code *code,
                      qn_jit **out_jit) {
  *out_jit = NULL;
  qn_jit *jit = qn_heap_own(sizeof *jit, release);
  qn_cg_objects *objects = qn_cg_objects_create();
  for (uint32_t i = 0; i < code->count; i++) {
    qn_bytes part = code->parts[i];
    if (is_image(part)) {
      open_image(jit, part.size);
      memcpy(jit->image, part.data, part.size);
      seal_image(jit);
      continue;
    }
    objects->parts[objects->count++] =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)part.data, part.size, "kept");
  }
  qn_llvm_working_on("kept code");
  qn_status status = link_objects(jit, cx, options, objects);
  qn_llvm_working_on(NULL);
  qn_cg_objects_destroy(objects);
  if (status == QN_OK)
    *out_jit = jit;
  else
    qn_jit_destroy(jit);
  return status;
}

const qn_abi_model *qn_jit_model(const qn_jit *jit) { return jit->model; }

size_t qn_jit_code_bytes(const qn_jit *jit) { return jit->code_bytes + jit->image_bytes; }

void qn_jit_destroy(qn_jit *jit) {
  if (!jit) return;
  release(jit);
  qn_heap_free(jit->late);
  qn_heap_free(jit);
}
