# targets: objects for other machines, run by an emulator; what tiles are.
# SPDX-License-Identifier: Apache-2.0
set(shared ${PROJECT_SOURCE_DIR}/../shared)
set(recorded kws_ref_model pretrainedResnet_quant mobilenet_v1_0.25_128_quant trained_lstm_int8)
# A machine, a level, the least CPU that it runs on, and one that it must not run on. QEMU 7.2 does not tell programs
# that a RISC-V CPU has V (run.sh).
set(rvv rv64,v=true,vext_spec=v1.0,zba=true,zbb=true,vlen)
set(levels "aarch64 generic cortex-a53" "riscv64 generic rv64" "aarch64 armv8 cortex-a53"
  "aarch64 armv8-dot neoverse-n1 cortex-a53" "aarch64 armv8-i8mm max cortex-a53" "riscv64 rv64 rv64"
  "riscv64 rv64v +${rvv}=128 rv64" "riscv64 rv64v +${rvv}=256" "riscv64 rv64v +${rvv}=512")
foreach(row ${levels})
  separate_arguments(row)
  list(GET row 0 machine)
  list(GET row 1 level)
  list(GET row 2 cpu)
  string(REPLACE ".generic" "" name targets.${machine}.${level})
  if(cpu MATCHES "vlen=(.+)")
    string(APPEND name .${CMAKE_MATCH_1})
  endif()
  set(tool ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}
    ${machine}-linux-gnu ${machine}-linux-gnu-gcc qemu-${machine} ${level})
  add_test(NAME ${name}.digits
    COMMAND ${tool} ${cpu} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
  set_tests_properties(${name}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  list(LENGTH row columns)
  if(columns EQUAL 4)
    list(GET row 3 lesser)
    add_test(NAME ${name}.rejected
      COMMAND ${tool} -${lesser} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
    set_tests_properties(${name}.rejected PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  endif()
  # Minima and maxima of vectors of one lane, which LLVM computes wrongly without vector registers (codegen/object.c).
  if(level STREQUAL rv64)
    add_test(NAME ${name}.lstm
      COMMAND ${tool} ${cpu} ${PROJECT_SOURCE_DIR}/tests/cli/single/tflm-UNIDIRECTIONAL_SEQUENCE_LSTM_i16_3.tflite)
    set_tests_properties(${name}.lstm PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  endif()
  foreach(model ${recorded})
    add_test(NAME ${name}.${model} COMMAND ${tool} ${cpu} ${shared} ${model})
    set_tests_properties(${name}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

# Microcontrollers on emulated boards: triple, level, board. Code for ARMv6-M runs on the Cortex-M3.
set(boards "thumbv6m-none-eabi cortex-m0plus an385" "thumbv7m-none-eabi cortex-m3 an385"
  "thumbv7em-none-eabi cortex-m4 an386" "thumbv7em-none-eabihf cortex-m7 an500"
  "thumbv8.1m.main-none-eabihf cortex-m55 an547" "riscv32-unknown-elf rv32imc virt")
set(fitting hello_world_int8 kws_ref_model ad01_int8 pretrainedResnet_quant vww_96_int8 str_ww_ref_model
  micro_speech_quantized person_detect keyword_scrambled_8bit trained_lstm_int8)
foreach(row ${boards})
  separate_arguments(row)
  list(GET row 1 level)
  set(name targets.${level})
  set(tool ${CMAKE_CURRENT_LIST_DIR}/board.sh $<TARGET_FILE:quern> ${row})
  add_test(NAME ${name}.digits COMMAND ${tool} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
  set_tests_properties(${name}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  foreach(model ${fitting})
    add_test(NAME ${name}.${model} COMMAND ${tool} ${shared} ${model})
    set_tests_properties(${name}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

# Operators in bands of rows: a limit of the arena, by model.
foreach(row "kws_ref_model 18300" "pretrainedResnet_quant 40K" "vww_96_int8 30K" "person_detect 40K")
  separate_arguments(row)
  list(GET row 0 model)
  list(GET row 1 limit)
  set(tool ${CMAKE_CURRENT_LIST_DIR}/board.sh -l ${limit} $<TARGET_FILE:quern>)
  add_test(NAME targets.bands.cortex-m4.${model} COMMAND ${tool} thumbv7em-none-eabi cortex-m4 an386 ${shared} ${model})
  add_test(NAME targets.bands.cortex-m55.${model}
    COMMAND ${tool} thumbv8.1m.main-none-eabihf cortex-m55 an547 ${shared} ${model})
  add_test(NAME targets.bands.c.${model}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/board.sh -c -l ${limit} $<TARGET_FILE:quern> thumbv7em-none-eabi cortex-m4 an386
      ${shared} ${model})
  set_tests_properties(targets.bands.cortex-m4.${model} targets.bands.cortex-m55.${model} targets.bands.c.${model}
    PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
endforeach()

# Inputs and outputs in the arena, and what is then the whole RAM.
foreach(row "thumbv7em-none-eabi cortex-m4 an386" "thumbv8.1m.main-none-eabihf cortex-m55 an547"
    "riscv32-unknown-elf rv32imc virt")
  separate_arguments(row)
  list(GET row 1 level)
  set(tool ${CMAKE_CURRENT_LIST_DIR}/board.sh -a $<TARGET_FILE:quern> ${row})
  add_test(NAME targets.places.${level}.digits COMMAND ${tool} ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
  set_tests_properties(targets.places.${level}.digits PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
  foreach(model ${fitting})
    add_test(NAME targets.places.${level}.${model} COMMAND ${tool} ${shared} ${model})
    set_tests_properties(targets.places.${level}.${model} PROPERTIES LABELS "targets;models" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
add_test(NAME targets.ram COMMAND ${CMAKE_CURRENT_LIST_DIR}/ram.sh $<TARGET_FILE:quern> ${shared}
  ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite ${CMAKE_CURRENT_LIST_DIR}/tflm_ram.txt)
set_tests_properties(targets.ram PROPERTIES LABELS "targets;models")

# C output: on this machine, with a checker of undefined behaviour and optimized; on the smallest boards.
set(tool ${CMAKE_CURRENT_LIST_DIR}/c.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR})
set(digits ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
set(checked "clang -O0 -fsanitize=undefined,address -fno-sanitize-recover=all")
add_test(NAME targets.c.digits COMMAND ${tool} ${checked} "--target thumbv6m-none-eabi" ${digits})
# Products of pairs, whose portable C this machine compiles; a board's compiler takes the instructions.
add_test(NAME targets.c.digits.pairs COMMAND ${tool} ${checked} "--target thumbv7em-none-eabi --cpu cortex-m4" ${digits})
# The same for registers of Helium.
add_test(NAME targets.c.digits.helium
  COMMAND ${tool} ${checked} "--target thumbv8.1m.main-none-eabi --cpu cortex-m55" ${digits})
set_tests_properties(targets.c.digits targets.c.digits.pairs targets.c.digits.helium
  PROPERTIES LABELS targets SKIP_RETURN_CODE 77)
foreach(row "gcc generic" "gcc thumbv6m-none-eabi" "gcc thumbv7em-none-eabi" "gcc thumbv8.1m.main-none-eabi"
    "clang generic" "clang thumbv6m-none-eabi" "clang thumbv7em-none-eabi" "clang thumbv8.1m.main-none-eabi")
  separate_arguments(row)
  list(GET row 0 compiler)
  list(GET row 1 options)
  set(name targets.c.${compiler}.${options})
  string(REGEX REPLACE "^thumb" "--target thumb" options ${options})
  string(REGEX REPLACE "^generic" "--cpu generic" options ${options})
  add_test(NAME ${name}.digits COMMAND ${tool} "${compiler} -O2" ${options} ${digits})
  add_test(NAME ${name}.digits.checked COMMAND ${tool} "${compiler} -O0 -fsanitize=undefined,address -fno-sanitize-recover=all"
    ${options} ${digits})
  set_tests_properties(${name}.digits ${name}.digits.checked PROPERTIES LABELS "targets;slow" SKIP_RETURN_CODE 77)
  foreach(model ${fitting} keras_lstm_mnist_ptq)
    add_test(NAME ${name}.${model} COMMAND ${tool} "${compiler} -O2" ${options} ${shared} ${model})
    set_tests_properties(${name}.${model} PROPERTIES LABELS "targets;models;slow" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
foreach(row ${boards})
  separate_arguments(row)
  list(GET row 1 level)
  set(name targets.c.${level})
  set(tool ${CMAKE_CURRENT_LIST_DIR}/board.sh -c $<TARGET_FILE:quern> ${row})
  add_test(NAME ${name}.digits COMMAND ${tool} ${digits})
  set_tests_properties(${name}.digits PROPERTIES LABELS "targets;slow" SKIP_RETURN_CODE 77)
  foreach(model ${fitting})
    add_test(NAME ${name}.${model} COMMAND ${tool} ${shared} ${model})
    set_tests_properties(${name}.${model} PROPERTIES LABELS "targets;models;slow" SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

# What a level's tiles are made for: sums that stay in registers.
foreach(level avxvnni,vpdpbusd x86-64-v3,vpmaddubsw x86-64-v4,vpmaddubsw armv8-dot,sdot,aarch64-linux-gnu
    armv8-i8mm,smmla,aarch64-linux-gnu)
  string(REPLACE "," ";" level ${level})
  list(GET level 0 name)
  add_test(NAME targets.spills.${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/spills.sh $<TARGET_FILE:quern> ${level})
  set_tests_properties(targets.spills.${name} PROPERTIES LABELS targets)
endforeach()

add_test(NAME targets.formats
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/formats.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
set_tests_properties(targets.formats PROPERTIES LABELS targets SKIP_RETURN_CODE 77)

# Quern as a program of another architecture, where scripts/emulated has built it.
foreach(machine aarch64 riscv64)
  set(tool ${CMAKE_CURRENT_LIST_DIR}/host.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR} ${machine})
  add_test(NAME targets.host.${machine}.digits COMMAND ${tool})
  add_test(NAME targets.host.${machine}.tests COMMAND ${tool} -L "unit|golden|diff|cli|examples" -LE "slow|models")
  set_tests_properties(targets.host.${machine}.digits PROPERTIES LABELS emulated SKIP_RETURN_CODE 77)
  set_tests_properties(targets.host.${machine}.tests PROPERTIES LABELS "emulated;slow" SKIP_RETURN_CODE 77 TIMEOUT 14400)
endforeach()
