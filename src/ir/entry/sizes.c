/* Sizes that are known at run time only: which tensors have them in dimension 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/entry.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"

typedef struct finder {
  const qn_module *module;
  qn_arena *arena;
  qn_entry *entry;
  int32_t *size_of;
  qn_status status;
} finder;

static void keep(finder *f, qn_status status) {
  if (f->status == QN_OK) f->status = status;
}

/* ---- arguments ---- */

static int32_t intern(finder *f, qn_str name, int64_t bound) {
  qn_entry *e = f->entry;
  for (uint32_t i = 0; i < e->size_count; i++)
    if (qn_str_equal(e->sizes[i].name, name)) return (int32_t)i;
  e->sizes[e->size_count] = (qn_size){name, bound};
  return (int32_t)e->size_count++;
}

static void read_argument(finder *f, uint32_t i) {
  qn_ir_context *cx = f->module->cx;
  const qn_op *func = f->entry->func;
  const qn_port *port = &f->entry->args[i];
  const qn_value *value = qn_op_body(func)->args[i];
  f->size_of[value->id] = QN_SIZE_FIXED;
  if (!port->sizes) return;
  for (uint32_t d = 1; d < port->sizes->array.count; d++)
    if (qn_port_size_name(port, d).size > 0)
      keep(f, qn_error(&cx->diag, func->loc, QN_UNSUPPORTED,
                       "argument %u of @main: dimension %u can't have a size known at run time "
                       "only, dimension 0 can",
                       i, d));
  qn_str name = qn_port_size_name(port, 0);
  if (name.size == 0) return;
  const qn_type *type = value->type;
  if (port->role == QN_ROLE_STATE) {
    keep(f, qn_error(&cx->diag, func->loc, QN_UNSUPPORTED,
                     "argument %u of @main: a state keeps its size", i));
  } else if (type->kind != QN_TYPE_TENSOR || !type->shaped.ranked || type->shaped.rank == 0 ||
             type->shaped.dims[0] < 1) {
    keep(f, qn_port_complain(cx, func, QN_SIDE_ARGUMENTS, i,
                             "quern.sizes names dimension 0, but the type gives it no bound"));
  } else {
    int32_t size = intern(f, name, type->shaped.dims[0]);
    f->size_of[value->id] = size;
    if (f->entry->sizes[size].bound != type->shaped.dims[0])
      keep(f, qn_port_complain(cx, func, QN_SIDE_ARGUMENTS, i,
                               "size \"%.*s\" is at most %lld here, but %lld before",
                               QN_STR_ARG(name), (long long)type->shaped.dims[0],
                               (long long)f->entry->sizes[size].bound));
  }
}

/* ---- ops ---- */

static void refuse(finder *f, const qn_op *op, int32_t size, const char *why) {
  qn_str name = f->entry->sizes[size].name;
  keep(f, qn_error(&f->module->cx->diag, op->loc, QN_UNSUPPORTED,
                   "'%.*s' can't be computed for a size known at run time only (\"%.*s\"): %s",
                   QN_STR_ARG(op->name), QN_STR_ARG(name), why));
}

/* Of an op that may or may not have the attribute. */
static qn_i64s list_of(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  if (!attr || attr->kind != QN_ATTR_DENSE_ARRAY) return (qn_i64s){NULL, 0};
  return (qn_i64s){attr->dense_array.ints, attr->dense_array.count};
}

static bool lists(const qn_op *op, int64_t value) {
  qn_i64s list = list_of(op, QN_A_AXES);
  for (uint32_t i = 0; i < list.count; i++)
    if (list.data[i] == value) return true;
  return false;
}

/* Attributes in whose words an op of the trait reorders or joins dimension 0 all the same. */
static bool leaves_dimension_0(const qn_op *op, uint32_t rank) {
  qn_i64s perm = list_of(op, QN_A_PERM), stride = list_of(op, QN_A_STRIDE);
  if (perm.count > 0 && perm.data[0] != 0) return false;
  if (stride.count > 0 && stride.data[0] != 1) return false;
  const qn_attr *attr = qn_op_find(op, QN_A_AXIS);
  int64_t axis = attr && attr->kind == QN_ATTR_INTEGER ? attr->integer : rank;
  return axis != 0 && axis != -(int64_t)rank && !lists(op, 0) && !lists(op, -(int64_t)rank);
}

static bool has_entries(const qn_type *type, int64_t bound) {
  return type->kind == QN_TYPE_TENSOR && type->shaped.ranked && type->shaped.rank > 0 &&
         type->shaped.dims[0] == bound;
}

/* ---- linalg.generic: its first loop is that over entries ---- */

static bool mentions_entries(const qn_affine_expr *e) {
  if (e->kind == QN_AFFINE_DIM) return e->value == 0;
  return e->lhs && (mentions_entries(e->lhs) || mentions_entries(e->rhs));
}

