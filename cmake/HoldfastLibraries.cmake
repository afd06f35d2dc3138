# SPDX-License-Identifier: Apache-2.0
#
# Debian's header-only libraries as hf_… targets. The cross compiler must not look into /usr/include (it
# would find the C library of the build machine there), so it gets just these headers through a link.

add_library(hf_json INTERFACE)
if(WIN32)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
  file(CREATE_LINK /usr/include/nlohmann ${CMAKE_BINARY_DIR}/include/nlohmann SYMBOLIC)
  target_include_directories(hf_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/include)
else()
  find_package(nlohmann_json REQUIRED)
  target_link_libraries(hf_json INTERFACE nlohmann_json::nlohmann_json)
endif()
