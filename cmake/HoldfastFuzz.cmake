# SPDX-License-Identifier: Apache-2.0
#
# hf_fuzz_target(NAME SOURCES … LINK …): a libFuzzer program fuzz_NAME. `./dev fuzz` runs every one of them,
# on the inputs of fuzz/corpus/NAME where there are any.

add_custom_target(fuzz_targets)  # every one, and of the product only what they link

function(hf_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "" "SOURCES;LINK")
  add_executable(fuzz_${name} ${T_SOURCES})
  add_dependencies(fuzz_targets fuzz_${name})
  target_link_libraries(fuzz_${name} PRIVATE ${T_LINK} hf_test_flags)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()