/* Dimensions from `first` on. */
static bool map_mentions_entries(const qn_affine_map *map, uint32_t first) {
  for (uint32_t d = first; d < map->result_count; d++)
    if (mentions_entries(map->results[d])) return true;
  return false;
}

/* Whether the loop walks dimension 0 alone, and no other one. */
static bool walks_entries(const qn_affine_map *map) {
  return map->result_count > 0 && map->results[0]->kind == QN_AFFINE_DIM &&
         map->results[0]->value == 0 && !map_mentions_entries(map, 1);
}

/* Equal elements, or none in particular, that an output starts from have as many entries as it has.
 */
static void size_initial_values(finder *f, const qn_op *op, int32_t size) {
  for (uint32_t i = qn_generic_inputs(op); i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    const qn_attr *constant = qn_value_constant(v);
    bool equal = constant && qn_attr_is_elements(constant) && constant->dense.splat;
    bool any = equal || (v->op && v->op->kind == QN_OP_TENSOR_EMPTY);
    if (any && !v->first_use->next && walks_entries(qn_generic_map(op, i)))
      f->size_of[v->id] = size;
  }
}

static const char *generic_obstacle(const finder *f, const qn_op *op, int32_t size) {
  const qn_attr *types = qn_op_find(op, QN_A_ITERATOR_TYPES);
  bool parallel =
      types->array.count > 0 && qn_str_is(qn_iterator_kind(types->array.items[0]), "parallel");
  if (!parallel) return "its first loop is not over entries";
  for (uint32_t i = 0; i < op->operand_count; i++) {
    int32_t is = f->size_of[qn_op_operand(op, i)->id];
    const qn_affine_map *map = qn_generic_map(op, i);
    if (is != QN_SIZE_FIXED && is != size) return "another operand has another such size";
    if (is == QN_SIZE_FIXED && map_mentions_entries(map, 0))
      return "another operand has a fixed dimension 0";
    if (is != QN_SIZE_FIXED && !walks_entries(map)) return "it reads other entries";
  }
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!walks_entries(qn_generic_map(op, qn_generic_inputs(op) + i)))
      return "its result has another dimension 0";
  return NULL;
}

/* Why the op is no matter of single entries of dimension 0; NULL when it is. */
static const char *obstacle(const finder *f, const qn_op *op, int32_t size) {
  bool elementwise = qn_op_has(op, QN_ELEMENTWISE);
  bool all = qn_op_has(op, QN_BATCHED_ALL) || (elementwise && !qn_op_has(op, QN_BATCHED));
  int64_t bound = f->entry->sizes[size].bound;
  if (op->kind == QN_OP_LINALG_GENERIC) return generic_obstacle(f, op, size);
  if (!all && !qn_op_has(op, QN_BATCHED)) return "no part of its results depends on a part alone";
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!has_entries(op->results[i].type, bound)) return "its result has another dimension 0";
  uint32_t rank = op->results[0].type->shaped.rank;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    int32_t is = f->size_of[v->id];
    if (is != QN_SIZE_FIXED && is != size) return "another operand has another such size";
    if (is == QN_SIZE_FIXED && all && qn_type_is_shaped(v->type) && v->type->shaped.rank == rank &&
        v->type->shaped.dims[0] != 1)
      return "another operand has a fixed dimension 0";
    if (is != QN_SIZE_FIXED && i > 0 && !all) return "an operand other than the first has it";
    if (is != QN_SIZE_FIXED && all && v->type->shaped.rank != rank)
      return "the result has more dimensions";
  }
  uint32_t in_rank = qn_op_operand(op, 0)->type->shaped.rank;
  if (!elementwise && in_rank < 2) return "there is no dimension but that one";
  return leaves_dimension_0(op, in_rank) ? NULL : "it works along dimension 0";
}

static void visit(finder *f, const qn_op *op) {
  int32_t size = QN_SIZE_FIXED;
  for (uint32_t i = 0; i < op->operand_count && size == QN_SIZE_FIXED; i++)
    size = f->size_of[qn_op_operand(op, i)->id];
  for (uint32_t i = 0; i < op->result_count; i++) f->size_of[op->results[i].id] = size;
  if (size == QN_SIZE_FIXED || qn_op_has(op, QN_TERMINATOR)) return;
  if (op->kind == QN_OP_LINALG_GENERIC) size_initial_values(f, op, size);
  const char *why = obstacle(f, op, size);
  if (why) refuse(f, op, size, why);
}

/* ---- results ---- */

static void write_result(finder *f, uint32_t i, const qn_value *value) {
  qn_ir_context *cx = f->module->cx;
  qn_port *port = &f->entry->results[i];
  int32_t size = f->size_of[value->id];
  port->sizes = NULL;
  port->present &= ~(UINT32_C(1) << QN_PORT_SIZES);
  if (size == QN_SIZE_FIXED) return;
  if (port->role == QN_ROLE_STATE)
    keep(f, qn_error(&cx->diag, f->entry->func->loc, QN_UNSUPPORTED,
                     "result %u of @main: a state keeps its size", i));
  const qn_attr *name = qn_attr_string(cx, f->entry->sizes[size].name);
  port->sizes = qn_attr_array(cx, &name, 1);
  qn_port_note(port, QN_PORT_SIZES);
}

