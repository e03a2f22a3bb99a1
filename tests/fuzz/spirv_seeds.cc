// SPDX-License-Identifier: Apache-2.0
// spirv_seeds FOLDER FILE.wgsl...: what Kiln makes of WGSL, as seeds for fuzz_optimizer.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "emit/spirv/emit.h"
#include "front_end.h"

int main(int argc, char** argv) {
  using namespace kiln;
  size_t written = 0;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    fuzz::FrontEnd front_end(text);
    if (!front_end.module) continue;
    const auto words = emit::spirv::Emit(*front_end.module, {}, front_end.sink);
    if (!words) continue;
    const std::string name = std::filesystem::path(argv[i]).stem().string() + ".spv";
    std::ofstream(std::string(argv[1]) + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));
    ++written;
  }
  std::printf("%zu seeds\n", written);
  return written == 0 ? 1 : 0;
}
