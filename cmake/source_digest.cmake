# kiln_source_digest(OUT file.h MACRO NAME SOURCES files...)
# A header that defines NAME as a text of 16 digits: a digest of what the files say. Whoever keys results by it needs
# nobody to remember a version number: compilers that may differ have different keys.
#
# As a script: cmake -D OUT=file.h -D MACRO=NAME -D LIST=file -P source_digest.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS "${LIST}" files)
  set(all "")
  foreach(file IN LISTS files)
    file(SHA256 "${file}" digest)
    cmake_path(GET file FILENAME name)
    string(APPEND all "${name} ${digest}\n")
  endforeach()
  string(SHA256 digest "${all}")
  string(SUBSTRING "${digest}" 0 16 digest)
  file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define ${MACRO} \"${digest}\"\n" @ONLY)
  return()
endif()

function(kiln_source_digest)
  cmake_parse_arguments(D "" "OUT;MACRO" "SOURCES" ${ARGN})
  set(sources ${D_SOURCES})
  list(FILTER sources EXCLUDE REGEX "_test\\.(cc|h)$|/[a-z_]*testing\\.h$|/test_[a-z_]*\\.h$")
  list(SORT sources)
  list(JOIN sources "\n" text)
  file(CONFIGURE OUTPUT "${D_OUT}.list" CONTENT "${text}\n" @ONLY)
  add_custom_command(OUTPUT "${D_OUT}"
    COMMAND "${CMAKE_COMMAND}" -D "OUT=${D_OUT}" -D "MACRO=${D_MACRO}" -D "LIST=${D_OUT}.list"
            -P "${PROJECT_SOURCE_DIR}/cmake/source_digest.cmake"
    DEPENDS ${sources} "${D_OUT}.list" "${PROJECT_SOURCE_DIR}/cmake/source_digest.cmake" VERBATIM
    COMMENT "Digest of sources: ${D_MACRO}")
endfunction()
