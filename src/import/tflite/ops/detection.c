/* TFLite_Detection_PostProcess: decodes boxes relative to anchors, and selects the best boxes that
 * do not overlap a better one (NMS). The fast variant uses the best class of each box; the regular
 * one runs per class. It becomes several general ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/tflite/flexmap.h"
#include "ir/ops/forms.h"
#include "import/tflite/tflite.h"

enum { BOXES, SCORES, ANCHORS };               /* operand indices */
enum { CORNERS, CLASSES, BEST_SCORES, COUNT }; /* result indices */

typedef struct detections {
  qn_graph_op *op;
  int64_t boxes, classes,
      columns; /* columns of scores: one more than classes if there is a background class */
  int64_t most, per_box, per_class;
  bool regular;
  double score_threshold, iou_threshold, scale[4]; /* y, x, h, w */
} detections;

/* ---- options ---- */

static bool option_real(qn_graph_op *op, const qn_flexmap *map, const char *name, double *out) {
  if (!qn_flexmap_real(map, name, out) || !isfinite(*out))
    return qn_graph_error(op, NULL, QN_INVALID, "its option %s is missing, or no number", name);
  *out = (double)(float)*out;
  return true;
}

static bool option_int(qn_graph_op *op, const qn_flexmap *map, const char *name, int64_t least,
                       int64_t most, int64_t *out) {
  if (!qn_flexmap_int(map, name, out))
    return qn_graph_error(op, NULL, QN_INVALID, "its option %s is missing, or no number", name);
  if (*out >= least && *out <= most) return true;
  return qn_graph_error(op, NULL, *out < least ? QN_INVALID : QN_LIMIT,
                        "its option %s is %lld; %lld to %lld are supported", name, (long long)*out,
                        (long long)least, (long long)most);
}

