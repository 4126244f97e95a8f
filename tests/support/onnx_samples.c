/* See onnx_samples.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples.h"

enum { MOST = 1024 };
static const uint8_t noise[MOST] = {3,  250, 7, 1,   128, 90, 17,  255,
                                    33, 64,  5, 200, 11,  99, 150, 42};

/* ---- constants ---- */

static void numbers(qn_onb *b, const char *name, const char *dims, uint32_t count) {
  float values[MOST / 4];
  for (uint32_t i = 0; i < count; i++) values[i] = (float)((int)noise[i % 16] - 100) / 16;
  qn_onb_tensor(b, name, QN_ONB_FLOAT, dims, values, count * sizeof *values);
}

static void ints(qn_onb *b, const char *name, const int64_t *values, uint32_t count) {
  char dims[8];
  snprintf(dims, sizeof dims, "%u", count);
  qn_onb_tensor(b, name, QN_ONB_INT64, dims, values, count * sizeof *values);
}
#define INTS(b, name, ...)                                                                         \
  ints(b, name, (const int64_t[]){__VA_ARGS__},                                                    \
       (uint32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

static void scale(qn_onb *b, const char *name, float value) {
  qn_onb_tensor(b, name, QN_ONB_FLOAT, "", &value, sizeof value);
}

static void zero_point(qn_onb *b, const char *name, int64_t type, int32_t value) {
  qn_onb_tensor(b, name, type, "", &value,
                type == QN_ONB_UINT16 || type == QN_ONB_INT16 ? 2
                : type == QN_ONB_INT32                        ? 4
                                                              : 1);
}

/* Adds scales s, t, u, zero points z, v of uint8 and k of int8. */
static void parameters(qn_onb *b) {
  scale(b, "s", 0.05F);
  scale(b, "t", 0.03F);
  scale(b, "u", 0.11F);
  zero_point(b, "z", QN_ONB_UINT8, 120);
  zero_point(b, "v", QN_ONB_UINT8, 7);
  zero_point(b, "k", QN_ONB_INT8, 0);
}

/* Quantizes x to "q", and dequantizes q to "d". */
static void quantized_input(qn_onb *b, const char *dims) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, dims);
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "", "DequantizeLinear", "q,s,z", "d");
}

/* Quantizes "r", and dequantizes the result to the output y. */
static void quantized_output(qn_onb *b, const char *dims) {
  qn_onb_node(b, "", "QuantizeLinear", "r,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, dims);
}

static void floats(qn_onb *b, const char *in, const char *out) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, in);
  qn_onb_output(b, "y", QN_ONB_FLOAT, out);
}

/* ---- units ---- */

static void weights(qn_onb *b, const char *dims, uint32_t count, uint32_t channels) {
  float scales[16];
  int32_t bias[16];
  char one[8];
  for (uint32_t i = 0; i < channels; i++) {
    scales[i] = 0.01F + 0.001F * (float)i;
    bias[i] = 100 * (int32_t)i - 150;
  }
  snprintf(one, sizeof one, "%u", channels);
  qn_onb_tensor(b, "w", QN_ONB_INT8, dims, noise, count);
  qn_onb_tensor(b, "ws", QN_ONB_FLOAT, one, scales, channels * sizeof *scales);
  for (uint32_t i = 0; i < channels; i++) scales[i] *= 0.05F;
  qn_onb_tensor(b, "b", QN_ONB_INT32, one, bias, channels * sizeof *bias);
  qn_onb_tensor(b, "bs", QN_ONB_FLOAT, one, scales, channels * sizeof *scales);
  qn_onb_node(b, "", "DequantizeLinear", "w,ws", "dw");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "DequantizeLinear", "b,bs", "db");
  qn_onb_attr_int(b, "axis", 0);
}

static void conv_unit(qn_onb *b) {
  quantized_input(b, "1,2,4,4");
  weights(b, "3,2,3,3", 54, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "c");
  qn_onb_attr_ints(b, "pads", "1,1,1,1");
  qn_onb_node(b, "", "Relu", "c", "r");
  quantized_output(b, "1,3,4,4");
}

static void depthwise_unit(qn_onb *b) {
  quantized_input(b, "1,2,5,5");
  weights(b, "4,1,3,3", 36, 4);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_attr_int(b, "group", 2);
  qn_onb_attr_string(b, "auto_pad", "SAME_UPPER");
  qn_onb_attr_ints(b, "strides", "2,2");
  quantized_output(b, "1,4,3,3");
}

static void conv_floats(qn_onb *b) {
  floats(b, "1,2,4,4", "1,3,2,2");
  numbers(b, "w", "3,2,3,3", 54);
  numbers(b, "b", "3", 3);
  qn_onb_node(b, "", "Conv", "x,w,b", "y");
}

