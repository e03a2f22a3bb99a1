// SPDX-License-Identifier: Apache-2.0
// What a host program needs to know about a compiled module: entry points, stage inputs and outputs, bindings, blocks
// with their layout, push constants, specialization constants. Plain data, made from SPIR-V (from_spirv.h) or from the
// IR, written as JSON (json.h) by docs/reflection.schema.json, read by package generators. Names are those of the
// source where the compiler kept them. Sizes, offsets and strides are bytes; widths are bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::reflect {

enum class ScalarKind : uint8_t { kBool, kInt, kUint, kFloat };

/// One dimension of an array, outermost first in Type::array.
struct ArrayDimension {
  uint32_t count = 0;                      // 0: sized at run time
  uint32_t stride = 0;                     // 0 where the type has no layout (stage inputs, descriptors)
  std::optional<uint32_t> count_constant;  // the specialization constant that sets the count; `count` is its default
};

/// A shader type. Exactly one of: scalar, vector or matrix of `scalar`; structure `structure`; buffer address
/// (pointer); opaque (an image, sampler or handle inside a structure or interface, which only says so).
struct Type {
  enum class Kind : uint8_t { kScalar, kVector, kMatrix, kStructure, kPointer, kOpaque };
  Kind kind = Kind::kScalar;
  ScalarKind scalar = ScalarKind::kFloat;
  uint32_t width = 32;         // bits of the scalar
  uint32_t rows = 1;           // components of a vector, rows of a matrix
  uint32_t columns = 1;        // of a matrix
  uint32_t matrix_stride = 0;  // from one column to the next (one row to the next if row_major)
  bool row_major = false;
  std::optional<uint32_t> structure;  // index into Module::structures: the structure, or what the pointer leads to
  std::vector<ArrayDimension> array;
};

struct Member {
  std::string name;
  Type type;
  uint32_t offset = 0;
  uint32_t size = 0;  // arrays and matrices count whole strides; 0 for a run-time array
};

struct Structure {
  std::string name;
  uint32_t size = 0;        // up to the end of the last member; a run-time array at the end adds nothing
  bool has_layout = false;  // offsets, sizes and strides mean something
  std::vector<Member> members;
};

enum class BindingKind : uint8_t {
  kUniformBuffer,
  kStorageBuffer,
  kSampler,
  kTexture,          // sampled, without a sampler
  kCombinedTexture,  // texture and sampler in one
  kStorageTexture,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
  kInputAttachment,
  kAccelerationStructure,
  kPlainUniform,  // a uniform outside a block (OpenGL)
};

enum class Access : uint8_t { kNone, kRead, kWrite, kReadWrite };

struct TextureFacts {
  std::string dimension;  // "1d" "2d" "3d" "cube" "rect" "buffer" "subpass"
  bool is_arrayed = false;
  bool is_multisampled = false;
  bool is_depth = false;
  ScalarKind sampled = ScalarKind::kFloat;
  uint32_t width = 32;
  std::string format;  // of a storage texture: "rgba8" ...; empty where unknown
};

/// What a WebGPU bind-group layout entry says for a binding, as its default layout would: exactly one part is filled.
/// https://www.w3.org/TR/webgpu/#default-pipeline-layout. Made from WGSL; absent where the module came as SPIR-V.
struct LayoutEntry {
  std::string buffer;             // "uniform" "storage" "read-only-storage"; empty: no buffer
  uint64_t min_binding_size = 0;  // bytes, with one element of a run-time array; 0 where an override decides
  /// Of a buffer: whether `hasDynamicOffset` is safe. Yes where the shader reaches exactly min_binding_size bytes from
  /// the offset, so that every offset a device accepts is good. No where it is an array of bindings, for which there
  /// are no dynamic offsets, or ends at run time: then the length that the shader sees is that of the bound range,
  /// which the offset moves but does not shorten. Absent where an override decides the size.
  std::optional<bool> is_dynamic_safe;
  std::string sampler;               // "filtering" "comparison"
  std::string sample_type;           // of a texture: "float" "unfilterable-float" "depth" "sint" "uint"
  std::string storage_access;        // of a storage texture: "write-only" "read-only" "read-write"
  std::string storage_format;        // "rgba8unorm" ...
  std::string view_dimension;        // of textures: "1d" "2d" "2d-array" "3d" "cube" "cube-array"
  bool is_multisampled = false;      // of a texture
  bool is_external = false;          // an external texture
  std::vector<std::string> visible;  // stages of the entry points that can reach it: "vertex" "fragment" "compute"
};

