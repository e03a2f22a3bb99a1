# What Kiln's own compiler makes is keyed by a digest of all that makes it.
include(source_digest)
set(compiler_sources "")
foreach(part base diag core ir wgsl/syntax wgsl/resolve wgsl/validate wgsl/lower emit/spirv emit/wgsl reflect api)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${part}/*.cc" "${PROJECT_SOURCE_DIR}/src/${part}/*.h"
       "${PROJECT_SOURCE_DIR}/src/${part}/*.def")
  list(APPEND compiler_sources ${files})
endforeach()
set(digest_header "${CMAKE_BINARY_DIR}/generated/build/compiler_revision_digest.h")
kiln_source_digest(OUT "${digest_header}" MACRO KILN_COMPILER_REVISION
  SOURCES ${compiler_sources} "${PROJECT_SOURCE_DIR}/src/build/wgsl_runner.cc"
          "${PROJECT_SOURCE_DIR}/src/build/override_values.cc")
target_sources(${room_target} PRIVATE "${digest_header}")
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/build/compiler_revision.cc" PROPERTIES
  INCLUDE_DIRECTORIES "${CMAKE_BINARY_DIR}/generated/build")

# What the build makes of compiled sources, and when it has nothing to do, likewise.
set(recipe_sources "")
foreach(name recipe maker maker_checks maker_compile maker_jobs executor read_set diagnostic_names)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/build/${name}.cc" "${PROJECT_SOURCE_DIR}/src/build/${name}.h")
  list(APPEND recipe_sources ${files})
endforeach()
set(engine_sources "")
foreach(part build graph store worker)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${part}/*.cc" "${PROJECT_SOURCE_DIR}/src/${part}/*.h")
  list(APPEND engine_sources ${files})
endforeach()
set(digest_folder "${CMAKE_BINARY_DIR}/generated/build")
kiln_source_digest(OUT "${digest_folder}/recipe_revision_digest.h" MACRO KILN_RECIPE_REVISION SOURCES ${recipe_sources})
kiln_source_digest(OUT "${digest_folder}/engine_revision_digest.h" MACRO KILN_ENGINE_REVISION SOURCES ${engine_sources})
target_sources(${room_target} PRIVATE "${digest_folder}/recipe_revision_digest.h" "${digest_folder}/engine_revision_digest.h")
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/build/revisions.cc" PROPERTIES INCLUDE_DIRECTORIES "${digest_folder}")
