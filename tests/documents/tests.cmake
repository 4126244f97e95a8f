# documents: what --json prints, against the schema in docs, which needs python3-jsonschema and says so; and
# the examples of ops.
# SPDX-License-Identifier: Apache-2.0
add_test(NAME documents.schema COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern>
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/../shared/models)
set_tests_properties(documents.schema PROPERTIES LABELS cli SKIP_RETURN_CODE 77)
file(GLOB op_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/ops/*.mlir)
add_test(NAME documents.examples COMMAND ${CMAKE_CURRENT_LIST_DIR}/examples.sh $<TARGET_FILE:quern>
  "${QN_MLIR_OPT}" ${op_examples})
set_tests_properties(documents.examples PROPERTIES LABELS cli)
# Each page whose commands a reader types.
file(GLOB how_to CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/how-to/*.md)
foreach(page README.md ${how_to})
  get_filename_component(name ${page} NAME_WE)
  string(TOLOWER ${name} name)
  add_test(NAME documents.${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/readme.sh $<TARGET_FILE:quern>
    ${PROJECT_SOURCE_DIR} ${page})
  set_tests_properties(documents.${name} PROPERTIES LABELS cli)
endforeach()
find_program(QN_PYTHON3 python3)
if(QN_PYTHON3)
  add_test(NAME documents.figures COMMAND ${QN_PYTHON3} ${PROJECT_SOURCE_DIR}/benchmarks/chart.py --check)
  add_test(NAME documents.drawings COMMAND ${CMAKE_CURRENT_LIST_DIR}/drawings.sh $<TARGET_FILE:quern>
    ${PROJECT_SOURCE_DIR} ${QN_PYTHON3})
  set_tests_properties(documents.figures documents.drawings PROPERTIES LABELS cli)
endif()
add_test(NAME documents.site COMMAND ${CMAKE_CURRENT_LIST_DIR}/site.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(documents.site PROPERTIES LABELS cli SKIP_RETURN_CODE 77)
