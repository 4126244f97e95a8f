/* Builds .tflite files in memory, for tests: models of a few operators with any shapes,
 * quantization and options, also wrong ones. Written from the file format alone, apart from the
 * importer.
 *
 *   qn_tfb *b = qn_tfb_create();
 *   int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 3), 0.5f, 0);
 *   int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(1, 4, 4, 3), 0.5f, 0);
 *   qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
 *   qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
 *   qn_bytes file = qn_tfb_finish(b);     lives until qn_tfb_destroy(b)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_TFLITE_BUILDER_H
#define QN_TESTS_TFLITE_BUILDER_H

#include <quern/base.h>
#include <stdbool.h>

enum {
  QN_TFB_FLOAT32 = 0,
  QN_TFB_INT32 = 2,
  QN_TFB_UINT8 = 3,
  QN_TFB_INT64 = 4,
  QN_TFB_INT16 = 7,
  QN_TFB_INT8 = 9
};
enum {
  QN_TFB_ADD = 0,
  QN_TFB_AVERAGE_POOL_2D = 1,
  QN_TFB_CONCATENATION = 2,
  QN_TFB_CONV_2D = 3,
  QN_TFB_DEPTHWISE_CONV_2D = 4,
  QN_TFB_DEQUANTIZE = 6,
  QN_TFB_FULLY_CONNECTED = 9,
  QN_TFB_LOGISTIC = 14,
  QN_TFB_MAX_POOL_2D = 17,
  QN_TFB_MUL = 18,
  QN_TFB_RELU = 19,
  QN_TFB_RELU6 = 21,
  QN_TFB_RESHAPE = 22,
  QN_TFB_RESIZE_BILINEAR = 23,
  QN_TFB_SOFTMAX = 25,
  QN_TFB_SVDF = 27,
  QN_TFB_TANH = 28,
  QN_TFB_CUSTOM = 32,
  QN_TFB_PAD = 34,
  QN_TFB_TRANSPOSE = 39,
  QN_TFB_MEAN = 40,
  QN_TFB_SUB = 41,
  QN_TFB_SQUEEZE = 43,
  QN_TFB_LSTM = 44, /* UNIDIRECTIONAL_SEQUENCE_LSTM */
  QN_TFB_STRIDED_SLICE = 45,
  QN_TFB_SPLIT = 49,
  QN_TFB_PADV2 = 60,
  QN_TFB_EXPAND_DIMS = 70,
  QN_TFB_QUANTIZE = 114,
  QN_TFB_GELU = 150,
};
enum { QN_TFB_SAME = 0, QN_TFB_VALID = 1 };
enum {
  QN_TFB_NONE = 0,
  QN_TFB_ACT_RELU = 1,
  QN_TFB_ACT_RELU_N1_TO_1 = 2,
  QN_TFB_ACT_RELU6 = 3,
  QN_TFB_ACT_TANH = 4
};

typedef struct qn_tfb qn_tfb;
qn_tfb *qn_tfb_create(void);
void qn_tfb_destroy(qn_tfb *b);

/* A list of int32 by value. */
typedef struct qn_tfb_list {
  uint32_t count;
  const int32_t *data;
} qn_tfb_list;
#define QN_TFB_LIST(...)                                                                           \
  ((qn_tfb_list){(uint32_t)(sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)),             \
                 (const int32_t[]){__VA_ARGS__}})
#define QN_TFB_SHAPE(...) QN_TFB_LIST(__VA_ARGS__)
#define QN_TFB_EMPTY ((qn_tfb_list){0, NULL})

/* All fields of a tensor. A field that is zero is omitted from the file. All data is copied. */
typedef struct qn_tfb_tensor {
  const char *name;
  uint8_t type;
  qn_tfb_list shape, signature;
  const float *scales;
  uint32_t scale_count;
  const int64_t *zero_points;
  uint32_t zero_point_count;
  int32_t quantized_dimension;
  const void *data; /* NULL: no data */
  size_t size;
  uint32_t buffer; /* index of the buffer, which need not exist; 0: the tensor's own buffer */
  bool is_variable, is_sparse;
  struct {
    uint64_t at, size;
  } outside; /* position and size of the data in the file; 0: none */
} qn_tfb_tensor;
/* Each function adds a tensor and returns its index. */
int32_t qn_tfb_any(qn_tfb *b, const qn_tfb_tensor *tensor);
int32_t qn_tfb_q8(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape, float scale,
                  int64_t zero_point);