static bool read_options(detections *d) {
  static const char *const scales[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
  qn_graph_op *op = d->op;
  qn_flexmap map;
  int64_t regular = 0;
  qn_bytes options;
  if (!qn_tflite_custom_options(op, &options)) return false;
  if (!qn_flexmap_open(options, &map))
    return qn_graph_error(op, NULL, QN_INVALID, "its options are no map");
  for (uint32_t i = 0; i < QN_COUNT(scales); i++)
    if (!option_real(op, &map, scales[i], &d->scale[i])) return false;
  d->per_class = 100;
  if (qn_flexmap_has(&map, "detections_per_class") &&
      !option_int(op, &map, "detections_per_class", 1, INT32_MAX, &d->per_class))
    return false;
  (void)qn_flexmap_int(&map, "use_regular_nms", &regular);
  d->regular = regular != 0;
  if (!option_int(op, &map, "max_detections", 1, QN_ML_MOST_BOXES, &d->most) ||
      !option_int(op, &map, "max_classes_per_detection", 1, QN_ML_LONGEST_ROW, &d->per_box) ||
      !option_int(op, &map, "num_classes", 1, QN_ML_LONGEST_ROW, &d->classes) ||
      !option_real(op, &map, "nms_score_threshold", &d->score_threshold) ||
      !option_real(op, &map, "nms_iou_threshold", &d->iou_threshold))
    return false;
  if (d->per_class > d->most) d->per_class = d->most;
  return (d->iou_threshold > 0 && d->iou_threshold <= 1) ||
         qn_graph_error(op, NULL, QN_INVALID,
                        "its option nms_iou_threshold is %g; it must be "
                        "above 0 and at most 1",
                        d->iou_threshold);
}

static bool read_shapes(detections *d) {
  qn_graph_op *op = d->op;
  const qn_graph_tensor *boxes = qn_graph_input(op, BOXES), *scores = qn_graph_input(op, SCORES),
                        *anchors = qn_graph_input(op, ANCHORS);
  if (op->failed) return false;
  const qn_graph_shape *b = &boxes->shape, *s = &scores->shape, *a = &anchors->shape;
  if (b->rank != 3 || s->rank != 3 || a->rank != 2 || b->dims[0] != 1 || s->dims[0] != 1 ||
      b->dims[2] < 4 || a->dims[1] != 4 || b->dims[1] != s->dims[1] || b->dims[1] != a->dims[0])
    return qn_graph_error(op, boxes, QN_INVALID,
                          "boxes of [1, n, 4], scores of [1, n, classes] and anchors of [n, 4] are "
                          "expected");
  d->boxes = b->dims[1];
  d->columns = s->dims[2];
  if (d->columns != d->classes && d->columns != d->classes + 1)
    return qn_graph_error(op, scores, QN_INVALID,
                          "it has %lld classes, the option num_classes %lld", (long long)d->columns,
                          (long long)d->classes);
  /* Charges for the several ops per box. */
  if (!qn_graph_spend(op, 64 * (d->regular ? d->per_class : d->most))) return false;
  int64_t looked_at = d->classes * d->per_class;
  return !d->regular || looked_at <= QN_ML_LONGEST_ROW ||
         qn_graph_error(op, NULL, QN_LIMIT, "%lld boxes are sorted at last, beyond the limit of %d",
                        (long long)looked_at, QN_ML_LONGEST_ROW);
}

/* ---- parts ---- */

static const qn_type *f32(const detections *d) { return qn_type_float(d->op->graph->cx, QN_F32); }
static const qn_type *f64(const detections *d) { return qn_type_float(d->op->graph->cx, QN_F64); }
static const qn_type *i32(const detections *d) { return qn_type_i(d->op->graph->cx, 32); }

static qn_graph_shape shape1(int64_t a) { return (qn_graph_shape){1, {a}}; }
static qn_graph_shape shape2(int64_t a, int64_t b) { return (qn_graph_shape){2, {a, b}}; }

static qn_value *cast(detections *d, qn_value *x, const qn_type *to) {
  const qn_type *type = qn_type_with_element(d->op->graph->cx, x->type, to);
  qn_graph_shape shape = {.rank = type->shaped.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = type->shaped.dims[i];
  return qn_graph_part(d->op, QN_OP_ML_CAST, to, &shape, &x, 1, NULL);
}

/* Builds an op on two values with a result of the given shape. */
static qn_value *both(detections *d, qn_op_kind kind, const qn_type *element, qn_graph_shape shape,
                      qn_value *a, qn_value *b) {
  return qn_graph_part(d->op, kind, element, &shape, (qn_value *[]){a, b}, 2, NULL);
}

/* A 1-D constant. */
static qn_value *row(detections *d, const qn_type *element, const void *values, int64_t count) {
  const qn_graph_shape shape = shape1(count);
  const qn_type *type = qn_graph_shaped(d->op->graph, element, &shape);
  size_t size = (size_t)count * qn_type_bytes(element);
  const qn_attr *value = qn_attr_dense(d->op->graph->cx, type, (qn_bytes){values, size}, false);
  return qn_graph_part(d->op, QN_OP_ML_CONST, element, &shape, NULL, 0, QN_ATTRS({"value", value}));
}
static qn_value *real(detections *d, float value) { return row(d, f32(d), &value, 1); }

static qn_value *gathered(detections *d, qn_value *x, qn_value *at, int64_t axis, int64_t batch,
                          qn_graph_shape shape) {
  qn_ir_context *cx = d->op->graph->cx;
  return qn_graph_part(
      d->op, QN_OP_ML_GATHER, qn_type_element(x->type), &shape, (qn_value *[]){x, at}, 2,
      QN_ATTRS({"axis", qn_attr_i64(cx, axis)}, {"batch_dims", qn_attr_i64(cx, batch)}));
}

/* Columns [from, to) of `count` rows. */
static qn_value *columns(detections *d, qn_value *x, int64_t count, int64_t from, int64_t to) {
  qn_ir_context *cx = d->op->graph->cx;
  const int64_t begin[] = {0, from}, end[] = {count, to}, stride[] = {1, 1};
  const qn_graph_shape shape = shape2(count, to - from);
  if (to - from == x->type->shaped.dims[1]) return x;
  return qn_graph_part(d->op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 2)},
                                {"end", qn_attr_i64s(cx, end, 2)},
                                {"stride", qn_attr_i64s(cx, stride, 2)}));
}