static void qlinear_conv(qn_onb *b) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,2,3,3");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "1,2,2,2", noise, 8);
  qn_onb_node(b, "", "QLinearConv", "q,s,z,w,t,k,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,1,2,2");
}

static void gemm_unit(qn_onb *b) {
  quantized_input(b, "2,4");
  weights(b, "3,4", 12, 3);
  qn_onb_node(b, "", "Gemm", "d,dw,db", "r");
  qn_onb_attr_int(b, "transB", 1);
  quantized_output(b, "2,3");
}

static void matmul_unit(qn_onb *b) {
  quantized_input(b, "2,4");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", noise, 12);
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "dw");
  qn_onb_node(b, "", "MatMul", "d,dw", "r");
  quantized_output(b, "2,3");
}

static void matmul_both(qn_onb *b) {
  quantized_input(b, "2,4,4");
  qn_onb_node(b, "", "MatMul", "d,d", "r");
  quantized_output(b, "2,4,4");
}

static void matmul_floats(qn_onb *b) {
  floats(b, "2,4", "2,3");
  numbers(b, "w", "4,3", 12);
  qn_onb_node(b, "", "MatMul", "x,w", "y");
}

static void qgemm(qn_onb *b) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", noise, 12);
  qn_onb_node(b, "com.microsoft", "QGemm", "q,s,z,w,t,k,,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

static void qlinear_matmul(qn_onb *b) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", noise, 12);
  qn_onb_node(b, "", "QLinearMatMul", "q,s,z,w,t,k,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

static void matmul_integer(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "DynamicQuantizeLinear", "x", "q,qs,qz");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", noise, 12);
  zero_point(b, "k", QN_ONB_INT8, 3);
  qn_onb_node(b, "", "MatMulInteger", "q,w,qz,k", "a");
  qn_onb_node(b, "", "Cast", "a", "f");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  qn_onb_node(b, "", "Mul", "f,qs", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

static void conv_integer(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,1,4,4");
  qn_onb_node(b, "", "DynamicQuantizeLinear", "x", "q,qs,qz");
  qn_onb_tensor(b, "w", QN_ONB_UINT8, "2,1,3,3", noise, 18);
  zero_point(b, "k", QN_ONB_UINT8, 3);
  qn_onb_node(b, "", "ConvInteger", "q,w,qz,k", "a");
  qn_onb_attr_ints(b, "pads", "1,1,1,1");
  qn_onb_node(b, "", "Cast", "a", "y");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,4,4");
}

static void matmul_nbits(qn_onb *b) {
  floats(b, "2,32", "2,3");
  qn_onb_tensor(b, "w", QN_ONB_UINT8, "3,2,8", noise, 48);
  numbers(b, "ws", "6", 6);
  qn_onb_tensor(b, "wz", QN_ONB_UINT8, "3", noise, 3);
  qn_onb_node(b, "com.microsoft", "MatMulNBits", "x,w,ws,wz", "y");
  qn_onb_attr_int(b, "K", 32);
  qn_onb_attr_int(b, "N", 3);
  qn_onb_attr_int(b, "bits", 4);
  qn_onb_attr_int(b, "block_size", 16);
}

static void int4_blocks(qn_onb *b) {
  floats(b, "2,32", "2,3");
  qn_onb_tensor(b, "w", QN_ONB_INT4, "32,3", noise, 48);
  numbers(b, "ws", "2,3", 6);
  qn_onb_node(b, "", "DequantizeLinear", "w,ws", "dw");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_attr_int(b, "block_size", 16);
  qn_onb_node(b, "", "MatMul", "x,dw", "y");
}

static void residual(qn_onb *b) {
  quantized_input(b, "1,2,4,4");
  weights(b, "2,2,1,1", 4, 2);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_node(b, "", "QuantizeLinear", "r,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "e");
  qn_onb_node(b, "", "Add", "d,e", "f");
  qn_onb_node(b, "", "Clip", "f,lo,hi", "g");
  scale(b, "lo", -1);
  scale(b, "hi", 1);
  qn_onb_node(b, "", "QuantizeLinear", "g,u,v", "h");
  qn_onb_node(b, "", "DequantizeLinear", "h,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,4,4");
}

static void constant_operand(qn_onb *b) {
  quantized_input(b, "2,4");
  numbers(b, "c", "4", 4);
  qn_onb_node(b, "", "Add", "d,c", "r");
  quantized_output(b, "2,4");
}

static void number_operand(qn_onb *b) {
  quantized_input(b, "2,4");
  scale(b, "c", 0.3F);
  qn_onb_node(b, "", "Mul", "d,c", "r");
  quantized_output(b, "2,4");
}

static void qlinear_add(qn_onb *b) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "com.microsoft", "QLinearAdd", "q,s,z,q,s,z,u,v", "p");
  qn_onb_node(b, "com.microsoft", "QLinearMul", "p,u,v,q,s,z,t,v", "o");
  qn_onb_node(b, "com.microsoft", "QLinearSigmoid", "o,t,v,t,v", "n");
  qn_onb_node(b, "com.microsoft", "QLinearLeakyRelu", "n,t,v,t,v", "m");
  qn_onb_node(b, "com.microsoft", "QLinearSoftmax", "m,t,v,t,v", "l");
  qn_onb_attr_int(b, "opset", 13);
  qn_onb_attr_int(b, "axis", -1);
  qn_onb_node(b, "com.microsoft", "QLinearConcat", "t,v,l,t,v,q,s,z", "i");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "DequantizeLinear", "i,t,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,8");
}

static void pools(qn_onb *b) {
  quantized_input(b, "1,2,6,6");
  qn_onb_node(b, "", "MaxPool", "d", "m");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_attr_ints(b, "strides", "2,2");
  qn_onb_attr_int(b, "ceil_mode", 1);
  qn_onb_node(b, "", "QuantizeLinear", "m,s,z", "mq");
  qn_onb_node(b, "", "DequantizeLinear", "mq,s,z", "md");
  qn_onb_node(b, "", "AveragePool", "md", "a");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_node(b, "", "QuantizeLinear", "a,s,z", "aq");
  qn_onb_node(b, "", "DequantizeLinear", "aq,s,z", "ad");
  qn_onb_node(b, "", "GlobalAveragePool", "ad", "r");
  quantized_output(b, "1,2,1,1");
}

static void qlinear_pools(qn_onb *b) {
  parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,2,4,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "com.microsoft", "QLinearAveragePool", "q,s,z,t,v", "p");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_node(b, "com.microsoft", "QLinearGlobalAveragePool", "p,t,v,u,v", "o");
  qn_onb_node(b, "", "DequantizeLinear", "o,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,1,1");
}

