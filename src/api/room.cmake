# kiln_core: what an engine links. Everything of the compiler proper, nothing of the build system, no third party.
add_library(kiln_core INTERFACE)
target_link_libraries(kiln_core INTERFACE ${room_target})
target_include_directories(kiln_core INTERFACE "${PROJECT_SOURCE_DIR}/include")
add_library(kiln::core ALIAS kiln_core) # as find_package(kiln) calls it

# The same as one archive, which is installed with its headers and a CMake package: who links it gets none of the
# compile options of Kiln's own build.
set(archive_objects "")
foreach(part api ${uses})
  kiln_room_target("${part}" part_target)
  list(APPEND archive_objects "$<TARGET_OBJECTS:${part_target}>")
endforeach()
add_library(kiln_core_archive STATIC ${archive_objects})
set_target_properties(kiln_core_archive PROPERTIES OUTPUT_NAME kiln_core EXPORT_NAME core LINKER_LANGUAGE CXX)
target_compile_features(kiln_core_archive INTERFACE cxx_std_20)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
target_include_directories(kiln_core_archive INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/kiln")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS kiln_core_archive EXPORT kiln ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT kiln NAMESPACE kiln:: FILE kiln-config.cmake DESTINATION "${package}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kiln-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kiln-config-version.cmake" DESTINATION "${package}")

# The example for embedders, built by kiln_core alone; a test runs it and prints its size.
add_executable(kiln_embed "${PROJECT_SOURCE_DIR}/examples/embed/main.cc")
target_link_libraries(kiln_embed PRIVATE kiln_core)
if(KILN_TESTS)
  add_test(NAME embed
           COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:kiln_embed>"
                   "-DOUT=${PROJECT_BINARY_DIR}/embed-test" -P "${PROJECT_SOURCE_DIR}/examples/embed/check.cmake")
endif()
