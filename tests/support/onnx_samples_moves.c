/* Samples of elementwise operators on floats, of data movement and of reductions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

/* ---- floats ---- */

void qn_onnx_sample_curves(qn_onb *b) {
  static const char *const ops[] = {"Sigmoid", "Tanh", "Exp",   "Erf",  "Softplus", "Softsign",
                                    "Sin",     "Cos",  "Floor", "Ceil", "Round",    "Sign",
                                    "Abs",     "Neg",  "Elu",   "Gelu", "HardSwish"};
  char from[8] = "x", to[8];
  qn_onnx_part_floats(b, "2,4", "2,4");
  for (uint32_t i = 0; i < QN_COUNT(ops); i++) {
    snprintf(to, sizeof to, i + 1 < QN_COUNT(ops) ? "t%u" : "y", i);
    qn_onb_node(b, "", ops[i], from, to);
    memcpy(from, to, sizeof from);
  }
}

void qn_onnx_sample_more_functions(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2,4");
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

void qn_onnx_sample_normalized(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2,4");
  qn_onnx_part_numbers(b, "g", "4", 4);
  qn_onnx_part_numbers(b, "h", "4", 4);
  qn_onb_node(b, "", "LayerNormalization", "x,g,h", "n");
  qn_onb_node(b, "", "Softmax", "n", "y");
}

void qn_onnx_sample_prelu(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,3,3", "1,2,3,3");
  qn_onnx_part_numbers(b, "a", "2,1,1", 2);
  qn_onb_node(b, "", "PRelu", "x,a", "y");
}

/* ---- data movement ---- */

void qn_onnx_sample_moves(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,4,4", "2,16");
  QN_ONNX_INTS(b, "two", 2, -1);
  QN_ONNX_INTS(b, "axis", 0);
  QN_ONNX_INTS(b, "from", 1, -1);
  QN_ONNX_INTS(b, "to", INT64_MAX, INT64_MIN);
  QN_ONNX_INTS(b, "along", 2, 3);
  QN_ONNX_INTS(b, "steps", 1, -1);
  qn_onb_node(b, "", "Transpose", "x", "a");
  qn_onb_attr_ints(b, "perm", "0,2,3,1");
  qn_onb_node(b, "", "Transpose", "a", "c");
  qn_onb_attr_ints(b, "perm", "0,3,1,2");
  qn_onb_node(b, "", "Slice", "c,from,to,along,steps", "e");
  qn_onb_node(b, "", "Concat", "e,c", "f");
  qn_onb_attr_int(b, "axis", 2);
  qn_onb_node(b, "", "Slice", "f,from0,to4,two0", "g");
  QN_ONNX_INTS(b, "from0", 0);
  QN_ONNX_INTS(b, "to4", 4);
  QN_ONNX_INTS(b, "two0", 2);
  qn_onb_node(b, "", "Squeeze", "g,axis", "h");
  qn_onb_node(b, "", "Unsqueeze", "h,axis", "i");
  qn_onb_node(b, "", "Flatten", "i", "j");
  qn_onb_node(b, "", "Reshape", "j,two", "k");
  qn_onb_node(b, "", "Identity", "k", "l");
  qn_onb_node(b, "", "Dropout", "l", "y");
}

void qn_onnx_sample_resized(qn_onb *b) {
  static const float factors[] = {1, 1, 2, 2};
  qn_onnx_part_quantized_input(b, "1,2,3,3");
  qn_onb_tensor(b, "f", QN_ONB_FLOAT, "4", factors, sizeof factors);
  qn_onb_node(b, "", "Resize", "d,,f", "r");
  qn_onb_attr_string(b, "coordinate_transformation_mode", "asymmetric");
  qn_onb_attr_string(b, "nearest_mode", "floor");
  qn_onnx_part_quantized_output(b, "1,2,6,6");
}

/* Computes a shape in the graph: SHAPE is sliced, concatenated and used. */
void qn_onnx_sample_shapes(qn_onb *b) {
  qn_onnx_part_floats(b, "2,3,4", "2,12");
  QN_ONNX_INTS(b, "minus", -1);
  QN_ONNX_INTS(b, "first", 0);
  QN_ONNX_INTS(b, "second", 1);
  qn_onb_node(b, "", "Shape", "x", "a");
  qn_onb_node(b, "", "Slice", "a,first,second", "c");
  qn_onb_node(b, "", "Concat", "c,minus", "e");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Reshape", "x,e", "f");
  qn_onb_node(b, "", "Constant", "", "g");
  qn_onb_attr_float(b, "value_float", 0.5F);
  qn_onb_node(b, "", "Mul", "f,g", "y");
}

void qn_onnx_sample_logic(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2,4");
  qn_onb_node(b, "", "Max", "x,c", "m");
  qn_onnx_part_numbers(b, "c", "4", 4);
  qn_onb_node(b, "", "Min", "m,x", "n");
  qn_onb_node(b, "", "Less", "x,m", "l");
  qn_onb_node(b, "", "Equal", "x,n", "e");
  qn_onb_node(b, "", "Not", "e", "f");
  qn_onb_node(b, "", "And", "l,f", "g");
  qn_onb_node(b, "", "Where", "g,x,c", "y");
}

void qn_onnx_sample_where_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onnx_part_scale(b, "zero", 0);
  qn_onb_node(b, "", "Greater", "d,zero", "g");
  qn_onb_node(b, "", "Neg", "d", "n");
  qn_onb_node(b, "", "Where", "g,d,n", "r");
  qn_onnx_part_quantized_output(b, "2,4");
}