/* ---- floats ---- */

static void curves(qn_onb *b) {
  static const char *const ops[] = {"Sigmoid", "Tanh", "Exp",   "Erf",  "Softplus", "Softsign",
                                    "Sin",     "Cos",  "Floor", "Ceil", "Round",    "Sign",
                                    "Abs",     "Neg",  "Elu",   "Gelu", "HardSwish"};
  char from[8] = "x", to[8];
  floats(b, "2,4", "2,4");
  for (uint32_t i = 0; i < QN_COUNT(ops); i++) {
    snprintf(to, sizeof to, i + 1 < QN_COUNT(ops) ? "t%u" : "y", i);
    qn_onb_node(b, "", ops[i], from, to);
    memcpy(from, to, sizeof from);
  }
}

static void more_functions(qn_onb *b) {
  floats(b, "2,4", "2,4");
  qn_onb_node(b, "", "Abs", "x", "a");
  qn_onb_node(b, "", "Sqrt", "a", "c");
  qn_onb_node(b, "", "LeakyRelu", "c", "e");
  qn_onb_attr_float(b, "alpha", 0.2F);
  qn_onb_node(b, "", "HardSigmoid", "e", "f");
  qn_onb_node(b, "", "Log", "f", "g");
  qn_onb_node(b, "", "Pow", "f,f", "h");
  qn_onb_node(b, "", "Sub", "g,h", "i");
  qn_onb_node(b, "", "Div", "i,f", "y");
}

static void normalized(qn_onb *b) {
  floats(b, "2,4", "2,4");
  numbers(b, "g", "4", 4);
  numbers(b, "h", "4", 4);
  qn_onb_node(b, "", "LayerNormalization", "x,g,h", "n");
  qn_onb_node(b, "", "Softmax", "n", "y");
}

static void prelu(qn_onb *b) {
  floats(b, "1,2,3,3", "1,2,3,3");
  numbers(b, "a", "2,1,1", 2);
  qn_onb_node(b, "", "PRelu", "x,a", "y");
}

/* ---- data movement ---- */

static void moves(qn_onb *b) {
  floats(b, "1,2,4,4", "2,16");
  INTS(b, "two", 2, -1);
  INTS(b, "axis", 0);
  INTS(b, "from", 1, -1);
  INTS(b, "to", INT64_MAX, INT64_MIN);
  INTS(b, "along", 2, 3);
  INTS(b, "steps", 1, -1);
  qn_onb_node(b, "", "Transpose", "x", "a");
  qn_onb_attr_ints(b, "perm", "0,2,3,1");
  qn_onb_node(b, "", "Transpose", "a", "c");
  qn_onb_attr_ints(b, "perm", "0,3,1,2");
  qn_onb_node(b, "", "Slice", "c,from,to,along,steps", "e");
  qn_onb_node(b, "", "Concat", "e,c", "f");
  qn_onb_attr_int(b, "axis", 2);
  qn_onb_node(b, "", "Slice", "f,from0,to4,two0", "g");
  INTS(b, "from0", 0);
  INTS(b, "to4", 4);
  INTS(b, "two0", 2);
  qn_onb_node(b, "", "Squeeze", "g,axis", "h");
  qn_onb_node(b, "", "Unsqueeze", "h,axis", "i");
  qn_onb_node(b, "", "Flatten", "i", "j");
  qn_onb_node(b, "", "Reshape", "j,two", "k");
  qn_onb_node(b, "", "Identity", "k", "l");
  qn_onb_node(b, "", "Dropout", "l", "y");
}

