# SPDX-License-Identifier: Apache-2.0
#
# Debian's libraries as hf_… targets. The cross compiler must not look into /usr/include (it would find the
# C library of the build machine there), so it gets just the header-only ones through a link.

add_library(hf_json INTERFACE)
if(WIN32)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
  file(CREATE_LINK /usr/include/nlohmann ${CMAKE_BINARY_DIR}/include/nlohmann SYMBOLIC)
  file(CREATE_LINK /usr/include/toml++ ${CMAKE_BINARY_DIR}/include/toml++ SYMBOLIC)
  file(CREATE_LINK /usr/include/CLI ${CMAKE_BINARY_DIR}/include/CLI SYMBOLIC)
  target_include_directories(hf_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/include)
else()
  find_package(nlohmann_json REQUIRED)
  target_link_libraries(hf_json INTERFACE nlohmann_json::nlohmann_json)
endif()

# SHA-256. Always OpenSSL's archive: the program needs a few of its objects and no library at run time.
add_library(hf_crypto INTERFACE)
if(WIN32)
  target_link_libraries(hf_crypto INTERFACE bcrypt)
else()
  set(OPENSSL_USE_STATIC_LIBS ON)
  find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
  target_link_libraries(hf_crypto INTERFACE OpenSSL::Crypto)
endif()

# zstd for sealed segments of the journal, always its archive. There is none for the cross compiler; the
# files that use it have a stand-in there.
add_library(hf_zstd INTERFACE)
if(NOT WIN32)
  find_library(HF_ZSTD_ARCHIVE libzstd.a REQUIRED)
  mark_as_advanced(HF_ZSTD_ARCHIVE)
  target_link_libraries(hf_zstd INTERFACE ${HF_ZSTD_ARCHIVE})
endif()

# toml++ is compiled into one file of ours (src/format/text/toml.cc): Debian's library is shared only.
add_library(hf_toml INTERFACE)
if(WIN32)
  target_include_directories(hf_toml SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/include)
endif()

# libyaml for compose files, its archive. There is none for the cross compiler.
add_library(hf_yaml INTERFACE)
if(NOT WIN32)
  find_library(HF_YAML_ARCHIVE libyaml.a REQUIRED)
  mark_as_advanced(HF_YAML_ARCHIVE)
  target_link_libraries(hf_yaml INTERFACE ${HF_YAML_ARCHIVE})
endif()
