# golden: .mlir files with RUN and CHECK lines, run by FileCheck, one folder per subject. Each file is
# also given to mlir-opt, which must accept what we print and mean the same by it. Both programs are
# optional: without them the tests say SKIP.
# SPDX-License-Identifier: Apache-2.0
add_executable(opt_driver ${CMAKE_CURRENT_LIST_DIR}/opt_driver.c)
target_link_libraries(opt_driver PRIVATE qn_flags qn_lower)
set(llvm_bin /usr/lib/llvm-22/bin)
find_program(QN_FILECHECK NAMES FileCheck-22 FileCheck HINTS ${llvm_bin})
find_program(QN_MLIR_OPT NAMES mlir-opt-22 mlir-opt HINTS ${llvm_bin})

file(GLOB golden_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/*.mlir)
foreach(source ${golden_files})
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(subject ${folder} NAME)
  add_test(NAME golden.${subject}.${name}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${source} $<TARGET_FILE:quern>
      $<TARGET_FILE:opt_driver> ${QN_FILECHECK})
  add_test(NAME golden.${subject}.${name}.mlir_opt
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/mlir_opt.sh ${source} $<TARGET_FILE:opt_driver> ${QN_MLIR_OPT})
  set_tests_properties(golden.${subject}.${name} golden.${subject}.${name}.mlir_opt
    PROPERTIES LABELS golden SKIP_RETURN_CODE 77)
endforeach()

# Every function of these files that the interpreter runs, as machine code too.
add_executable(golden_engines ${CMAKE_CURRENT_LIST_DIR}/engines.c)
target_link_libraries(golden_engines PRIVATE qn_flags qn_test_support qn_api)
set(draws 3)
if(QN_SANITIZE) # the same code: what LLVM allocates is slow there
  set(draws 1)
endif()
add_test(NAME golden.engines
  COMMAND golden_engines ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/engines.txt ${draws})
set_tests_properties(golden.engines PROPERTIES LABELS golden COST 100) # a minute: begun before the short ones

# No call computes what depends on constants alone: of all modules, and of some models.
add_executable(golden_once ${CMAKE_CURRENT_LIST_DIR}/once.c)
target_link_libraries(golden_once PRIVATE qn_flags qn_api)
target_compile_definitions(golden_once PRIVATE QN_TEST_SHARED="${PROJECT_SOURCE_DIR}/../shared")
file(GLOB modules CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/*.mlir)
add_test(NAME golden.once COMMAND golden_once ${modules})
set_tests_properties(golden.once PROPERTIES LABELS golden)
add_test(NAME golden.once.models COMMAND golden_once shared/models/movenet_single_pose_lightning_ptq.tflite
  shared/models/keyword_scrambled_8bit.tflite shared/models/trained_lstm_int8.tflite
  shared/models/onnx/segment_u8s8_qdq.onnx shared/models/onnx/tblock_u8s8_qdq.onnx
  shared/models/onnx/tblock_dynamic.onnx shared/models/onnx/tblock_nbits4_asym.onnx)
set_tests_properties(golden.once.models PROPERTIES LABELS "golden;models" SKIP_RETURN_CODE 77)

add_test(NAME golden.graph.twice COMMAND ${CMAKE_CURRENT_LIST_DIR}/twice.sh $<TARGET_FILE:quern>
  ${CMAKE_CURRENT_LIST_DIR}/graph)
set_tests_properties(golden.graph.twice PROPERTIES LABELS golden)

# A network with its channels first becomes the one with channels last.
find_program(QN_PYTHON3 python3)
if(QN_PYTHON3)
  add_test(NAME golden.graph.channels_first
    COMMAND ${QN_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/channels_first.py $<TARGET_FILE:quern>)
  set_tests_properties(golden.graph.channels_first PROPERTIES LABELS golden)
endif()

# Whole models, which are not in the repository.
function(qn_golden_models profile)
  foreach(model ${ARGN})
    set(name golden.model.${profile}.${model})
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/golden/models.sh
      ${PROJECT_SOURCE_DIR}/../shared ${model} ${profile} $<TARGET_FILE:quern>
      $<TARGET_FILE:opt_driver> ${QN_MLIR_OPT})
    set_tests_properties(${name} PROPERTIES LABELS "golden;models" SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
qn_golden_models(litert-ref mobilenet_v1_0.25_128_quant mobilenet_v2_1.0_224_quant
  tf2_mobilenet_v2_1.0_224_ptq pretrainedResnet_quant vww_96_int8 kws_ref_model ad01_int8
  str_ww_ref_model micro_speech_quantized hello_world_int8 split_concat trained_lstm_int8
  movenet_single_pose_lightning_ptq deeplabv3_mnv2_dm05_pascal_quant)
qn_golden_models(tflm keyword_scrambled_8bit person_detect ad01_int8 pretrainedResnet_quant
  hello_world_int8)