/* An operand as an f32 matrix. */
static qn_value *opened(detections *d, uint32_t operand, int64_t width) {
  qn_graph_op *op = d->op;
  qn_graph_tensor *tensor = qn_graph_input(op, operand);
  qn_value *x = tensor ? qn_graph_value(op, tensor) : NULL;
  if (!x) return NULL;
  const qn_graph_shape rows = shape2(d->boxes, width);
  if (tensor->dtype != QN_GRAPH_FLOAT32) {
    if (!qn_graph_is_quantized(tensor) || tensor->dtype != QN_GRAPH_UINT8) {
      qn_graph_error(op, tensor, QN_UNSUPPORTED, "it is %s where float32 or uint8 is expected",
                     qn_graph_dtype_name(tensor->dtype));
      return NULL;
    }
    x = qn_graph_part(op, QN_OP_QUANT_DCAST, f32(d), &tensor->shape, &x, 1, NULL);
  }
  return qn_graph_view(op, x, &rows);
}

/* ---- corners: centre -+ half of the size, rounded to f32 from f64 ---- */

static qn_value *corners(detections *d, qn_value *encoded, qn_value *anchors) {
  const qn_graph_shape pair = shape2(d->boxes, 2), all = shape2(d->boxes, 4);
  const double half = 0.5;
  encoded = cast(d, columns(d, encoded, d->boxes, 0, 4), f64(d));
  anchors = cast(d, anchors, f64(d));
  qn_value *size = columns(d, anchors, d->boxes, 2, 4);
  qn_value *centre = columns(d, encoded, d->boxes, 0, 2);
  centre = both(d, QN_OP_ML_REAL_DIV, f64(d), pair, centre, row(d, f64(d), d->scale, 2));
  centre = both(d, QN_OP_ML_MUL, f64(d), pair, centre, size);
  centre = both(d, QN_OP_ML_ADD, f64(d), pair, centre, columns(d, anchors, d->boxes, 0, 2));
  qn_value *reach = columns(d, encoded, d->boxes, 2, 4);
  reach = both(d, QN_OP_ML_REAL_DIV, f64(d), pair, reach, row(d, f64(d), d->scale + 2, 2));
  reach = qn_graph_part(d->op, QN_OP_ML_EXP, f64(d), &pair, &reach, 1, NULL);
  reach = both(d, QN_OP_ML_MUL, f64(d), pair, reach, row(d, f64(d), &half, 1));
  reach = both(d, QN_OP_ML_MUL, f64(d), pair, reach, size);
  centre = cast(d, centre, f32(d));
  reach = cast(d, reach, f32(d));
  qn_value *low = both(d, QN_OP_ML_SUB, f32(d), pair, centre, reach);
  qn_value *ends[] = {low, both(d, QN_OP_ML_ADD, f32(d), pair, centre, reach)};
  return qn_graph_part(d->op, QN_OP_ML_CONCAT, f32(d), &all, ends, 2,
                       QN_ATTRS({"axis", qn_attr_i64(d->op->graph->cx, 1)}));
}

static qn_value *suppressed(detections *d, qn_value *boxes, qn_value *scores, int64_t rows,
                            int64_t k) {
  qn_ir_context *cx = d->op->graph->cx;
  const qn_type *number = qn_type_float(cx, QN_F64);
  const qn_graph_shape shape = shape2(rows, k);
  return qn_graph_part(d->op, QN_OP_ML_NON_MAXIMUM_SUPPRESSION, i32(d), &shape,
                       (qn_value *[]){boxes, scores}, 2,
                       QN_ATTRS({"k", qn_attr_i64(cx, k)},
                                {"score_threshold", qn_attr_float(cx, d->score_threshold, number)},
                                {"iou_threshold", qn_attr_float(cx, d->iou_threshold, number)}));
}

/* ---- results ---- */

/* x where a box was found, else 0. `found` has the shape of x, or 1 in its last dimension. */
static qn_value *where_found(detections *d, qn_value *found, qn_value *x, qn_graph_shape shape) {
  const int32_t zero = 0;
  const qn_graph_shape is_shape = {found->type->shaped.rank,
                                   {found->type->shaped.dims[0], found->type->shaped.dims[1]}};
  qn_value *is = qn_graph_part(d->op, QN_OP_ML_GREATER_EQUAL, qn_type_i(d->op->graph->cx, 1),
                               &is_shape, (qn_value *[]){found, row(d, i32(d), &zero, 1)}, 2, NULL);
  return qn_graph_part(d->op, QN_OP_ML_SELECT, f32(d), &shape, (qn_value *[]){is, x, real(d, 0)}, 3,
                       NULL);
}

