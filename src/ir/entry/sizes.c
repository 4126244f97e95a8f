/* Dynamic sizes: which tensors have them, and in which dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/entry.h"
#include "ir/numerics.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"

typedef struct finder {
  const qn_module *module;
  qn_arena *arena;
  qn_entry *entry;
  qn_sized *size_of;
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

/* Whether all dimensions before `end` are 1. */
static bool are_one(const qn_type *type, uint32_t end) {
  for (uint32_t d = 0; d < end; d++)
    if (type->shaped.dims[d] != 1) return false;
  return true;
}

/* Finds the named dimension, which must have only dimensions of 1 before it. */
static bool find_dimension(finder *f, uint32_t i, const qn_type *type, uint32_t *out_dimension) {
  qn_ir_context *cx = f->module->cx;
  const qn_op *func = f->entry->func;
  const qn_port *port = &f->entry->args[i];
  uint32_t count = port->sizes ? port->sizes->array.count : 0, named = 0, d = 0;
  for (uint32_t k = count; k-- > 0;) {
    if (qn_port_size_name(port, k).size == 0) continue;
    named++;
    d = k;
  }
  *out_dimension = d;
  if (named == 0) return false;
  if (type->kind != QN_TYPE_TENSOR || !type->shaped.ranked || type->shaped.rank <= d ||
      type->shaped.dims[d] < 1) {
    keep(f, qn_port_complain(cx, func, QN_SIDE_ARGUMENTS, i,
                             "quern.sizes names dimension %u, but the type gives it no bound", d));
    return false;
  }
  bool outermost = are_one(type, d);
  if (named == 1 && outermost) return true;
  while (outermost && qn_port_size_name(port, ++d).size == 0) continue;
  keep(f, qn_error(&cx->diag, func->loc, QN_UNSUPPORTED,
                   "argument %u of @main: dimension %u can't have a size known at run time only: "
                   "one dimension can, of which all before it are 1",
                   i, d));
  return false;
}

static void read_argument(finder *f, uint32_t i) {
  qn_ir_context *cx = f->module->cx;
  const qn_op *func = f->entry->func;
  const qn_port *port = &f->entry->args[i];
  const qn_value *value = qn_op_body(func)->args[i];
  uint32_t d;
  if (!find_dimension(f, i, value->type, &d)) return;
  if (port->role == QN_ROLE_STATE) {
    keep(f, qn_error(&cx->diag, func->loc, QN_UNSUPPORTED,
                     "argument %u of @main: a state keeps its size", i));
    return;
  }
  qn_str name = qn_port_size_name(port, d);
  int64_t bound = value->type->shaped.dims[d];
  int32_t size = intern(f, name, bound);
  f->size_of[value->id] = (qn_sized){size, d};
  if (f->entry->sizes[size].bound != bound)
    keep(f,
         qn_port_complain(cx, func, QN_SIDE_ARGUMENTS, i,
                          "size \"%.*s\" is at most %lld here, but %lld before", QN_STR_ARG(name),
                          (long long)bound, (long long)f->entry->sizes[size].bound));
}

/* ---- ops ---- */

static void reject(finder *f, const qn_op *op, int32_t size, const char *why) {
  qn_str name = f->entry->sizes[size].name;
  keep(f, qn_error(&f->module->cx->diag, op->loc, QN_UNSUPPORTED,
                   "'%.*s' can't be computed for a size known at run time only (\"%.*s\"): %s",
                   QN_STR_ARG(op->name), QN_STR_ARG(name), why));
}

static bool is_sized(const finder *f, const qn_value *value) {
  return f->size_of[value->id].size != QN_SIZE_FIXED;
}

/* Whether the dimension has size `bound` and is the outermost one that is not 1. */
static bool has_entries(const qn_type *type, uint32_t dimension, int64_t bound) {
  return type->kind == QN_TYPE_TENSOR && type->shaped.ranked && dimension < type->shaped.rank &&
         type->shaped.dims[dimension] == bound && are_one(type, dimension);
}

static bool lists(const qn_op *op, uint32_t dimension, uint32_t rank) {
  qn_i64s list = qn_op_axes(op);
  for (uint32_t i = 0; i < list.count; i++)
    if (list.data[i] == (int64_t)dimension || list.data[i] == (int64_t)dimension - (int64_t)rank)
      return true;
  return false;
}

