/* Reads the interface attributes of a loops-stage module.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/interface.h"

#include "base/checked.h"
#include "ir/entry/dtype.h"
#include "ir/ops/control.h"
#include "ir/walk.h"

typedef struct reader {
  qn_ir_context *cx;
  qn_arena *arena;
  const qn_op *main;
  qn_status status;
  const qn_target *level;
  uint32_t argument; /* index of the argument being read, for messages */
} reader;

static void complain(reader *r, const char *what) {
  r->status = qn_port_complain(r->cx, r->main, QN_SIDE_ARGUMENTS, r->argument, "%s", what);
}

static const char *text(reader *r, qn_str view) {
  return view.data ? qn_arena_str(r->arena, view).data : "";
}

/* ---- arguments ---- */

static void read_shape(reader *r, const qn_port *port, qn_abi_tensor *tensor) {
  if (port->shape.count > QN_ABI_MAX_RANK) {
    complain(r, "rank is larger than 16");
    return;
  }
  int64_t bytes = qn_dtype_names_of(port->dtype)->bytes;
  bool fits = true;
  tensor->rank = port->shape.count;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    tensor->dims[i] = port->shape.data[i];
    fits = fits && tensor->dims[i] >= 0 && qn_checked_mul(bytes, tensor->dims[i], &bytes);
  }
  if (!fits || bytes != (int64_t)tensor->bytes)
    complain(r, "quern.shape and quern.dtype do not make up the bytes of the memref");
}

static void read_sizes(reader *r, const qn_port *port, const qn_abi_model *model,
                       qn_abi_tensor *tensor) {
  for (uint32_t i = 0; i < QN_ABI_MAX_RANK; i++) {
    qn_str name = qn_port_size_name(port, i);
    bool outermost =
        true; /* only dimensions of 1 precede it, so that a smaller tensor is a prefix in memory */
    if (name.size == 0) continue;
    for (uint32_t before = 0; before < i && before < tensor->rank; before++)
      outermost = outermost && tensor->dims[before] == 1 && tensor->sizes[before] == 0;
    uint32_t k = 0;
    while (k < model->size_count && !qn_str_is(name, model->sizes[k].name)) k++;
    tensor->sizes[i] = (int32_t)k + 1;
    if (!outermost || i >= tensor->rank || k == model->size_count)
      complain(r, "quern.sizes names what is not the size of the outermost dimension");
    else if (tensor->dims[i] != model->sizes[k].bound)
      complain(r, "the largest size in quern.shape is not that of the size");
  }
}

static void read_tensor(reader *r, const qn_port *port, int64_t bytes, const qn_abi_model *model,
                        qn_abi_tensor *tensor) {
  *tensor = (qn_abi_tensor){.name = text(r, port->name),
                            .dtype = port->dtype,
                            .bytes = (uint64_t)bytes,
                            .scale = port->scale,
                            .zero_point = port->zero_point,
                            .index = port->index};
  if (!qn_port_has(port, QN_PORT_DTYPE))
    complain(r, "attribute quern.dtype is missing");
  else if (!qn_port_has(port, QN_PORT_SHAPE))
    complain(r, "attribute quern.shape is missing");
  else
    read_shape(r, port, tensor);
  read_sizes(r, port, model, tensor);
}

/* Sums of sizes stay far below 64 bits, and within the limit of a 32-bit index. */
static uint64_t max_state_bytes(const qn_target *level) {
  return level->index_bits == 64 ? UINT64_C(1) << 48 : (uint64_t)qn_target_max_bytes(level);
}

/* Places a state after the previous ones; offsets are stored in the interface only. */
static void place_state(reader *r, qn_abi_model *model, qn_abi_tensor *state) {
  uint64_t line = r->level->line_bytes, most = max_state_bytes(r->level);
  state->offset = model->state_bytes;
  if (state->offset > most || state->bytes > most - state->offset) {
    complain(r, "the states are too large");
    return;
  }
  model->state_bytes += (state->bytes + line - 1) / line * line;
}