qn_status qn_sizes_find(const qn_module *module, qn_arena *arena, qn_entry *entry) {
  const qn_block *body = qn_op_body(entry->func);
  size_t values = (size_t)module->value_count + 1;
  finder f = {.module = module, .arena = arena, .entry = entry, .status = QN_OK};
  f.size_of = QN_NEW_ARRAY(arena, values, int32_t);
  for (size_t i = 0; i < values; i++) f.size_of[i] = QN_SIZE_FIXED;
  entry->size_of = f.size_of;
  entry->sizes = QN_NEW_ARRAY(arena, (size_t)body->arg_count + 1, qn_size);
  for (uint32_t i = 0; i < body->arg_count; i++) read_argument(&f, i);
  if (f.status != QN_OK || entry->size_count == 0) return f.status;
  if (body->next)
    return qn_error(&module->cx->diag, entry->func->loc, QN_UNSUPPORTED,
                    "sizes known at run time only need a function of one block");
  QN_FOR_EACH_OP(op, body) visit(&f, op);
  for (uint32_t i = 0; i < body->last->operand_count; i++)
    write_result(&f, i, qn_op_operand(body->last, i));
  return f.status;
}

/* ---- binding ---- */

static const qn_type *bound_type(qn_module *module, const qn_type *type, int64_t size) {
  qn_arena scratch;
  qn_arena_init(&scratch);
  int64_t *dims = QN_NEW_ARRAY(&scratch, type->shaped.rank, int64_t);
  for (uint32_t d = 0; d < type->shaped.rank; d++) dims[d] = type->shaped.dims[d];
  dims[0] = size;
  const qn_type *bound = qn_type_shaped(module->cx, type->kind, type->shaped.element, true,
                                        type->shaped.rank, dims, type->shaped.encoding, NULL);
  qn_arena_deinit(&scratch);
  return bound;
}

static const qn_type *bind_value(qn_module *module, const qn_entry *e, const int64_t *sizes,
                                 qn_value *value) {
  int32_t size = e->size_of[value->id];
  if (size != QN_SIZE_FIXED) qn_value_set_type(value, bound_type(module, value->type, sizes[size]));
  return value->type;
}

/* A splat whose result has become smaller. */
static void bind_constant(qn_module *module, qn_op *op) {
  const qn_attr *value = qn_op_has(op, QN_CONSTANT) ? qn_value_constant(&op->results[0]) : NULL;
  if (!value || !qn_attr_is_elements(value) || value->type == op->results[0].type) return;
  const qn_attr *bound = qn_attr_dense(module->cx, op->results[0].type, value->dense.bytes, true);
  qn_op_set_attr(module, op, "value", bound);
}

/* The end of a slice that keeps all of dimension 0. */
static void bind_end(qn_module *module, const qn_entry *e, const int64_t *sizes, qn_op *op) {
  qn_i64s end = list_of(op, QN_A_END);
  int32_t size = op->result_count > 0 ? e->size_of[op->results[0].id] : QN_SIZE_FIXED;
  if (end.count == 0 || size == QN_SIZE_FIXED) return;
  qn_arena scratch;
  qn_arena_init(&scratch);
  int64_t *bound = qn_arena_copy(&scratch, end.data, end.count * sizeof *end.data);
  bound[0] = sizes[size];
  qn_op_set_attr(module, op, "end", qn_attr_i64s(module->cx, bound, end.count));
  qn_arena_deinit(&scratch);
}

void qn_entry_bind(qn_module *module, const qn_entry *entry, const int64_t *sizes) {
  qn_op *func = qn_module_main(module);
  qn_block *body = qn_op_body(func);
  const qn_op *ret = body->last;
  qn_arena scratch;
  qn_arena_init(&scratch);
  const qn_type **inputs = QN_NEW_ARRAY(&scratch, (size_t)body->arg_count + 1, const qn_type *);
  const qn_type **outputs = QN_NEW_ARRAY(&scratch, (size_t)ret->operand_count + 1, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++)
    inputs[i] = bind_value(module, entry, sizes, body->args[i]);
  QN_FOR_EACH_OP(op, body) {
    for (uint32_t i = 0; i < op->result_count; i++)
      bind_value(module, entry, sizes, &op->results[i]);
    bind_constant(module, op);
    bind_end(module, entry, sizes, op);
  }
  for (uint32_t i = 0; i < ret->operand_count; i++) outputs[i] = qn_op_operand(ret, i)->type;
  const qn_type *type =
      qn_type_function(module->cx, inputs, body->arg_count, outputs, ret->operand_count);
  qn_op_set_attr(module, func, "function_type", qn_attr_type(module->cx, type));
  qn_arena_deinit(&scratch);
}