/* The results' dimension that corresponds to dimension `from` of operand 0, for ops with a batch
 * trait: by attribute perm; the same index if the rank is unchanged; else the first dimension
 * longer than 1. */
static uint32_t dimension_after(const qn_op *op, uint32_t from, int64_t bound) {
  qn_i64s perm = qn_op_perm(op);
  const qn_type *x = qn_op_operand(op, 0)->type, *y = op->results[0].type;
  if (!qn_type_is_shaped(y) || !y->shaped.ranked) return from;
  bool as_many = qn_type_elements(x) == qn_type_elements(y);
  uint32_t to = 0;
  if (perm.count > 0) {
    while (to < perm.count && perm.data[to] != (int64_t)from) to++;
  } else if (x->shaped.rank == y->shaped.rank && (bound == 1 || !as_many)) {
    to = from;
  } else {
    while (bound > 1 && to + 1 < y->shaped.rank && y->shaped.dims[to] == 1) to++;
  }
  return to;
}

/* Whether attributes of an op with a batch trait leave batch elements along the dimension
 * independent and equal in treatment. */
static bool leaves_dimension(const qn_op *op, uint32_t rank, uint32_t from, uint32_t to) {
  uint32_t after = op->results[0].type->shaped.rank;
  qn_i64s stride = qn_op_stride(op);
  if (stride.count > from && stride.data[from] != 1) return false;
  const qn_attr *attr = qn_op_find(op, QN_A_AXIS);
  int64_t axis = attr && attr->kind == QN_ATTR_INTEGER ? attr->integer : rank;
  bool inserts = after > rank; /* axes refer to the result */
  if (qn_op_batch_dims(op) > (int64_t)from) return false;
  return axis > (int64_t)from && !lists(op, inserts ? to : from, inserts ? after : rank);
}

/* ---- linalg.generic: one loop runs over batch elements ---- */

static bool mentions(const qn_affine_expr *e, int64_t loop) {
  if (e->kind == QN_AFFINE_DIM) return e->value == loop;
  return e->lhs && (mentions(e->lhs, loop) || mentions(e->rhs, loop));
}

/* The dimension of the operand whose index is exactly the loop variable, if no other dimension uses
 * this loop; else the number of dimensions. */
static uint32_t dimension_walked(const qn_affine_map *map, int64_t loop) {
  uint32_t walked = map->result_count;
  for (uint32_t d = 0; d < map->result_count; d++) {
    if (!mentions(map->results[d], loop)) continue;
    if (walked < map->result_count || map->results[d]->kind != QN_AFFINE_DIM)
      return map->result_count;
    walked = d;
  }
  return walked;
}

static bool mentions_anywhere(const qn_affine_map *map, int64_t loop) {
  for (uint32_t d = 0; d < map->result_count; d++)
    if (mentions(map->results[d], loop)) return true;
  return false;
}

/* Whether the op has a loop along the dimension that no input depends on, so that all elements
 * along it are equal. */
static bool is_filled(const qn_op *op, uint32_t dimension) {
  if (op->kind != QN_OP_LINALG_GENERIC || op->operand_count != 1) return false;
  const qn_affine_expr *walk = qn_generic_map(op, 0)->results[dimension];
  bool alone = qn_generic_inputs(op) == 0 && walk->kind == QN_AFFINE_DIM;
  return alone && !qn_generic_is_indexed(op, (uint32_t)walk->value);
}

/* Whether elements along the dimension are equal or unspecified. */
static bool is_uniform(const qn_value *value, uint32_t dimension) {
  const qn_attr *constant = qn_value_constant(value);
  if (constant && qn_attr_is_elements(constant)) return constant->dense.splat;
  if (!value->op) return false;
  return value->op->kind == QN_OP_TENSOR_EMPTY || is_filled(value->op, dimension);
}

/* Gives the dynamic size to a value with only one reader whose entries are all equal, such as an
 * initial value, and to the tensors that it is written into. */
static void size_initial_value(const finder *f, const qn_value *v, qn_sized sized) {
  int64_t bound = f->entry->sizes[sized.size].bound;
  while (!v->first_use->next && has_entries(v->type, sized.dimension, bound) &&
         is_uniform(v, sized.dimension)) {
    f->size_of[v->id] = sized;
    if (!v->op || v->op->operand_count == 0) return;
    v = qn_op_operand(v->op, 0); /* has the shape of the result */
  }
}

