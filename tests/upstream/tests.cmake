# upstream: MLIR's own tests of the quant dialect, unmodified, in the folder that the environment
# variable QUERN_UPSTREAM_TESTS names when the tests run. Without it they say SKIP.
#
# Where we differ on purpose, --upstream-compatible has upstream's behaviour:
#   canonicalize      dequantize(quantize(x)) is not x: it rounds and saturates
#   lower-quant-ops   rounding, saturation, checks at run time, constants in one place
# SPDX-License-Identifier: Apache-2.0
function(qn_upstream_test name)
  add_test(NAME upstream.${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/upstream/run.sh ${name}.mlir
    $<TARGET_FILE:quern> ${QN_FILECHECK} ${ARGN})
  set_tests_properties(upstream.${name} PROPERTIES LABELS upstream SKIP_RETURN_CODE 77)
endfunction()

find_program(QN_FILECHECK NAMES FileCheck-22 FileCheck HINTS /usr/lib/llvm-22/bin)
foreach(name ops invalid parse-any-invalid parse-calibrated-invalid parse-uniform
        parse-uniform-invalid strip-func-quant-types normalize-quant-types inlining)
  qn_upstream_test(${name})
endforeach()
foreach(name canonicalize lower-quant-ops)
  qn_upstream_test(${name} --upstream-compatible)
endforeach()

# Modules of our own, on which both programs must print the same.
find_program(QN_MLIR_OPT NAMES mlir-opt-22 mlir-opt HINTS /usr/lib/llvm-22/bin)
file(GLOB same_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.mlir)
foreach(source ${same_files})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME upstream.same.${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/same.sh ${source}
    $<TARGET_FILE:quern> ${QN_MLIR_OPT})
  set_tests_properties(upstream.same.${name} PROPERTIES LABELS "upstream;golden" SKIP_RETURN_CODE 77)
endforeach()
