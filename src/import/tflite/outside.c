/* Data of buffers and options of custom operators, which are in the FlatBuffer or, if too large,
 * after it in the same file. LiteRT treats an offset or a size below 2 as none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

enum { FROM = 2 };

/* The position of the data, from the fields of a table. */
static qn_outside place_of(const qn_tflite *file, qn_fb_table table, qn_fb_row data,
                           qn_fb_row offset, qn_fb_row size) {
  qn_outside out = {.bytes = qn_fb_bytes(table, data)};
  uint64_t at = (uint64_t)qn_fb_int(table, offset), count = (uint64_t)qn_fb_int(table, size);
  if (out.bytes.size > 0 || at < FROM || count < FROM) return out;
  if (at > file->file.size || count > file->file.size - at)
    out.problem = "reach beyond the end of the file";
  else if (at < file->front)
    out.problem = "stand within the FlatBuffer";
  else
    out.bytes = (qn_bytes){file->file.data + at, (size_t)count};
  out.at = at;
  out.count = count;
  return out;
}

qn_outside qn_tflite_buffer(const qn_graph *graph, qn_fb_table tensor) {
  const qn_tflite *file = qn_tflite_of(graph);
  int64_t number = qn_fb_int(tensor, QN_FB_TENSOR_BUFFER);
  qn_fb_table buffer = {0}; /* an absent table if the buffer does not exist */
  if (number < file->buffers.count)
    buffer = qn_fb_child_at(file->buffers, (uint32_t)number, QN_FB_BUFFER);
  return place_of(file, buffer, QN_FB_BUFFER_DATA, QN_FB_BUFFER_OFFSET, QN_FB_BUFFER_SIZE);
}

bool qn_tflite_custom_options(qn_graph_op *op, qn_bytes *out_bytes) {
  qn_outside place =
      place_of(qn_tflite_of(op->graph), qn_tflite_table(op), QN_FB_OPERATOR_CUSTOM_OPTIONS,
               QN_FB_OPERATOR_LARGE_OPTIONS_OFFSET, QN_FB_OPERATOR_LARGE_OPTIONS_SIZE);
  *out_bytes = place.bytes;
  return !place.problem ||
         qn_graph_error(op, NULL, QN_INVALID, "its options, %llu bytes from byte %llu on, %s",
                        (unsigned long long)place.count, (unsigned long long)place.at,
                        place.problem);
}
