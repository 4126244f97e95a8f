# runner: numbers that upstream's lowering gives, executed by upstream's own runner, beside ours.
find_program(QN_MLIR_OPT NAMES mlir-opt-22 mlir-opt HINTS /usr/lib/llvm-22/bin)
find_program(QN_MLIR_RUNNER NAMES mlir-runner-22 mlir-runner HINTS /usr/lib/llvm-22/bin)
foreach(name mlir_runner_utils mlir_c_runner_utils mlir_float16_utils)
  find_library(QN_LIB_${name} NAMES ${name} lib${name}.so.22.1 HINTS /usr/lib/llvm-22/lib)
  list(APPEND runner_libraries ${QN_LIB_${name}})
endforeach()
list(JOIN runner_libraries "," runner_libraries)
set(runner_environment "MLIR_OPT=${QN_MLIR_OPT}" "MLIR_RUNNER=${QN_MLIR_RUNNER}"
  "MLIR_LIBS=${runner_libraries}")

# Where a defect of upstream changes numbers.
file(GLOB differ_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.mlir)
foreach(source ${differ_files})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME runner.${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/differ.sh ${source}
    $<TARGET_FILE:quern>)
  set_tests_properties(runner.${name} PROPERTIES LABELS runner SKIP_RETURN_CODE 77
    ENVIRONMENT "${runner_environment}")
endforeach()

# And where it is right: none differ.
foreach(run "" .long)
  set(cases 100)
  if(run)
    set(cases 4000)
  endif()
  add_test(NAME runner.agree${run} COMMAND ${CMAKE_CURRENT_LIST_DIR}/agree.sh
    $<TARGET_FILE:diff_quant_upstream> ${cases})
  set_tests_properties(runner.agree${run} PROPERTIES LABELS runner SKIP_RETURN_CODE 77
    ENVIRONMENT "${runner_environment}")
endforeach()
set_tests_properties(runner.agree.long PROPERTIES LABELS "runner;slow" TIMEOUT 3600)
