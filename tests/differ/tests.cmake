# differ: generated modules and models, computed in every way that there is (differ.h). The same cases
# from a fuzzer's bytes: tests/fuzz.
# SPDX-License-Identifier: Apache-2.0
set(differ ${CMAKE_CURRENT_LIST_DIR})
add_library(qn_differ STATIC ${differ}/common.c ${differ}/enclose.c ${differ}/loops.c ${differ}/model.c ${differ}/module.c
  ${differ}/operands.c ${differ}/sizes.c)
target_link_libraries(qn_differ PRIVATE qn_flags PUBLIC qn_test_support qn_api ${CMAKE_DL_LIBS})
add_executable(differ ${differ}/main.c)
target_link_libraries(differ PRIVATE qn_flags qn_differ)
# Sanitizers look at the same code in fewer cases: of every how many there is machine code, how many there are.
set(every 5)
set(cases 3000)
set(graphs 200)
if(QN_SANITIZE)
  set(every 100)
  set(cases 600)
  set(graphs 40)
endif()
add_test(NAME fuzz.differ.modules COMMAND differ modules 2000 1 100 1000)
add_test(NAME fuzz.differ.models COMMAND differ models 2000 1 100 1000)
# All rows of the model dialect on all elements, profiles, constant and variable operands: one round.
add_test(NAME fuzz.differ.operands COMMAND differ operands round 1 ${every} 0 ${differ}/operands.txt)
# The same in branches and loops, and models with some of both.
add_test(NAME fuzz.differ.control COMMAND differ control round 1 ${every} 0)
add_test(NAME fuzz.differ.control.models COMMAND differ control ${cases} 1 100 1000)
set_tests_properties(fuzz.differ.modules fuzz.differ.models fuzz.differ.operands fuzz.differ.control
  fuzz.differ.control.models PROPERTIES LABELS fuzz)
add_test(NAME fuzz.differ.modules.long COMMAND differ modules seconds=3600 1000000)
add_test(NAME fuzz.differ.models.long COMMAND differ models seconds=3600 1000000)
set_tests_properties(fuzz.differ.modules.long fuzz.differ.models.long PROPERTIES LABELS "fuzz;slow"
  TIMEOUT 7200)

# Each pass on graphs, on random graphs that have its pattern.
set(steps ${differ}/graph_any.c ${differ}/graph_steps.c ${differ}/graph_spellings.c ${differ}/graph_norms.c)
add_executable(graph_passes ${differ}/graph_passes.c ${steps})
target_link_libraries(graph_passes PRIVATE qn_flags qn_differ)
# And all of them on long ones.
add_executable(graph_scale ${differ}/graph_scale.c ${steps})
target_link_libraries(graph_scale PRIVATE qn_flags qn_differ)
add_test(NAME fuzz.graph_scale COMMAND graph_scale 1000 16)
add_test(NAME fuzz.graph_scale.long COMMAND graph_scale 1000 100)
set_tests_properties(fuzz.graph_scale PROPERTIES LABELS fuzz)
set_tests_properties(fuzz.graph_scale.long PROPERTIES LABELS "fuzz;slow" TIMEOUT 7200)
add_test(NAME fuzz.graph_passes COMMAND graph_passes ${graphs})
add_test(NAME fuzz.graph_passes.long COMMAND graph_passes 5000)
set_tests_properties(fuzz.graph_passes PROPERTIES LABELS fuzz)
set_tests_properties(fuzz.graph_passes.long PROPERTIES LABELS "fuzz;slow" TIMEOUT 7200)
