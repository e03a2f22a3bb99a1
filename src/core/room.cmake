# The tables of built-ins are made from signatures.def by a host tool; constant evaluation must not fuse or reorder.
add_executable(kiln_core_tables "${PROJECT_SOURCE_DIR}/src/core/tables_main.cc")
target_include_directories(kiln_core_tables PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(kiln_core_tables PRIVATE kiln_options kiln_base)
set(kiln_core_generated "${PROJECT_BINARY_DIR}/generated/core/signature_tables.inc")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/core")
add_custom_command(
  OUTPUT "${kiln_core_generated}"
  COMMAND kiln_core_tables "${PROJECT_SOURCE_DIR}/src/core/signatures.def" "${kiln_core_generated}"
  DEPENDS kiln_core_tables "${PROJECT_SOURCE_DIR}/src/core/signatures.def"
  COMMENT "Writing the tables of built-ins"
  VERBATIM)
target_sources(kiln_core_room PRIVATE "${kiln_core_generated}")
target_include_directories(kiln_core_room PRIVATE "${PROJECT_BINARY_DIR}/generated")
target_compile_options(kiln_core_room PRIVATE -ffp-contract=off -fno-fast-math)
