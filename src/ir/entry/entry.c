/* Roles of arguments and results, and their pairing (states).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/entry.h"

typedef struct side {
  qn_side side;
  uint32_t count;
  const qn_type *const *types;
  qn_role plain; /* role without an attribute */
} side;

static qn_status read_side(const qn_module *module, const qn_op *func, const side *s,
                           qn_port *ports) {
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < s->count; i++) {
    qn_status read = qn_port_read(module->cx, func, s->side, i, &ports[i]);
    if (!qn_port_has(&ports[i], QN_PORT_ROLE)) ports[i].role = s->plain;
    qn_port_note(&ports[i], QN_PORT_ROLE);
    if (read == QN_OK && ports[i].role != s->plain && ports[i].role != QN_ROLE_STATE)
      read = qn_port_complain(module->cx, func, s->side, i,
                              "its role is \"%s\", but here it is \"%s\" or \"state\"",
                              qn_role_name(ports[i].role), qn_role_name(s->plain));
    if (read != QN_OK) status = read;
  }
  return status;
}

/* Indices of the arguments or results that are states (or not). */
static uint32_t *pick(const qn_port *ports, uint32_t count, bool state, qn_arena *arena,
                      uint32_t *out_count) {
  uint32_t *numbers = QN_NEW_ARRAY(arena, (size_t)count + 1, uint32_t), n = 0;
  for (uint32_t i = 0; i < count; i++)
    if ((ports[i].role == QN_ROLE_STATE) == state) numbers[n++] = i;
  *out_count = n;
  return numbers;
}

static bool fits(const qn_attr *initial, const qn_type *type) {
  return !initial ||
         (qn_attr_is_elements(initial) && initial->type->kind == QN_TYPE_TENSOR &&
          qn_type_elements(initial->type) == qn_type_elements(type) &&
          qn_type_bytes(initial->type->shaped.element) == qn_type_bytes(qn_type_element(type)));
}

static qn_status check_states(const qn_module *module, const qn_entry *e, uint32_t result_states) {
  const qn_type *type = qn_op_function_type(e->func);
  qn_diag_engine *diag = &module->cx->diag;
  if (e->state_count != result_states)
    return qn_error(diag, e->func->loc, QN_INVALID,
                    "%u arguments have the role \"state\", but %u results", e->state_count,
                    result_states);
  qn_status status = QN_OK;
  for (uint32_t k = 0; k < e->state_count; k++) {
    uint32_t from = e->state_arguments[k], to = e->state_results[k];
    const qn_type *is = type->function.inputs[from];
    if (is != type->function.results[to])
      status =
          qn_port_complain(module->cx, e->func, QN_SIDE_RESULTS, to,
                           "it has another type than argument %u, which is the same state", from);
    if (!fits(e->args[from].initial, is))
      status = qn_port_complain(module->cx, e->func, QN_SIDE_ARGUMENTS, from,
                                "quern.initial has another number or size of elements");
  }
  return status;
}

static qn_status read_ports(const qn_module *module, const qn_op *func, qn_arena *arena,
                            qn_entry *out_entry) {
  const qn_type *type = qn_op_function_type(func);
  uint32_t args = type->function.input_count, results = type->function.result_count, states;
  qn_entry *e = out_entry;
  *e = (qn_entry){.func = func,
                  .args = QN_NEW_ARRAY(arena, (size_t)args + 1, qn_port),
                  .results = QN_NEW_ARRAY(arena, (size_t)results + 1, qn_port)};
  side sides[] = {{QN_SIDE_ARGUMENTS, args, type->function.inputs, QN_ROLE_INPUT},
                  {QN_SIDE_RESULTS, results, type->function.results, QN_ROLE_OUTPUT}};
  qn_status status = read_side(module, func, &sides[0], e->args);
  qn_status other = read_side(module, func, &sides[1], e->results);
  if (status == QN_OK) status = other;
  QN_TRY(status);
  e->inputs = pick(e->args, args, false, arena, &e->input_count);
  e->state_arguments = pick(e->args, args, true, arena, &e->state_count);
  e->outputs = pick(e->results, results, false, arena, &e->output_count);
  e->state_results = pick(e->results, results, true, arena, &states);
  return check_states(module, e, states);
}

qn_status qn_entry_read(const qn_module *module, const qn_op *func, qn_arena *arena,
                        qn_entry *out_entry) {
  QN_TRY(read_ports(module, func, arena, out_entry));
  return qn_sizes_find(module, arena, out_entry);
}

qn_status qn_entry_read_largest(const qn_module *module, const qn_op *func, qn_arena *arena,
                                qn_entry *out_entry) {
  QN_TRY(read_ports(module, func, arena, out_entry));
  qn_sizes_fix(module, arena, out_entry);
  return QN_OK;
}

bool qn_entry_find_batch(const qn_module *module, const qn_op *func, qn_arena *arena,
                         qn_entry *out_entry) {
  qn_diag_state state = qn_diag_silence(&module->cx->diag);
  bool found = read_ports(module, func, arena, out_entry) == QN_OK && out_entry->state_count == 0 &&
               qn_sizes_find_batch(module, arena, out_entry);
  qn_diag_restore(&module->cx->diag, &state);
  return found;
}
