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

include(GNUInstallDirs)
install(TARGETS kiln RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/docs/kiln.schema.json" "${PROJECT_SOURCE_DIR}/docs/reflection.schema.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/kiln")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/third_party.md" "${PROJECT_SOURCE_DIR}/README.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# The scripts come from the installed tool itself.
install(CODE "
  foreach(pair \"bash;share/bash-completion/completions/kiln\" \"zsh;share/zsh/site-functions/_kiln\"
      \"fish;share/fish/vendor_completions.d/kiln.fish\")
    list(GET pair 0 shell)
    list(GET pair 1 file)
    set(out \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${file}\")
    get_filename_component(folder \"\${out}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:kiln>\" completions \${shell} OUTPUT_FILE \"\${out}\")
  endforeach()")
