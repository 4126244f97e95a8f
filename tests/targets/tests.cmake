# targets: objects of the level "generic" for other machines, run by an emulator; what tiles are.
# SPDX-License-Identifier: Apache-2.0
set(shared ${PROJECT_SOURCE_DIR}/../shared)
set(recorded kws_ref_model pretrainedResnet_quant mobilenet_v1_0.25_128_quant trained_lstm_int8)
foreach(machine aarch64 riscv64)
  set(tool ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}
    ${machine}-linux-gnu ${machine}-linux-gnu-gcc qemu-${machine})
  add_test(NAME targets.${machine}.digits
    COMMAND ${tool} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
  set_tests_properties(targets.${machine}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  foreach(model ${recorded})
    add_test(NAME targets.${machine}.${model}
      COMMAND ${tool} ${shared} ${model})
    set_tests_properties(targets.${machine}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

# What a level's tiles are made for: sums that stay in registers.
foreach(level avxvnni,vpdpbusd x86-64-v3,vpmaddubsw x86-64-v4,vpmaddubsw)
  string(REPLACE "," ";" level ${level})
  list(GET level 0 name)
  add_test(NAME targets.spills.${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/spills.sh $<TARGET_FILE:quern> ${level})
  set_tests_properties(targets.spills.${name} PROPERTIES LABELS targets)
endforeach()
