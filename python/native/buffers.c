/* Buffers of Python objects as tensors. Nothing is converted: what does not fit is an error that
 * says what was wanted and what came.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <stdio.h>
#include <string.h>

enum { SHAPE_TEXT = 160 };

/* Names of formats of the struct module, for messages; those of element types first, by qn_dtype.
 */
static const struct {
  const char *format, *name;
} formats[] = {{"b", "int8"},      {"B", "uint8"},   {"h", "int16"},      {"i", "int32"},
               {"l", "int64"},     {"f", "float32"}, {"?", "bool"},       {"H", "uint16"},
               {"I", "uint32"},    {"L", "uint64"},  {"e", "float16"},    {"d", "float64"},
               {"q", "int64"},     {"Q", "uint64"},  {"g", "longdouble"}, {"Zd", "complex128"},
               {"Zf", "complex64"}};
_Static_assert(sizeof(long) == 8 && QN_DTYPE_I8 == 1 && QN_DTYPE_F64 == 12, "the table above");

static const char *format_name(const char *format) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(format, formats[i].format) == 0) return formats[i].name;
  return format;
}

static bool fits_dtype(const char *format, qn_dtype dtype) {
  const char *wanted = formats[dtype - 1].format;
  if (format[0] == '@' || format[0] == '=' || format[0] == '<') format++; /* little endian */
  return strcmp(format, wanted) == 0 || (dtype == QN_DTYPE_I64 && strcmp(format, "q") == 0) ||
         (dtype == QN_DTYPE_U64 && strcmp(format, "Q") == 0);
}

static void print_shape(char text[SHAPE_TEXT], int rank, const Py_ssize_t *dims) {
  int at = snprintf(text, SHAPE_TEXT, "[");
  for (int i = 0; i < rank && at < SHAPE_TEXT - 24; i++)
    at += snprintf(text + at, (size_t)(SHAPE_TEXT - at), i ? ", %zd" : "%zd", dims[i]);
  snprintf(text + at, (size_t)(SHAPE_TEXT - at), "]");
}

enum { MOST_RANK = 64 };

/* The dims of the tensor or of so many entries of it. */
static uint32_t wanted_dims(const qp_port *port, size_t count, Py_ssize_t dims[MOST_RANK]) {
  uint32_t rank = port->info.rank < MOST_RANK ? port->info.rank : MOST_RANK;
  for (uint32_t i = 0; i < rank; i++) dims[i] = (Py_ssize_t)port->info.dims[i];
  if (count && rank) dims[0] *= (Py_ssize_t)count;
  return rank;
}

static bool fits_shape(const Py_buffer *view, uint32_t rank, const Py_ssize_t *dims) {
  if (view->ndim != (int)rank) return false;
  for (uint32_t i = 0; i < rank; i++)
    if (view->shape[i] != dims[i]) return false;
  return true;
}

/* bytes, array.array and the like have no shape of their own. */
static bool fits_flat(const qp_state *state, PyObject *object, const Py_buffer *view,
                      size_t bytes) {
  return view->ndim == 1 && PyObject_IsInstance(object, state->ndarray) == 0 &&
         (size_t)view->len == bytes;
}

/* Whether all but the outermost dimension is without gaps. */
static bool inner_contiguous(const Py_buffer *view) {
  Py_ssize_t bytes = view->itemsize;
  for (int i = view->ndim - 1; i > 0; i--) {
    if (view->shape[i] > 1 && view->strides[i] != bytes) return false;
    bytes *= view->shape[i];
  }
  return true;
}

static bool reject(qp_state *state, const qp_port *port, uint32_t rank, const Py_ssize_t *dims,
                   const Py_buffer *view, const char *format) {
  char wanted[SHAPE_TEXT], given[SHAPE_TEXT];
  print_shape(wanted, (int)rank, dims);
  print_shape(given, view->ndim, view->shape);
  qp_raise(state, QN_INVALID, NULL, "%s %u '%s' is %s %s, not %s %s: nothing is converted",
           port->role, port->index, port->info.name, qn_dtype_name(port->info.dtype), wanted,
           format_name(format), given);
  return false;
}

static bool deny_gaps(qp_state *state, const qp_port *port) {
  qp_raise(state, QN_INVALID, NULL,
           "%s %u '%s' is not contiguous: give numpy.ascontiguousarray of it%s", port->role,
           port->index, port->info.name,
           port->role[0] == 'i' ? ", or call run with copy=True" : " and copy the result");
  return false;
}

/* The byte distance of two batch elements. If a batch element is one row of the outermost
 * dimension, the rows may have any stride; if it is several rows, the rows must be contiguous. */
static bool stride_of(const Py_buffer *view, const qp_port *port, bool writable, ptrdiff_t *out) {
  *out = (ptrdiff_t)port->info.bytes;
  if (view->len == 0 || PyBuffer_IsContiguous(view, 'C')) return true;
  if (view->ndim == 0 || port->info.rank == 0 || port->info.dims[0] != 1 || !inner_contiguous(view))
    return false;
  *out = (ptrdiff_t)view->strides[0];
  return !writable || *out >= (ptrdiff_t)port->info.bytes;
}

