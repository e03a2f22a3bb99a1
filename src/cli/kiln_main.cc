// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/run.h"

int main(int argc, char** argv) { return kiln::cli::RunTool({argv + (argc > 0 ? 1 : 0), argv + argc}); }
