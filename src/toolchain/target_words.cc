// SPDX-License-Identifier: Apache-2.0
#include "toolchain/target_words.h"

#include <algorithm>
#include <iterator>

namespace kiln::toolchain {
namespace {

// Sorted.
constexpr std::string_view kMsl[] = {
    "alignas",       "alignof",     "and",          "and_eq",       "asm",
    "auto",          "bitand",      "bitor",        "bool",         "break",
    "case",          "catch",       "char",         "char16_t",     "char32_t",
    "class",         "compl",       "const",        "const_cast",   "constant",
    "constexpr",     "continue",    "decltype",     "default",      "delete",
    "device",        "do",          "double",       "dynamic_cast", "else",
    "enum",          "explicit",    "export",       "extern",       "false",
    "float",         "for",         "fragment",     "friend",       "goto",
    "half",          "if",          "inline",       "int",          "kernel",
    "long",          "mesh",        "mutable",      "namespace",    "new",
    "noexcept",      "not",         "not_eq",       "nullptr",      "object",
    "object_data",   "operator",    "or",           "or_eq",        "private",
    "protected",     "public",      "ray_data",     "register",     "reinterpret_cast",
    "return",        "short",       "signed",       "sizeof",       "static",
    "static_assert", "static_cast", "struct",       "switch",       "template",
    "this",          "thread",      "thread_local", "threadgroup",  "threadgroup_imageblock",
    "throw",         "true",        "try",          "typedef",      "typeid",
    "typename",      "uint",        "union",        "unsigned",     "using",
    "vertex",        "virtual",     "void",         "volatile",     "wchar_t",
    "while",         "xor",         "xor_eq",
};

// Sorted; without the types that IsHlslWord builds.
constexpr std::string_view kHlsl[] = {"BlendState",
                                      "Buffer",
                                      "ByteAddressBuffer",
                                      "ComputeShader",
                                      "ConstantBuffer",
                                      "DepthStencilState",
                                      "DepthStencilView",
                                      "DomainShader",
                                      "GeometryShader",
                                      "Hullshader",
                                      "InputPatch",
                                      "LineStream",
                                      "OutputPatch",
                                      "PixelShader",
                                      "PointStream",
                                      "RWBuffer",
                                      "RWByteAddressBuffer",
                                      "RWStructuredBuffer",
                                      "RWTexture1D",
                                      "RWTexture1DArray",
                                      "RWTexture2D",
                                      "RWTexture2DArray",
                                      "RWTexture3D",
                                      "RasterizerState",
                                      "RenderTargetView",
                                      "SamplerComparisonState",
                                      "SamplerState",
                                      "StructuredBuffer",
                                      "Texture1D",
                                      "Texture1DArray",
                                      "Texture2D",
                                      "Texture2DArray",
                                      "Texture2DMS",
                                      "Texture2DMSArray",
                                      "Texture3D",
                                      "TextureCube",
                                      "TextureCubeArray",
                                      "TriangleStream",
                                      "VertexShader",
                                      "asm",
                                      "asm_fragment",
                                      "auto",
                                      "break",
                                      "case",
                                      "catch",
                                      "cbuffer",
                                      "centroid",
                                      "char",
                                      "class",
                                      "column_major",
                                      "compile",
                                      "compile_fragment",
                                      "const",
                                      "const_cast",
                                      "continue",
                                      "default",
                                      "delete",
                                      "discard",
                                      "do",
                                      "dynamic_cast",
                                      "else",
                                      "enum",
                                      "explicit",
                                      "export",
                                      "extern",
                                      "false",
                                      "for",
                                      "friend",
                                      "fxgroup",
                                      "globallycoherent",
                                      "goto",
                                      "groupshared",
                                      "if",
                                      "in",
                                      "inline",
                                      "inout",
                                      "interface",
                                      "line",
                                      "lineadj",
                                      "linear",
                                      "long",
                                      "matrix",
                                      "mutable",
                                      "namespace",
                                      "new",
                                      "nointerpolation",
                                      "noperspective",
                                      "operator",
                                      "out",
                                      "packoffset",
                                      "pass",
                                      "pixelfragment",
                                      "point",
                                      "precise",
                                      "private",
                                      "protected",
                                      "public",
                                      "register",
                                      "reinterpret_cast",
                                      "return",
                                      "row_major",
                                      "sample",
                                      "sampler",
                                      "shared",
                                      "short",
                                      "signed",
                                      "sizeof",
                                      "snorm",
                                      "stateblock",
                                      "stateblock_state",
                                      "static",
                                      "static_cast",
                                      "string",
                                      "struct",
                                      "switch",
                                      "tbuffer",
                                      "technique",
                                      "technique10",
                                      "technique11",
                                      "template",
                                      "texture",
                                      "this",
                                      "throw",
                                      "triangle",
                                      "triangleadj",
                                      "true",
                                      "try",
                                      "typedef",
                                      "typename",
                                      "uniform",
                                      "union",
                                      "unorm",
                                      "unsigned",
                                      "using",
                                      "vector",
                                      "vertexfragment",
                                      "virtual",
                                      "void",
                                      "volatile",
                                      "while"};

constexpr std::string_view kHlslScalars[] = {
    "bool",      "int",       "uint",     "dword",    "half",      "float",      "double",
    "int16_t",   "uint16_t",  "int32_t",  "uint32_t", "int64_t",   "uint64_t",   "float16_t",
    "float32_t", "float64_t", "min16int", "min12int", "min16uint", "min16float", "min10float"};

static_assert(std::is_sorted(std::begin(kMsl), std::end(kMsl)));
static_assert(std::is_sorted(std::begin(kHlsl), std::end(kHlsl)));

bool IsHlslType(std::string_view name) {
  const auto is_dimension = [](char c) { return c >= '1' && c <= '4'; };
  for (const std::string_view scalar : kHlslScalars) {
    if (!name.starts_with(scalar)) continue;
    const std::string_view rest = name.substr(scalar.size());
    if (rest.empty() || (rest.size() == 1 && is_dimension(rest[0]))) return true;
    if (rest.size() == 3 && is_dimension(rest[0]) && rest[1] == 'x' && is_dimension(rest[2])) return true;
  }
  return false;
}

}  // namespace

bool IsMslWord(std::string_view name) { return std::binary_search(std::begin(kMsl), std::end(kMsl), name); }

bool IsHlslWord(std::string_view name) {
  return std::binary_search(std::begin(kHlsl), std::end(kHlsl), name) || IsHlslType(name);
}

}  // namespace kiln::toolchain
