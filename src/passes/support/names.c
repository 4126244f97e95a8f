/* Renames ports, with a set of the names that are in use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/names.h"

#include "base/map.h"

typedef struct renaming {
  qn_pass_context *pc;
  qn_str_map taken;   /* name -> port that has it */
  qn_str_map numbers; /* name -> next number to try as its suffix */
  uintptr_t first;
  bool all, changed;
} renaming;

static bool is_free(const renaming *r, qn_str name, const qn_port *port) {
  const void *owner = qn_str_map_get(&r->taken, name);
  return !owner || owner == port;
}

/* Appends a number that makes the name unique. Numbers continue after the last one used for the
 * name, so that many equal names take linear time. */
static qn_str numbered(renaming *r, qn_str name, const qn_port *port) {
  qn_text text = {0};
  void **tried = qn_str_map_at(&r->numbers, name);
  uintptr_t number = *tried ? (uintptr_t)*tried : r->first;
  do {
    qn_text_clear(&text);
    qn_text_format(&text, "%.*s_%lu", QN_STR_ARG(name), (unsigned long)number++);
  } while (!is_free(r, qn_text_view(&text), port));
  *tried = (void *)number;
  qn_str made = qn_intern(r->pc->cx, qn_text_view(&text));
  qn_text_deinit(&text);
  return made;
}

static void rename_port(renaming *r, qn_port *port, qn_str wanted) {
  if (!r->all && qn_str_equal(wanted, port->name)) return;
  qn_str name = is_free(r, wanted, port) ? wanted : numbered(r, wanted, port);
  QN_ASSERT(is_free(r, name, port)); /* names of a side stay distinct */
  qn_str_map_set(&r->taken, name, port);
  if (qn_str_equal(name, port->name)) return;
  port->name = name;
  r->changed = true;
}

/* Renames the ports of one side. Names that stay are reserved first, each for the first port that
 * has it. */
static void rename_side(renaming *r, qn_port *ports, uint32_t count, qn_rename_fn *rename) {
  qn_str *wanted = QN_NEW_ARRAY(r->pc->scratch, (size_t)count + 1, qn_str);
  for (uint32_t i = 0; i < count; i++) {
    wanted[i] = rename(r->pc, ports[i].name);
    bool stays = qn_str_equal(wanted[i], ports[i].name);
    if (ports[i].name.size && stays && is_free(r, wanted[i], NULL))
      qn_str_map_set(&r->taken, wanted[i], &ports[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    if (ports[i].name.size) rename_port(r, &ports[i], wanted[i]);
}

qn_status qn_rename_border(qn_pass_context *pc, qn_rename_fn *rename, bool all, uint32_t first) {
  qn_border border;
  QN_TRY(qn_border_read(pc, &border));
  if (!border.func) return QN_OK;
  renaming r = {.pc = pc, .first = first, .all = all};
  for (qn_side side = QN_SIDE_ARGUMENTS; side <= QN_SIDE_RESULTS; side++) {
    rename_side(&r, border.ports[side], border.count[side], rename);
    qn_str_map_deinit(&r.taken);
    qn_str_map_deinit(&r.numbers);
    r.taken = r.numbers = (qn_str_map){0};
  }
  if (r.changed) qn_border_write(pc, &border);
  return QN_OK;
}
