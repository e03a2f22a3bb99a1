# The registry of commands, and the tool itself.
kiln_registry(OUT "${PROJECT_BINARY_DIR}/generated/cli_commands.cc" GLOB "${PROJECT_SOURCE_DIR}/src/cli/command_*.cc"
  PREFIX "command_" TYPE "CommandInfo" SUFFIX "Command" NAMESPACE "kiln::cli" HEADER "cli/command.h" FUNCTION "Commands")
target_sources(kiln_cli PRIVATE "${PROJECT_BINARY_DIR}/generated/cli_commands.cc")
target_compile_definitions(kiln_cli PUBLIC KILN_VERSION="${PROJECT_VERSION}")

add_executable(kiln "${PROJECT_SOURCE_DIR}/src/cli/kiln_main.cc")
target_link_libraries(kiln PRIVATE kiln_cli)
# Start-up: without these two the loader spends more time on libstdc++ than kiln does on --version.
if(NOT KILN_SANITIZE)
  target_link_options(kiln PRIVATE -static-libstdc++ -static-libgcc)
endif()