/* Takes the place of an input or output in the arena. */
static void place_io(reader *r, const qn_port *port, qn_abi_tensor *tensor, qn_interface *in) {
  if (!qn_port_has(port, QN_PORT_OFFSET)) {
    in->io_in_arena = false;
    return;
  }
  uint64_t arena = in->model.arena_bytes;
  bool inside = port->offset >= 0 && tensor->bytes <= arena &&
                (uint64_t)port->offset <= arena - tensor->bytes;
  if (inside && port->offset % r->level->line_bytes == 0)
    tensor->offset = (uint64_t)port->offset;
  else
    complain(r, "attribute quern.offset is not aligned, or not inside of the arena");
}

/* A line after the prepared constants shows that they are complete (codegen/launches.c). */
uint64_t qn_prepared_bytes(const qn_target *level, uint64_t bytes) {
  uint64_t line = level->line_bytes;
  QN_ASSERT(line >= sizeof(uint64_t));
  return (bytes + line - 1) / line * line + line;
}

static void place_mark(reader *r, qn_abi_model *model, uint64_t bytes) {
  uint64_t line = r->level->line_bytes, most = max_state_bytes(r->level);
  if (most < 2 * line || bytes > most - 2 * line) {
    complain(r, "prepared memory is too large");
    return;
  }
  model->prepared_bytes = qn_prepared_bytes(r->level, bytes);
  model->version = QN_ABI_VERSION_PREPARED;
}

static bool initial_fits(const qn_port *port, int64_t bytes) {
  if (!port->initial) return true;
  const struct qn_dense *dense = &port->initial->dense;
  size_t element = qn_dtype_names_of(port->dtype)->bytes;
  return qn_attr_is_elements(port->initial) &&
         dense->bytes.size == (dense->splat ? element : (size_t)bytes);
}

/* The arguments, grouped by role. */
typedef struct lists {
  qn_abi_tensor *tensors[QN_ROLE_COUNT];
  qn_abi_size *sizes;
  const qn_attr **initial;
  uint32_t counts[QN_ROLE_COUNT];
} lists;

static void read_size(reader *r, const qn_port *port, qn_abi_size *size) {
  *size = (qn_abi_size){text(r, port->name), port->bound};
  if (port->bound < 1) complain(r, "attribute quern.bound is missing or less than 1");
}

static void read_argument(reader *r, const qn_port *port, int64_t bytes, lists *l,
                          qn_interface *in) {
  uint32_t number = l->counts[port->role]++;
  ((qn_binding *)in->bindings)[r->argument] = (qn_binding){port->role, number};
  if (port->role == QN_ROLE_ARENA) {
    if (bytes > (int64_t)in->model.arena_bytes) complain(r, "larger than quern.arena_bytes");
    if (number > 0) complain(r, "a second arena");
    return;
  }
  if (port->role == QN_ROLE_PREPARED) {
    if (number > 0) complain(r, "a second prepared memory");
    place_mark(r, &in->model, (uint64_t)bytes);
    return;
  }
  if (port->role == QN_ROLE_SHAPE) return;
  qn_abi_tensor *tensor = &l->tensors[port->role][number];
  read_tensor(r, port, bytes, &in->model, tensor);
  if (port->role != QN_ROLE_STATE) {
    place_io(r, port, tensor, in);
    return;
  }
  place_state(r, &in->model, tensor);
  l->initial[number] = port->initial;
  if (port->dtype && !initial_fits(port, bytes))
    complain(r, "quern.initial has another number or size of elements");
}

/* Reads sizes first, because tensors refer to them. */
static void read_ports(reader *r, qn_port *ports, lists *l, qn_interface *in) {
  const qn_block *body = qn_op_body(r->main);
  for (r->argument = 0; r->argument < body->arg_count; r->argument++) {
    qn_port *port = &ports[r->argument];
    qn_status status = qn_port_read(r->cx, r->main, QN_SIDE_ARGUMENTS, r->argument, port);
    if (status != QN_OK) r->status = status;
    if (status == QN_OK && !qn_port_has(port, QN_PORT_ROLE))
      complain(r, "attribute quern.role is missing");
    if (r->status == QN_OK && port->role == QN_ROLE_SHAPE)
      read_size(r, port, &l->sizes[in->model.size_count++]);
  }
}

