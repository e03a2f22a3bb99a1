// SPDX-License-Identifier: Apache-2.0
// Kiln's side of the WGSL benchmark, and what every side is asked. Each is a program of its own that works on one
// thread, reads all texts before it measures, and begins each line of its answer with "@ ":
//   SIDE accepts LIST           a line a file: whether it accepts it, and whether it makes SPIR-V of it, as "1 0"
//   SIDE checked LIST SECONDS   goes over all files, again and again for that long; prints the seconds of processor
//   SIDE spirv LIST SECONDS     time of the fastest pass: parse and validate, and all the way to SPIR-V
// LIST is a file of paths, one a line. This side also answers, with `kiln_bench --wgsl`:
//   SIDE digest LIST            a hash of all SPIR-V so far, a line a file
//   SIDE memory LIST STAGE      bytes by which the peak of the process grew, and bytes that the results keep
#pragma once

namespace kiln::bench {

bool IsWgslSide(int argc, char** argv);
int WgslSide(int argc, char** argv);

}  // namespace kiln::bench
