/* Reading the interface attributes of a loops-stage module.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/interface.h"

#include "base/checked.h"
#include "ir/walk.h"

typedef struct reader {
  qn_ir_context *cx;
  qn_arena *arena;
  const qn_op *main;
  qn_status status;
  uint32_t argument; /* being read, for messages */
} reader;

static const struct {
  const char *name;
  qn_abi_dtype dtype;
  uint32_t bytes;
} dtypes[] = {{"i8", QN_ABI_I8, 1},   {"ui8", QN_ABI_U8, 1},  {"i16", QN_ABI_I16, 2},
              {"i32", QN_ABI_I32, 4}, {"i64", QN_ABI_I64, 8}, {"f32", QN_ABI_F32, 4},
              {"i1", QN_ABI_BOOL, 1}};

static const char *const role_names[] = {
    [QN_ROLE_INPUT] = "input", [QN_ROLE_OUTPUT] = "output", [QN_ROLE_ARENA] = "arena"};

static const qn_attr *entry(const qn_attr *dict, const char *name) {
  if (!dict || dict->kind != QN_ATTR_DICT) return NULL;
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value;
  return NULL;
}

static int64_t entry_int(const qn_attr *dict, const char *name, int64_t fallback) {
  const qn_attr *value = entry(dict, name);
  return value && value->kind == QN_ATTR_INTEGER ? value->integer : fallback;
}

static void complain(reader *r, const char *what) {
  r->status = qn_error(&r->cx->diag, r->main->loc, QN_INVALID, "argument %u of @main: %s",
                       r->argument, what);
}

static const qn_attr *need(reader *r, const qn_attr *dict, const char *name, qn_attr_kind kind) {
  const qn_attr *value = entry(dict, name);
  if (value && value->kind == kind) return value;
  complain(r, qn_arena_format(r->arena, "attribute %s is missing or of the wrong kind", name).data);
  return NULL;
}

static const char *text(reader *r, qn_str view) { return qn_arena_str(r->arena, view).data; }

/* Bytes of the argument's memref; -1 when it is none of static size. */
static int64_t memref_bytes(const qn_type *type) {
  int64_t bytes;
  if (type->kind != QN_TYPE_MEMREF) return -1;
  int64_t elements = qn_type_elements(type);
  if (elements < 0 || !qn_checked_mul(elements, qn_type_bytes(type->shaped.element), &bytes))
    return -1;
  return bytes;
}

static void read_shape(reader *r, const qn_attr *shape, int64_t element_bytes,
                       qn_abi_tensor *tensor) {
  if (shape->dense_array.count > QN_ABI_MAX_RANK) {
    complain(r, "rank is larger than 8");
    return;
  }
  int64_t bytes = element_bytes;
  bool fits = true;
  tensor->rank = shape->dense_array.count;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    tensor->dims[i] = shape->dense_array.ints[i];
    fits = fits && tensor->dims[i] >= 0 && qn_checked_mul(bytes, tensor->dims[i], &bytes);
  }
  if (!fits || bytes != (int64_t)tensor->bytes)
    complain(r, "quern.shape and quern.dtype do not make up the bytes of the memref");
}

static void read_tensor(reader *r, const qn_attr *dict, int64_t bytes, qn_abi_tensor *tensor) {
  const qn_attr *name = entry(dict, "quern.name");
  const qn_attr *dtype = need(r, dict, "quern.dtype", QN_ATTR_STRING);
  const qn_attr *shape = need(r, dict, "quern.shape", QN_ATTR_DENSE_ARRAY);
  const qn_attr *scale = entry(dict, "quern.scale");
  tensor->name = name && name->kind == QN_ATTR_STRING ? text(r, name->string) : "";
  tensor->bytes = (uint64_t)bytes;
  tensor->scale = scale && scale->kind == QN_ATTR_FLOAT ? scale->number : 0;
  tensor->zero_point = entry_int(dict, "quern.zero_point", 0);
  tensor->index = entry_int(dict, "quern.index", -1);
  if (!dtype || !shape) return;
  for (size_t i = 0; i < QN_COUNT(dtypes); i++) {
    if (!qn_str_is(dtype->string, dtypes[i].name)) continue;
    tensor->dtype = dtypes[i].dtype;
    read_shape(r, shape, dtypes[i].bytes, tensor);
    return;
  }
  complain(r, "unknown quern.dtype");
}

