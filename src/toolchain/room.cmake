# The pure half of the room is kiln_toolchain; adapter/ is compiled once for each toolchain set into its worker.
include(toolchains)
kiln_toolchain_sets()
if(KILN_TESTS)
  # The tests speak to every worker that is built.
  cmake_language(DEFER CALL kiln_toolchain_test_workers)
endif()
function(kiln_toolchain_test_workers)
  get_property(workers GLOBAL PROPERTY KILN_WORKERS)
  if(TARGET kiln_toolchain_test AND workers)
    add_dependencies(kiln_toolchain_test ${workers})
  endif()
endfunction()
