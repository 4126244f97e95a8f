/* External data files. They are opened below the model's folder only, component by component; links
 * and non-regular files are rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/onnx/onnx.h"

static qn_str value_of(const qn_pb_message *message, const char *key) {
  const qn_pb_message *entry;
  qn_str value = {"", 0};
  for (qn_pb_walk walk = qn_pb_begin(message, QN_PB_TENSOR_EXTERNAL_DATA);
       qn_pb_next_child(&walk, &entry);)
    if (qn_str_is(qn_pb_string(entry, QN_PB_ENTRY_KEY), key))
      value = qn_pb_string(entry, QN_PB_ENTRY_VALUE);
  return value;
}

/* Parses decimal digits, or `fallback` if empty; false if invalid. */
static bool number_of(qn_str text, int64_t fallback, int64_t *out) {
  *out = fallback;
  if (text.size == 0) return true;
  if (text.size > 18) return false;
  *out = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return false;
    *out = *out * 10 + (text.data[i] - '0');
  }
  return true;
}

/* Reads the next component of a path; false if it could leave the folder. */
static bool next_component(qn_str *path, char *out, size_t room) {
  size_t n = 0;
  while (n < path->size && path->data[n] != '/') n++;
  if (n == 0 || n >= room || memchr(path->data, 0, n)) return false;
  memcpy(out, path->data, n);
  out[n] = 0;
  if (strcmp(out, "..") == 0) return false;
  size_t skip = n < path->size ? n + 1 : n;
  *path = (qn_str){path->data + skip, path->size - skip};
  return true;
}

/* Opens a file below the folder; -1 if it does not exist there. */
static int open_below(const char *folder, qn_str path) {
  enum { MOST = 256 };
  char name[MOST];
  int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (at >= 0 && path.size > 0) {
    bool good = next_component(&path, name, sizeof name);
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (path.size ? O_DIRECTORY : 0);
    int next = good ? openat(at, name, flags) : -1;
    close(at);
    at = next;
  }
  struct stat info;
  if (at >= 0 && (fstat(at, &info) != 0 || !S_ISREG(info.st_mode))) {
    close(at);
    at = -1;
  }
  return at;
}

typedef struct qn_onnx_opened {
  qn_str location;
  dev_t device; /* with `node`, what tells whether two locations name one file */
  ino_t node;
  qn_file *file;      /* NULL: not readable */
  qn_status status;   /* of reading the file, once it was found, */
  const char *reason; /* and why it failed */
  struct qn_onnx_opened *next;
} opened;

/* The folder of the model; NULL if it was not read from a file. */
static const char *folder_of(qn_onnx *im) {
  qn_str path = im->graph.options->path;
  struct stat info;
  char *text = qn_arena_alloc(&im->graph.arena, path.size + 1);
  if (path.size > 0) memcpy(text, path.data, path.size);
  if (path.size == 0 || stat(text, &info) != 0 || !S_ISREG(info.st_mode)) return NULL;
  size_t n = path.size;
  while (n > 0 && text[n - 1] != '/') n--;
  text[n] = 0;
  return n ? text : ".";
}

/* The same file under another location; NULL if it was not opened yet. */
static const opened *known(const qn_onnx *im, const struct stat *info) {
  for (const opened *o = im->opened; o; o = o->next)
    if (o->device == info->st_dev && o->node == info->st_ino) return o;
  return NULL;
}

/* Weights may be of any size that a model may have. */
static bool is_long(qn_bytes first) {
  (void)first;
  return true;
}

/* Opens a file once per import, however many locations name it. The module owns the contents. */
static const opened *open_location(qn_onnx *im, qn_str location) {
  for (const opened *o = im->opened; o; o = o->next)
    if (qn_str_equal(o->location, location)) return o;
  opened *o = QN_NEW(&im->graph.arena, opened);
  *o = (opened){.location = location, .next = im->opened};
  const char *folder = location.size ? folder_of(im) : NULL;
  const opened *same = NULL;
  struct stat info;
  int fd = folder ? open_below(folder, location) : -1;
  if (fd >= 0 && fstat(fd, &info) == 0) {
    o->device = info.st_dev, o->node = info.st_ino;
    same = known(im, &info);
    if (!same) o->status = qn_file_read_long(fd, is_long, &o->file, &o->reason);
  }
  if (fd >= 0) close(fd); /* before what follows, which may end the call */
  if (same) o->file = same->file, o->status = same->status, o->reason = same->reason;
  if (o->status != QN_OK) o->file = NULL;
  if (o->file && !same) {
    qn_graph_add_file(&im->graph, o->file);
    qn_file_release(o->file);
  }
  im->opened = o;
  return o;
}

bool qn_onnx_external(qn_graph *graph, qn_graph_op *op, qn_graph_tensor *tensor,
                      const qn_pb_message *message, qn_bytes *out_bytes) {
  qn_str location = value_of(message, "location");
  qn_str shown = qn_graph_printable(&graph->arena, location, 120);
  int64_t offset, length;
  if (!number_of(value_of(message, "offset"), 0, &offset) ||
      !number_of(value_of(message, "length"), -1, &length)) {
    qn_graph_problem(graph, op, tensor, QN_INVALID,
                     "offset or length of its external data is not a number");
    return false;
  }
  const opened *o = open_location(qn_onnx_of(graph), location);
  if (o->status != QN_OK) {
    qn_graph_problem(graph, op, tensor, o->status, "its external data, '%.*s', can't be read: %s",
                     QN_STR_ARG(shown), o->reason);
    return false;
  }
  if (!o->file) {
    qn_graph_problem(graph, op, tensor, QN_INVALID,
                     "its external data, '%.*s', are no file that can be read below the folder of "
                     "the model",
                     QN_STR_ARG(shown));
    return false;
  }
  const qn_bytes all = qn_file_bytes(o->file);
  const bool begins = (uint64_t)offset <= all.size;
  if (begins && length < 0) length = (int64_t)(all.size - (uint64_t)offset);
  if (!begins || (uint64_t)length > all.size - (uint64_t)offset) {
    qn_graph_problem(graph, op, tensor, QN_INVALID,
                     "its external data reach beyond the end of '%.*s'", QN_STR_ARG(shown));
    return false;
  }
  *out_bytes = (qn_bytes){all.data + offset, (size_t)length};
  return true;
}