/* format NULL: that of the dtype. */
static bool check(qp_state *state, const qp_port *port, PyObject *object, const Py_buffer *view,
                  const char *format, bool writable, size_t count, ptrdiff_t *out_stride) {
  Py_ssize_t dims[MOST_RANK];
  uint32_t rank = wanted_dims(port, count, dims);
  size_t bytes = port->info.bytes * (count ? count : 1);
  if ((format && !fits_dtype(format, port->info.dtype)) ||
      (!fits_shape(view, rank, dims) && !fits_flat(state, object, view, bytes)))
    return reject(state, port, rank, dims, view,
                  format ? format : formats[port->info.dtype - 1].format);
  if (!count) return PyBuffer_IsContiguous(view, 'C') || deny_gaps(state, port);
  return stride_of(view, port, writable, out_stride) || deny_gaps(state, port);
}

/* The object itself, or an array on what another library's protocol gives; a new reference. */
static PyObject *with_buffer(qp_state *state, const qp_port *port, PyObject *object) {
  if (PyObject_CheckBuffer(object)) return Py_NewRef(object);
  return PyObject_CallFunction(state->adapt, "Osis", object, port->role, (int)port->index,
                               port->info.name);
}

/* An array of exactly this dtype: numpy needs no time then to spell the format. */
static bool is_array_of(qp_state *state, PyObject *object, qn_dtype dtype) {
  if ((PyObject *)Py_TYPE(object) != state->ndarray) return false;
  PyObject *its = PyObject_GetAttr(object, state->dtype_name);
  Py_XDECREF(its);
  if (!its) PyErr_Clear();
  return its == state->dtypes[dtype];
}

bool qp_take(qp_state *state, const qp_port *port, PyObject *object, bool writable, size_t count,
             ptrdiff_t *out_stride, Py_buffer *out) {
  PyObject *holder = with_buffer(state, port, object);
  if (!holder) return false;
  bool known = is_array_of(state, holder, port->info.dtype);
  int flags = PyBUF_STRIDES | (known ? 0 : PyBUF_FORMAT) | (writable ? PyBUF_WRITABLE : 0);
  int got = PyObject_GetBuffer(holder, out, flags);
  if (got < 0 && writable && PyErr_ExceptionMatches(PyExc_ValueError)) {
    PyErr_Clear();
    qp_raise(state, QN_INVALID, NULL, "%s %u '%s' can't be written: it is read-only", port->role,
             port->index, port->info.name);
  }
  const char *format = known ? NULL : "B";
  if (got == 0 && !known && out->format) format = out->format;
  bool ok = got == 0 && check(state, port, holder, out, format, writable, count, out_stride);
  if (got == 0 && !ok) PyBuffer_Release(out);
  Py_DECREF(holder);
  return ok;
}

/* The address range [begin, end) of all bytes of a buffer. */
static void range_of(const Py_buffer *view, const char **begin, const char **end) {
  *begin = view->buf;
  *end = *begin + (view->len ? view->itemsize : 0);
  for (int i = 0; view->len && view->strides && i < view->ndim; i++) {
    Py_ssize_t reach = view->strides[i] * (view->shape[i] - 1);
    if (reach < 0)
      *begin += reach;
    else
      *end += reach;
  }
}

bool qp_apart(qp_state *state, const Py_buffer *buffers, uint32_t input_count, uint32_t count) {
  for (uint32_t o = input_count; o < count; o++) {
    const char *begin, *end, *from, *to;
    range_of(&buffers[o], &begin, &end);
    for (uint32_t i = 0; i < o; i++) {
      range_of(&buffers[i], &from, &to);
      if (from >= end || begin >= to) continue;
      qp_raise(state, QN_INVALID, NULL, "output %u shares memory with %s %u", o - input_count,
               i < input_count ? "input" : "output", i < input_count ? i : i - input_count);
      return false;
    }
  }
  return true;
}

PyObject *qp_shape(const qn_tensor_info *info) {
  PyObject *shape = PyTuple_New((Py_ssize_t)info->rank);
  for (uint32_t i = 0; shape && i < info->rank; i++) {
    PyObject *dim = PyLong_FromLongLong(info->dims[i]);
    if (!dim || PyTuple_SetItem(shape, (Py_ssize_t)i, dim) < 0) Py_CLEAR(shape);
  }
  return shape;
}

PyObject *qp_info(const qn_tensor_info *info) {
  PyObject *name = PyUnicode_DecodeUTF8(info->name, (Py_ssize_t)strlen(info->name), "replace");
  return Py_BuildValue("(NsNndLLiI)", name, qn_dtype_name(info->dtype), qp_shape(info),
                       (Py_ssize_t)info->bytes, info->scale, (long long)info->zero_point,
                       (long long)info->index, (int)info->size, info->size_dimension);
}
