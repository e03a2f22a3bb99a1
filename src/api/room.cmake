# kiln_core: what an engine links. Everything of the compiler proper, nothing of the build system, no third party.
add_library(kiln_core INTERFACE)
target_link_libraries(kiln_core INTERFACE ${room_target})
target_include_directories(kiln_core INTERFACE "${PROJECT_SOURCE_DIR}/include")

# The example for embedders, built by kiln_core alone; a test runs it and prints its size.
add_executable(kiln_embed "${PROJECT_SOURCE_DIR}/examples/embed/main.cc")
target_link_libraries(kiln_embed PRIVATE kiln_core)
if(KILN_TESTS)
  add_test(NAME embed
           COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:kiln_embed>"
                   "-DOUT=${PROJECT_BINARY_DIR}/embed-test" -P "${PROJECT_SOURCE_DIR}/examples/embed/check.cmake")
endif()