static void size_initial_values(const finder *f, const qn_op *op, int64_t loop, int32_t size) {
  for (uint32_t i = qn_generic_inputs(op); i < op->operand_count; i++) {
    uint32_t d = dimension_walked(qn_generic_map(op, i), loop);
    size_initial_value(f, qn_op_operand(op, i), (qn_sized){size, d});
  }
}

/* Whether no loop outside of `loop` has more than one iteration. */
static bool is_outermost_loop(const qn_op *op, uint32_t loop) {
  for (uint32_t i = 0; i < loop; i++) {
    uint32_t operand, d;
    if (!qn_generic_range(op, i, &operand, &d)) return false;
    if (qn_op_operand(op, operand)->type->shaped.dims[d] != 1) return false;
  }
  return true;
}

static const char *size_generic(const finder *f, const qn_op *op, uint32_t operand) {
  qn_sized from = f->size_of[qn_op_operand(op, operand)->id];
  const qn_affine_expr *walk = qn_generic_map(op, operand)->results[from.dimension];
  if (walk->kind != QN_AFFINE_DIM) return "it reads other entries";
  const qn_attr *types = qn_op_find(op, QN_A_ITERATOR_TYPES);
  uint32_t loop = (uint32_t)walk->value;
  bool parallel = qn_str_is(qn_iterator_kind(types->array.items[loop]), "parallel");
  if (!parallel || !is_outermost_loop(op, loop)) return "its first loop is not over entries";
  size_initial_values(f, op, loop, from.size);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_sized is = f->size_of[qn_op_operand(op, i)->id];
    const qn_affine_map *map = qn_generic_map(op, i);
    if (is.size == QN_SIZE_FIXED) {
      if (mentions_anywhere(map, loop)) return "another operand has a fixed size there";
    } else if (is.size != from.size) {
      return "another operand has another such size";
    } else if (dimension_walked(map, loop) != is.dimension) {
      return "it reads other entries";
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    uint32_t d = dimension_walked(qn_generic_map(op, qn_generic_inputs(op) + i), loop);
    if (!has_entries(op->results[i].type, d, f->entry->sizes[from.size].bound))
      return "its result has other entries";
    f->size_of[op->results[i].id].dimension = d;
  }
  return NULL;
}

/* ---- other ops ---- */

/* Whether a value broadcast to rank `rank` is the same for all batch elements. */
static bool is_for_all(const qn_type *type, uint32_t dimension, uint32_t rank) {
  if (!qn_type_is_shaped(type)) return true;
  uint32_t missing = rank - type->shaped.rank;
  return type->shaped.rank > rank || dimension < missing ||
         type->shaped.dims[dimension - missing] == 1;
}

/* Checks an op whose operands correspond element by element (broadcast): each operand must have the
 * dynamic size in the dimension that corresponds to `to`, or have one element there. Returns the
 * reason if not, else NULL. */
static const char *size_in_step(const finder *f, const qn_op *op, qn_sized to) {
  uint32_t rank = op->results[0].type->shaped.rank;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    qn_sized is = f->size_of[v->id];
    if (is.size == QN_SIZE_FIXED) {
      if (!is_for_all(v->type, to.dimension, rank)) return "another operand has a fixed size there";
    } else if (is.size != to.size) {
      return "another operand has another such size";
    } else if (is.dimension + rank != to.dimension + v->type->shaped.rank) {
      return "another operand has it in another dimension";
    }
  }
  return NULL;
}

/* Whether one entry would be a sum or product of equal shapes, which the profile rounds otherwise
 * than those of shapes that are broadcast. */
static bool depends_on_count(const finder *f, const qn_op *op, qn_sized to) {
  const qn_type *y = op->results[0].type;
  if (op->kind != QN_OP_ML_ADD && op->kind != QN_OP_ML_MUL) return false;
  if (!qn_module_profile(f->module)->once_where_equal || !qn_type_quant(y)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    const int64_t of_all = qn_type_elements(v->type) * f->entry->sizes[to.size].bound;
    if (!is_sized(f, v) && of_all == qn_type_elements(y)) return true;
  }
  return false;
}

/* For an operand 0 of static size and dynamic indices (operand 1): gives the result the size of the
 * indices. Returns the reason if that is not possible, else NULL. */
