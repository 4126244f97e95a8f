/* Inside the report on a model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_INSPECT_H
#define QN_API_INSPECT_H

#include "api/json.h"
#include "base/map.h"
#include "ir/entry/entry.h"

/* A string of a model file may hold any bytes: JSON must be UTF-8. */
json_t *qn_inspect_text(qn_json *pool, const char *data, size_t size);
/* As it precedes messages. */
json_t *qn_inspect_location(qn_json *pool, const qn_loc *loc);
/* Says in the row of a tensor which of its dimensions each call may size again, if one is. */
void qn_inspect_size(qn_json *pool, json_t *row, const qn_entry *entry, qn_sized sized);

/* ---- operators.c ---- */

/* What compiling told about an operator, by the name that its launches have (qn_inspect_key). */
typedef struct qn_layer_facts {
  int64_t rom_bytes, ram_bytes; /* of packed constants; live while it runs */
} qn_layer_facts;

/* Adds "operators", "quantized", "tensors" and "totals". `integer` and `layers` (name ->
 * qn_layer_facts) may be NULL, when the model can't be compiled. */
typedef struct qn_inspect_sources {
  const qn_module *module, *integer;
  const qn_entry *entry; /* of the module; NULL: it has none that could be called */
  const qn_str_map *layers;
  const struct qn_reasons *reasons;
} qn_inspect_sources;
void qn_inspect_operators(qn_json *pool, json_t *report, const qn_inspect_sources *sources);
/* The name that launches of an op of this location carry, but for what is in brackets behind
 * line and column of text. */
qn_str qn_inspect_key(qn_arena *arena, const qn_loc *loc);

/* ---- memory.c: which buffer is where and when, read off the launches of a loops module ---- */

/* The value of "memory"; fills the map with facts of `arena`, and gives the bytes of constants. */
json_t *qn_inspect_memory(qn_json *pool, const qn_module *loops, qn_arena *arena,
                          qn_str_map *layers, int64_t *out_rom_bytes);

/* ---- reasons.c: why an operator can't be compiled ---- */

/* Between begin and end errors are not reported but kept, by location. */
typedef struct qn_reasons {
  qn_diag_engine *diag;
  qn_diag_handler *handler;
  void *user;
  uint32_t errors;
  qn_arena *arena;
  qn_map by_loc;     /* qn_loc -> qn_str */
  const char *first; /* with its location; NULL: there was none */
} qn_reasons;
void qn_reasons_begin(qn_reasons *reasons, qn_diag_engine *diag, qn_arena *arena);
void qn_reasons_end(qn_reasons *reasons);
void qn_reasons_free(qn_reasons *reasons);
/* Empty: nothing speaks against it. */
qn_str qn_reasons_of(const qn_reasons *reasons, const qn_op *op);

#endif
