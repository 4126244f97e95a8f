/* Optimization passes, and the output as text, assembly or object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "codegen/context.h"
#include "codegen/error.h"
#include "codegen/machine/machine.h"

/* Passes that clean up after the emitters: repeated address arithmetic, constant conditions, empty
 * blocks. instcombine may need more than one iteration; its check for that would end the process
 * and is disabled. default<O1> takes 10x the time and gives no faster kernels on explicit vector
 * code. */
#define CLEANUP "early-cse,instcombine<no-verify-fixpoint>,simplifycfg"
static const char pipeline[] = "function(" CLEANUP ")";
/* For levels without vector registers: instruction selection would split vectors, too, but on
 * RISC-V with errors (qn_cg_architecture.vectors). */
static const char scalar_pipeline[] = "function(scalarizer<load-store>," CLEANUP ")";

static bool has_vectors(const qn_cg *cg) {
  const char *needed = cg->architecture->vectors, *features = cg->level->llvm_features;
  return !needed || (features && strstr(features, needed));
}

qn_status qn_cg_optimize(qn_cg *cg) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const char *passes = has_vectors(cg) ? pipeline : scalar_pipeline;
  LLVMErrorRef error = LLVMRunPasses(cg->module, passes, cg->machine, options);
  LLVMDisposePassBuilderOptions(options);
  return qn_llvm_error(cg->notes, "running LLVM's passes", error);
}

static qn_status emitted(qn_cg *cg, LLVMBool failed, char *message) {
  qn_status status =
      qn_llvm_message(cg->notes, "emitting machine code", failed, failed ? message : NULL);
  qn_guard_check_time();
  return cg->notes[0] ? QN_INTERNAL : status;
}

qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind) {
  char *message = NULL;
  qn_cg_begin_looking(cg);
  LLVMBool failed =
      LLVMTargetMachineEmitToMemoryBuffer(cg->machine, cg->module, kind, &message, &cg->file);
  return emitted(cg, failed, message);
}

/* ---- text ---- */

typedef struct taker {
  qn_emit_room *room;
  void *user;
  qn_text text; /* text that is moved to the caller after LLVM's memory is released */
} taker;

static qn_status make_ir(qn_cg *cg, taker *to) {
  cg->ir = LLVMPrintModuleToString(cg->module);
  if (!cg->ir) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  qn_cg_annotate(cg->source, qn_str_of(cg->ir), QN_EMIT_LLVM, &to->text);
  return QN_OK;
}

static qn_status make_asm(qn_cg *cg, taker *to) {
  QN_TRY(qn_cg_emit_file(cg, LLVMAssemblyFile));
  const qn_str text = {LLVMGetBufferStart(cg->file), LLVMGetBufferSize(cg->file)};
  qn_cg_annotate(cg->source, text, QN_EMIT_ASM, &to->text);
  return QN_OK;
}

static void give_text(taker *to) {
  qn_str text = qn_text_view(&to->text);
  if (text.size > 0) memcpy(to->room(to->user, text.size), text.data, text.size);
  qn_text_deinit(&to->text);
}

/* ---- objects ---- */

typedef struct file_path {
  char text[32];
} file_path;

/* Opens an in-memory file as LLVM's output. With a buffer, LLVM would hold an additional copy. Not
 * used if the file size is limited, because LLVM ends the process when a write fails. */
static bool open_memory_file(qn_cg *cg, file_path *out_path) {
  struct rlimit size;
  if (getrlimit(RLIMIT_FSIZE, &size) != 0 || size.rlim_cur != RLIM_INFINITY) return false;
  cg->memory_file = memfd_create("object", MFD_CLOEXEC);
  snprintf(out_path->text, sizeof out_path->text, "/proc/self/fd/%d", cg->memory_file);
  return cg->memory_file >= 0 && access(out_path->text, W_OK) == 0;
}

/* Moves the file's content to `to`, and releases its pages while reading. */
static void move_file(int file, uint8_t *to, size_t size) {
  enum { PIECE = 1 << 20 };
  for (size_t at = 0; at < size;) {
    ssize_t got = pread(file, to + at, size - at < PIECE ? size - at : PIECE, (off_t)at);
    if (got <= 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
    (void)!fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, got);
    at += (size_t)got;
  }
}

