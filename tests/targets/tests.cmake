# targets: objects for other machines, run by an emulator; what tiles are.
# SPDX-License-Identifier: Apache-2.0
set(shared ${PROJECT_SOURCE_DIR}/../shared)
set(recorded kws_ref_model pretrainedResnet_quant mobilenet_v1_0.25_128_quant trained_lstm_int8)
# A machine, a level, and the least CPU that it runs on.
set(levels "aarch64 generic cortex-a53" "riscv64 generic rv64" "aarch64 armv8 cortex-a53"
  "aarch64 armv8-dot neoverse-n1" "aarch64 armv8-i8mm max")
foreach(row ${levels})
  separate_arguments(row)
  list(GET row 0 machine)
  list(GET row 1 level)
  list(GET row 2 cpu)
  string(REPLACE ".generic" "" name targets.${machine}.${level})
  set(tool ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}
    ${machine}-linux-gnu ${machine}-linux-gnu-gcc qemu-${machine} ${level})
  add_test(NAME ${name}.digits
    COMMAND ${tool} ${cpu} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
  set_tests_properties(${name}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  if(level MATCHES "-")
    add_test(NAME ${name}.refused
      COMMAND ${tool} -cortex-a53 ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
    set_tests_properties(${name}.refused PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  endif()
  foreach(model ${recorded})
    add_test(NAME ${name}.${model} COMMAND ${tool} ${cpu} ${shared} ${model})
    set_tests_properties(${name}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
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