/* Defines a result from x [rows, size, width], padded with zeros at the end. */
static void define(detections *d, uint32_t result, qn_value *x, const int64_t from[3], int64_t to) {
  qn_graph_op *op = d->op;
  qn_ir_context *cx = op->graph->cx;
  const qn_graph_shape cube = {3, {from[0], from[1], from[2]}}, wide = {3, {from[0], to, from[2]}};
  qn_graph_shape shape = {result == CORNERS ? 3 : 2, {1, from[0] * to, from[2]}};
  const int64_t pad[] = {0, 0, 0, to - from[1], 0, 0};
  x = qn_graph_view(op, x, &cube);
  if (to > from[1])
    x = qn_graph_part(op, QN_OP_ML_PAD, f32(d), &wide, &x, 1,
                      QN_ATTRS({"pad", qn_attr_i64s(cx, pad, 6)}));
  qn_graph_tensor *y = qn_graph_output(op, result);
  if (!y) return;
  x = qn_graph_part(op, QN_OP_ML_RESHAPE, f32(d), &shape, &x, 1, NULL);
  qn_graph_define(op, y, &shape, x);
}

/* Defines the number of found boxes. */
static void define_count(detections *d, qn_value *found, int64_t count) {
  const qn_graph_shape flat = shape2(count, 1), one = shape1(1), column = shape2(1, 1);
  const int64_t axes[] = {0};
  found = qn_graph_view(d->op, found, &flat);
  qn_value *ones = where_found(d, found, real(d, 1), flat);
  qn_ir_context *cx = d->op->graph->cx;
  qn_value *sum = qn_graph_part(
      d->op, QN_OP_ML_REDUCE_SUM, f32(d), &column, &ones, 1,
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, true)}));
  qn_graph_tensor *y = qn_graph_output(d->op, COUNT);
  if (y) qn_graph_define(d->op, y, &one, qn_graph_view(d->op, sum, &one));
}

static qn_value *top(detections *d, qn_value *x, qn_graph_shape shape) {
  return qn_graph_part(d->op, QN_OP_ML_TOP_INDICES, i32(d), &shape, &x, 1,
                       QN_ATTRS({"k", qn_attr_i64(d->op->graph->cx, shape.dims[1])}));
}

/* Fast variant: selects the best classes of each box. */
static void build_fast(detections *d, qn_value *boxes, qn_value *scores) {
  qn_ir_context *cx = d->op->graph->cx;
  int64_t most = d->most, kept = d->per_box < d->classes ? d->per_box : d->classes;
  const qn_graph_shape all = shape1(d->boxes), line = shape2(1, d->boxes), row_of = shape1(most),
                       column = shape2(most, 1), cube = {3, {most, 1, 4}},
                       repeated = {3, {most, kept, 4}};
  const int64_t axes[] = {1}, reps[] = {1, kept, 1};
  qn_value *best = qn_graph_part(
      d->op, QN_OP_ML_REDUCE_MAX, f32(d), &all, &scores, 1,
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, false)}));
  qn_value *found = suppressed(d, boxes, qn_graph_view(d->op, best, &line), 1, most);
  qn_value *at = qn_graph_view(d->op, found, &row_of);
  found = qn_graph_view(d->op, found, &column);
  qn_value *rows = gathered(d, scores, at, 0, 0, shape2(most, d->classes));
  qn_value *which = top(d, rows, shape2(most, kept));
  qn_value *values = gathered(d, rows, which, 1, 1, shape2(most, kept));
  const int64_t sizes[] = {most, kept, 1}, corner_sizes[] = {most, kept, 4};
  qn_value *picked = gathered(d, boxes, at, 0, 0, shape2(most, 4));
  picked = qn_graph_view(d->op, where_found(d, found, picked, shape2(most, 4)), &cube);
  if (kept > 1)
    picked = qn_graph_part(d->op, QN_OP_ML_TILE, f32(d), &repeated, &picked, 1,
                           QN_ATTRS({"reps", qn_attr_i64s(cx, reps, 3)}));
  define(d, CORNERS, picked, corner_sizes, d->per_box);
  qn_value *names = where_found(d, found, cast(d, which, f32(d)), shape2(most, kept));
  define(d, CLASSES, names, sizes, d->per_box);
  define(d, BEST_SCORES, where_found(d, found, values, shape2(most, kept)), sizes, d->per_box);
  define_count(d, found, most);
}

