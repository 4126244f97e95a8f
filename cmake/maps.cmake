# The linker's map of each library and program, from which scripts/release reads what is inside.
# SPDX-License-Identifier: Apache-2.0
if(QN_LINK_MAPS)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/maps)
  add_link_options(-Wl,-Map=${CMAKE_BINARY_DIR}/maps/$<TARGET_PROPERTY:NAME>.map)
endif()