static void resized(qn_onb *b) {
  static const float factors[] = {1, 1, 2, 2};
  quantized_input(b, "1,2,3,3");
  qn_onb_tensor(b, "f", QN_ONB_FLOAT, "4", factors, sizeof factors);
  qn_onb_node(b, "", "Resize", "d,,f", "r");
  qn_onb_attr_string(b, "coordinate_transformation_mode", "asymmetric");
  qn_onb_attr_string(b, "nearest_mode", "floor");
  quantized_output(b, "1,2,6,6");
}

/* Computes a shape in the graph: SHAPE is sliced, concatenated and used. */
static void shapes(qn_onb *b) {
  floats(b, "2,3,4", "2,12");
  INTS(b, "minus", -1);
  INTS(b, "first", 0);
  INTS(b, "second", 1);
  qn_onb_node(b, "", "Shape", "x", "a");
  qn_onb_node(b, "", "Slice", "a,first,second", "c");
  qn_onb_node(b, "", "Concat", "c,minus", "e");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Reshape", "x,e", "f");
  qn_onb_node(b, "", "Constant", "", "g");
  qn_onb_attr_float(b, "value_float", 0.5F);
  qn_onb_node(b, "", "Mul", "f,g", "y");
}

static void logic(qn_onb *b) {
  floats(b, "2,4", "2,4");
  qn_onb_node(b, "", "Max", "x,c", "m");
  numbers(b, "c", "4", 4);
  qn_onb_node(b, "", "Min", "m,x", "n");
  qn_onb_node(b, "", "Less", "x,m", "l");
  qn_onb_node(b, "", "Equal", "x,n", "e");
  qn_onb_node(b, "", "Not", "e", "f");
  qn_onb_node(b, "", "And", "l,f", "g");
  qn_onb_node(b, "", "Where", "g,x,c", "y");
}

static void where_unit(qn_onb *b) {
  quantized_input(b, "2,4");
  scale(b, "zero", 0);
  qn_onb_node(b, "", "Greater", "d,zero", "g");
  qn_onb_node(b, "", "Neg", "d", "n");
  qn_onb_node(b, "", "Where", "g,d,n", "r");
  quantized_output(b, "2,4");
}

static void reductions(qn_onb *b) {
  floats(b, "2,3,4", "2");
  INTS(b, "last", -1);
  INTS(b, "one", 1);
  qn_onb_node(b, "", "ReduceMax", "x,last", "m");
  qn_onb_node(b, "", "ReduceMin", "m,last", "n");
  qn_onb_node(b, "", "ReduceSum", "n,one", "s");
  qn_onb_node(b, "", "ReduceProd", "s,one", "p");
  qn_onb_node(b, "", "ReduceMean", "p,one", "q");
  qn_onb_node(b, "", "Squeeze", "q,axes", "y");
  INTS(b, "axes", 1, 2);
}

static void mean_unit(qn_onb *b) {
  quantized_input(b, "2,3,4");
  INTS(b, "last", -1);
  qn_onb_node(b, "", "ReduceMean", "d,last", "r");
  quantized_output(b, "2,3,1");
}

static void gathered(qn_onb *b) {
  floats(b, "2,5", "6,2");
  INTS(b, "at", 0, -1, 2);
  INTS(b, "parts", 1, 2);
  INTS(b, "twice", 2, 1);
  INTS(b, "to", 6, 2);
  qn_onb_node(b, "", "Gather", "x,at", "g");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Split", "g,parts", "a,c");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Concat", "c,a", "e");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Tile", "e,twice", "f");
  qn_onb_node(b, "", "Gather", "f,zero", "h");
  qn_onb_attr_int(b, "axis", 0);
  INTS(b, "zero", 0);
  qn_onb_node(b, "", "Transpose", "h", "i");
  qn_onb_node(b, "", "Concat", "i,i", "j");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Expand", "j,to", "y");
}