static const char *size_indexed(const finder *f, const qn_op *op, qn_sized from) {
  const qn_attr *axis = qn_op_find(op, QN_A_AXIS);
  bool vectors = !axis; /* the last dimension holds one index vector */
  if (qn_op_batch_dims(op) > 0) return "another operand has a fixed size there";
  if (vectors && from.dimension + 1 == qn_op_operand(op, 1)->type->shaped.rank)
    return "it works along that dimension";
  qn_sized to = {from.size, from.dimension + (axis ? (uint32_t)axis->integer : 0)};
  if (!has_entries(op->results[0].type, to.dimension, f->entry->sizes[from.size].bound))
    return "its result has other entries";
  f->size_of[op->results[0].id] = to;
  return NULL;
}

/* Whether a 3-D convolution or pool gives several planes per batch element; its integer form treats
 * each plane as an image. */
static bool makes_planes(const qn_op *op) {
  const qn_type *y = op->results[0].type;
  return qn_op_has(op, QN_SPATIAL) && qn_op_strides(op).count > 2 && y->shaped.dims[1] > 1;
}

/* Whether both are results of one op, which have equal batch sizes. */
static bool come_together(const qn_value *x, const qn_value *other) {
  return x->op && x->op == other->op;
}

/* Determines in which dimension the results have the dynamic size of `operand`. Returns NULL on
 * success, else the reason why the op does not compute batch elements independently. */
static const char *size_results(const finder *f, const qn_op *op, uint32_t operand) {
  if (op->kind == QN_OP_LINALG_GENERIC) return size_generic(f, op, operand);
  const qn_value *x = qn_op_operand(op, operand);
  qn_sized from = f->size_of[x->id], to = from;
  if (operand == 1 && qn_op_has(op, QN_INDEXED)) return size_indexed(f, op, from);
  bool elementwise = qn_op_has(op, QN_ELEMENTWISE);
  bool all = qn_op_has(op, QN_BATCHED_ALL) || (elementwise && !qn_op_has(op, QN_BATCHED));
  if (!all && !qn_op_has(op, QN_BATCHED)) return "no part of its results depends on a part alone";
  for (uint32_t i = 1; i < op->operand_count && !all; i++)
    if (is_sized(f, qn_op_operand(op, i)) && !come_together(x, qn_op_operand(op, i)))
      return "an operand other than the first has it";
  if (qn_op_has(op, QN_MATRICES) && from.dimension + 2 >= x->type->shaped.rank)
    return "it works along that dimension";
  if (from.dimension > 0 && qn_op_has(op, QN_SPATIAL)) return "it works along that dimension";
  if (makes_planes(op)) return "its planes are taken for entries";
  if (all)
    to.dimension += op->results[0].type->shaped.rank - x->type->shaped.rank;
  else
    to.dimension = dimension_after(op, from.dimension, f->entry->sizes[from.size].bound);
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (!has_entries(op->results[i].type, to.dimension, f->entry->sizes[from.size].bound))
      return "its result has other entries";
    f->size_of[op->results[i].id] = to;
  }
  const char *why = all ? size_in_step(f, op, to) : NULL;
  if (why) return why;
  if (depends_on_count(f, op, to)) return "the profile rounds one entry otherwise than several";
  uint32_t rank = x->type->shaped.rank;
  bool by_element = elementwise || (all && !qn_op_find(op, QN_A_AXIS));
  if (!by_element && from.dimension + 1 == rank) return "there is no dimension within that one";
  return leaves_dimension(op, rank, from.dimension, to.dimension) ? NULL
                                                                  : "it works along that dimension";
}

/* Values of dynamic size in branches and loops are rejected, because these may run several times
 * with different tensors. */
static void visit_control(finder *f, const qn_op *control) {
  QN_FOR_EACH_NESTED_OP(op, control)
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    if (!is_sized(f, v)) continue;
    reject(f, control, f->size_of[v->id].size, "a branch or loop reads it");
    return;
  }
}

static void visit(finder *f, const qn_op *op) {
  if (qn_op_has(op, QN_CONTROL)) visit_control(f, op);
  uint32_t sized = 0;
  while (sized < op->operand_count && !is_sized(f, qn_op_operand(op, sized))) sized++;
  if (sized == op->operand_count || qn_op_has(op, QN_TERMINATOR)) return;
  qn_sized from = f->size_of[qn_op_operand(op, sized)->id];
  for (uint32_t i = 0; i < op->result_count; i++)
    f->size_of[op->results[i].id] = (qn_sized){from.size, 0};
  const char *why = size_results(f, op, sized);
  if (why) reject(f, op, from.size, why);
}