static qn_status emit_by_file(qn_cg *cg, const char *path, const taker *to, uint8_t **out_object,
                              size_t *out_size) {
  char *message = NULL;
  struct stat info;
  qn_cg_begin_looking(cg);
  LLVMBool failed =
      LLVMTargetMachineEmitToFile(cg->machine, cg->module, path, LLVMObjectFile, &message);
  QN_TRY(emitted(cg, failed, message));
  if (fstat(cg->memory_file, &info) != 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  *out_size = (size_t)info.st_size;
  *out_object = to->room(to->user, *out_size);
  move_file(cg->memory_file, *out_object, *out_size);
  return QN_OK;
}

static qn_status emit_by_buffer(qn_cg *cg, const taker *to, uint8_t **out_object,
                                size_t *out_size) {
  QN_TRY(qn_cg_emit_file(cg, LLVMObjectFile));
  *out_size = LLVMGetBufferSize(cg->file);
  *out_object = to->room(to->user, *out_size);
  memcpy(*out_object, LLVMGetBufferStart(cg->file), *out_size);
  return QN_OK;
}

/* Emits an object. Returns QN_NOT_FOUND if placeholders cannot be distinguished from the model's
 * bytes. */
static qn_status make_object(qn_cg *cg, taker *to) {
  file_path path;
  uint8_t *object;
  size_t size;
  qn_cg_begin_report(cg);
  if (open_memory_file(cg, &path))
    QN_TRY(emit_by_file(cg, path.text, to, &object, &size));
  else
    QN_TRY(emit_by_buffer(cg, to, &object, &size));
  QN_TRY(qn_cg_check_alone(cg, (qn_bytes){object, size}));
  qn_cg_report(cg, (qn_bytes){object, size});
  return qn_cg_replace_placeholders(cg, object, size) ? QN_OK : QN_NOT_FOUND;
}

static qn_status (*const makers[])(qn_cg *cg, taker *to) = {
    [QN_EMIT_LLVM] = make_ir, [QN_EMIT_ASM] = make_asm, [QN_EMIT_OBJECT] = make_object};

/* ---- entry points ---- */

static qn_status emit(qn_cg *cg, const qn_cg_source *source, qn_emit what, taker *to) {
  const qn_codegen_options *options = source->options;
  double start = qn_clock_now();
  QN_TRY(qn_cg_init(cg, source, 0));
  qn_guard_check_time();
  QN_TRY(qn_cg_optimize(cg));
  qn_guard_check_time();
  double built = qn_clock_now();
  if (options->out_build_seconds) *options->out_build_seconds = built - start;
  QN_TRY(makers[what](cg, to));
  if (options->out_emit_seconds) *options->out_emit_seconds = qn_clock_now() - built;
  return QN_OK;
}

static qn_status emit_source(const qn_cg_source *source, qn_emit what, taker *to) {
  qn_cg *cg = qn_cg_create();
  qn_llvm_working_on(source->name);
  qn_status status = emit(cg, source, what, to);
  bool reported = status == QN_NOT_FOUND || status == QN_UNSUPPORTED;
  if (status != QN_OK && !reported) status = qn_llvm_report(source->cx, cg->notes);
  qn_llvm_working_on(NULL);
  qn_cg_destroy(cg);
  if (status == QN_OK) give_text(to);
  return status;
}

qn_status qn_codegen_emit(qn_module *loops, const qn_codegen_options *options, qn_emit what,
                          qn_emit_room *room, void *user) {
  taker to = {.room = room, .user = user};
  qn_cg_source source;
  qn_status status = qn_cg_source_open(&source, &qn_cg_llvm, loops, options, 1);
  if (status == QN_OK) {
    source.placeholders = what == QN_EMIT_OBJECT;
    status = emit_source(&source, what, &to);
    if (status == QN_NOT_FOUND) {
      source.placeholders = false;
      status = emit_source(&source, what, &to);
    }
  }
  qn_cg_source_close(&source);
  return status;
}