static void images(qn_onb *b) {
  quantized_input(b, "1,4,3,3");
  INTS(b, "pads", 0, 0, 1, 0, 0, 0, 0, 1);
  qn_onb_node(b, "", "Pad", "d,pads", "c");
  qn_onb_node(b, "", "DepthToSpace", "c", "e");
  qn_onb_attr_int(b, "blocksize", 2);
  qn_onb_node(b, "", "SpaceToDepth", "e", "r");
  qn_onb_attr_int(b, "blocksize", 2);
  quantized_output(b, "1,4,4,4");
}

static void channels(qn_onb *b) {
  floats(b, "1,2,3,3", "1,2,3,3");
  numbers(b, "g", "2", 2);
  numbers(b, "h", "2", 2);
  numbers(b, "m", "2", 2);
  static const float one[2] = {1, 2};
  qn_onb_tensor(b, "v", QN_ONB_FLOAT, "2", one, sizeof one);
  qn_onb_node(b, "", "BatchNormalization", "x,g,h,m,v", "n");
  qn_onb_node(b, "", "InstanceNormalization", "n,g,h", "y");
}

static void best(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "ArgMax", "x", "y");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_output(b, "y", QN_ONB_INT64, "2,1");
}

/* ---- operators that become several ops ---- */

static void formulas(qn_onb *b) {
  static const char *const ops[] = {"Selu",   "Celu",      "Swish", "Mish", "ThresholdedRelu",
                                    "Shrink", "Asinh",     "Sinh",  "Cosh", "Acosh",
                                    "Atan",   "Reciprocal"};
  char from[8] = "x", to[8];
  floats(b, "2,4", "2,4");
  for (uint32_t i = 0; i < QN_COUNT(ops); i++) {
    snprintf(to, sizeof to, "t%u", i);
    qn_onb_node(b, "", ops[i], from, to);
    memcpy(from, to, sizeof from);
  }
  qn_onb_node(b, "", "Sum", "x,t1,t2", "s");
  qn_onb_node(b, "", "Mean", "s,x", "y");
}

/* A formula of several ops between integers, rounded once. */
static void formula_unit(qn_onb *b) {
  quantized_input(b, "2,4");
  qn_onb_node(b, "", "Mish", "d", "r");
  quantized_output(b, "2,4");
}

static void rows(qn_onb *b) {
  floats(b, "2,4", "2,1");
  numbers(b, "g", "4", 4);
  qn_onb_node(b, "", "RMSNormalization", "x,g", "a");
  qn_onb_node(b, "", "LogSoftmax", "a", "c");
  qn_onb_node(b, "", "Softmax", "c", "d");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Hardmax", "d", "e");
  INTS(b, "last", 1);
  qn_onb_node(b, "", "ReduceL1", "c,last", "f");
  qn_onb_node(b, "", "ReduceL2", "c,last", "h");
  qn_onb_node(b, "", "ReduceSumSquare", "e,last", "i");
  qn_onb_node(b, "", "ReduceLogSumExp", "c,last", "j");
  qn_onb_node(b, "", "ReduceLogSum", "d,last", "k");
  qn_onb_node(b, "", "Sum", "f,h,i,j,k", "y");
}

static void losses(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  INTS(b, "classes", 3, 0);
  numbers(b, "g", "4", 4);
  qn_onb_node(b, "", "SoftmaxCrossEntropyLoss", "x,classes", "a,l");
  qn_onb_node(b, "", "NegativeLogLikelihoodLoss", "l,classes,g", "c");
  qn_onb_attr_string(b, "reduction", "sum");
  qn_onb_node(b, "", "Add", "a,c", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "");
}

static void attention(qn_onb *b) {
  floats(b, "1,3,8", "1,3,8");
  numbers(b, "k", "1,5,4", 20);
  numbers(b, "m", "3,4", 12);
  qn_onb_node(b, "", "Attention", "x,k,k,m", "y");
  qn_onb_attr_int(b, "q_num_heads", 4);
  qn_onb_attr_int(b, "kv_num_heads", 2);
  qn_onb_attr_int(b, "is_causal", 1);
  qn_onb_attr_float(b, "softcap", 2);
}

static void known(qn_onb *b) {
  floats(b, "4,4", "4,4");
  INTS(b, "sizes", 4, 4);
  INTS(b, "k", 1);
  qn_onb_node(b, "", "ConstantOfShape", "sizes", "a");
  qn_onb_node(b, "", "EyeLike", "x", "e");
  qn_onb_node(b, "", "Trilu", "x,k", "t");
  qn_onb_node(b, "", "Size", "x", "n");
  qn_onb_node(b, "", "CastLike", "n,x", "f");
  qn_onb_node(b, "", "Sum", "a,e,t,f", "y");
}

