// SPDX-License-Identifier: Apache-2.0
// For tests that run what the conformance data calls `runs`: its numbers and typed arrays.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/json.h"
#include "core/eval.h"

namespace kiln::run {

/// JSON has no word for some numbers; the data writes them as texts.
inline double NumberOf(const json::Value& value) {
  if (const auto text = value.AsString()) {
    return *text == "nan" ? NAN : *text == "inf" ? INFINITY : *text == "-inf" ? -INFINITY : -0.0;
  }
  return value.AsDouble().value_or(0);
}

/// Bytes of an element of the typed array, as JavaScript names it.
inline size_t ElementSize(std::string_view type) {
  return type == "Uint8Array" ? 1 : type.find("16") != std::string_view::npos ? 2 : 4;
}

/// The element that begins at `at`.
inline double ElementAt(std::string_view type, const void* at) {
  const auto as = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  if (type == "Uint8Array") return as(uint8_t{});
  if (type == "Uint16Array") return as(uint16_t{});
  if (type == "Int32Array") return as(int32_t{});
  if (type == "Float32Array") return as(float{});
  if (type == "Float16Array") return core::F16FromBits(as(uint16_t{}));
  return as(uint32_t{});
}

}  // namespace kiln::run
