# Fuzz targets: fuzz_NAME.c defines LLVMFuzzerTestOneInput. With -DQN_FUZZ=ON (clang) they become
# libFuzzer programs, with the mutations of mutate_NAME.c where there is one; scripts/fuzz builds and
# runs them. Always, they replay their corpus as an ordinary test: what corpus_NAME writes, or the files
# of the SEEDS folders, and the files of fuzz/corpus/NAME: seeds, and what made something fail once.
# SPDX-License-Identifier: Apache-2.0
function(qn_fuzz_target name)
  cmake_parse_arguments(F "" "" "DEPS;SEEDS" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
  set(seeds ${F_SEEDS})
  if(EXISTS ${dir}/corpus_${name}.c)
    set(seeds ${CMAKE_CURRENT_BINARY_DIR}/fuzz_seeds/${name})
    file(MAKE_DIRECTORY ${seeds})
    add_executable(corpus_${name} ${dir}/corpus_${name}.c)
    target_link_libraries(corpus_${name} PRIVATE qn_flags qn_test_support)
    add_test(NAME fuzz.${name}.corpus COMMAND corpus_${name} ${seeds})
    set_tests_properties(fuzz.${name}.corpus PROPERTIES FIXTURES_SETUP fuzz_${name} LABELS fuzz)
  endif()
  add_executable(replay_${name} ${dir}/fuzz_${name}.c ${dir}/replay.c)
  target_link_libraries(replay_${name} PRIVATE qn_flags ${F_DEPS})
  add_test(NAME fuzz.${name} COMMAND replay_${name} ${seeds} ${dir}/corpus/${name})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
  if(EXISTS ${dir}/corpus_${name}.c)
    set_tests_properties(fuzz.${name} PROPERTIES FIXTURES_REQUIRED fuzz_${name})
  endif()
  if(QN_FUZZ)
    file(GLOB mutations ${dir}/mutate_${name}.c)
    add_executable(fuzz_${name} ${dir}/fuzz_${name}.c ${mutations})
    target_link_libraries(fuzz_${name} PRIVATE qn_flags qn_test_support ${F_DEPS})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()

if(QN_FUZZ)
  target_compile_options(qn_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(qn_flags INTERFACE -fsanitize=fuzzer-no-link)
  # These layers compare what no input holds as bytes: elements, types, plans. Tracing that takes half of the time
  # of random models. The layers that read bytes (text, import, rules, cli) stay traced.
  foreach(layer eval quant plan ir pass passes lower codegen)
    target_compile_options(qn_${layer} PRIVATE -fno-sanitize-coverage=trace-cmp)
  endforeach()
endif()

qn_fuzz_target(tflite DEPS qn_import qn_text)
qn_fuzz_target(onnx DEPS qn_import qn_text)
qn_fuzz_target(text DEPS qn_text SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/golden/text)
qn_fuzz_target(rules DEPS qn_rules SEEDS ${PROJECT_SOURCE_DIR}/rules
  ${CMAKE_CURRENT_SOURCE_DIR}/rules/malformed ${CMAKE_CURRENT_SOURCE_DIR}/rules/format)
qn_fuzz_target(tensors DEPS qn_cli)
qn_fuzz_target(pipeline DEPS qn_passes qn_text)
qn_fuzz_target(cli DEPS qn_cli)
qn_fuzz_target(golden DEPS qn_cli)
qn_fuzz_target(plugin DEPS qn_api)
qn_fuzz_target(modules DEPS qn_differ)
qn_fuzz_target(models DEPS qn_differ)
qn_fuzz_target(rules_grammar DEPS qn_rules SEEDS ${PROJECT_SOURCE_DIR}/rules)

add_test(NAME fuzz.cpu_seconds COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run_target_test.sh
  ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run_target.sh)
set_tests_properties(fuzz.cpu_seconds PROPERTIES LABELS fuzz)
