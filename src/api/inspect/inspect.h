/* Internal interface of the report on a model (qn_model_inspect).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_INSPECT_H
#define QN_API_INSPECT_H

#include "api/json.h"
#include "base/map.h"
#include "codegen/codegen.h"
#include "ir/entry/entry.h"

/* A JSON string of text from a model file. JSON must be UTF-8, so if the text is not valid UTF-8,
 * all non-ASCII bytes become '?'. */
json_t *qn_inspect_text(qn_json *pool, const char *data, size_t size);
/* A location as JSON string, in the form that precedes messages. */
json_t *qn_inspect_location(qn_json *pool, const qn_loc *loc);
/* Adds to the row of a tensor which of its dimensions is dynamic, if there is one. */
void qn_inspect_size(qn_json *pool, json_t *row, const qn_entry *entry, qn_sized sized);

/* ---- operators.c ---- */

/* Results of compiling an operator. The key is the name of its launches (qn_inspect_key). */
typedef struct qn_layer_facts {
  int64_t rom_bytes, ram_bytes; /* bytes of packed constants; bytes of buffers that are live while
                                   the operator runs */
  int64_t code_bytes, stack_bytes; /* of the kernels, if the report is about an object */
} qn_layer_facts;

/* Adds "operators", "quantized", "tensors" and "totals". `integer` and `layers` (name ->
 * qn_layer_facts) may be NULL, when the model can't be compiled. */
typedef struct qn_inspect_sources {
  const qn_module *module, *integer;
  const qn_entry *entry; /* entry of the module; NULL if it has none that can be called */
  const qn_str_map *layers;
  const qn_codegen_report *object; /* NULL: the report is about no object */
  const struct qn_reasons *reasons;
} qn_inspect_sources;
void qn_inspect_operators(qn_json *pool, json_t *report, const qn_inspect_sources *sources);
/* The name of the launches of an op at `loc`, without the suffix in brackets that follows line and
 * column of text. */
qn_str qn_inspect_key(qn_arena *arena, const qn_loc *loc);

/* ---- inspect.c ---- */

/* The report of qn_model_inspect_for, with what an object of the same options consists of. For
 * functions of the API, inside their call. */
qn_status qn_inspect_object(const qn_model *model, const qn_compile_options *options,
                            const qn_codegen_report *object, char **out_json, size_t *out_size);

/* ---- object.c ---- */

/* The function of a kernel; NULL if unknown. */
const qn_codegen_function *qn_inspect_function(const qn_codegen_report *object, const char *name);
/* Adds "object". */
void qn_inspect_add_object(qn_json *pool, json_t *report, const qn_codegen_report *object,
                           qn_str symbol);

/* ---- memory.c: addresses and lifetimes of buffers, derived from the launches of a loops-stage
 * module ---- */

/* The value of the key "memory". Also adds qn_layer_facts, allocated in `arena`, to the map, and
 * stores the size of all constants. `object` may be NULL. */
json_t *qn_inspect_memory(qn_json *pool, const qn_module *loops, qn_arena *arena,
                          const qn_codegen_report *object, qn_str_map *layers,
                          int64_t *out_rom_bytes);
/* Live bytes of the arena during one launch. */
typedef struct qn_launch_bytes {
  const qn_loc *loc;
  int64_t live;
} qn_launch_bytes;
/* All launches of @main, allocated in `arena`. Returns their number. */
size_t qn_arena_launches(const qn_module *loops, qn_arena *arena, qn_launch_bytes **out_launches);
/* QN_LIMIT, reported at the launch with the most live bytes, if the arena is larger than `limit`.
 */
qn_status qn_arena_check(const qn_module *loops, size_t limit);
/* The same by the options of the compilation, unless there is no limit or all tensors are kept. */
static inline qn_status qn_arena_check_option(const qn_module *loops,
                                              const qn_compile_options *options) {
  bool limited = options->arena_limit > 0 && !options->keep_tensors;
  return limited ? qn_arena_check(loops, options->arena_limit) : QN_OK;
}
/* Bytes of memory for prepared constants; 0 if there are none. */
int64_t qn_inspect_prepared(const qn_module *loops, const qn_target *target);
/* Bytes of memory for states, each of whole lines; 0 if there are none. */
int64_t qn_inspect_states(const qn_module *loops, const qn_target *target);

/* ---- reasons.c: why an operator can't be compiled ---- */

/* Between qn_reasons_begin and qn_reasons_end, errors are not reported but collected by location.
 */
typedef struct qn_reasons {
  qn_diag_engine *diag;
  qn_diag_handler *handler;
  void *user;
  uint32_t errors;
  qn_arena *arena;
  qn_map by_loc;     /* qn_loc -> qn_str */
  const char *first; /* text of the first error with its location; NULL if there was no error */
} qn_reasons;
void qn_reasons_begin(qn_reasons *reasons, qn_diag_engine *diag, qn_arena *arena);
void qn_reasons_end(qn_reasons *reasons);
void qn_reasons_free(qn_reasons *reasons);
/* The errors at the op's location; empty if it can be compiled. */
qn_str qn_reasons_of(const qn_reasons *reasons, const qn_op *op);

#endif
