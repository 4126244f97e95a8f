# Libraries that do what Quern does not exist for; the README says why each.
# SPDX-License-Identifier: Apache-2.0
if(QN_LLVM_STATIC) # then these, too
  set(suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_path(JANSSON_INCLUDE jansson.h REQUIRED)
find_library(JANSSON_LIBRARY jansson REQUIRED)
add_library(qn_jansson INTERFACE)
target_include_directories(qn_jansson SYSTEM INTERFACE ${JANSSON_INCLUDE})
target_link_libraries(qn_jansson INTERFACE ${JANSSON_LIBRARY})

# Digests: of tensors, for the tool; of what code follows from.
find_path(NETTLE_INCLUDE nettle/sha2.h REQUIRED)
find_library(NETTLE_LIBRARY nettle REQUIRED)
add_library(qn_nettle INTERFACE)
target_include_directories(qn_nettle SYSTEM INTERFACE ${NETTLE_INCLUDE})
target_link_libraries(qn_nettle INTERFACE ${NETTLE_LIBRARY})

if(QN_LLVM_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${suffixes})
endif()

# Images, for the tool; the one in a wheel reads none. Its headers are spread over several folders that only
# pkg-config knows.
add_library(qn_gdk_pixbuf INTERFACE)
if(NOT QN_WHEEL)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(GDK_PIXBUF REQUIRED IMPORTED_TARGET gdk-pixbuf-2.0)
  target_link_libraries(qn_gdk_pixbuf INTERFACE PkgConfig::GDK_PIXBUF)
endif()
