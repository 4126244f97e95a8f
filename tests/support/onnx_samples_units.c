/* Samples of units: operators between DequantizeLinear and QuantizeLinear, and QLinear operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/onnx_samples_parts.h"

void qn_onnx_sample_conv_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,4,4");
  qn_onnx_part_weights(b, "3,2,3,3", 54, 3);
  qn_onb_node(b, "", "Conv", "d,dw,db", "c");
  qn_onb_attr_ints(b, "pads", "1,1,1,1");
  qn_onb_node(b, "", "Relu", "c", "r");
  qn_onnx_part_quantized_output(b, "1,3,4,4");
}

void qn_onnx_sample_depthwise_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,5,5");
  qn_onnx_part_weights(b, "4,1,3,3", 36, 4);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_attr_int(b, "group", 2);
  qn_onb_attr_string(b, "auto_pad", "SAME_UPPER");
  qn_onb_attr_ints(b, "strides", "2,2");
  qn_onnx_part_quantized_output(b, "1,4,3,3");
}

void qn_onnx_sample_conv_floats(qn_onb *b) {
  qn_onnx_part_floats(b, "1,2,4,4", "1,3,2,2");
  qn_onnx_part_numbers(b, "w", "3,2,3,3", 54);
  qn_onnx_part_numbers(b, "b", "3", 3);
  qn_onb_node(b, "", "Conv", "x,w,b", "y");
}

void qn_onnx_sample_qlinear_conv(qn_onb *b) {
  qn_onnx_part_parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,2,3,3");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "1,2,2,2", qn_onnx_part_noise, 8);
  qn_onb_node(b, "", "QLinearConv", "q,s,z,w,t,k,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,1,2,2");
}

void qn_onnx_sample_gemm_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onnx_part_weights(b, "3,4", 12, 3);
  qn_onb_node(b, "", "Gemm", "d,dw,db", "r");
  qn_onb_attr_int(b, "transB", 1);
  qn_onnx_part_quantized_output(b, "2,3");
}

void qn_onnx_sample_matmul_unit(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", qn_onnx_part_noise, 12);
  qn_onb_node(b, "", "DequantizeLinear", "w,t,k", "dw");
  qn_onb_node(b, "", "MatMul", "d,dw", "r");
  qn_onnx_part_quantized_output(b, "2,3");
}

void qn_onnx_sample_matmul_both(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4,4");
  qn_onb_node(b, "", "MatMul", "d,d", "r");
  qn_onnx_part_quantized_output(b, "2,4,4");
}

void qn_onnx_sample_matmul_floats(qn_onb *b) {
  qn_onnx_part_floats(b, "2,4", "2,3");
  qn_onnx_part_numbers(b, "w", "4,3", 12);
  qn_onb_node(b, "", "MatMul", "x,w", "y");
}

void qn_onnx_sample_qgemm(qn_onb *b) {
  qn_onnx_part_parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", qn_onnx_part_noise, 12);
  qn_onb_node(b, "com.microsoft", "QGemm", "q,s,z,w,t,k,,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

void qn_onnx_sample_qlinear_matmul(qn_onb *b) {
  qn_onnx_part_parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", qn_onnx_part_noise, 12);
  qn_onb_node(b, "", "QLinearMatMul", "q,s,z,w,t,k,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

void qn_onnx_sample_matmul_integer(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "2,4");
  qn_onb_node(b, "", "DynamicQuantizeLinear", "x", "q,qs,qz");
  qn_onb_tensor(b, "w", QN_ONB_INT8, "4,3", qn_onnx_part_noise, 12);
  qn_onnx_part_zero_point(b, "k", QN_ONB_INT8, 3);
  qn_onb_node(b, "", "MatMulInteger", "q,w,qz,k", "a");
  qn_onb_node(b, "", "Cast", "a", "f");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  qn_onb_node(b, "", "Mul", "f,qs", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "2,3");
}

void qn_onnx_sample_conv_integer(qn_onb *b) {
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,1,4,4");
  qn_onb_node(b, "", "DynamicQuantizeLinear", "x", "q,qs,qz");
  qn_onb_tensor(b, "w", QN_ONB_UINT8, "2,1,3,3", qn_onnx_part_noise, 18);
  qn_onnx_part_zero_point(b, "k", QN_ONB_UINT8, 3);
  qn_onb_node(b, "", "ConvInteger", "q,w,qz,k", "a");
  qn_onb_attr_ints(b, "pads", "1,1,1,1");
  qn_onb_node(b, "", "Cast", "a", "y");
  qn_onb_attr_int(b, "to", QN_ONB_FLOAT);
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,4,4");
}

void qn_onnx_sample_matmul_nbits(qn_onb *b) {
  qn_onnx_part_floats(b, "2,32", "2,3");
  qn_onb_tensor(b, "w", QN_ONB_UINT8, "3,2,8", qn_onnx_part_noise, 48);
  qn_onnx_part_numbers(b, "ws", "6", 6);
  qn_onb_tensor(b, "wz", QN_ONB_UINT8, "3", qn_onnx_part_noise, 3);
  qn_onb_node(b, "com.microsoft", "MatMulNBits", "x,w,ws,wz", "y");
  qn_onb_attr_int(b, "K", 32);
  qn_onb_attr_int(b, "N", 3);
  qn_onb_attr_int(b, "bits", 4);
  qn_onb_attr_int(b, "block_size", 16);
}

void qn_onnx_sample_int4_blocks(qn_onb *b) {
  qn_onnx_part_floats(b, "2,32", "2,3");
  qn_onb_tensor(b, "w", QN_ONB_INT4, "32,3", qn_onnx_part_noise, 48);
  qn_onnx_part_numbers(b, "ws", "2,3", 6);
  qn_onb_node(b, "", "DequantizeLinear", "w,ws", "dw");
  qn_onb_attr_int(b, "axis", 0);
  qn_onb_attr_int(b, "block_size", 16);
  qn_onb_node(b, "", "MatMul", "x,dw", "y");
}

void qn_onnx_sample_residual(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,4,4");
  qn_onnx_part_weights(b, "2,2,1,1", 4, 2);
  qn_onb_node(b, "", "Conv", "d,dw,db", "r");
  qn_onb_node(b, "", "QuantizeLinear", "r,u,v", "p");
  qn_onb_node(b, "", "DequantizeLinear", "p,u,v", "e");
  qn_onb_node(b, "", "Add", "d,e", "f");
  qn_onb_node(b, "", "Clip", "f,lo,hi", "g");
  qn_onnx_part_scale(b, "lo", -1);
  qn_onnx_part_scale(b, "hi", 1);
  qn_onb_node(b, "", "QuantizeLinear", "g,u,v", "h");
  qn_onb_node(b, "", "DequantizeLinear", "h,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,4,4");
}

void qn_onnx_sample_constant_operand(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onnx_part_numbers(b, "c", "4", 4);
  qn_onb_node(b, "", "Add", "d,c", "r");
  qn_onnx_part_quantized_output(b, "2,4");
}

void qn_onnx_sample_number_operand(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "2,4");
  qn_onnx_part_scale(b, "c", 0.3F);
  qn_onb_node(b, "", "Mul", "d,c", "r");
  qn_onnx_part_quantized_output(b, "2,4");
}

void qn_onnx_sample_qlinear_add(qn_onb *b) {
  qn_onnx_part_parameters(b);
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

void qn_onnx_sample_pools(qn_onb *b) {
  qn_onnx_part_quantized_input(b, "1,2,6,6");
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
  qn_onnx_part_quantized_output(b, "1,2,1,1");
}

void qn_onnx_sample_qlinear_pools(qn_onb *b) {
  qn_onnx_part_parameters(b);
  qn_onb_input(b, "x", QN_ONB_FLOAT, "1,2,4,4");
  qn_onb_node(b, "", "QuantizeLinear", "x,s,z", "q");
  qn_onb_node(b, "com.microsoft", "QLinearAveragePool", "q,s,z,t,v", "p");
  qn_onb_attr_ints(b, "kernel_shape", "2,2");
  qn_onb_node(b, "com.microsoft", "QLinearGlobalAveragePool", "p,t,v,u,v", "o");
  qn_onb_node(b, "", "DequantizeLinear", "o,u,v", "y");
  qn_onb_output(b, "y", QN_ONB_FLOAT, "1,2,1,1");
}
