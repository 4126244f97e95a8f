/* Resize and Upsample. Each axis is resized on its own: the nearest element is a gather at constant
 * indices, an interpolation a product with a constant matrix.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

#include <math.h>

typedef enum place {
  HALF_PIXEL,
  HALF_PIXEL_SYMMETRIC,
  PYTORCH_HALF_PIXEL,
  ALIGN_CORNERS,
  ASYMMETRIC,
  CROP_AND_RESIZE
} place;
typedef enum mode { NEAREST, LINEAR, CUBIC } mode;
typedef enum nearest { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL } nearest;

typedef struct resize {
  mode mode;
  place place;
  nearest nearest;
  bool antialias, excludes;
  double cubic, outside; /* cubic_coeff_a, extrapolation_value */
  qn_graph_shape shape;
  double scales[QN_GRAPH_MAX_RANK], begin[QN_GRAPH_MAX_RANK], end[QN_GRAPH_MAX_RANK];
} resize;

/* Whether the operator is as before opset 11: no region, and other defaults. */
static bool is_old(qn_graph_op *op) {
  return qn_onnx_opset(op) < 11 || qn_str_is(op->name, "Upsample");
}

static bool read_words(qn_graph_op *op, resize *r) {
  static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
  static const char *const places[] = {"half_pixel",
                                       "half_pixel_symmetric",
                                       "pytorch_half_pixel",
                                       "align_corners",
                                       "asymmetric",
                                       "tf_crop_and_resize",
                                       NULL};
  static const char *const nearests[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil",
                                         NULL};
  const bool old = is_old(op);
  uint32_t found[3];
  if (!qn_onnx_word(op, "mode", "nearest", modes, &found[0]) ||
      !qn_onnx_word(op, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel", places,
                    &found[1]) ||
      !qn_onnx_word(op, "nearest_mode", old ? "floor" : "round_prefer_floor", nearests, &found[2]))
    return false;
  r->mode = (mode)found[0], r->place = (place)found[1], r->nearest = (nearest)found[2];
  r->antialias = qn_onnx_int(op, "antialias", 0) != 0;
  r->excludes = qn_onnx_int(op, "exclude_outside", 0) != 0;
  r->cubic = (double)qn_onnx_float(op, "cubic_coeff_a", -0.75F);
  r->outside = (double)qn_onnx_float(op, "extrapolation_value", 0);
  return !op->failed;
}

/* Constant floats; *out_count is 0 if the operand is absent or empty. */
static bool float_operand(qn_graph_op *op, uint32_t i, uint32_t most, float *out,
                          uint32_t *out_count) {
  *out_count = 0;
  if (!qn_graph_has_input(op, i)) return true;
  qn_graph_tensor *x = qn_graph_input(op, i);
  if (!x) return false;
  const int64_t count = qn_graph_elements(&x->shape);
  if (count == 0) return true;
  if (!qn_onnx_is_constant(op, x) || x->dtype != QN_GRAPH_FLOAT32 || count > most ||
      x->data.size != (size_t)count * sizeof *out)
    return qn_graph_error(op, x, QN_UNSUPPORTED, "it must be a constant of at most %u float32",
                          most);
  memcpy(out, x->data.data, x->data.size);
  *out_count = (uint32_t)count;
  return true;
}

/* The axes that the operands are about; all of them without an attribute. */
static bool read_axes(qn_graph_op *op, uint32_t rank, uint32_t *axes, uint32_t *out_count) {
  int64_t given[QN_GRAPH_MAX_RANK];
  uint32_t seen = 0;
  if (!qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, given, out_count)) return false;
  if (*out_count == 0) {
    *out_count = rank;
    for (uint32_t i = 0; i < rank; i++) axes[i] = i;
    return true;
  }
  for (uint32_t i = 0; i < *out_count; i++) {
    if (!qn_graph_axis(op, given[i], rank, &axes[i])) return false;
    if (seen >> axes[i] & 1)
      return qn_graph_error(op, NULL, QN_INVALID, "axis %u is listed twice", axes[i]);
    seen |= 1u << axes[i];
  }
  return true;
}

/* Equal factors along the axes, the smallest or the largest. */
static bool keep_aspect(qn_graph_op *op, const qn_graph_shape *from, const uint32_t *axes,
                        uint32_t count, resize *r) {
  static const char *const policies[] = {"stretch", "not_larger", "not_smaller", NULL};
  uint32_t policy;
  if (!qn_onnx_word(op, "keep_aspect_ratio_policy", "stretch", policies, &policy)) return false;
  if (policy == 0) return true;
  double scale = r->scales[axes[0]];
  for (uint32_t i = 1; i < count; i++)
    scale = policy == 1 ? fmin(scale, r->scales[axes[i]]) : fmax(scale, r->scales[axes[i]]);
  for (uint32_t i = 0; i < count; i++) {
    r->scales[axes[i]] = scale;
    r->shape.dims[axes[i]] = (int64_t)(scale * (double)from->dims[axes[i]] + 0.5);
    if (r->shape.dims[axes[i]] < 1)
      return qn_graph_error(op, NULL, QN_INVALID, "%g times dimension %u of %lld", scale, axes[i],
                            (long long)from->dims[axes[i]]);
  }
  return true;
}

