/* Samples of operators that become several ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

void qn_onnx_sample_formulas(qn_onb *b) {
  static const char *const ops[] = {"Selu",   "Celu",      "Swish", "Mish", "ThresholdedRelu",
                                    "Shrink", "Asinh",     "Sinh",  "Cosh", "Acosh",
                                    "Atan",   "Reciprocal"};
  char from[8] = "x", to[8];
  qn_onnx_part_floats(b, "2,4", "2,4");
  for (uint32_t i = 0; i < QN_COUNT(ops); i++) {
    snprintf(to, sizeof to, "t%u", i);
    qn_onb_node(b, "", ops[i], from, to);
    memcpy(from, to, sizeof from);
  }
  qn_onb_node(b, "", "Sum", "x,t1,t2", "s");
  qn_onb_node(b, "", "Mean", "s,x", "y");
}

/* A formula of several ops between integers, rounded once. */
void qn_onnx_sample_formula_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onb_node(b, "", "Mish", "d", "r");
  qn_onnx_part_quantized_output(b, "2,4");
}

void qn_onnx_sample_rows(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2,1");
  qn_onnx_part_numbers(b, "g", "4", 4);
  qn_onb_node(b, "", "RMSNormalization", "x,g", "a");
  qn_onb_node(b, "", "LogSoftmax", "a", "c");
  qn_onb_node(b, "", "Softmax", "c", "d");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Hardmax", "d", "e");
  QN_ONNX_INTS(b, "last", 1);
  qn_onb_node(b, "", "ReduceL1", "c,last", "f");
  qn_onb_node(b, "", "ReduceL2", "c,last", "h");
  qn_onb_node(b, "", "ReduceSumSquare", "e,last", "i");
  qn_onb_node(b, "", "ReduceLogSumExp", "c,last", "j");
  qn_onb_node(b, "", "ReduceLogSum", "d,last", "k");
  qn_onb_node(b, "", "Sum", "f,h,i,j,k", "y");
}

void qn_onnx_sample_losses(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  QN_ONNX_INTS(b, "classes", 3, 0);
  qn_onnx_part_numbers(b, "g", "4", 4);
  qn_onb_node(b, "", "SoftmaxCrossEntropyLoss", "x,classes", "a,l");
  qn_onb_node(b, "", "NegativeLogLikelihoodLoss", "l,classes,g", "c");
  qn_onb_attr_string(b, "reduction", "sum");
  qn_onb_node(b, "", "Add", "a,c", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "");
}

void qn_onnx_sample_attention(qn_onb *b) {
  qn_onnx_part_floats(b, "1,3,8", "1,3,8");
  qn_onnx_part_numbers(b, "k", "1,5,4", 20);
  qn_onnx_part_numbers(b, "m", "3,4", 12);
  qn_onb_node(b, "", "Attention", "x,k,k,m", "y");
  qn_onb_attr_int(b, "q_num_heads", 4);
  qn_onb_attr_int(b, "kv_num_heads", 2);
  qn_onb_attr_int(b, "is_causal", 1);
  qn_onb_attr_float(b, "softcap", 2);
}

void qn_onnx_sample_known(qn_onb *b) {
  qn_onnx_part_floats(b, "4,4", "4,4");
  QN_ONNX_INTS(b, "sizes", 4, 4);
  QN_ONNX_INTS(b, "k", 1);
  qn_onb_node(b, "", "ConstantOfShape", "sizes", "a");
  qn_onb_node(b, "", "EyeLike", "x", "e");
  qn_onb_node(b, "", "Trilu", "x,k", "t");
  qn_onb_node(b, "", "Size", "x", "n");
  qn_onb_node(b, "", "CastLike", "n,x", "f");
  qn_onb_node(b, "", "Sum", "a,e,t,f", "y");
}

void qn_onnx_sample_bits(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_INT64, "2,4");
  QN_ONNX_INTS(b, "c", 3, -5, 7, 2);
  qn_onb_node(b, "", "Mod", "x,c", "m");
  qn_onb_node(b, "", "BitwiseOr", "m,x", "o");
  qn_onb_node(b, "", "BitwiseAnd", "o,c", "a");
  qn_onb_node(b, "", "BitwiseNot", "a", "n");
  qn_onb_node(b, "", "BitwiseXor", "n,m", "e");
  qn_onb_node(b, "", "Max", "e,x,c", "y");
  qn_onb_output(b, "y", QN_ONB_INT64, "2,4");
}
