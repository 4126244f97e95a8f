# diff: programs that compare two ways of computing the same thing.
qn_sources(loops_random_sources tests/diff/loops)
add_executable(diff_loops_random ${loops_random_sources})
target_link_libraries(diff_loops_random PRIVATE qn_flags qn_codegen qn_lower qn_eval)
add_test(NAME diff.loops_random COMMAND diff_loops_random)
set_tests_properties(diff.loops_random PROPERTIES LABELS diff)

# The interpreter against recorded answers of reference runtimes. Needs models that are not in the
# repository: skipped, with a message, where they are missing.
find_library(NETTLE_LIBRARY nettle REQUIRED)
find_library(JANSSON_LIBRARY jansson REQUIRED)
add_executable(golden_model ${CMAKE_CURRENT_LIST_DIR}/golden_model.c)
target_link_libraries(golden_model PRIVATE qn_flags qn_import qn_eval qn_lower ${NETTLE_LIBRARY}
  ${JANSSON_LIBRARY})
add_executable(fma_models ${CMAKE_CURRENT_LIST_DIR}/fma_models.c)
target_link_libraries(fma_models PRIVATE qn_flags qn_import qn_lower)

function(qn_golden profile)
  foreach(model ${ARGN})
    foreach(stage model integer)
      set(name diff.golden.${profile}.${model}.${stage})
      add_test(NAME ${name} COMMAND golden_model ${PROJECT_SOURCE_DIR}/../shared ${profile} ${model}
        ${stage})
      set_tests_properties(${name} PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
endfunction()
set(litert_models mobilenet_v1_0.25_128_quant mobilenet_v2_1.0_224_quant
  tf2_mobilenet_v2_1.0_224_ptq pretrainedResnet_quant vww_96_int8 kws_ref_model ad01_int8
  str_ww_ref_model micro_speech_quantized hello_world_int8 split_concat)
qn_golden(litert-ref ${litert_models})
qn_golden(tflm person_detect ad01_int8 pretrainedResnet_quant hello_world_int8)

# The least share of channels with a proved one-FMA form, in percent, over all of these models.
add_test(NAME diff.fma_models COMMAND fma_models ${PROJECT_SOURCE_DIR}/../shared 99.5 ${litert_models})
set_tests_properties(diff.fma_models PROPERTIES LABELS diff SKIP_RETURN_CODE 77)
