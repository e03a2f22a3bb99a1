// SPDX-License-Identifier: Apache-2.0
uint mixed(uint x) { return (x ^ (x >> 16)) * 0x7feb352du; }
float unit(uvec2 at) { return float(mixed(at.x ^ mixed(at.y)) >> 8) / 16777216.0; }