static void read_arguments(reader *r, qn_interface *in) {
  const qn_block *body = qn_op_body(r->main);
  size_t count = (size_t)body->arg_count + 1;
  lists l = {.sizes = QN_NEW_ARRAY(r->arena, count, qn_abi_size),
             .initial = QN_NEW_ARRAY(r->arena, count, const qn_attr *)};
  for (size_t role = 0; role < QN_ROLE_COUNT; role++)
    l.tensors[role] = QN_NEW_ARRAY(r->arena, count, qn_abi_tensor);
  in->bindings = QN_NEW_ARRAY(r->arena, count, qn_binding);
  in->initial = l.initial;
  in->model.sizes = l.sizes;
  in->model.inputs = l.tensors[QN_ROLE_INPUT];
  in->model.outputs = l.tensors[QN_ROLE_OUTPUT];
  in->model.states = l.tensors[QN_ROLE_STATE];
  qn_port *ports = QN_NEW_ARRAY(r->arena, count, qn_port);
  read_ports(r, ports, &l, in);
  if (r->status != QN_OK) return;
  in->io_in_arena = true;
  for (r->argument = 0; r->argument < body->arg_count; r->argument++) {
    const qn_port *port = &ports[r->argument];
    const qn_type *type = body->args[r->argument]->type;
    int64_t bytes = qn_memref_bytes(type);
    bool is_size = port->role == QN_ROLE_SHAPE;
    if (is_size ? type->kind != QN_TYPE_INDEX : bytes < 0)
      complain(r, is_size ? "not an index" : "not a memref of static size");
    else
      read_argument(r, port, bytes, &l, in);
  }
  in->model.input_count = l.counts[QN_ROLE_INPUT];
  in->model.output_count = l.counts[QN_ROLE_OUTPUT];
  in->model.state_count = l.counts[QN_ROLE_STATE];
}

/* ---- steps and probes ---- */

/* Bytes of the buffers and constants that are operands of a launch, in all its rounds. */
static int64_t launch_bytes(const qn_op *launch) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < launch->operand_count; i++) {
    int64_t more = qn_memref_bytes(qn_op_operand(launch, i)->type);
    if (more > 0 && !qn_checked_add(bytes, more, &bytes)) return INT64_MAX;
  }
  return qn_checked_mul(bytes, qn_control_rounds(launch), &bytes) ? bytes : INT64_MAX;
}

static void read_steps(reader *r, qn_interface *in) {
  uint32_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, r->main) count += qn_op_is_step(op);
  qn_abi_step *steps = QN_NEW_ARRAY(r->arena, count + 1, qn_abi_step);
  in->model.steps = steps;
  in->model.step_count = count;
  QN_FOR_EACH_NESTED_OP(op, r->main) {
    if (!qn_op_is_step(op)) continue;
    steps->name = text(r, qn_op_layer_name(op));
    steps->macs = qn_launch_macs(op);
    steps->bytes = launch_bytes(op);
    steps++;
  }
}

/* The operator's name, else line and column of the text. */
static const char *loop_name(reader *r, const qn_op *op) {
  const qn_loc *loc = op->loc;
  while (loc->kind != QN_LOC_NAME && loc->child_count > 0) loc = loc->children[0];
  if (loc->kind == QN_LOC_NAME) return text(r, loc->text);
  if (loc->kind != QN_LOC_FILE) return text(r, op->name);
  return qn_arena_format(r->arena, "%.*s:%u:%u", QN_STR_ARG(loc->text), loc->line, loc->column)
      .data;
}

static void read_loops(reader *r, const qn_op *module, qn_interface *in) {
  uint32_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, r->main) count += op->kind == QN_OP_SCF_WHILE;
  qn_abi_loop *loops = QN_NEW_ARRAY(r->arena, count + 1, qn_abi_loop);
  in->model.loops = loops;
  in->model.loop_count = count;
  QN_FOR_EACH_NESTED_OP(op, r->main)
  if (op->kind == QN_OP_SCF_WHILE)
    *loops++ = (qn_abi_loop){loop_name(r, op), qn_op_max_iterations(module)};
}

