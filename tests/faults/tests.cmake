# faults: every allocation, file access and thread that the library or the tool asks for fails in turn.
# SPDX-License-Identifier: Apache-2.0
set(faults ${CMAKE_CURRENT_LIST_DIR})
add_library(qn_scenarios STATIC ${faults}/samples.c ${faults}/run.c ${faults}/scenarios.c
  ${faults}/scenarios_api.c ${faults}/scenarios_user.c)
target_link_libraries(qn_scenarios PRIVATE qn_flags PUBLIC qn_api qn_test_support)
target_compile_definitions(qn_scenarios PRIVATE QN_TEST_PLUGIN="$<TARGET_FILE:test_plugin>")
add_dependencies(qn_scenarios test_plugin)

# The same scenarios in several threads.
add_executable(api_threads ${faults}/threads.c)
target_link_libraries(api_threads PRIVATE qn_flags qn_scenarios)
add_test(NAME faults.threads COMMAND ${faults}/threads.sh $<TARGET_FILE:api_threads>)
set_tests_properties(faults.threads PROPERTIES LABELS "faults;threads")
add_dependencies(threads api_threads)

# The shared object replaces malloc, which sanitizers do, too.
if(QN_SANITIZE)
  return()
endif()
add_library(faults_shim MODULE ${faults}/shim.c ${faults}/shim_memory.c ${faults}/shim_files.c)
target_link_libraries(faults_shim PRIVATE qn_flags ${CMAKE_DL_LIBS})
add_executable(faults_library ${faults}/library.c)
target_link_libraries(faults_library PRIVATE qn_flags qn_scenarios)

# A bounded sample as a test, everything after the label "slow".
add_test(NAME faults.library COMMAND ${faults}/library.sh $<TARGET_FILE:faults_shim>
  $<TARGET_FILE:faults_library>)
set_tests_properties(faults.library PROPERTIES LABELS faults)
add_test(NAME faults.library_all COMMAND ${faults}/library.sh $<TARGET_FILE:faults_shim>
  $<TARGET_FILE:faults_library> all)
set_tests_properties(faults.library_all PROPERTIES LABELS slow TIMEOUT 3600)

foreach(kind faults signals)
  add_test(NAME faults.tool_${kind} COMMAND ${faults}/tool.sh $<TARGET_FILE:faults_shim>
    $<TARGET_FILE:quern> $<TARGET_FILE:faults_library> sample ${kind})
  set_tests_properties(faults.tool_${kind} PROPERTIES LABELS faults)
  add_test(NAME faults.tool_${kind}_all COMMAND ${faults}/tool.sh $<TARGET_FILE:faults_shim>
    $<TARGET_FILE:quern> $<TARGET_FILE:faults_library> all ${kind})
  set_tests_properties(faults.tool_${kind}_all PROPERTIES LABELS slow TIMEOUT 3600)
endforeach()
