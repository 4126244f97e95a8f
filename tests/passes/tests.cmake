# passes: what the tool does with pipelines; .mlir files with RUN and CHECK lines, and plug-ins.
# SPDX-License-Identifier: Apache-2.0
set(passes ${CMAKE_CURRENT_LIST_DIR})
foreach(plugin test_plugin test_plugin_old test_plugin_none)
  add_library(${plugin} MODULE ${passes}/plugin.c)
  target_link_libraries(${plugin} PRIVATE qn_flags)
  set_target_properties(${plugin} PROPERTIES PREFIX "")
endforeach()
target_compile_definitions(test_plugin_old PRIVATE TEST_API_VERSION=77)
target_compile_definitions(test_plugin_none PRIVATE TEST_DESCRIPTION=NULL)

file(GLOB pass_files CONFIGURE_DEPENDS ${passes}/*.mlir)
foreach(source ${pass_files})
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME passes.${name} COMMAND ${passes}/run.sh ${source} $<TARGET_FILE:quern>
    ${QN_FILECHECK} $<TARGET_FILE:test_plugin> $<TARGET_FILE:test_plugin_old>
    $<TARGET_FILE:test_plugin_none>)
  set_tests_properties(passes.${name} PROPERTIES LABELS golden SKIP_RETURN_CODE 77)
endforeach()