static int64_t entry_int(const qn_attr *dict, const char *name, int64_t fallback) {
  for (uint32_t i = 0; dict && dict->kind == QN_ATTR_DICT && i < dict->dict.count; i++) {
    const qn_named_attr *item = &dict->dict.items[i];
    if (qn_str_is(item->name, name) && item->value->kind == QN_ATTR_INTEGER)
      return item->value->integer;
  }
  return fallback;
}

static bool probe_is_valid(const qn_abi_probe *probe, const qn_abi_model *model) {
  if (probe->size < 0 || probe->size > (int64_t)model->size_count) return false;
  if (probe->offset == UINT64_MAX)
    return probe->output >= 0 && probe->output < model->output_count &&
           probe->bytes == model->outputs[probe->output].bytes;
  return probe->bytes <= model->arena_bytes && probe->offset <= model->arena_bytes - probe->bytes;
}

static void read_probes(reader *r, const qn_op *module, qn_interface *in) {
  const qn_attr *list = qn_op_find(module, QN_A_PROBES);
  if (!list || list->kind != QN_ATTR_ARRAY) return;
  qn_abi_probe *probes = QN_NEW_ARRAY(r->arena, list->array.count + 1, qn_abi_probe);
  in->model.probes = probes;
  in->model.probe_count = list->array.count;
  for (uint32_t i = 0; i < list->array.count; i++) {
    const qn_attr *dict = list->array.items[i];
    probes[i] = (qn_abi_probe){.index = entry_int(dict, "index", -1),
                               .offset = (uint64_t)entry_int(dict, "offset", -1),
                               .bytes = (uint64_t)entry_int(dict, "bytes", -1),
                               .output = entry_int(dict, "output", -1),
                               .size = entry_int(dict, "size", -1) + 1};
    if (!probe_is_valid(&probes[i], &in->model))
      r->status = qn_error(&r->cx->diag, module->loc, QN_INVALID,
                           "quern.probes[%u] lies neither in the arena nor in an output", i);
  }
}

static bool is_identifier(qn_str name) {
  for (size_t i = 0; i < name.size; i++) {
    char c = name.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return name.size > 0;
}

qn_status qn_interface_check_symbol(qn_ir_context *cx, qn_str symbol) {
  if (is_identifier(symbol)) return QN_OK;
  return qn_error(&cx->diag, cx->diag.unknown, QN_INVALID, "symbol '%.*s' is not a C identifier",
                  QN_STR_ARG(symbol));
}

qn_status qn_interface_read(const qn_module *loops, const qn_target *level, qn_arena *arena,
                            qn_interface *out_interface) {
  qn_ir_context *cx = loops->cx;
  const qn_op *main = qn_module_main(loops);
  if (!main || main->region_count != 1 || !qn_op_body(main))
    return qn_error(&cx->diag, loops->op->loc, QN_INVALID, "the module has no function @main");
  reader r = {.cx = cx, .arena = arena, .main = main, .status = QN_OK, .level = level};
  int64_t arena_bytes = qn_op_arena_bytes(loops->op);
  if (arena_bytes < 0)
    return qn_error(&cx->diag, loops->op->loc, QN_INVALID,
                    "attribute quern.arena_bytes is missing or negative: not a lowered module");
  *out_interface = (qn_interface){.main = main};
  out_interface->model.version = QN_ABI_VERSION;
  out_interface->model.arena_bytes = (uint64_t)arena_bytes;
  qn_str numerics = qn_op_numerics(loops->op);
  out_interface->model.numerics = text(&r, numerics.size ? numerics : qn_str_of("unknown"));
  read_arguments(&r, out_interface);
  read_steps(&r, out_interface);
  read_loops(&r, loops->op, out_interface);
  if (r.status == QN_OK) read_probes(&r, loops->op, out_interface);
  return r.status;
}
