// Prints the bytes of its arena that TensorFlow Lite Micro uses for a model, after a call. For benchmarks/tflm_arena.sh.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>

#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/schema/schema_generated.h"

// The board (mps2-an386) has 4 MB at address 0, where code and data are linked.
alignas(16) static uint8_t arena[256 << 10], file_bytes[768 << 10];

extern "C" void _start();
extern "C" __attribute__((section(".vectors"), used)) void *const vectors[] = {reinterpret_cast<void *>(0x400000),
                                                                             reinterpret_cast<void *>(_start)};

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : nullptr;
  if (!file || fread(file_bytes, 1, sizeof file_bytes, file) == 0 || fgetc(file) != EOF) {
    printf("no model, or a model of more than %u bytes\n", static_cast<unsigned>(sizeof file_bytes));
    return 1;
  }
  tflite::MicroMutableOpResolver<12> ops;
  ops.AddAdd();
  ops.AddAveragePool2D();
  ops.AddConv2D();
  ops.AddDepthwiseConv2D();
  ops.AddDequantize();
  ops.AddFullyConnected();
  ops.AddMean();
  ops.AddQuantize();
  ops.AddReshape();
  ops.AddSoftmax();
  ops.AddSvdf();
  ops.AddUnidirectionalSequenceLSTM();
  tflite::MicroInterpreter interpreter(tflite::GetModel(file_bytes), ops, arena, sizeof arena);
  if (interpreter.AllocateTensors() != kTfLiteOk || interpreter.Invoke() != kTfLiteOk) {
    printf("not executed\n");
    return 1;
  }
  printf("%u\n", static_cast<unsigned>(interpreter.arena_used_bytes()));
  return 0;
}