static void bits(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_INT64, "2,4");
  INTS(b, "c", 3, -5, 7, 2);
  qn_onb_node(b, "", "Mod", "x,c", "m");
  qn_onb_node(b, "", "BitwiseOr", "m,x", "o");
  qn_onb_node(b, "", "BitwiseAnd", "o,c", "a");
  qn_onb_node(b, "", "BitwiseNot", "a", "n");
  qn_onb_node(b, "", "BitwiseXor", "n,m", "e");
  qn_onb_node(b, "", "Max", "e,x,c", "y");
  qn_onb_output(b, "y", QN_ONB_INT64, "2,4");
}

/* ---- sequences, volumes, recurrent layers ---- */

static void sequence_unit(qn_onb *b) {
  quantized_input(b, "1,2,5");
  weights(b, "3,2,3", 18, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_attr_ints(b, "pads", "1,1");
  quantized_output(b, "1,3,5");
}

static void volume_unit(qn_onb *b) {
  quantized_input(b, "1,2,2,3,3");
  weights(b, "3,2,2,2,2", 48, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  quantized_output(b, "1,3,1,2,2");
}

static void transposed_unit(qn_onb *b) {
  quantized_input(b, "1,2,3,3");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "2,2,2,2", noise, 16);
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "dw");
  qn_onb_node(b, "", "ConvTranspose", "d,dw", "r");
  qn_onb_attr_int(b, "group", 2);
  qn_onb_attr_ints(b, "strides", "2,2");
  qn_onb_attr_ints(b, "output_padding", "1,0");
  quantized_output(b, "1,4,7,6");
}

static void transposed_floats(qn_onb *b) {
  floats(b, "1,2,4", "1,1,9");
  numbers(b, "w", "2,1,3", 6);
  numbers(b, "b", "1", 1);
  qn_onb_node(b, "", "ConvTranspose", "x,w,b", "y");
  qn_onb_attr_ints(b, "strides", "2");
}

static void long_memory(qn_onb *b) {
  static const int32_t lengths[] = {3, 1};
  floats(b, "3,2,2", "3,2,2,1");
  numbers(b, "w", "2,4,2", 16);
  numbers(b, "r", "2,4,1", 8);
  numbers(b, "b", "2,8", 16);
  numbers(b, "h", "2,2,1", 4);
  numbers(b, "p", "2,3", 6);
  qn_onb_tensor(b, "n", QN_ONB_INT32, "2", lengths, sizeof lengths);
  qn_onb_node(b, "", "LSTM", "x,w,r,b,n,h,h,p", "y,,c");
  qn_onb_attr_string(b, "direction", "bidirectional");
  qn_onb_attr_float(b, "clip", 2);
  qn_onb_output(b, "c", QN_ONB_FLOAT, "2,2,1");
}

static void gated(qn_onb *b) {
  floats(b, "2,3,2", "2,1,2");
  numbers(b, "w", "1,6,2", 12);
  numbers(b, "r", "1,6,2", 12);
  qn_onb_node(b, "", "GRU", "x,w,r", ",y");
  qn_onb_attr_int(b, "layout", 1);
  qn_onb_attr_int(b, "linear_before_reset", 1);
}

static void recurrent(qn_onb *b) {
  floats(b, "2,1,2", "2,1,1,2");
  numbers(b, "w", "1,2,2", 4);
  qn_onb_node(b, "", "RNN", "x,w,w", "y");
  qn_onb_attr_string(b, "direction", "reverse");
}

static void einsum(qn_onb *b) {
  floats(b, "2,3,3", "3,2");
  qn_onb_node(b, "", "Einsum", "x,x", "y");
  qn_onb_attr_string(b, "equation", "...ii, ...ij -> j...");
}

static void grid_sample(qn_onb *b) {
  floats(b, "1,1,3,3", "1,1,2,2");
  qn_onb_input(b, "g", QN_ONB_FLOAT, "1,2,2,2");
  qn_onb_node(b, "", "GridSample", "x,g", "y");
  qn_onb_attr_string(b, "padding_mode", "reflection");
}

static void groups(qn_onb *b) {
  static const int64_t lengths[] = {2, 1};
  floats(b, "2,4,3,3", "2,4,3,3");
  numbers(b, "g", "4", 4);
  qn_onb_tensor(b, "n", QN_ONB_INT64, "2", lengths, sizeof lengths);
  qn_onb_node(b, "", "GroupNormalization", "x,g,g", "a");
  qn_onb_attr_int(b, "num_groups", 2);
  qn_onb_node(b, "", "LRN", "a", "c");
  qn_onb_attr_int(b, "size", 3);
  qn_onb_node(b, "", "ReverseSequence", "c,n", "y");
  qn_onb_attr_int(b, "batch_axis", 0);
  qn_onb_attr_int(b, "time_axis", 1);
}