int32_t qn_tfb_f32(qn_tfb *b, const char *name, qn_tfb_list shape);
/* Adds a variable tensor, whose value is kept from one invocation to the next. */
int32_t qn_tfb_state(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape, float scale,
                     int64_t zero_point);
/* Add constants: 8-bit values, and int32 values (bias, axes ...). The former have a scale per index
 * of `dimension` if scale_count > 1. */
int32_t qn_tfb_const_q8(qn_tfb *b, const char *name, uint8_t type, qn_tfb_list shape,
                        const void *data, const float *scales, uint32_t scale_count,
                        int64_t zero_point, int32_t dimension);
int32_t qn_tfb_const_i32(qn_tfb *b, const char *name, qn_tfb_list shape, const int32_t *data);

/* Options of an operator. */
typedef struct qn_tfb_options {
  uint8_t type; /* member of the union; 0: none */
  uint32_t count;
  struct {
    uint16_t id;
    uint8_t width;
    uint32_t bits;
  } fields[8];
  qn_tfb_list vector; /* field 0 of RESHAPE and SQUEEZE */
} qn_tfb_options;
qn_tfb_options qn_tfb_no_options(void);
qn_tfb_options qn_tfb_conv_options(int padding, int32_t stride_h, int32_t stride_w, int activation,
                                   int32_t dilation_h, int32_t dilation_w);
qn_tfb_options qn_tfb_depthwise_options(int padding, int32_t stride_h, int32_t stride_w,
                                        int32_t multiplier, int activation, int32_t dilation_h,
                                        int32_t dilation_w);
qn_tfb_options qn_tfb_pool_options(int padding, int32_t stride_h, int32_t stride_w,
                                   int32_t filter_h, int32_t filter_w, int activation);
qn_tfb_options qn_tfb_fully_connected_options(int activation, bool keep_num_dims);
qn_tfb_options qn_tfb_binary_options(int32_t code, int activation); /* ADD, SUB, MUL */
qn_tfb_options qn_tfb_softmax_options(float beta);
qn_tfb_options qn_tfb_svdf_options(int32_t rank);
qn_tfb_options qn_tfb_lstm_options(int activation, float cell_clip, bool time_major);
qn_tfb_options qn_tfb_concat_options(int32_t axis);
qn_tfb_options qn_tfb_reshape_options(qn_tfb_list shape);
qn_tfb_options qn_tfb_squeeze_options(qn_tfb_list dims);
qn_tfb_options qn_tfb_reducer_options(bool keep_dims);
qn_tfb_options qn_tfb_split_options(int32_t parts);
qn_tfb_options qn_tfb_slice_options(int32_t begin_mask, int32_t end_mask, int32_t ellipsis_mask,
                                    int32_t new_axis_mask, int32_t shrink_mask);

void qn_tfb_op(qn_tfb *b, int32_t code, int32_t version, qn_tfb_list inputs, qn_tfb_list outputs,
               qn_tfb_options options);
/* Sets the name of all operators with code CUSTOM. */
void qn_tfb_custom_name(qn_tfb *b, const char *name);
/* Sets the options of all operators with code CUSTOM. */
void qn_tfb_custom_options(qn_tfb *b, const uint8_t *bytes, uint32_t size);
/* Sets the position of these options outside of the FlatBuffer: `size` bytes from `at` in the file.
 */
void qn_tfb_custom_outside(qn_tfb *b, uint64_t at, uint64_t size);
/* Sets inputs and outputs of the model. */
void qn_tfb_interface(qn_tfb *b, qn_tfb_list inputs, qn_tfb_list outputs);
/* Sets the schema version (default 3) and the number of subgraphs (default 1; additional ones are
 * empty). */
void qn_tfb_version(qn_tfb *b, uint32_t version, uint32_t subgraphs);
/* Writes operator codes below 127 only to the old 8-bit field. */
void qn_tfb_old_codes(qn_tfb *b);

/* Access to the model built so far, to change it: its tensors, and the code of all its operators. A
 * new code removes the options, unless they are of its type. */
qn_tfb_tensor *qn_tfb_tensors(qn_tfb *b, uint32_t *out_count);
void qn_tfb_recode(qn_tfb *b, int32_t code);

/* Returns the file, which lives until the builder is destroyed. */
qn_bytes qn_tfb_finish(qn_tfb *b);

#endif
