/* The C header of an ahead-of-time object: sizes and quantization as macros, the entry point, and
 * an inline function that runs the model on typed pointers. It includes libc only, compiles as C99
 * and C++, and can stand beside headers of other models: every name starts with the symbol.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "codegen/codegen.h"
#include "codegen/interface.h"

static const struct {
  const char *c, *name;
} dtypes[] = {[QN_ABI_I8] = {"int8_t", "int8"},    [QN_ABI_U8] = {"uint8_t", "uint8"},
              [QN_ABI_I16] = {"int16_t", "int16"}, [QN_ABI_I32] = {"int32_t", "int32"},
              [QN_ABI_I64] = {"int64_t", "int64"}, [QN_ABI_F32] = {"float", "float32"},
              [QN_ABI_BOOL] = {"uint8_t", "bool"}};

typedef struct writer {
  qn_text *out;
  const char *symbol; /* as given */
  const char *macro;  /* in upper case */
  const qn_abi_model *model;
} writer;

/* A name of the model inside of a comment: nothing that could end it. */
static void put_name(qn_text *out, const char *name) {
  for (; *name; name++) {
    bool plain = isprint((unsigned char)*name) && *name != '\\' && *name != '*' && *name != '?';
    qn_text_putc(out, plain ? *name : '_');
  }
}

static void tensor_macros(const writer *w, const char *role, uint32_t k, const qn_abi_tensor *t) {
  qn_text_format(w->out, "\n/* %s %u, \"", role, k);
  put_name(w->out, t->name);
  qn_text_format(w->out, "\": %s [", dtypes[t->dtype].name);
  for (uint32_t i = 0; i < t->rank; i++)
    qn_text_format(w->out, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
  qn_text_puts(w->out, t->scale == 0 ? "] */\n" : "], real = SCALE * (stored - ZERO_POINT) */\n");
  qn_text_format(w->out, "#define %s_%s_%u_BYTES %llu\n", w->macro, role, k,
                 (unsigned long long)t->bytes);
  if (t->scale == 0) return;
  qn_text_format(w->out, "#define %s_%s_%u_SCALE %.17g\n", w->macro, role, k, t->scale);
  qn_text_format(w->out, "#define %s_%s_%u_ZERO_POINT (%lld)\n", w->macro, role, k,
                 (long long)t->zero_point);
}

static void constants(const writer *w) {
  const qn_abi_model *m = w->model;
  qn_text_format(
      w->out,
      "/* The arena: scratch memory of one invocation, aligned to ARENA_ALIGN. It holds\n"
      "   nothing between calls; concurrent calls need one each. */\n"
      "#define %s_ARENA_BYTES %llu\n#define %s_ARENA_ALIGN %d\n"
      "#define %s_INPUT_COUNT %u\n#define %s_OUTPUT_COUNT %u\n",
      w->macro, (unsigned long long)m->arena_bytes, w->macro, QN_ABI_ALIGN, w->macro,
      m->input_count, w->macro, m->output_count);
  for (uint32_t i = 0; i < m->input_count; i++) tensor_macros(w, "INPUT", i, &m->inputs[i]);
  for (uint32_t i = 0; i < m->output_count; i++) tensor_macros(w, "OUTPUT", i, &m->outputs[i]);
}

static void declarations(const writer *w) {
  qn_text_format(
      w->out,
      "\n/* One call. Everything after `arena` may be NULL. `parallel_for` runs the kernel over\n"
      "   [0, count) in chunks, in any order, and returns when all is done; the results don't\n"
      "   depend on how. `step` is told the number of each operator before it starts. */\n"
      "typedef void %s_kernel(void *const *args, int64_t lo, int64_t hi);\n"
      "typedef struct %s_call {\n"
      "  const void *const *inputs;\n"
      "  void *const *outputs;\n"
      "  void *arena;\n"
      "  void (*parallel_for)(void *pool, %s_kernel *kernel, void *const *args, int64_t count);\n"
      "  void *pool;\n"
      "  void (*step)(void *user, int64_t k);\n"
      "  void *user;\n"
      "} %s_call;\n\n"
      "/* Re-entrant; allocates nothing, keeps nothing. */\n"
      "void %s_invoke(const %s_call *call);\n\n"
      "/* The description that Quern's runtime loads; not needed to call the model. */\n"
      "struct qn_abi_model;\nextern const struct qn_abi_model %s_model;\n\n",
      w->symbol, w->symbol, w->symbol, w->symbol, w->symbol, w->symbol, w->symbol);
}

static void parameters(const writer *w, const char *qualifier, const char *name, uint32_t count,
                       const qn_abi_tensor *tensors) {
  for (uint32_t i = 0; i < count; i++)
    qn_text_format(w->out, "%s%s *%s%u, ", qualifier, dtypes[tensors[i].dtype].c, name, i);
}

static void pointer_list(const writer *w, const char *type, const char *list, const char *name,
                         uint32_t count) {
  qn_text_format(w->out, "  %s%s[%u] = {", type, list, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) qn_text_format(w->out, "%s%s%u", i ? ", " : "", name, i);
  qn_text_puts(w->out, count ? "};\n" : "0};\n");
}

static void run_function(const writer *w) {
  const qn_abi_model *m = w->model;
  qn_text_format(w->out, "/* Runs the model in this thread. */\nstatic inline void %s_run(",
                 w->symbol);
  parameters(w, "const ", "in", m->input_count, m->inputs);
  parameters(w, "", "out", m->output_count, m->outputs);
  qn_text_puts(w->out, "void *arena) {\n");
  pointer_list(w, "const void *", "inputs", "in", m->input_count);
  pointer_list(w, "void *", "outputs", "out", m->output_count);
  qn_text_format(w->out,
                 "  %s_call call = {inputs, outputs, arena, 0, 0, 0, 0};\n  %s_invoke(&call);\n}\n",
                 w->symbol, w->symbol);
}

static void write_header(const writer *w, const qn_codegen_options *options) {
  const qn_codegen_target *target = &options->target;
  qn_text_puts(w->out,
               "/* Generated by Quern: a quantized model, compiled ahead of time.\n   Target ");
  put_name(w->out, target->triple.data);
  qn_text_format(w->out, ", CPU %s (level %s); numerics ", target->cpu.data, target->level->name);
  put_name(w->out, w->model->numerics);
  qn_text_format(w->out,
                 ". */\n#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n#include <stdint.h>\n\n"
                 "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                 w->macro, w->macro);
  constants(w);
  declarations(w);
  run_function(w);
  qn_text_puts(w->out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

qn_status qn_codegen_header(const qn_module *loops, const qn_codegen_options *options,
                            qn_text *out) {
  qn_arena arena;
  qn_interface interface;
  qn_arena_init(&arena);
  qn_status status = qn_interface_check_symbol(loops->cx, options->symbol);
  if (status == QN_OK) status = qn_interface_read(loops, &arena, &interface);
  if (status == QN_OK) {
    qn_str upper = qn_arena_str(&arena, options->symbol);
    char *macro = (char *)qn_arena_copy(&arena, upper.data, upper.size + 1);
    for (char *c = macro; *c; c++) *c = (char)toupper((unsigned char)*c);
    write_header(&(writer){out, options->symbol.data, macro, &interface.model}, options);
  }
  qn_arena_deinit(&arena);
  return status;
}
