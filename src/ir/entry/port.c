/* Dictionaries of arguments and results, read and written by one table of fields.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/port.h"

#include "ir/entry/dtype.h"

static const char *const role_names[] = {
    [QN_ROLE_INPUT] = "input", [QN_ROLE_OUTPUT] = "output", [QN_ROLE_STATE] = "state",
    [QN_ROLE_SHAPE] = "shape", [QN_ROLE_ARENA] = "arena",   [QN_ROLE_PREPARED] = "prepared"};
_Static_assert(QN_COUNT(role_names) == QN_ROLE_COUNT, "every role has its name");

const char *qn_role_name(qn_role role) { return role_names[role]; }

/* Reads a field; false if the value is invalid for it. */
typedef bool get_fn(const qn_attr *value, qn_port *port);
typedef const qn_attr *put_fn(qn_ir_context *cx, const qn_port *port);

static bool get_role(const qn_attr *value, qn_port *port) {
  if (value->kind != QN_ATTR_STRING) return false;
  size_t i = 0;
  while (i < QN_ROLE_COUNT && !qn_str_is(value->string, role_names[i])) i++;
  port->role = (qn_role)i;
  return i < QN_ROLE_COUNT;
}
static const qn_attr *put_role(qn_ir_context *cx, const qn_port *port) {
  return qn_attr_string(cx, qn_str_of(role_names[port->role]));
}

static bool get_name(const qn_attr *value, qn_port *port) {
  port->name = value->kind == QN_ATTR_STRING ? value->string : (qn_str){0};
  return value->kind == QN_ATTR_STRING;
}
static const qn_attr *put_name(qn_ir_context *cx, const qn_port *port) {
  return qn_attr_string(cx, port->name);
}

static bool get_scale(const qn_attr *value, qn_port *port) {
  port->scale = value->kind == QN_ATTR_FLOAT ? value->number : 0;
  return value->kind == QN_ATTR_FLOAT;
}
static const qn_attr *put_scale(qn_ir_context *cx, const qn_port *port) {
  return qn_attr_float(cx, port->scale, qn_type_float(cx, QN_F64));
}

/* Integer fields. */
#define NUMBER(field)                                                                              \
  static bool get_##field(const qn_attr *value, qn_port *port) {                                   \
    if (value->kind == QN_ATTR_INTEGER) port->field = value->integer;                              \
    return value->kind == QN_ATTR_INTEGER;                                                         \
  }                                                                                                \
  static const qn_attr *put_##field(qn_ir_context *cx, const qn_port *port) {                      \
    return qn_attr_i64(cx, port->field);                                                           \
  }
NUMBER(index)
NUMBER(zero_point)
NUMBER(bound)
NUMBER(offset)
#undef NUMBER

static bool get_sizes(const qn_attr *value, qn_port *port) {
  bool fits = value->kind == QN_ATTR_ARRAY;
  for (uint32_t i = 0; fits && i < value->array.count; i++)
    fits = value->array.items[i] && value->array.items[i]->kind == QN_ATTR_STRING;
  port->sizes = fits ? value : NULL;
  return fits;
}
static const qn_attr *put_sizes(qn_ir_context *cx, const qn_port *port) {
  (void)cx;
  return port->sizes;
}

static bool get_initial(const qn_attr *value, qn_port *port) {
  port->initial = qn_attr_is_elements(value) ? value : NULL;
  return port->initial != NULL;
}
static const qn_attr *put_initial(qn_ir_context *cx, const qn_port *port) {
  (void)cx;
  return port->initial;
}

static bool get_dtype(const qn_attr *value, qn_port *port) {
  port->dtype = value->kind == QN_ATTR_STRING ? qn_dtype_named(value->string) : 0;
  return port->dtype != 0;
}
static const qn_attr *put_dtype(qn_ir_context *cx, const qn_port *port) {
  return qn_attr_string(cx, qn_str_of(qn_dtype_names_of(port->dtype)->ir));
}

static bool get_shape(const qn_attr *value, qn_port *port) {
  if (value->kind != QN_ATTR_DENSE_ARRAY || (value->dense_array.count && !value->dense_array.ints))
    return false;
  port->shape = (qn_i64s){value->dense_array.ints, value->dense_array.count};
  return true;
}
static const qn_attr *put_shape(qn_ir_context *cx, const qn_port *port) {
  return qn_attr_i64s(cx, port->shape.data, port->shape.count);
}

static const struct {
  const char *name, *expected; /* expected kind, for messages */
  get_fn *get;
  put_fn *put;
} fields[] = {
    [QN_PORT_ROLE] = {"quern.role", "one of \"input\", \"output\", \"state\", \"shape\", \"arena\"",
                      get_role, put_role},
    [QN_PORT_NAME] = {"quern.name", "a string", get_name, put_name},
    [QN_PORT_INDEX] = {"quern.index", "an integer", get_index, put_index},
    [QN_PORT_SCALE] = {"quern.scale", "a float", get_scale, put_scale},
    [QN_PORT_ZERO_POINT] = {"quern.zero_point", "an integer", get_zero_point, put_zero_point},
    [QN_PORT_SIZES] = {"quern.sizes", "an array of strings", get_sizes, put_sizes},
    [QN_PORT_INITIAL] = {"quern.initial", "dense elements", get_initial, put_initial},
    [QN_PORT_DTYPE] = {"quern.dtype", "the name of an element type", get_dtype, put_dtype},
    [QN_PORT_SHAPE] = {"quern.shape", "array<i64: ...>", get_shape, put_shape},
    [QN_PORT_BOUND] = {"quern.bound", "an integer", get_bound, put_bound},
    [QN_PORT_OFFSET] = {"quern.offset", "an integer", get_offset, put_offset},
};
_Static_assert(QN_COUNT(fields) == QN_PORT_FIELDS, "every field has a row");