/* ---- results ---- */

static void write_result(finder *f, uint32_t i, const qn_value *value) {
  qn_ir_context *cx = f->module->cx;
  qn_port *port = &f->entry->results[i];
  qn_sized sized = f->size_of[value->id];
  port->sizes = NULL;
  port->present &= ~(UINT32_C(1) << QN_PORT_SIZES);
  if (sized.size == QN_SIZE_FIXED) return;
  if (port->role == QN_ROLE_STATE)
    keep(f, qn_error(&cx->diag, f->entry->func->loc, QN_UNSUPPORTED,
                     "result %u of @main: a state keeps its size", i));
  const qn_attr **names = QN_NEW_ARRAY(f->arena, (size_t)sized.dimension + 1, const qn_attr *);
  for (uint32_t d = 0; d < sized.dimension; d++) names[d] = qn_attr_string(cx, qn_str_of(""));
  names[sized.dimension] = qn_attr_string(cx, f->entry->sizes[sized.size].name);
  port->sizes = qn_attr_array(cx, names, sized.dimension + 1);
  qn_port_note(port, QN_PORT_SIZES);
}

qn_sized *qn_sizes_fix(const qn_module *module, qn_arena *arena, qn_entry *entry) {
  size_t values = (size_t)module->value_count + 1;
  qn_sized *size_of = QN_NEW_ARRAY(arena, values, qn_sized);
  for (size_t i = 0; i < values; i++) size_of[i].size = QN_SIZE_FIXED;
  entry->size_of = size_of;
  entry->sizes = QN_NEW_ARRAY(arena, (size_t)qn_op_body(entry->func)->arg_count + 1, qn_size);
  return size_of;
}

qn_status qn_sizes_find(const qn_module *module, qn_arena *arena, qn_entry *entry) {
  const qn_block *body = qn_op_body(entry->func);
  finder f = {.module = module, .arena = arena, .entry = entry, .status = QN_OK};
  f.size_of = qn_sizes_fix(module, arena, entry);
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

/* ---- batches of a static size ---- */

/* The batch elements in dimension 0 of the first argument that has several; 0 if none has. */
static int64_t batch_of(const qn_block *body) {
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_type *type = body->args[i]->type;
    if (type->shaped.rank > 0 && type->shaped.dims[0] > 1) return type->shaped.dims[0];
  }
  return 0;
}

/* Marks the values that depend on an argument of static size, which a loop over the batch would
 * compute several times. Returns whether `op` has such a result. */
static bool repeats(const finder *f, const qn_op *op, bool *depends) {
  bool any = false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    any |= depends[v->id];
  }
  if (!any || op->result_count == 0 || is_sized(f, &op->results[0])) return false;
  for (uint32_t i = 0; i < op->result_count; i++) depends[op->results[i].id] = true;
  return true;
}

bool qn_sizes_find_batch(const qn_module *module, qn_arena *arena, qn_entry *entry) {
  const qn_block *body = qn_op_body(entry->func);
  finder f = {.module = module, .arena = arena, .entry = entry, .status = QN_OK};
  f.size_of = qn_sizes_fix(module, arena, entry);
  int64_t bound = batch_of(body);
  if (bound == 0) return false;
  entry->sizes[entry->size_count++] = (qn_size){qn_str_of("batch"), bound};
  bool *depends = QN_NEW_ARRAY(arena, (size_t)module->value_count + 1, bool);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const qn_value *v = body->args[i];
    if (has_entries(v->type, 0, bound)) f.size_of[v->id] = (qn_sized){0, 0};
    depends[v->id] = !is_sized(&f, v);
  }
  QN_FOR_EACH_OP(op, body) {
    if (qn_op_has(op, QN_CONTROL)) return false;
    visit(&f, op);
    if (f.status != QN_OK || repeats(&f, op, depends)) return false;
  }
  for (uint32_t i = 0; i < body->last->operand_count; i++) {
    qn_sized sized = f.size_of[qn_op_operand(body->last, i)->id];
    if (sized.size == QN_SIZE_FIXED || sized.dimension != 0) return false;
  }
  return true;
}
