# SPDX-License-Identifier: Apache-2.0
#
# Run by CPack over the staged files: they all get the time SOURCE_DATE_EPOCH, so that the same sources give
# the same package.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(
    COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} +
    COMMAND_ERROR_IS_FATAL ANY)
endif()