static const qn_attr_id lists[] = {
    [QN_SIDE_ARGUMENTS] = QN_A_ARG_ATTRS, [QN_SIDE_RESULTS] = QN_A_RES_ATTRS};

/* ---- reading ---- */

static const qn_attr *dictionary(const qn_op *func, qn_side side, uint32_t i) {
  const qn_attr *list = qn_op_find(func, lists[side]);
  if (!list || list->kind != QN_ATTR_ARRAY || i >= list->array.count) return NULL;
  const qn_attr *dict = list->array.items[i];
  return dict && dict->kind == QN_ATTR_DICT ? dict : NULL;
}

qn_status qn_port_complain(qn_ir_context *cx, const qn_op *func, qn_side side, uint32_t i,
                           const char *format, ...) {
  static const char *const words[] = {
      [QN_SIDE_ARGUMENTS] = "argument", [QN_SIDE_RESULTS] = "result"};
  qn_str name = qn_op_sym_name(func);
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return qn_error(&cx->diag, func->loc, QN_INVALID, "%s %u of @%.*s: %s", words[side], i,
                  QN_STR_ARG(name), message);
}

static bool is_ours(qn_str name) { return qn_str_starts(name, "quern."); }

qn_status qn_port_read(qn_ir_context *cx, const qn_op *func, qn_side side, uint32_t i,
                       qn_port *out_port) {
  const qn_attr *dict = dictionary(func, side, i);
  *out_port = (qn_port)QN_PORT_INIT;
  out_port->others = dict;
  qn_status status = QN_OK;
  for (uint32_t k = 0; dict && k < dict->dict.count; k++) {
    const qn_named_attr *item = &dict->dict.items[k];
    size_t f = 0;
    while (f < QN_PORT_FIELDS && !qn_str_is(item->name, fields[f].name)) f++;
    if (f == QN_PORT_FIELDS) {
      if (is_ours(item->name))
        status =
            qn_port_complain(cx, func, side, i, "unknown attribute %.*s", QN_STR_ARG(item->name));
    } else if (fields[f].get(item->value, out_port)) {
      qn_port_note(out_port, (qn_port_field)f);
    } else {
      status = qn_port_complain(cx, func, side, i, "attribute %s is not %s", fields[f].name,
                                fields[f].expected);
    }
  }
  return status;
}

const char *qn_port_name(const qn_op *func, qn_side side, uint32_t i) {
  const qn_attr *dict = dictionary(func, side, i);
  for (uint32_t k = 0; dict && k < dict->dict.count; k++) {
    const qn_named_attr *item = &dict->dict.items[k];
    if (qn_str_is(item->name, fields[QN_PORT_NAME].name) && item->value->kind == QN_ATTR_STRING)
      return item->value->string.data;
  }
  return NULL;
}

qn_str qn_port_size_name(const qn_port *port, uint32_t dimension) {
  bool named = port->sizes && dimension < port->sizes->array.count;
  return named ? port->sizes->array.items[dimension]->string : (qn_str){0};
}

/* ---- writing ---- */

const qn_attr *qn_port_write(qn_ir_context *cx, const qn_port *port) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  uint32_t others = port->others ? port->others->dict.count : 0, count = 0;
  qn_named_attr *items = QN_NEW_ARRAY(&scratch, (size_t)others + QN_PORT_FIELDS, qn_named_attr);
  for (uint32_t i = 0; i < others; i++)
    if (!is_ours(port->others->dict.items[i].name)) items[count++] = port->others->dict.items[i];
  for (size_t f = 0; f < QN_PORT_FIELDS; f++)
    if (qn_port_has(port, (qn_port_field)f))
      items[count++] =
          (qn_named_attr){qn_intern(cx, qn_str_of(fields[f].name)), fields[f].put(cx, port)};
  const qn_attr *dict = qn_attr_dict(cx, items, count);
  qn_arena_deinit(&scratch);
  return dict;
}

void qn_ports_set(qn_module *module, qn_op *func, qn_side side, const qn_port *ports,
                  uint32_t count) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  const qn_attr **dicts = QN_NEW_ARRAY(&scratch, (size_t)count + 1, const qn_attr *);
  for (uint32_t i = 0; i < count; i++) dicts[i] = qn_port_write(module->cx, &ports[i]);
  qn_op_set_attr(module, func, qn_attr_decls[lists[side]].name,
                 qn_attr_array(module->cx, dicts, count));
  qn_arena_deinit(&scratch);
}