static void rotated(qn_onb *b) {
  floats(b, "1,2,12", "1,2,12");
  INTS(b, "places", 1, 0);
  INTS(b, "dims", 1, 2);
  qn_onb_node(b, "", "Reshape", "places,dims", "ids");
  numbers(b, "c", "3,2", 6);
  numbers(b, "d", "3,2", 6);
  qn_onb_node(b, "", "RotaryEmbedding", "x,c,d,ids", "y");
  qn_onb_attr_int(b, "num_heads", 2);
  qn_onb_attr_int(b, "rotary_embedding_dim", 4);
  qn_onb_attr_int(b, "interleaved", 1);
}

static void affine_grid(qn_onb *b) {
  floats(b, "1,2,3", "1,2,2,2");
  INTS(b, "size", 1, 1, 2, 2);
  qn_onb_node(b, "", "AffineGrid", "x,size", "y");
}

static void shuffled(qn_onb *b) {
  quantized_input(b, "1,4,2,2");
  qn_onb_node(b, "", "DepthToSpace", "d", "r");
  qn_onb_attr_int(b, "blocksize", 2);
  qn_onb_attr_string(b, "mode", "CRD");
  quantized_output(b, "1,1,4,4");
}

static void products(qn_onb *b) {
  floats(b, "2,4", "2");
  numbers(b, "c", "2,1", 2);
  qn_onb_input(b, "v", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Gemm", "x,x,c", "g");
  qn_onb_attr_int(b, "transB", 1);
  qn_onb_attr_float(b, "alpha", 0.5F);
  qn_onb_attr_float(b, "beta", 2);
  qn_onb_node(b, "", "MatMul", "v,g", "y");
}

/* y is x or -x, as a condition at run time and one in the file say. */
static void branches(qn_onb *b) {
  static const uint8_t yes = 1;
  floats(b, "2", "2");
  qn_onb_input(b, "at_run_time", QN_ONB_BOOL, "");
  qn_onb_tensor(b, "yes", QN_ONB_BOOL, "", &yes, sizeof yes);
  for (int i = 0; i < 2; i++) {
    qn_onb *same = qn_onb_create(), *negated = qn_onb_create();
    qn_onb_node(same, "", "Identity", "x", "same");
    qn_onb_output(same, "same", QN_ONB_FLOAT, "2");
    qn_onb_node(negated, "", "Neg", "x", "negated");
    qn_onb_output(negated, "negated", QN_ONB_FLOAT, "2");
    qn_onb_node(b, "", "If", i ? "yes" : "at_run_time", i ? "f" : "e");
    qn_onb_attr_graph(b, "then_branch", same);
    qn_onb_attr_graph(b, "else_branch", negated);
  }
  qn_onb_node(b, "", "Add", "e,f", "y");
}

/* Adds x three times, and lists the sums. */
static void loop(qn_onb *b) {
  static const int64_t count = 3;
  qn_onb *body = qn_onb_create();
  floats(b, "2", "3,2");
  qn_onb_tensor(b, "count", QN_ONB_INT64, "", &count, sizeof count);
  qn_onb_input(body, "i", QN_ONB_INT64, "");
  qn_onb_input(body, "go", QN_ONB_BOOL, "");
  qn_onb_input(body, "sum", QN_ONB_FLOAT, "2");
  qn_onb_node(body, "", "Identity", "go", "on");
  qn_onb_node(body, "", "Add", "sum,x", "more");
  qn_onb_node(body, "", "Identity", "more", "listed");
  qn_onb_output(body, "on", QN_ONB_BOOL, "");
  qn_onb_output(body, "more", QN_ONB_FLOAT, "2");
  qn_onb_output(body, "listed", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Loop", "count,,x", ",y");
  qn_onb_attr_graph(b, "body", body);
}

/* The sums of the first columns, from the last on. */
static void scan(qn_onb *b) {
  qn_onb *body = qn_onb_create();
  floats(b, "2,3", "2,3");
  numbers(b, "zeros", "2", 2);
  qn_onb_input(body, "sum", QN_ONB_FLOAT, "2");
  qn_onb_input(body, "column", QN_ONB_FLOAT, "2");
  qn_onb_node(body, "", "Add", "sum,column", "more");
  qn_onb_node(body, "", "Identity", "more", "listed");
  qn_onb_output(body, "more", QN_ONB_FLOAT, "2");
  qn_onb_output(body, "listed", QN_ONB_FLOAT, "2");
  qn_onb_node(b, "", "Scan", "zeros,x", ",y");
  qn_onb_attr_int(b, "num_scan_inputs", 1);
  qn_onb_attr_ints(b, "scan_input_axes", "1");
  qn_onb_attr_ints(b, "scan_output_axes", "-1");
  qn_onb_attr_ints(b, "scan_output_directions", "1");
  qn_onb_attr_graph(b, "body", body);
}

static void blocks_of_columns(qn_onb *b) {
  floats(b, "1,4,4", "1,1,3,3");
  INTS(b, "size", 3, 3);
  INTS(b, "block", 2, 2);
  qn_onb_node(b, "", "Col2Im", "x,size,block", "y");
}

const qn_onnx_sample qn_onnx_samples[] = {
    {"conv_unit", conv_unit,
     "quant.qcast; ml.transpose; ml.conv; ml.relu; ml.transpose; quant.dcast"},
    {"depthwise_unit", depthwise_unit,
     "quant.qcast; ml.transpose; ml.depthwise_conv; ml.transpose; quant.dcast"},
    {"conv_floats", conv_floats, NULL},
    {"qlinear_conv", qlinear_conv, "quant.qcast; ml.transpose; ml.conv; ml.reshape; quant.dcast"},
    {"gemm_unit", gemm_unit, "quant.qcast; ml.linear; quant.dcast"},
    {"matmul_unit", matmul_unit, "quant.qcast; ml.linear; quant.dcast"},
    {"matmul_both", matmul_both, "quant.qcast; ml.matmul; quant.dcast"},
    {"matmul_floats", matmul_floats, "ml.cast; ml.cast; ml.linear; ml.cast"},
    {"qgemm", qgemm, "quant.qcast; ml.linear; quant.dcast"},
    {"qlinear_matmul", qlinear_matmul, "quant.qcast; ml.linear; quant.dcast"},
    {"matmul_integer", matmul_integer, NULL},
    {"conv_integer", conv_integer, NULL},
    {"matmul_nbits", matmul_nbits, "ml.cast; ml.cast; ml.linear; ml.cast"},
    {"int4_blocks", int4_blocks, "ml.cast; ml.cast; ml.linear; ml.cast"},
    {"residual", residual, NULL},
    {"constant_operand", constant_operand, NULL},
    {"number_operand", number_operand, "quant.qcast; ml.mul; quant.dcast"},
    {"qlinear_add", qlinear_add,
     "quant.qcast; ml.add; ml.mul; ml.sigmoid; ml.leaky_relu; ml.softmax; ml.requantize; "
     "ml.concat; quant.dcast"},
    {"pools", pools, NULL},
    {"qlinear_pools", qlinear_pools, NULL},
    {"curves", curves, NULL},
    {"more_functions", more_functions, NULL},
    {"normalized", normalized, NULL},
    {"prelu", prelu, NULL},
    {"moves", moves, NULL},
    {"resized", resized, NULL},
    {"shapes", shapes, NULL},
    {"logic", logic, NULL},
    {"where_unit", where_unit, NULL},
    {"reductions", reductions, NULL},
    {"mean_unit", mean_unit, "quant.qcast; ml.reduce_mean; quant.dcast"},
    {"gathered", gathered, NULL},
    {"images", images, NULL},
    {"channels", channels, NULL},
    {"best", best, NULL},
    {"formulas", formulas, NULL},
    {"formula_unit", formula_unit, NULL},
    {"rows", rows, NULL},
    {"losses", losses, NULL},
    {"attention", attention, NULL},
    {"known", known, NULL},
    {"bits", bits, NULL},
    {"sequence_unit", sequence_unit,
     "quant.qcast; ml.transpose; ml.reshape; ml.conv; ml.reshape; ml.transpose; quant.dcast"},
    {"volume_unit", volume_unit, "quant.qcast; ml.transpose; ml.conv; ml.transpose; quant.dcast"},
    {"transposed_unit", transposed_unit,
     "quant.qcast; ml.transpose; ml.conv_transpose; ml.transpose; quant.dcast"},
    {"transposed_floats", transposed_floats, NULL},
    {"long_memory", long_memory, NULL},
    {"gated", gated, NULL},
    {"recurrent", recurrent, NULL},
    {"einsum", einsum, NULL},
    {"grid_sample", grid_sample, NULL},
    {"blocks_of_columns", blocks_of_columns, NULL},
    {"groups", groups, NULL},
    {"rotated", rotated, NULL},
    {"affine_grid", affine_grid, NULL},
    {"shuffled", shuffled,
     "quant.qcast; ml.requantize; ml.reshape; ml.transpose; ml.reshape; quant.dcast"},
    {"products", products, NULL},
    {"branches", branches, "ml.neg; ml.select; ml.add"},
    {"loop", loop, "ml.add; ml.add; ml.reshape; ml.reshape; ml.add; ml.reshape; ml.concat"},
    {"scan", scan, NULL},
};
const uint32_t qn_onnx_sample_count = (uint32_t)QN_COUNT(qn_onnx_samples);

qn_bytes qn_onnx_sample_finish(qn_onb *b) {
  qn_onb_import(b, "com.microsoft", 1);
  return qn_onb_finish(b, 10, 21);
}