/* Sizes, factors and the region of each axis. */
static bool read_sizes(qn_graph_op *op, const qn_graph_tensor *x, resize *r) {
  float scales[QN_GRAPH_MAX_RANK], roi[2 * QN_GRAPH_MAX_RANK];
  int64_t sizes[QN_GRAPH_MAX_RANK];
  uint32_t axes[QN_GRAPH_MAX_RANK], count, by_scale, by_size = 0, of_roi = 0;
  const bool old = is_old(op);
  r->shape = x->shape;
  for (uint32_t i = 0; i < x->shape.rank; i++) r->scales[i] = 1, r->begin[i] = 0, r->end[i] = 1;
  if (!read_axes(op, x->shape.rank, axes, &count) ||
      !float_operand(op, old ? 1 : 2, QN_GRAPH_MAX_RANK, scales, &by_scale) ||
      (!old && !float_operand(op, 1, 2 * QN_GRAPH_MAX_RANK, roi, &of_roi)))
    return false;
  if (!old && qn_graph_has_input(op, 3)) {
    qn_graph_tensor *operand = qn_graph_input(op, 3);
    if (!operand || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, sizes, &by_size)) return false;
  }
  const bool is_one = (by_scale == count && by_size == 0) || (by_size == count && by_scale == 0);
  if (!is_one || count == 0)
    return qn_graph_error(op, x, QN_INVALID,
                          "exactly one of scales and sizes must be given, one per axis");
  for (uint32_t i = 0; i < count; i++) {
    const int64_t from = x->shape.dims[axes[i]];
    const double scale = by_size ? (double)sizes[i] / (double)from : (double)scales[i];
    const double to = by_size ? (double)sizes[i] : floor(scale * (double)from);
    if (!(scale > 0) || !(to >= 1 && to <= INT32_MAX))
      return qn_graph_error(op, x, QN_INVALID, "%g times dimension %u of %lld", scale, axes[i],
                            (long long)from);
    r->scales[axes[i]] = scale;
    r->shape.dims[axes[i]] = (int64_t)to;
  }
  if (by_size && !keep_aspect(op, &x->shape, axes, count, r)) return false;
  if (r->place != CROP_AND_RESIZE) return true;
  if (of_roi != 2 * count)
    return qn_graph_error(op, x, QN_INVALID, "%u numbers of a region of %u axes", of_roi, count);
  for (uint32_t i = 0; i < count; i++) {
    r->begin[axes[i]] = (double)roi[i], r->end[axes[i]] = (double)roi[count + i];
    if (!(fabs((double)roi[i]) < 1e6 && fabs((double)roi[count + i]) < 1e6))
      return qn_graph_error(op, x, QN_INVALID, "a region from %g to %g", (double)roi[i],
                            (double)roi[count + i]);
  }
  return true;
}

/* ---- one axis ---- */

/* Where output i of an axis is in the operand. */
static double origin(const resize *r, uint32_t axis, int64_t from, int64_t i) {
  const double size = (double)from, scale = r->scales[axis], at = (double)i;
  const double wide = scale * size, last = size - 1;
  switch (r->place) {
  case ALIGN_CORNERS:
    return wide == 1 ? 0 : at * last / (wide - 1);
  case ASYMMETRIC:
    return at / scale;
  case CROP_AND_RESIZE: {
    const double range = (r->end[axis] - r->begin[axis]) * last;
    return (wide == 1 ? range / 2 : at * range / (wide - 1)) + r->begin[axis] * last;
  }
  case PYTORCH_HALF_PIXEL:
    return wide == 1 ? -0.5 : (at + 0.5) / scale - 0.5;
  case HALF_PIXEL_SYMMETRIC: {
    const double adjustment = (double)r->shape.dims[axis] / wide;
    return size / 2 * (1 - adjustment) + (at + 0.5) / scale - 0.5;
  }
  default:
    return (at + 0.5) / scale - 0.5;
  }
}

static int64_t clamped(double at, int64_t size) {
  return at < 0 ? 0 : at > (double)(size - 1) ? size - 1 : (int64_t)at;
}

static int64_t nearest_of(const resize *r, double at, int64_t size) {
  const double ratio = at - floor(at);
  const bool down =
      r->nearest == FLOOR || ratio == 0 ||
      (r->nearest == PREFER_FLOOR ? ratio <= 0.5 : r->nearest == PREFER_CEIL && ratio < 0.5);
  return clamped(down ? floor(at) : ceil(at), size);
}