/* Regular variant: the best boxes among those found per class; the first class wins ties. */
static void build_regular(detections *d, qn_value *boxes, qn_value *scores) {
  qn_ir_context *cx = d->op->graph->cx;
  const int64_t swap[] = {1, 0};
  int64_t k = d->per_class, looked_at = d->classes * k;
  int64_t most = looked_at < d->most ? looked_at : d->most, all = d->most * d->per_box;
  const qn_graph_shape turned = shape2(d->classes, d->boxes), each = shape2(d->classes, k),
                       flat = shape1(looked_at), line = shape2(1, looked_at),
                       picked = shape2(1, most), column = shape2(most, 1);
  const int32_t per_class = (int32_t)k, none = -1;
  scores = qn_graph_part(d->op, QN_OP_ML_TRANSPOSE, f32(d), &turned, &scores, 1,
                         QN_ATTRS({"perm", qn_attr_i64s(cx, swap, 2)}));
  qn_value *found = suppressed(d, boxes, scores, d->classes, k);
  qn_value *values = gathered(d, scores, found, 1, 1, each);
  qn_value *is = qn_graph_part(d->op, QN_OP_ML_GREATER, qn_type_i(cx, 1), &each,
                               (qn_value *[]){found, row(d, i32(d), &none, 1)}, 2, NULL);
  values = qn_graph_part(d->op, QN_OP_ML_SELECT, f32(d), &each,
                         (qn_value *[]){is, values, real(d, -INFINITY)}, 3, NULL);
  qn_value *at = top(d, qn_graph_view(d->op, values, &line), picked);
  values = gathered(d, qn_graph_view(d->op, values, &flat), at, 0, 0, picked);
  found = gathered(d, qn_graph_view(d->op, found, &flat), at, 0, 0, picked);
  qn_value *names = both(d, QN_OP_ML_FLOOR_DIV, i32(d), picked, at, row(d, i32(d), &per_class, 1));
  const int64_t sizes[] = {1, most, 1}, corner_sizes[] = {1, most, 4};
  const qn_graph_shape row_of = shape1(most);
  qn_value *chosen =
      gathered(d, boxes, qn_graph_view(d->op, found, &row_of), 0, 0, shape2(most, 4));
  qn_value *down = qn_graph_view(d->op, found, &column);
  define(d, CORNERS, where_found(d, down, chosen, shape2(most, 4)), corner_sizes, all);
  define(d, CLASSES, where_found(d, found, cast(d, names, f32(d)), picked), sizes, all);
  define(d, BEST_SCORES, where_found(d, found, values, picked), sizes, all);
  define_count(d, found, most);
}

void qn_tflite_import_detections(qn_graph_op *op) {
  detections d = {.op = op};
  if (!read_options(&d) || !read_shapes(&d)) return;
  for (uint32_t i = 0; i <= COUNT; i++) {
    const qn_graph_tensor *y = qn_graph_output(op, i);
    if (y && y->dtype != QN_GRAPH_FLOAT32)
      qn_graph_error(op, y, QN_UNSUPPORTED, "it is %s where float32 is expected",
                     qn_graph_dtype_name(y->dtype));
  }
  const qn_graph_tensor *encoded = qn_graph_input(op, BOXES);
  if (op->failed) return;
  qn_value *boxes = opened(&d, BOXES, encoded->shape.dims[2]);
  qn_value *scores = opened(&d, SCORES, d.columns), *anchors = opened(&d, ANCHORS, 4);
  if (!boxes || !scores || !anchors) return;
  boxes = corners(&d, boxes, anchors);
  scores = columns(&d, scores, d.boxes, d.columns - d.classes, d.columns);
  if (d.regular)
    build_regular(&d, boxes, scores);
  else
    build_fast(&d, boxes, scores);
}
