# rules: the rewrite-rule language from the outside; see run.sh.
# SPDX-License-Identifier: Apache-2.0
foreach(section library malformed expanded formatted rewritten reported tested found planted)
  add_test(NAME rules.${section}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${section})
  set_tests_properties(rules.${section} PROPERTIES LABELS golden)
endforeach()
set_tests_properties(rules.tested PROPERTIES LABELS slow TIMEOUT 900)
set(shared ${PROJECT_SOURCE_DIR}/../shared)
if(EXISTS ${shared}/models)
  add_test(NAME rules.models
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/models.sh $<TARGET_FILE:quern> ${shared})
  set_tests_properties(rules.models PROPERTIES LABELS slow TIMEOUT 900)
endif()
