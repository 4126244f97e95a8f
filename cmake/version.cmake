# The version, as include/quern/base.h says it: QN_VERSION.
# SPDX-License-Identifier: Apache-2.0
set(base ${CMAKE_CURRENT_LIST_DIR}/../include/quern/base.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${base})
set(numbers)
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${base} line REGEX "^#define QN_VERSION_${part} [0-9]+$")
  if(NOT line)
    message(FATAL_ERROR "${base} does not define QN_VERSION_${part}")
  endif()
  string(REGEX MATCH "[0-9]+$" number "${line}")
  list(APPEND numbers ${number})
endforeach()
list(JOIN numbers . QN_VERSION)
# The part of it with which the ABI may change: before 1.0 that is the minor version, too. The names of the
# shared library and the versions of its symbols have it, so that a program never loads another ABI.
list(GET numbers 0 QN_SOVERSION)
if(QN_SOVERSION EQUAL 0)
  list(GET numbers 1 minor)
  string(APPEND QN_SOVERSION .${minor})
endif()
