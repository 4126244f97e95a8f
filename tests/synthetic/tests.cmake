# synthetic: models that benchmarks/synthetic.py makes.
# SPDX-License-Identifier: Apache-2.0
add_test(NAME synthetic.models
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR})
set_tests_properties(synthetic.models PROPERTIES LABELS models SKIP_RETURN_CODE 77)