static double cubic_at(double a, double x) {
  x = fabs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* A row of the matrix: weights of the elements around `at`, those outside at the border. */
static void weigh(const resize *r, double scale, double at, int64_t size, double *row) {
  const double shrink = r->antialias ? fmin(scale, 1) : 1, reach = r->mode == CUBIC ? 2 : 1;
  const int64_t first = (int64_t)floor(-reach / shrink) + 1, count = 2 - 2 * first;
  const double left = ceil(at) - 1, ratio = at - left;
  double sum = 0;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (int64_t i = 0; i < count; i++) {
      const double x = ((double)(first + i) - ratio) * shrink;
      const double spot = left + (double)(first + i);
      double w = r->mode == CUBIC ? cubic_at(r->cubic, x) : fmax(0, 1 - fabs(x));
      if (r->excludes && (spot < 0 || spot > (double)(size - 1))) w = 0;
      if (pass == 0)
        sum += w;
      else
        row[clamped(spot, size)] += r->antialias || r->excludes ? w / (sum == 0 ? 1 : sum) : w;
    }
}

static bool is_outside(const resize *r, double at, int64_t size) {
  return r->place == CROP_AND_RESIZE && (at < 0 || at > (double)(size - 1));
}

static bool is_same(const resize *r, uint32_t axis, int64_t from) {
  return fabs(r->scales[axis] - 1) <= 1e-9 && r->shape.dims[axis] == from && r->begin[axis] == 0 &&
         r->end[axis] == 1;
}

/* Elements whose origin is outside get a number. */
static qn_value *without_outside(qn_graph_op *op, const resize *r, uint32_t axis, int64_t from,
                                 qn_value *x) {
  const int64_t count = r->shape.dims[axis];
  qn_graph_shape shape = {.rank = r->shape.rank};
  bool any = false;
  uint8_t *bits = qn_arena_alloc(&op->graph->arena, (size_t)count);
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = i == axis ? count : 1;
  for (int64_t i = 0; i < count; i++) {
    bits[i] = is_outside(r, origin(r, axis, from, i), from);
    any |= bits[i];
  }
  if (!any) return x;
  qn_value *mask = qn_graph_const(op, qn_onnx_boolean(op), &shape, bits);
  return qn_onnx_choose(op, mask, qn_onnx_double(op, r->outside), x);
}

static qn_value *resized(qn_graph_op *op, const resize *r, uint32_t axis, qn_value *x) {
  const int64_t from = qn_onnx_dim(x, axis), to = r->shape.dims[axis];
  if (is_same(r, axis, from)) return x;
  if (r->mode == NEAREST) {
    int64_t *indices = qn_onnx_numbers(op, to);
    for (int64_t i = 0; indices && i < to; i++)
      indices[i] = nearest_of(r, origin(r, axis, from, i), from);
    x = indices ? qn_onnx_picked(op, x, axis, indices, to) : NULL;
  } else {
    const double shrink = r->antialias ? fmin(r->scales[axis], 1) : 1;
    double *matrix = qn_onnx_doubles(op, from * to);
    if (!matrix || !qn_graph_spend(op, (int64_t)(8 / shrink) * to)) return NULL;
    memset(matrix, 0, (size_t)(from * to) * sizeof *matrix);
    for (int64_t i = 0; i < to; i++)
      weigh(r, r->scales[axis], origin(r, axis, from, i), from, matrix + i * from);
    x = qn_onnx_mapped(op, x, axis, matrix, to);
  }
  return x && r->place == CROP_AND_RESIZE ? without_outside(op, r, axis, from, x) : x;
}

/* Images by whole factors, as an op that passes quantized elements on. */
static bool is_simple(const resize *r, const qn_graph_tensor *x) {
  const int64_t *to = r->shape.dims, *from = x->shape.dims;
  return x->shape.rank == 4 && r->mode == NEAREST && r->place == ASYMMETRIC &&
         r->nearest == FLOOR && to[0] == from[0] && to[1] == from[1] && to[2] % from[2] == 0 &&
         to[3] % from[3] == 0;
}

static void import_simple(qn_graph_op *op, qn_graph_tensor *x, const resize *r) {
  const qn_onnx_recipe recipe = {.kind = QN_OP_ML_RESIZE_NEAREST_NEIGHBOR,
                                 .layout = QN_ONNX_NHWC,
                                 .through_layout = QN_ONNX_NHWC,
                                 .shape = qn_onnx_shape_in(&r->shape, QN_ONNX_NHWC)};
  qn_onnx_pass_one(op, x, qn_graph_output(op, 0), &r->shape, &recipe);
}

void qn_onnx_import_resize(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  resize r = {0};
  if (op->failed || !qn_graph_has_elements(op, x) || !read_words(op, &r) ||
      !read_sizes(op, x, &r) || !qn_graph_check_size(op, x, &r.shape))
    return;
  if (is_simple(&r, x)) {
    import_simple(op, x, &r);
    return;
  }
  const bool moves =
      r.mode == NEAREST && r.place != CROP_AND_RESIZE && x->dtype != QN_GRAPH_FLOAT32;
  qn_value *v = moves ? qn_onnx_value(op, x) : qn_onnx_real(op, 0);
  for (uint32_t axis = 0; v && axis < r.shape.rank; axis++) v = resized(op, &r, axis, v);
  if (moves)
    qn_onnx_give(op, 0, x->dtype, v);
  else
    qn_onnx_give_real(op, 0, v);
}