struct Binding {
  std::string name;
  uint32_t set = 0;
  uint32_t slot = 0;
  BindingKind kind = BindingKind::kUniformBuffer;
  Access access = Access::kRead;
  /// Number of descriptors: 1, the product of the array's dimensions, or 0 for a run-time array.
  uint32_t count = 1;
  std::vector<ArrayDimension> array;
  std::optional<uint32_t> structure;  // buffers: the block
  std::optional<TextureFacts> texture;
  std::optional<uint32_t> input_attachment;
  std::optional<Type> type;  // kPlainUniform
  std::optional<LayoutEntry> layout;
};

struct PushConstants {
  std::string name;
  uint32_t structure = 0;
  uint32_t offset = 0;  // of the first member
  uint32_t size = 0;    // from `offset` to the end of the last member
};

struct SpecializationConstant {
  uint32_t id = 0;
  std::string name;
  ScalarKind scalar = ScalarKind::kInt;
  uint32_t width = 32;
  uint64_t default_bits = 0;  // the value's bit pattern, zero-extended; a bool is 0 or 1
};

/// A pipeline-overridable constant of WGSL.
struct Override {
  std::string name;
  std::optional<uint32_t> id;  // @id; without one the host names it by `name`
  ScalarKind scalar = ScalarKind::kInt;
  uint32_t width = 32;
  bool has_default = false;              // else the host must give a value
  std::optional<uint64_t> default_bits;  // the value's bit pattern; a default may not be known without other overrides
  std::optional<uint32_t> constant;      // id of its specialization constant in SPIR-V; none where it is computed
};

/// A texture that is sampled with a sampler, as indices into Module::bindings.
struct SampledPair {
  uint32_t texture = 0;
  uint32_t sampler = 0;
};

/// An input or output of a stage. A user-defined one has a location, a built-in one has `builtin`.
struct InterfaceVariable {
  std::string name;
  Type type;
  std::optional<uint32_t> location;
  uint32_t component = 0;
  std::optional<uint32_t> index;  // dual-source blending
  std::string builtin;            // "position", "vertex-index", ...
  std::string interpolation;      // "" (perspective), "flat", "linear"
  std::string sampling;           // "" (center), "centroid", "sample"
  bool is_per_patch = false;
  bool is_per_primitive = false;
  bool is_per_vertex = false;  // an array over vertices (fragment barycentrics)
};

struct WorkgroupSize {
  std::array<uint32_t, 3> size = {1, 1, 1};
  std::array<std::optional<uint32_t>, 3> constant;  // the specialization constants that set it; `size` has defaults
};

struct EntryPoint {
  std::string name;
  std::string stage;  // as in worker/action.h: "vertex", "fragment", "compute", "mesh", "raygen", ...
  std::optional<WorkgroupSize> workgroup;
  std::vector<InterfaceVariable> inputs;
  std::vector<InterfaceVariable> outputs;
  std::vector<uint32_t> bindings;  // indices into Module::bindings: what the entry point can reach
  std::vector<uint32_t> push_constants;
  std::vector<uint32_t> specialization_constants;  // indices of those it can reach
  std::vector<uint32_t> overrides;                 // likewise, into Module::overrides
  std::vector<SampledPair> sampled_pairs;          // each once, by texture, sampler
  std::vector<std::string> modes;                  // "early-fragment-tests", "triangles", "vertices-3", ...: sorted
};

struct Module {
  std::vector<EntryPoint> entry_points;  // in the order of the module
  std::vector<Structure> structures;     // a structure comes after those it holds
  std::vector<Binding> bindings;         // by set, slot, name
  std::vector<PushConstants> push_constants;
  std::vector<SpecializationConstant> specialization_constants;  // by id
  std::vector<Override> overrides;                               // in the order of the source
  std::vector<std::string> vulkan_features;                      // that a device needs for the layout of blocks
};

}  // namespace kiln::reflect
