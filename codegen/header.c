/* The C header of an ahead-of-time object: sizes and quantization as macros, the entry point, and
 * an inline function that runs the model on typed pointers. It includes libc headers only, compiles
 * as C99 and C++, and can be included together with headers of other models, because every name
 * starts with the symbol.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "codegen/codegen.h"
#include "codegen/comment.h"
#include "codegen/interface.h"
#include "ir/entry/dtype.h"

typedef struct writer {
  qn_text *out;
  const char *symbol; /* as given */
  const char *macro;  /* in upper case */
  const qn_abi_model *model;
  uint32_t align;            /* of arena and states */
  bool io_in_arena;          /* inputs and outputs have places in the arena */
  const char *arena_section; /* NULL: none is named */
} writer;

static const qn_dtype_names *names_of(const qn_abi_tensor *tensor) {
  return qn_dtype_names_of((qn_dtype)tensor->dtype);
}

static void put_name(qn_text *out, const char *name) { qn_cg_put_comment(out, qn_str_of(name)); }

/* Writes the shape as "DIMS {1, 49, 10, 1}", and each dimension as a macro that the preprocessor
 * can compare. */
static void shape_macros(const writer *w, const char *role, uint32_t k, const qn_abi_tensor *t) {
  qn_text_format(w->out, "#define %s_%s_%u_TYPE %s\n#define %s_%s_%u_RANK %u\n", w->macro, role, k,
                 names_of(t)->c, w->macro, role, k, t->rank);
  for (uint32_t i = 0; i < t->rank; i++)
    qn_text_format(w->out, "#define %s_%s_%u_DIM_%u %lld\n", w->macro, role, k, i,
                   (long long)t->dims[i]);
  if (t->rank == 0) return;
  qn_text_format(w->out, "#define %s_%s_%u_DIMS {", w->macro, role, k);
  for (uint32_t i = 0; i < t->rank; i++)
    qn_text_format(w->out, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
  qn_text_puts(w->out, "}\n");
}

static void tensor_macros(const writer *w, const char *role, uint32_t k, const qn_abi_tensor *t) {
  qn_text_format(w->out, "\n/* %s %u, \"", role, k);
  put_name(w->out, t->name);
  qn_text_format(w->out, "\": %s [", names_of(t)->numpy);
  for (uint32_t i = 0; i < t->rank; i++) {
    qn_text_format(w->out, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
    if (t->sizes[i] > 0) qn_text_format(w->out, " or less (size %d)", (int)t->sizes[i] - 1);
  }
  qn_text_puts(w->out, t->scale == 0 ? "] */\n" : "], real = SCALE * (stored - ZERO_POINT) */\n");
  qn_text_format(w->out, "#define %s_%s_%u_BYTES %llu\n", w->macro, role, k,
                 (unsigned long long)t->bytes);
  shape_macros(w, role, k, t);
  uint32_t sized = qn_abi_size_dimension(t);
  if (t->sizes[sized] > 0 && t->dims[sized] > 0)
    qn_text_format(w->out, "#define %s_%s_%u_ENTRY_BYTES %llu\n", w->macro, role, k,
                   (unsigned long long)(t->bytes / (uint64_t)t->dims[sized]));
  if (role[0] == 'S' || w->io_in_arena)
    qn_text_format(w->out, "#define %s_%s_%u_OFFSET %llu\n", w->macro, role, k,
                   (unsigned long long)t->offset);
  if (t->scale == 0) return;
  qn_text_format(w->out, "#define %s_%s_%u_SCALE %.17g\n", w->macro, role, k, t->scale);
  qn_text_format(w->out, "#define %s_%s_%u_ZERO_POINT (%lld)\n", w->macro, role, k,
                 (long long)t->zero_point);
}

static void state_constants(const writer *w) {
  const qn_abi_model *m = w->model;
  if (m->state_count == 0) return;
  qn_text_format(w->out,
                 "\n/* The states: what a call leaves for the next one, in one block aligned to\n"
                 "   ARENA_ALIGN. Filled by %s_reset; a copy of the block is a copy of the memory\n"
                 "   of the model. State k is at its OFFSET. */\n"
                 "#define %s_STATE_BYTES %llu\n#define %s_STATE_COUNT %u\n",
                 w->symbol, w->macro, (unsigned long long)m->state_bytes, w->macro, m->state_count);
  for (uint32_t i = 0; i < m->state_count; i++) tensor_macros(w, "STATE", i, &m->states[i]);
}

static bool has_prepared(const writer *w) { return w->model->prepared_bytes > 0; }

static void prepared_constants(const writer *w) {
  if (!has_prepared(w)) return;
  qn_text_format(
      w->out,
      "\n/* Prepared constants: memory of the caller, aligned to ARENA_ALIGN, that %s_prepare\n"
      "   fills once. Calls only read it, so any number of them can share it, at the same time. "
      "*/\n"
      "#define %s_PREPARED_BYTES %llu\n",
      w->symbol, w->macro, (unsigned long long)w->model->prepared_bytes);
}

static void size_constants(const writer *w) {
  const qn_abi_model *m = w->model;
  if (m->size_count == 0) return;
  qn_text_format(
      w->out,
      "\n/* Dynamic sizes, an argument of each call: the number of elements of a dimension,\n"
      "   from 1 to MAX. */\n#define %s_SIZE_COUNT %u\n",
      w->macro, m->size_count);
  for (uint32_t i = 0; i < m->size_count; i++) {
    qn_text_format(w->out, "/* size %u, \"", i);
    put_name(w->out, m->sizes[i].name);
    qn_text_format(w->out, "\" */\n#define %s_SIZE_%u_MAX %lld\n", w->macro, i,
                   (long long)m->sizes[i].bound);
  }
}

static bool has_arena(const writer *w) { return w->model->arena_bytes > 0; }

/* A C99 compiler has no static assertion, but rejects an array of negative size. */
static void arena_check(const writer *w) {
  if (!has_arena(w)) return;
  qn_text_format(
      w->out,
      "/* %s_CHECK_ARENA(array); outside of functions: a compile-time error unless the array\n"
      "   has the bytes of the arena, and its alignment where the compiler can tell (GCC and\n"
      "   Clang). For an arena that models share, or that is part of other memory. */\n"
      "#if defined(__GNUC__)\n"
      "#define %s_FITS_ARENA(array) \\\n"
      "  (sizeof(array) >= %s_ARENA_BYTES && __alignof__(array) >= %s_ARENA_ALIGN)\n"
      "#else\n"
      "#define %s_FITS_ARENA(array) (sizeof(array) >= %s_ARENA_BYTES)\n"
      "#endif\n"
      "#define %s_CHECK_ARENA(array) \\\n"
      "  extern int %s_arena_is_too_small_or_not_aligned[%s_FITS_ARENA(array) ? 1 : -1]\n",
      w->macro, w->macro, w->macro, w->macro, w->macro, w->macro, w->macro, w->symbol, w->macro);
}

static void constants(const writer *w) {
  const qn_abi_model *m = w->model;
  qn_text_format(
      w->out,
      "/* The arena: scratch memory of one invocation, aligned to ARENA_ALIGN. It holds\n"
      "   nothing between calls; concurrent calls need one each. */\n"
      "#define %s_ARENA_BYTES %llu\n#define %s_ARENA_ALIGN %u\n"
      "#define %s_INPUT_COUNT %u\n#define %s_OUTPUT_COUNT %u\n",
      w->macro, (unsigned long long)m->arena_bytes, w->macro, w->align, w->macro, m->input_count,
      w->macro, m->output_count);
  if (w->arena_section)
    qn_text_format(w->out,
                   "/* The section for the memory of the arena: __attribute__((section(...))). */\n"
                   "#define %s_ARENA_SECTION \"%s\"\n",
                   w->macro, w->arena_section);
  if (w->io_in_arena)
    qn_text_format(
        w->out,
        "/* Each input and output also has a place in the arena, at its OFFSET, for a call\n"
        "   whose pointers are there. The call overwrites inputs; outputs are there until\n"
        "   the arena is used again. */\n");
  arena_check(w);
  for (uint32_t i = 0; i < m->input_count; i++) tensor_macros(w, "INPUT", i, &m->inputs[i]);
  for (uint32_t i = 0; i < m->output_count; i++) tensor_macros(w, "OUTPUT", i, &m->outputs[i]);
  state_constants(w);
  prepared_constants(w);
  size_constants(w);
}

static void declarations(const writer *w) {
  qn_text_format(
      w->out,
      "\n/* One call. `states` and `sizes` may be NULL where there are none, and everything after\n"
      "   them%s in any case. `parallel_for` runs the kernel over\n"
      "   [0, count) in chunks, in any order, and returns when all is done; the results don't\n"
      "   depend on how. `step` is told the number of each operator before it starts. */\n"
      "typedef void %s_kernel(void *const *args, intptr_t lo, intptr_t hi);\n"
      "typedef struct %s_call {\n"
      "  const void *const *inputs;\n"
      "  void *const *outputs;\n"
      "  void *arena;\n"
      "  void *states;\n"
      "  const intptr_t *sizes;\n"
      "  void (*parallel_for)(void *pool, %s_kernel *kernel, void *const *args, intptr_t count);\n"
      "  void *pool;\n"
      "  void (*step)(void *user, intptr_t k);\n"
      "  void *user;\n"
      "%s"
      "} %s_call;\n\n"
      "/* Re-entrant; allocates nothing, keeps nothing. 0; or n > 0, when loop n - 1 of the model\n"
      "   would go on beyond its limit: what outputs and states hold is then unspecified%s.\n"
      "   The call is not checked: arena and states have their BYTES and are aligned. */\n"
      "int32_t %s_invoke(const %s_call *call);\n"
      "/* 1 if this CPU and operating system run the code, else 0. Runs everywhere; call it before "
      "the\n"
      "   first invoke: where the code uses tiles (AMX), it asks Linux for them. */\n"
      "int32_t %s_supported(void);\n\n"
      "/* The description that Quern's runtime loads; not needed to call the model. */\n"
      "struct qn_abi_model;\nextern const struct qn_abi_model %s_model;\n\n",
      has_prepared(w) ? ", except `prepared`," : "", w->symbol, w->symbol, w->symbol,
      has_prepared(w) ? "  const void *prepared;\n" : "", w->symbol,
      has_prepared(w)
          ? ";\n   or -1, having done nothing, when `prepared` is NULL, not aligned or not filled"
          : "",
      w->symbol, w->symbol, w->symbol, w->symbol);
  if (has_prepared(w))
    qn_text_format(
        w->out,
        "/* Fills the prepared constants: once, before the first call, on a CPU that runs the\n"
        "   code. While calls use them, do not fill them again. Memory that is not aligned is\n"
        "   not written. */\n"
        "void %s_prepare(void *prepared);\n\n",
        w->symbol);
  if (w->model->state_count > 0)
    qn_text_format(w->out,
                   "/* Fills the states as they are before the first call. */\n"
                   "void %s_reset(void *states);\n\n",
                   w->symbol);
}

static void parameters(const writer *w, const char *qualifier, const char *name, uint32_t count,
                       const qn_abi_tensor *tensors) {
  for (uint32_t i = 0; i < count; i++)
    qn_text_format(w->out, "%s%s *%s%u, ", qualifier, names_of(&tensors[i])->c, name, i);
}

static void pointer_list(const writer *w, const char *type, const char *list, const char *name,
                         uint32_t count) {
  qn_text_format(w->out, "  %s%s[%u] = {", type, list, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) qn_text_format(w->out, "%s%s%u", i ? ", " : "", name, i);
  qn_text_puts(w->out, count ? "};\n" : "0};\n");
}

/* What makes NAME_run return -1, apart from prepared constants. */
static void run_comment(const writer *w) {
  const qn_abi_model *m = w->model;
  const char *reasons[] = {has_arena(w) ? "the arena is NULL or not aligned to ARENA_ALIGN" : NULL,
                           m->state_count > 0 ? "the states are NULL or not aligned to it" : NULL,
                           m->size_count > 0 ? "a size is out of its range" : NULL};
  const char *before = ", or -1, having done nothing, when\n   ";
  qn_text_format(w->out, "/* Runs the model in this thread. What %s_invoke says", w->symbol);
  for (size_t i = 0; i < QN_COUNT(reasons); i++) {
    if (!reasons[i]) continue;
    qn_text_format(w->out, "%s%s", before, reasons[i]);
    before = ",\n   or ";
  }
  qn_text_puts(w->out, ". */\n");
}

static void check_pointer(const writer *w, const char *name) {
  qn_text_format(w->out, "  if (!%s || (uintptr_t)%s %% %s_ARENA_ALIGN != 0) return -1;\n", name,
                 name, w->macro);
}

static void fits_function(const writer *w) {
  qn_text_format(
      w->out,
      "/* 1 if memory of `bytes` bytes serves as the arena: large enough and aligned; else 0. */\n"
      "static inline int %s_arena_fits(const void *memory, uint64_t bytes) {\n"
      "  return bytes >= %s_ARENA_BYTES && (uintptr_t)memory %% %s_ARENA_ALIGN == 0;\n}\n\n",
      w->symbol, w->macro, w->macro);
}

static void run_function(const writer *w) {
  const qn_abi_model *m = w->model;
  run_comment(w);
  qn_text_format(w->out, "static inline int %s_run(", w->symbol);
  parameters(w, "const ", "in", m->input_count, m->inputs);
  parameters(w, "", "out", m->output_count, m->outputs);
  for (uint32_t i = 0; i < m->size_count; i++) qn_text_format(w->out, "intptr_t size%u, ", i);
  if (m->state_count > 0) qn_text_puts(w->out, "void *states, ");
  if (has_prepared(w)) qn_text_puts(w->out, "const void *prepared, ");
  qn_text_puts(w->out, "void *arena) {\n");
  pointer_list(w, "const void *", "inputs", "in", m->input_count);
  pointer_list(w, "void *", "outputs", "out", m->output_count);
  if (m->size_count > 0) pointer_list(w, "intptr_t ", "sizes", "size", m->size_count);
  qn_text_format(w->out, "  %s_call call = {inputs, outputs, arena, %s, %s, 0, 0, 0, 0%s};\n",
                 w->symbol, m->state_count > 0 ? "states" : "0", m->size_count > 0 ? "sizes" : "0",
                 has_prepared(w) ? ", prepared" : "");
  for (uint32_t i = 0; i < m->size_count; i++)
    qn_text_format(w->out, "  if (size%u < 1 || size%u > %s_SIZE_%u_MAX) return -1;\n", i, i,
                   w->macro, i);
  if (has_arena(w)) check_pointer(w, "arena");
  if (m->state_count > 0) check_pointer(w, "states");
  qn_text_format(w->out, "  return %s_invoke(&call);\n}\n", w->symbol);
}

static void write_header(const writer *w, const qn_codegen_options *options, bool runs) {
  const qn_codegen_target *target = &options->target;
  qn_text_puts(
      w->out,
      "/* Generated by Quern: a quantized model, compiled ahead of time. This file and the\n"
      "   object belong to whom the model belongs to: no licence of Quern's applies to them.\n"
      "   Target ");
  put_name(w->out, target->triple.data);
  qn_text_format(w->out, ", CPU %s (level %s); numerics ", qn_codegen_cpu(target).data,
                 target->level->name);
  put_name(w->out, w->model->numerics);
  qn_text_format(w->out,
                 ". */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n#include <stdint.h>\n\n"
                 "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                 w->macro, w->macro);
  constants(w);
  declarations(w);
  if (runs) {
    if (has_arena(w)) fits_function(w);
    run_function(w);
  }
  qn_text_puts(w->out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static qn_status put_header(const qn_module *loops, const qn_codegen_options *options, bool runs,
                            qn_text *out) {
  qn_arena arena;
  qn_interface interface;
  qn_arena_init(&arena);
  qn_status status = qn_interface_check_symbol(loops->cx, options->symbol);
  if (status == QN_OK) status = qn_interface_read(loops, options->target.level, &arena, &interface);
  if (status == QN_OK) {
    qn_str upper = qn_arena_str(&arena, options->symbol);
    char *macro = (char *)qn_arena_copy(&arena, upper.data, upper.size + 1);
    for (char *c = macro; *c; c++) *c = (char)toupper((unsigned char)*c);
    writer w = {out,
                options->symbol.data,
                macro,
                &interface.model,
                options->target.level->line_bytes,
                interface.io_in_arena,
                options->arena_section};
    write_header(&w, options, runs);
  }
  qn_arena_deinit(&arena);
  return status;
}

qn_status qn_codegen_header(const qn_module *loops, const qn_codegen_options *options,
                            qn_text *out) {
  return put_header(loops, options, true, out);
}

qn_status qn_codegen_declarations(const qn_module *loops, const qn_codegen_options *options,
                                  qn_text *out) {
  return put_header(loops, options, false, out);
}
