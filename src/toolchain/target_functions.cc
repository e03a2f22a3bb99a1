// SPDX-License-Identifier: Apache-2.0
// The functions that MSL, HLSL and GLSL bring along, words of GLSL, and the names that SPIRV-Cross makes itself. Texts
// call them, for built-ins of the source and for what keeps it safe; a function of the author's with such a name would
// be called in their place, and a variable would hide them. Whole names, and those that texts do call: a
// name that a host looks up is not changed without need.
#include <algorithm>
#include <iterator>
#include <span>

#include "toolchain/target_words.h"

namespace kiln::toolchain {
namespace {

// Sorted. https://learn.microsoft.com/windows/win32/direct3dhlsl/dx-graphics-hlsl-intrinsic-functions
// clang-format off
constexpr std::string_view kHlsl[] = {
    "AllMemoryBarrier", "AllMemoryBarrierWithGroupSync", "DeviceMemoryBarrier", "DeviceMemoryBarrierWithGroupSync",
    "EvaluateAttributeAtCentroid", "EvaluateAttributeAtSample", "EvaluateAttributeSnapped", "GroupMemoryBarrier",
    "GroupMemoryBarrierWithGroupSync", "InterlockedAdd", "InterlockedAnd", "InterlockedCompareExchange",
    "InterlockedCompareStore", "InterlockedExchange", "InterlockedMax", "InterlockedMin", "InterlockedOr",
    "InterlockedXor", "NonUniformResourceIndex", "QuadAll", "QuadAny", "QuadReadAcrossDiagonal", "QuadReadAcrossX",
    "QuadReadAcrossY", "QuadReadLaneAt", "SPIRV_Cross_Input", "SPIRV_Cross_Output", "WaveActiveAllEqual",
    "WaveActiveAllTrue", "WaveActiveAnyTrue", "WaveActiveBallot", "WaveActiveBitAnd", "WaveActiveBitOr",
    "WaveActiveBitXor", "WaveActiveCountBits", "WaveActiveMax", "WaveActiveMin", "WaveActiveProduct",
    "WaveActiveSum", "WaveGetLaneCount", "WaveGetLaneIndex", "WaveIsFirstLane", "WavePrefixCountBits",
    "WavePrefixProduct", "WavePrefixSum", "WaveReadLaneAt", "WaveReadLaneFirst", "abs", "acos", "all", "and", "any",
    "asdouble", "asfloat", "asfloat16", "asin", "asint", "asint16", "asuint", "asuint16", "atan", "atan2", "ceil",
    "clamp", "comp_main", "cos", "cosh", "countbits", "cross", "ddx", "ddx_coarse", "ddx_fine", "ddy", "ddy_coarse",
    "ddy_fine", "degrees", "determinant", "discard_state", "distance", "dot", "dot2add", "dot4add_i8packed",
    "dot4add_u8packed", "exp", "exp2", "f16tof32", "f32tof16", "faceforward", "firstbithigh", "firstbitlow",
    "floor", "fma", "fmod", "frac", "frag_main", "frexp", "fwidth", "isfinite", "isinf", "isnan", "ldexp", "length",
    "lerp", "log", "log10", "log2", "mad", "max", "mesh_main", "min", "mod", "modf", "msad4", "mul", "normalize",
    "or", "pow", "radians", "rcp", "reflect", "refract", "reversebits", "round", "rsqrt", "saturate", "select",
    "sign", "sin", "sincos", "sinh", "smoothstep", "sqrt", "stage_input", "stage_output", "step", "tan", "tanh",
    "task_main", "tex1D", "tex2D", "tex3D", "texCUBE", "transpose", "trunc", "vert_main"};
// clang-format on

// Sorted. Metal Shading Language Specification, chapter 6.
// clang-format off
constexpr std::string_view kMsl[] = {
    "abs", "absdiff", "acos", "acosh", "addsat", "all", "any", "as_type", "asin", "asinh", "atan", "atan2", "atanh",
    "atomic_compare_exchange_weak", "atomic_compare_exchange_weak_explicit", "atomic_exchange",
    "atomic_exchange_explicit", "atomic_fetch_add", "atomic_fetch_add_explicit", "atomic_fetch_and",
    "atomic_fetch_and_explicit", "atomic_fetch_max", "atomic_fetch_max_explicit", "atomic_fetch_min",
    "atomic_fetch_min_explicit", "atomic_fetch_or", "atomic_fetch_or_explicit", "atomic_fetch_sub",
    "atomic_fetch_sub_explicit", "atomic_fetch_xor", "atomic_fetch_xor_explicit", "atomic_int", "atomic_load",
    "atomic_load_explicit", "atomic_store", "atomic_store_explicit", "atomic_thread_fence", "atomic_uint", "ceil",
    "clamp", "clz", "copysign", "cos", "cosh", "cospi", "cross", "ctz", "determinant", "dfdx", "dfdy",
    "discard_fragment", "distance", "distance_squared", "divide", "dot", "exp", "exp10", "exp2", "extract_bits",
    "fabs", "faceforward", "fast", "fdim", "floor", "fma", "fmax", "fmax3", "fmedian3", "fmin", "fmin3", "fmod",
    "fract", "frexp", "fwidth", "hadd", "ilogb", "insert_bits", "isfinite", "isinf", "isnan", "isnormal",
    "isordered", "isunordered", "ldexp", "length", "length_squared", "log", "log10", "log2", "mad24", "mad_sat",
    "madhi", "madsat", "main", "max", "max3", "median3", "metal", "min", "min3", "mix", "mod", "modf", "mul24",
    "mulhi", "nan", "normalize", "pack_float_to_snorm2x16", "pack_float_to_snorm4x8", "pack_float_to_unorm2x16",
    "pack_float_to_unorm4x8", "popcount", "pow", "powr", "precise", "quad_active_threads_mask", "quad_all",
    "quad_and", "quad_any", "quad_ballot", "quad_broadcast", "quad_broadcast_first", "quad_is_first", "quad_max",
    "quad_min", "quad_or", "quad_product", "quad_shuffle", "quad_shuffle_down", "quad_shuffle_rotate_down",
    "quad_shuffle_up", "quad_shuffle_xor", "quad_sum", "quad_vote", "quad_xor", "radians", "reflect", "refract",
    "reverse_bits", "rhadd", "rint", "rotate", "round", "rsqrt", "saturate", "select", "sign", "signbit",
    "simd_active_threads_mask", "simd_all", "simd_and", "simd_any", "simd_ballot", "simd_broadcast",
    "simd_broadcast_first", "simd_is_first", "simd_is_helper_thread", "simd_max", "simd_min", "simd_or",
    "simd_prefix_exclusive_product", "simd_prefix_exclusive_sum", "simd_prefix_inclusive_product",
    "simd_prefix_inclusive_sum", "simd_product", "simd_shuffle", "simd_shuffle_down", "simd_shuffle_rotate_down",
    "simd_shuffle_up", "simd_shuffle_xor", "simd_sum", "simd_vote", "simd_xor", "simdgroup_barrier", "sin",
    "sincos", "sinh", "sinpi", "smoothstep", "sqrt", "step", "subsat", "tan", "tanh", "tanpi",
    "threadgroup_barrier", "transpose", "trunc", "unpack_snorm2x16_to_float", "unpack_snorm4x8_to_float",
    "unpack_unorm2x16_to_float", "unpack_unorm4x8_to_float"};
// clang-format on

// Sorted. Keywords, reserved words and functions of GLSL 4.60 and GLSL ES 3.20, sections 3.6 and 8: SPIRV-Cross knows
// some of them, and looks at functions and variables of the module but not at those of a function.
// clang-format off
constexpr std::string_view kGlsl[] = {
    "EmitStreamVertex", "EmitVertex", "EndPrimitive", "EndStreamPrimitive", "abs", "acos", "acosh", "active", "all",
    "allInvocations", "any", "anyInvocation", "asin", "asinh", "asm", "atan", "atanh", "atomicAdd", "atomicAnd",
    "atomicCompSwap", "atomicExchange", "atomicMax", "atomicMin", "atomicOr", "atomicXor", "atomic_uint",
    "attribute", "barrier", "bitCount", "bitfieldExtract", "bitfieldInsert", "bitfieldReverse", "bool", "break",
    "buffer", "bvec2", "bvec3", "bvec4", "case", "cast", "ceil", "centroid", "clamp", "class", "coherent", "common",
    "const", "continue", "cos", "cosh", "cross", "dFdx", "dFdxCoarse", "dFdxFine", "dFdy", "dFdyCoarse", "dFdyFine",
    "default", "degrees", "determinant", "discard", "distance", "dmat2", "dmat2x2", "dmat2x3", "dmat2x4", "dmat3",
    "dmat3x2", "dmat3x3", "dmat3x4", "dmat4", "dmat4x2", "dmat4x3", "dmat4x4", "do", "dot", "double", "dvec2",
    "dvec3", "dvec4", "else", "enum", "equal", "exp", "exp2", "extern", "external", "faceforward", "false",
    "filter", "findLSB", "findMSB", "fixed", "flat", "float", "floatBitsToInt", "floatBitsToUint", "floor", "fma",
    "for", "fract", "frexp", "fvec2", "fvec3", "fvec4", "fwidth", "fwidthCoarse", "fwidthFine", "goto",
    "greaterThan", "greaterThanEqual", "groupMemoryBarrier", "half", "highp", "hvec2", "hvec3", "hvec4", "if",
    "iimage1D", "iimage1DArray", "iimage2D", "iimage2DArray", "iimage2DMS", "iimage2DMSArray", "iimage2DRect",
    "iimage3D", "iimageBuffer", "iimageCube", "iimageCubeArray", "image1D", "image1DArray", "image2D",
    "image2DArray", "image2DMS", "image2DMSArray", "image2DRect", "image3D", "imageAtomicAdd", "imageAtomicAnd",
    "imageAtomicCompSwap", "imageAtomicExchange", "imageAtomicMax", "imageAtomicMin", "imageAtomicOr",
    "imageAtomicXor", "imageBuffer", "imageCube", "imageCubeArray", "imageLoad", "imageSamples", "imageSize",
    "imageStore", "imulExtended", "in", "inline", "inout", "input", "int", "intBitsToFloat", "interface",
    "interpolateAtCentroid", "interpolateAtOffset", "interpolateAtSample", "invariant", "inverse", "inversesqrt",
    "isampler1D", "isampler1DArray", "isampler2D", "isampler2DArray", "isampler2DMS", "isampler2DMSArray",
    "isampler2DRect", "isampler3D", "isamplerBuffer", "isamplerCube", "isamplerCubeArray", "isinf", "isnan",
    "ivec2", "ivec3", "ivec4", "layout", "ldexp", "length", "lessThan", "lessThanEqual", "log", "log2", "long",
    "lowp", "mat2", "mat2x2", "mat2x3", "mat2x4", "mat3", "mat3x2", "mat3x3", "mat3x4", "mat4", "mat4x2", "mat4x3",
    "mat4x4", "matrixCompMult", "max", "mediump", "memoryBarrier", "memoryBarrierAtomicCounter",
    "memoryBarrierBuffer", "memoryBarrierImage", "memoryBarrierShared", "min", "mix", "mod", "modf", "namespace",
    "noinline", "non_coherent", "noperspective", "normalize", "not", "notEqual", "null", "out", "outerProduct",
    "output", "packDouble2x32", "packHalf2x16", "packSnorm2x16", "packSnorm4x8", "packUnorm2x16", "packUnorm4x8",
    "partition", "patch", "pow", "precise", "precision", "public", "radians", "readonly", "reflect", "refract",
    "resource", "restrict", "return", "round", "roundEven", "sample", "sampler", "sampler1D", "sampler1DArray",
    "sampler1DArrayShadow", "sampler1DShadow", "sampler2D", "sampler2DArray", "sampler2DArrayShadow", "sampler2DMS",
    "sampler2DMSArray", "sampler2DRect", "sampler2DRectShadow", "sampler2DShadow", "sampler3D", "sampler3DRect",
    "samplerBuffer", "samplerCube", "samplerCubeArray", "samplerCubeArrayShadow", "samplerCubeShadow",
    "samplerShadow", "shared", "short", "sign", "sin", "sinh", "sizeof", "smooth", "smoothstep", "sqrt", "static",
    "step", "struct", "subgroupAdd", "subgroupAll", "subgroupAllEqual", "subgroupAnd", "subgroupAny",
    "subgroupBallot", "subgroupBallotBitCount", "subgroupBallotBitExtract", "subgroupBallotExclusiveBitCount",
    "subgroupBallotFindLSB", "subgroupBallotFindMSB", "subgroupBallotInclusiveBitCount", "subgroupBarrier",
    "subgroupBroadcast", "subgroupBroadcastFirst", "subgroupClusteredAdd", "subgroupClusteredAnd",
    "subgroupClusteredMax", "subgroupClusteredMin", "subgroupClusteredMul", "subgroupClusteredOr",
    "subgroupClusteredRotate", "subgroupClusteredXor", "subgroupElect", "subgroupExclusiveAdd",
    "subgroupExclusiveAnd", "subgroupExclusiveMax", "subgroupExclusiveMin", "subgroupExclusiveMul",
    "subgroupExclusiveOr", "subgroupExclusiveXor", "subgroupInclusiveAdd", "subgroupInclusiveAnd",
    "subgroupInclusiveMax", "subgroupInclusiveMin", "subgroupInclusiveMul", "subgroupInclusiveOr",
    "subgroupInclusiveXor", "subgroupInverseBallot", "subgroupMax", "subgroupMemoryBarrier",
    "subgroupMemoryBarrierBuffer", "subgroupMemoryBarrierImage", "subgroupMemoryBarrierShared", "subgroupMin",
    "subgroupMul", "subgroupOr", "subgroupQuadAll", "subgroupQuadAny", "subgroupQuadBroadcast",
    "subgroupQuadSwapDiagonal", "subgroupQuadSwapHorizontal", "subgroupQuadSwapVertical", "subgroupRotate",
    "subgroupShuffle", "subgroupShuffleDown", "subgroupShuffleUp", "subgroupShuffleXor", "subgroupXor",
    "subpassInput", "subroutine", "superp", "switch", "tan", "tanh", "template", "texelFetch", "texelFetchOffset",
    "texture", "textureGather", "textureGatherOffset", "textureGatherOffsets", "textureGrad", "textureGradOffset",
    "textureLod", "textureLodOffset", "textureOffset", "textureProj", "textureProjGrad", "textureProjGradOffset",
    "textureProjLod", "textureProjLodOffset", "textureProjOffset", "textureQueryLevels", "textureQueryLod",
    "textureSamples", "textureSize", "this", "transpose", "true", "trunc", "typedef", "uaddCarry", "uimage1D",
    "uimage1DArray", "uimage2D", "uimage2DArray", "uimage2DMS", "uimage2DMSArray", "uimage2DRect", "uimage3D",
    "uimageBuffer", "uimageCube", "uimageCubeArray", "uint", "uintBitsToFloat", "umulExtended", "uniform", "union",
    "unpackDouble2x32", "unpackHalf2x16", "unpackSnorm2x16", "unpackSnorm4x8", "unpackUnorm2x16", "unpackUnorm4x8",
    "unsigned", "usampler1D", "usampler1DArray", "usampler2D", "usampler2DArray", "usampler2DMS",
    "usampler2DMSArray", "usampler2DRect", "usampler3D", "usamplerBuffer", "usamplerCube", "usamplerCubeArray",
    "using", "usubBorrow", "uvec2", "uvec3", "uvec4", "varying", "vec2", "vec3", "vec4", "void", "volatile",
    "while", "writeonly"};
// clang-format on

static_assert(std::is_sorted(std::begin(kHlsl), std::end(kHlsl)));
static_assert(std::is_sorted(std::begin(kMsl), std::end(kMsl)));
static_assert(std::is_sorted(std::begin(kGlsl), std::end(kGlsl)));

bool IsIn(std::span<const std::string_view> names, std::string_view name) {
  return name == "main" || std::binary_search(names.begin(), names.end(), name);
}

// SPIRV-Cross's own helpers in MSL: "spvFMulVectorMatrix".
bool IsMslHelper(std::string_view name) {
  return name.starts_with("spv") && name.size() > 3 && name[3] >= 'A' && name[3] <= 'Z';
}

}  // namespace

bool IsMslFunction(std::string_view name) { return IsIn(kMsl, name) || IsMslHelper(name); }
bool IsHlslFunction(std::string_view name) { return IsIn(kHlsl, name); }
bool IsGlslName(std::string_view name) { return IsIn(kGlsl, name); }

}  // namespace kiln::toolchain
