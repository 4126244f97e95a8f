# cli: the tool from the outside: exit codes, messages, files. One test per section of run.sh.
# SPDX-License-Identifier: Apache-2.0
foreach(section usage numbers printable paths spelling demo wrong_files frequent manual run_ok run_states long threads readers outputs run_wrong compile optimize any_size ahead casts numerics opt interpret limits verify record ranges compare operators evaluation rules bench inspect cache control single subgraphs signals examples)
  add_test(NAME cli.${section}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${section})
  set_tests_properties(cli.${section} PROPERTIES LABELS cli)
endforeach()
# The memory of 256 MiB of external data is not that of the other tests, so it is not run under sanitizers.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT QN_SANITIZE)
  add_test(NAME cli.large_onnx COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/large_onnx.py $<TARGET_FILE:quern>)
  set_tests_properties(cli.large_onnx PROPERTIES LABELS cli)
endif()
add_test(NAME cli.page COMMAND ${CMAKE_CURRENT_LIST_DIR}/page.sh $<TARGET_FILE:quern>)
set_tests_properties(cli.page PROPERTIES LABELS cli SKIP_RETURN_CODE 77)
set_tests_properties(cli.threads PROPERTIES LABELS "cli;threads")

# A sanitizer needs much more stack than the tool.
if(NOT QN_SANITIZE)
  add_test(NAME cli.stack COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> stack)
  set_tests_properties(cli.stack PROPERTIES LABELS cli)
endif()
