# upstream: MLIR's own tests of the quant dialect, unmodified, in the folder that the environment
# variable QUERN_UPSTREAM_TESTS names when the tests run. Without it they say SKIP. README.md has the
# table of what differs by default and why.
find_program(QN_FILECHECK NAMES FileCheck-22 FileCheck HINTS /usr/lib/llvm-22/bin)
function(qn_upstream_test test script name)
  add_test(NAME upstream.${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/upstream/${script} ${name}.mlir
    $<TARGET_FILE:quern> ${QN_FILECHECK} ${ARGN})
  set_tests_properties(upstream.${test} PROPERTIES LABELS upstream SKIP_RETURN_CODE 77)
endfunction()

# With upstream's behaviour all of them pass.
set(same_by_default inlining invalid normalize-quant-types ops parse-any parse-any-invalid
  parse-calibrated parse-calibrated-invalid parse-uniform parse-uniform-invalid
  strip-func-quant-types)
foreach(name ${same_by_default} canonicalize lower-quant-ops)
  qn_upstream_test(${name}.compatible run.sh ${name} --upstream-compatible)
endforeach()
# By default all but these parts of two files.
foreach(name ${same_by_default})
  qn_upstream_test(${name} run.sh ${name})
endforeach()
qn_upstream_test(canonicalize differ.sh canonicalize dcast_fold)
qn_upstream_test(lower-quant-ops differ.sh lower-quant-ops
  dcast_per_channel_ranked dcast_per_channel_unranked dcast_per_layer_0d dcast_per_layer_ranked
  dcast_per_layer_scalar dcast_per_layer_scalar_unsigned dcast_per_layer_unranked
  qcast_per_channel_ranked qcast_per_channel_ranked_bounds qcast_per_channel_unranked
  qcast_per_layer_0d qcast_per_layer_ranked qcast_per_layer_ranked_bounds qcast_per_layer_scalar
  qcast_per_layer_scalar_bounds qcast_per_layer_scalar_unsigned_bounds qcast_per_layer_unranked
  qcast_sub_channel_ranked qcast_sub_channel_ranked_bounds)

# All other tests of upstream, of the folders whose ops are mostly ours: those parts that do not pass are
# exactly those that parts.txt names.
foreach(folder IR Transforms Dialect/Arith Dialect/Builtin Dialect/ControlFlow Dialect/Func)
  add_test(NAME upstream.parts.${folder} COMMAND ${PROJECT_SOURCE_DIR}/tests/upstream/parts_test.sh
    ${folder} $<TARGET_FILE:quern> ${QN_FILECHECK} ${PROJECT_SOURCE_DIR}/tests/upstream/parts.txt)
  set_tests_properties(upstream.parts.${folder} PROPERTIES LABELS "upstream;slow" SKIP_RETURN_CODE 77)
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