static bool read_role(reader *r, const qn_attr *dict, qn_role *out_role) {
  const qn_attr *role = need(r, dict, "quern.role", QN_ATTR_STRING);
  if (!role) return false;
  for (size_t i = 0; i < QN_COUNT(role_names); i++)
    if (qn_str_is(role->string, role_names[i])) {
      *out_role = (qn_role)i;
      return true;
    }
  complain(r, "quern.role is none of \"input\", \"output\", \"arena\"");
  return false;
}

static void read_arguments(reader *r, qn_interface *in) {
  const qn_block *body = qn_op_body(r->main);
  const qn_attr *attrs = qn_op_find(r->main, QN_A_ARG_ATTRS);
  bool match = attrs && attrs->kind == QN_ATTR_ARRAY && attrs->array.count == body->arg_count;
  qn_binding *bindings = QN_NEW_ARRAY(r->arena, body->arg_count + 1, qn_binding);
  qn_abi_tensor *inputs = QN_NEW_ARRAY(r->arena, body->arg_count + 1, qn_abi_tensor);
  qn_abi_tensor *outputs = QN_NEW_ARRAY(r->arena, body->arg_count + 1, qn_abi_tensor);
  uint32_t counts[QN_COUNT(role_names)] = {0};
  for (r->argument = 0; r->argument < body->arg_count; r->argument++) {
    const qn_attr *dict = match ? attrs->array.items[r->argument] : NULL;
    int64_t bytes = memref_bytes(body->args[r->argument]->type);
    qn_role role;
    if (bytes < 0) complain(r, "not a memref of static size");
    if (bytes < 0 || !read_role(r, dict, &role)) continue;
    uint32_t number = counts[role]++;
    bindings[r->argument] = (qn_binding){role, number};
    if (role == QN_ROLE_INPUT) read_tensor(r, dict, bytes, &inputs[number]);
    if (role == QN_ROLE_OUTPUT) read_tensor(r, dict, bytes, &outputs[number]);
    if (role == QN_ROLE_ARENA && bytes > (int64_t)in->model.arena_bytes)
      complain(r, "larger than quern.arena_bytes");
    if (role == QN_ROLE_ARENA && number > 0) complain(r, "a second arena");
  }
  in->bindings = bindings;
  in->model.inputs = inputs;
  in->model.outputs = outputs;
  in->model.input_count = counts[QN_ROLE_INPUT];
  in->model.output_count = counts[QN_ROLE_OUTPUT];
}

static void read_steps(reader *r, qn_interface *in) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(r->main)) count += op->kind == QN_OP_QUERN_LAUNCH;
  qn_abi_step *steps = QN_NEW_ARRAY(r->arena, count + 1, qn_abi_step);
  in->model.steps = steps;
  in->model.step_count = count;
  QN_FOR_EACH_OP(op, qn_op_body(r->main)) {
    if (op->kind != QN_OP_QUERN_LAUNCH) continue;
    steps->name = text(r, qn_op_layer_name(op));
    if (!steps->name) steps->name = "";
    steps->macs = qn_op_macs(op);
    steps++;
  }
}

static bool probe_is_valid(const qn_abi_probe *probe, const qn_abi_model *model) {
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
                               .output = entry_int(dict, "output", -1)};
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

qn_status qn_interface_read(const qn_module *loops, qn_arena *arena, qn_interface *out_interface) {
  qn_ir_context *cx = loops->cx;
  const qn_op *main = qn_module_main(loops);
  if (!main || main->region_count != 1 || !qn_op_body(main))
    return qn_error(&cx->diag, loops->op->loc, QN_INVALID, "the module has no function @main");
  reader r = {.cx = cx, .arena = arena, .main = main, .status = QN_OK};
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
  if (r.status == QN_OK) read_probes(&r, loops->op, out_interface);
  return r.status;
}
