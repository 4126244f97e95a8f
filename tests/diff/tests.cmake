# diff: programs that compare two ways of computing the same thing.
# SPDX-License-Identifier: Apache-2.0
qn_sources(loops_random_sources tests/diff/loops)
add_executable(diff_loops_random ${loops_random_sources})
target_link_libraries(diff_loops_random PRIVATE qn_test_tiles qn_flags qn_codegen qn_lower qn_eval qn_test_support)
add_test(NAME diff.loops_random COMMAND diff_loops_random)
set_tests_properties(diff.loops_random PROPERTIES LABELS diff)
add_executable(diff_matrix_random ${CMAKE_CURRENT_LIST_DIR}/matrix_random.c)
target_link_libraries(diff_matrix_random PRIVATE qn_test_tiles qn_flags qn_codegen qn_eval qn_test_support)
add_test(NAME diff.matrix_random COMMAND diff_matrix_random)
set_tests_properties(diff.matrix_random PROPERTIES LABELS diff)

# Float forms of ops against their definition, at all stages.
qn_sources(forms_sources tests/diff/forms)
add_executable(diff_forms ${forms_sources})
target_link_libraries(diff_forms PRIVATE qn_flags qn_codegen qn_eval qn_test_support)
add_test(NAME diff.forms COMMAND diff_forms 24)
add_test(NAME diff.forms.long COMMAND diff_forms 3000)
set_tests_properties(diff.forms PROPERTIES LABELS diff)
set_tests_properties(diff.forms.long PROPERTIES LABELS "diff;slow")

# Lowered quant casts, interpreted and compiled, against their definition in integers.
qn_sources(quant_sources tests/diff/quant)
add_library(qn_quant_cases STATIC ${quant_sources})
target_link_libraries(qn_quant_cases PRIVATE qn_flags PUBLIC qn_api)
add_executable(diff_quant_random ${CMAKE_CURRENT_LIST_DIR}/quant_random.c)
target_link_libraries(diff_quant_random PRIVATE qn_flags qn_quant_cases)
add_executable(diff_quant_upstream ${CMAKE_CURRENT_LIST_DIR}/quant_upstream.c)
target_link_libraries(diff_quant_upstream PRIVATE qn_flags qn_quant_cases)
add_test(NAME diff.quant_random COMMAND diff_quant_random 320)
add_test(NAME diff.quant_listed COMMAND diff_quant_random listed 61)
add_test(NAME diff.quant_random.long COMMAND diff_quant_random 100000 1000000)
add_test(NAME diff.quant_listed.long COMMAND diff_quant_random listed)
set_tests_properties(diff.quant_random diff.quant_listed PROPERTIES LABELS diff)
set_tests_properties(diff.quant_random.long diff.quant_listed.long PROPERTIES LABELS "diff;slow"
  TIMEOUT 7200)

# Functions on tensors as machine code against the interpreter.
set(quant_folder ${PROJECT_SOURCE_DIR}/tests/golden/quant)
file(GLOB quant_files CONFIGURE_DEPENDS ${quant_folder}/d0[1-7]_*.mlir ${quant_folder}/d22_*.mlir
  ${quant_folder}/d29_*.mlir ${quant_folder}/rounding_table.mlir)
add_test(NAME diff.compiled_functions COMMAND ${CMAKE_CURRENT_LIST_DIR}/compiled_functions.sh
  $<TARGET_FILE:quern> ${quant_files})
set_tests_properties(diff.compiled_functions PROPERTIES LABELS diff)
if(is_x86)
  add_test(NAME diff.single_objects COMMAND ${CMAKE_CURRENT_LIST_DIR}/single_objects.sh $<TARGET_FILE:quern>
    ${CMAKE_CURRENT_LIST_DIR}/../cli/single)
  set_tests_properties(diff.single_objects PROPERTIES LABELS diff)
endif()
add_test(NAME diff.compiled_functions.long COMMAND unit_api_test_compiled 2000)
add_test(NAME diff.compiled_branches.long COMMAND unit_api_test_compiled_branches 200)
add_test(NAME diff.narrow.long COMMAND unit_codegen_test_narrow all)
add_test(NAME diff.damage.long COMMAND unit_import_test_damage all)
add_test(NAME diff.types.long COMMAND unit_api_test_imported_types all)
add_test(NAME diff.outside.long COMMAND unit_import_test_outside all)
set_tests_properties(diff.compiled_functions.long diff.compiled_branches.long diff.narrow.long diff.damage.long
  diff.types.long diff.outside.long PROPERTIES LABELS "diff;slow")
