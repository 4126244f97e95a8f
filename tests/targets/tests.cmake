# targets: objects of the level "generic" for other machines, run by an emulator.
# SPDX-License-Identifier: Apache-2.0
set(shared ${PROJECT_SOURCE_DIR}/../shared)
set(recorded kws_ref_model pretrainedResnet_quant mobilenet_v1_0.25_128_quant trained_lstm_int8)
foreach(machine aarch64 riscv64)
  set(tool ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}
    ${machine}-linux-gnu ${machine}-linux-gnu-gcc qemu-${machine})
  add_test(NAME targets.${machine}.digits
    COMMAND ${tool} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite "")
  set_tests_properties(targets.${machine}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  foreach(model ${recorded})
    add_test(NAME targets.${machine}.${model}
      COMMAND ${tool} ${shared}/models/${model}.tflite ${shared}/golden/litert-ref/${model})
    set_tests_properties(targets.${machine}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