void qn_onnx_sample_reductions(qn_onb *b) {
  qn_onnx_part_floats(b, "2,3,4", "2");
  QN_ONNX_INTS(b, "last", -1);
  QN_ONNX_INTS(b, "one", 1);
  qn_onb_node(b, "", "ReduceMax", "x,last", "m");
  qn_onb_node(b, "", "ReduceMin", "m,last", "n");
  qn_onb_node(b, "", "ReduceSum", "n,one", "s");
  qn_onb_node(b, "", "ReduceProd", "s,one", "p");
  qn_onb_node(b, "", "ReduceMean", "p,one", "q");
  qn_onb_node(b, "", "Squeeze", "q,axes", "y");
  QN_ONNX_INTS(b, "axes", 1, 2);
}

void qn_onnx_sample_mean_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,3,4");
  QN_ONNX_INTS(b, "last", -1);
  qn_onb_node(b, "", "ReduceMean", "d,last", "r");
  qn_onnx_part_quantized_output(b, "2,3,1");
}

void qn_onnx_sample_gathered(qn_onb *b) {
  qn_onnx_part_floats(b, "2,5", "6,2");
  QN_ONNX_INTS(b, "at", 0, -1, 2);
  QN_ONNX_INTS(b, "parts", 1, 2);
  QN_ONNX_INTS(b, "twice", 2, 1);
  QN_ONNX_INTS(b, "to", 6, 2);
  qn_onb_node(b, "", "Gather", "x,at", "g");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Split", "g,parts", "a,c");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Concat", "c,a", "e");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_node(b, "", "Tile", "e,twice", "f");
  qn_onb_node(b, "", "Gather", "f,zero", "h");
  qn_onb_attr_int(b, "axis", 0);
  QN_ONNX_INTS(b, "zero", 0);
  qn_onb_node(b, "", "Transpose", "h", "i");
  qn_onb_node(b, "", "Concat", "i,i", "j");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_node(b, "", "Expand", "j,to", "y");
}

void qn_onnx_sample_images(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,4,3,3");
  QN_ONNX_INTS(b, "pads", 0, 0, 1, 0, 0, 0, 0, 1);
  qn_onb_node(b, "", "Pad", "d,pads", "c");
  qn_onb_node(b, "", "DepthToSpace", "c", "e");
  qn_onb_attr_int(b, "blocksize", 2);
  qn_onb_node(b, "", "SpaceToDepth", "e", "r");
  qn_onb_attr_int(b, "blocksize", 2);
  qn_onnx_part_quantized_output(b, "1,4,4,4");
}

void qn_onnx_sample_channels(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,3,3", "1,2,3,3");
  qn_onnx_part_numbers(b, "g", "2", 2);
  qn_onnx_part_numbers(b, "h", "2", 2);
  qn_onnx_part_numbers(b, "m", "2", 2);
  static const float one[2] = {1, 2};
  qn_onb_tensor(b, "v", QN_ONB_FLOAT, "2", one, sizeof one);
  qn_onb_node(b, "", "BatchNormalization", "x,g,h,m,v", "n");
  qn_onb_node(b, "", "InstanceNormalization", "n,g,h", "y");
}

void qn_onnx_sample_best(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "ArgMax", "x", "y");
  qn_onb_attr_int(b, "axis", 1);
  qn_onb_output(b, "y", QN_ONB_INT64, "2,1");
}