# Every f32, of every elementary function: against long double, and as machine code.
add_test(NAME diff.elementary_bounds.long COMMAND unit_quant_test_elementary all)
add_test(NAME diff.elementary.long COMMAND unit_codegen_test_elementary all)
set_tests_properties(diff.elementary_bounds.long diff.elementary.long
  PROPERTIES LABELS "diff;slow" TIMEOUT 14400)

# Every stage and the machine code against recorded answers of reference runtimes. Needs models that
# are not in the repository: skipped, with a message, where they are missing.
set(verify ${CMAKE_CURRENT_LIST_DIR}/verify_model.sh)
function(qn_verify profile)
  qn_verify_as(${profile} "model;integer;loops;jit;aot" ${ARGN})
endfunction()
function(qn_verify_as profile whats)
  foreach(model ${ARGN})
    foreach(what ${whats})
      set(name diff.verify.${profile}.${model}.${what})
      add_test(NAME ${name} COMMAND ${verify} $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}/../shared
        ${profile} ${model} ${what})
      set_tests_properties(${name} PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
endfunction()
add_test(NAME diff.constant_bytes COMMAND ${CMAKE_CURRENT_LIST_DIR}/constant_bytes.sh $<TARGET_FILE:quern>
  ${PROJECT_SOURCE_DIR}/../shared ${PROJECT_SOURCE_DIR}/examples/digits/digits_int8.tflite)
set_tests_properties(diff.constant_bytes PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
set(small_models mobilenet_v1_0.25_128_quant pretrainedResnet_quant vww_96_int8 kws_ref_model
  ad01_int8 str_ww_ref_model micro_speech_quantized hello_world_int8 split_concat)
set(recurrent_models trained_lstm_int8 keras_lstm_mnist_ptq)
set(large_models mobilenet_v2_1.0_224_quant tf2_mobilenet_v2_1.0_224_ptq
  movenet_single_pose_lightning_ptq deeplabv3_mnv2_dm05_pascal_quant)
qn_verify(litert-ref ${small_models} ${recurrent_models} ${large_models})
qn_verify(tflm ${recurrent_models} keyword_scrambled_8bit person_detect ad01_int8
  pretrainedResnet_quant hello_world_int8)
# .onnx files: of exact real arithmetic, so that every integer has to be the recorded one.
set(onnx_models mnist_factorio_dynamic mobile_a16w8_qdq mobile_dynamic mobile_s8s8_pow2_qdq
  mobile_s8s8_qdq mobile_u8s8_qdq mobile_u8s8_qop mobile_u8w4_qdq21 resnet8_s8s8_qdq
  resnet8_s8s8_qop resnet8_u8u8_qop segment_s8s8_qop segment_u8s8_qdq tblock_a16w8_qdq
  tblock_dq21_int4_block32_asym tblock_dq21_int4_block32_sym tblock_dynamic tblock_nbits4_asym
  tblock_nbits4_sym tblock_u8s8_qdq tract_qrelu_1 tract_qrelu_2 tract_qsigmoid_1 tract_qsigmoid_2
  tract_qtanh_1 tract_qtanh_2)
set(large_onnx_models face_ulf_u8s8_qdq)
qn_verify(onnx ${onnx_models} ${large_onnx_models})
# As onnxruntime computes: what it fuses has its bits. Where it leaves units in float, as of the second list, outputs may
# differ, which objects are compared by.
set(ort_float_models mobile_a16w8_qdq mobile_dynamic mobile_s8s8_qdq tblock_a16w8_qdq
  tblock_dq21_int4_block32_asym tblock_dq21_int4_block32_sym tblock_dynamic tblock_nbits4_asym
  tblock_nbits4_sym tblock_u8s8_qdq)
set(ort_models ${onnx_models} ${large_onnx_models})
list(REMOVE_ITEM ort_models ${ort_float_models})
qn_verify(ort ${ort_models})
qn_verify_as(ort "model;integer;loops;jit" ${ort_float_models})
# Loops and objects at every level take most of the time: in each run of those that differ most in what they use.
set(swept_ort_models mobile_s8s8_qdq resnet8_s8s8_qdq segment_u8s8_qdq tblock_u8s8_qdq)
set(swept_onnx_models mnist_factorio_dynamic mobile_u8s8_qdq resnet8_s8s8_qop segment_u8s8_qdq
  tblock_nbits4_sym tract_qrelu_1)
foreach(what loops aot)
  foreach(model ${onnx_models} ${large_onnx_models})
    if(NOT model IN_LIST swept_onnx_models)
      set_tests_properties(diff.verify.onnx.${model}.${what} PROPERTIES LABELS "diff;slow")
    endif()
  endforeach()
  foreach(model ${ort_models})
    set_tests_properties(diff.verify.ort.${model}.${what} PROPERTIES LABELS "diff;slow")
  endforeach()
endforeach()
foreach(model ${ort_models} ${ort_float_models})
  set_tests_properties(diff.verify.ort.${model}.loops PROPERTIES LABELS "diff;slow")
  if(NOT model IN_LIST swept_ort_models)
    set_tests_properties(diff.verify.ort.${model}.jit PROPERTIES LABELS "diff;slow")
  endif()
endforeach()
# The level of tiles, which hardly any machine has.
if(TARGET quern_tiles)
  foreach(model ${small_models} ${recurrent_models} ${large_models})
    set(name diff.verify.litert-ref.${model}.tiles)
    add_test(NAME ${name} COMMAND ${verify} $<TARGET_FILE:quern_tiles> ${PROJECT_SOURCE_DIR}/../shared
      litert-ref ${model} tiles)
    set_tests_properties(${name} PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
  endforeach()
  foreach(model ${large_models})
    set_tests_properties(diff.verify.litert-ref.${model}.tiles PROPERTIES LABELS "diff;slow")
  endforeach()
endif()
# Minutes: six levels in the interpreter, 300 million multiplications each.
foreach(model ${large_models})
  set_tests_properties(diff.verify.litert-ref.${model}.loops PROPERTIES LABELS "diff;slow")
endforeach()

# Runtimes that ../shared has no recordings of: digests are kept here.
function(qn_recorded profile)
  foreach(model ${ARGN})
    set(name diff.recorded.${profile}.${model})
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/recorded.sh $<TARGET_FILE:quern>
      ${PROJECT_SOURCE_DIR}/../shared ${profile} ${model})
    set_tests_properties(${name} PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
qn_recorded(xnnpack ${small_models} mobilenet_v2_1.0_224_quant tf2_mobilenet_v2_1.0_224_ptq)
qn_recorded(litert-opt ${small_models} ${recurrent_models} mobilenet_v2_1.0_224_quant
  tf2_mobilenet_v2_1.0_224_ptq movenet_single_pose_lightning_ptq)

# The least share of channels with a proved one-FMA form, in percent, over all of these models.
add_executable(fma_models ${CMAKE_CURRENT_LIST_DIR}/fma_models.c)
target_link_libraries(fma_models PRIVATE qn_flags qn_import qn_lower qn_test_support)
add_test(NAME diff.fma_models COMMAND fma_models ${PROJECT_SOURCE_DIR}/../shared 99.5
  ${small_models} ${large_models})
set_tests_properties(diff.fma_models PROPERTIES LABELS diff SKIP_RETURN_CODE 77)

# How passes grow with a module: not measured here, only kept running.
add_executable(bench_passes ${PROJECT_SOURCE_DIR}/benchmarks/bench_passes.c)
target_link_libraries(bench_passes PRIVATE qn_flags qn_passes)
add_test(NAME bench.passes COMMAND bench_passes 1000)
set_tests_properties(bench.passes PROPERTIES LABELS bench)

# The same of matching rules.
file(GLOB rule_library ${PROJECT_SOURCE_DIR}/rules/*.rr)
add_executable(bench_rules ${PROJECT_SOURCE_DIR}/benchmarks/bench_rules.c)
target_link_libraries(bench_rules PRIVATE qn_flags qn_rules)
add_test(NAME bench.rules COMMAND bench_rules 1000 ${rule_library})
set_tests_properties(bench.rules PROPERTIES LABELS bench)

# Matrix products against the machine's peak, and against loops with instructions of x86-64: run by hand.
if(is_x86)
  add_executable(bench_matrix ${PROJECT_SOURCE_DIR}/benchmarks/bench_matrix.c)
  target_link_libraries(bench_matrix PRIVATE qn_flags qn_api)
  target_compile_options(bench_matrix PRIVATE -O3)
endif()

# What a launch costs: the figures are for people, that it runs is a test.
add_executable(bench_dispatch ${PROJECT_SOURCE_DIR}/benchmarks/bench_dispatch.c)
target_link_libraries(bench_dispatch PRIVATE qn_flags qn_api)
add_test(NAME bench.dispatch COMMAND bench_dispatch)
set_tests_properties(bench.dispatch PROPERTIES LABELS bench)
