// SPDX-License-Identifier: Apache-2.0
#include "reflect/json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/json_writer.h"

namespace kiln::reflect {
namespace {

using json::Writer;

std::string_view NameOf(BindingKind kind) {
  switch (kind) {
    case BindingKind::kUniformBuffer:
      return "uniform-buffer";
    case BindingKind::kStorageBuffer:
      return "storage-buffer";
    case BindingKind::kSampler:
      return "sampler";
    case BindingKind::kTexture:
      return "texture";
    case BindingKind::kCombinedTexture:
      return "combined-texture";
    case BindingKind::kStorageTexture:
      return "storage-texture";
    case BindingKind::kUniformTexelBuffer:
      return "uniform-texel-buffer";
    case BindingKind::kStorageTexelBuffer:
      return "storage-texel-buffer";
    case BindingKind::kInputAttachment:
      return "input-attachment";
    case BindingKind::kAccelerationStructure:
      return "acceleration-structure";
    case BindingKind::kPlainUniform:
      return "plain-uniform";
  }
  return "";
}

std::string_view NameOf(Access access) {
  switch (access) {
    case Access::kNone:
      return "none";
    case Access::kRead:
      return "read";
    case Access::kWrite:
      return "write";
    case Access::kReadWrite:
      return "read-write";
  }
  return "";
}

std::string ScalarName(ScalarKind kind, uint32_t width) {
  switch (kind) {
    case ScalarKind::kBool:
      return "bool";
    case ScalarKind::kInt:
      return "int" + std::to_string(width);
    case ScalarKind::kUint:
      return "uint" + std::to_string(width);
    case ScalarKind::kFloat:
      return "float" + std::to_string(width);
  }
  return "";
}

class Printer {
 public:
  Printer(const Module& module, std::string& out) : module_(module), writer_(out, json::Layout::kIndented) {}

  void Print() {
    writer_.BeginObject();
    writer_.Member("schemaVersion", 1);
    writer_.Key("entryPoints").BeginArray();
    for (const EntryPoint& entry : module_.entry_points) Print(entry);
    writer_.EndArray();
    writer_.Key("bindings").BeginArray();
    for (const Binding& binding : module_.bindings) Print(binding);
    writer_.EndArray();
    writer_.Key("pushConstants").BeginArray();
    for (const PushConstants& block : module_.push_constants) {
      writer_.BeginObject();
      writer_.Member("name", block.name).Member("structure", block.structure);
      writer_.Member("offset", block.offset).Member("size", block.size).EndObject();
    }
    writer_.EndArray();
    writer_.Key("specializationConstants").BeginArray();
    for (const SpecializationConstant& constant : module_.specialization_constants) Print(constant);
    writer_.EndArray();
    if (!module_.overrides.empty()) {
      writer_.Key("overrides").BeginArray();
      for (const Override& override : module_.overrides) Print(override);
      writer_.EndArray();
    }
    if (!module_.vulkan_features.empty()) {
      writer_.Key("vulkanFeatures").BeginArray();
      for (const std::string& feature : module_.vulkan_features) writer_.String(feature);
      writer_.EndArray();
    }
    writer_.Key("structures").BeginArray();
    for (const Structure& structure : module_.structures) Print(structure);
    writer_.EndArray();
    writer_.EndObject();
  }

 private:
  template <typename T>
  void Numbers(const char* key, const T& values) {
    writer_.Key(key).BeginArray();
    for (const uint32_t value : values) writer_.Number(value);
    writer_.EndArray();
  }

  void Print(const EntryPoint& entry) {
    writer_.BeginObject();
    writer_.Member("name", entry.name).Member("stage", entry.stage);
    if (entry.workgroup) {
      Numbers("workgroupSize", entry.workgroup->size);
      const auto& constants = entry.workgroup->constant;
      if (constants[0] || constants[1] || constants[2]) {
        writer_.Key("workgroupSizeConstants").BeginArray();
        for (const auto& constant : constants) constant ? writer_.Number(*constant) : writer_.Null();
        writer_.EndArray();
      }
    }
    writer_.Key("modes").BeginArray();
    for (const std::string& mode : entry.modes) writer_.String(mode);
    writer_.EndArray();
    for (const auto& [key, list] : {std::pair("inputs", &entry.inputs), std::pair("outputs", &entry.outputs)}) {
      writer_.Key(key).BeginArray();
      for (const InterfaceVariable& variable : *list) Print(variable);
      writer_.EndArray();
    }
    Numbers("bindings", entry.bindings);
    Numbers("pushConstants", entry.push_constants);
    Numbers("specializationConstants", entry.specialization_constants);
    if (!entry.overrides.empty()) Numbers("overrides", entry.overrides);
    if (!entry.sampled_pairs.empty()) {
      writer_.Key("sampledPairs").BeginArray();
      for (const SampledPair& pair : entry.sampled_pairs) {
        writer_.BeginObject().Member("texture", pair.texture).Member("sampler", pair.sampler).EndObject();
      }
      writer_.EndArray();
    }
    writer_.EndObject();
  }

  void Print(const InterfaceVariable& variable) {
    writer_.BeginObject();
    writer_.Member("name", variable.name);
    if (variable.location) writer_.Member("location", *variable.location);
    if (variable.component != 0) writer_.Member("component", variable.component);
    if (variable.index) writer_.Member("index", *variable.index);
    if (!variable.builtin.empty()) writer_.Member("builtin", variable.builtin);
    PrintType(variable.type);
    if (!variable.interpolation.empty()) writer_.Member("interpolation", variable.interpolation);
    if (!variable.sampling.empty()) writer_.Member("sampling", variable.sampling);
    if (variable.is_per_patch) writer_.Member("perPatch", true);
    if (variable.is_per_primitive) writer_.Member("perPrimitive", true);
    if (variable.is_per_vertex) writer_.Member("perVertex", true);
    writer_.EndObject();
  }

  void Print(const Binding& binding) {
    writer_.BeginObject();
    writer_.Member("name", binding.name);
    if (binding.kind == BindingKind::kPlainUniform) {
      writer_.Member("location", binding.slot);
    } else {
      writer_.Member("set", binding.set).Member("slot", binding.slot);
    }
    writer_.Member("kind", NameOf(binding.kind))
        .Member("access", NameOf(binding.access))
        .Member("count", binding.count);
    if (binding.structure) writer_.Member("structure", *binding.structure);
    if (binding.input_attachment) writer_.Member("inputAttachment", *binding.input_attachment);
    if (binding.type) PrintType(*binding.type);
    if (binding.array.size() > 1 || (!binding.array.empty() && binding.array[0].count_constant))
      PrintArray(binding.array);
    if (binding.texture) {
      const TextureFacts& facts = *binding.texture;
      writer_.Key("texture").BeginObject();
      writer_.Member("dimension", facts.dimension).Member("sampled", ScalarName(facts.sampled, facts.width));
      writer_.Member("arrayed", facts.is_arrayed).Member("multisampled", facts.is_multisampled);
      writer_.Member("depth", facts.is_depth);
      if (!facts.format.empty()) writer_.Member("format", facts.format);
      writer_.EndObject();
    }
    if (binding.layout) Print(*binding.layout);
    writer_.EndObject();
  }

  void Print(const LayoutEntry& entry) {
    writer_.Key("layout").BeginObject();
    if (!entry.buffer.empty()) {
      writer_.Member("buffer", entry.buffer).Member("minBindingSize", entry.min_binding_size);
      writer_.Key("dynamicSafe");
      entry.is_dynamic_safe ? writer_.Bool(*entry.is_dynamic_safe) : writer_.Null();
    }
    if (!entry.sampler.empty()) writer_.Member("sampler", entry.sampler);
    if (!entry.sample_type.empty()) {
      writer_.Member("sampleType", entry.sample_type).Member("multisampled", entry.is_multisampled);
    }
    if (!entry.storage_access.empty()) {
      writer_.Member("storageAccess", entry.storage_access).Member("storageFormat", entry.storage_format);
    }
    if (!entry.view_dimension.empty()) writer_.Member("viewDimension", entry.view_dimension);
    if (entry.is_external) writer_.Member("external", true);
    writer_.Key("visible").BeginArray();
    for (const std::string& stage : entry.visible) writer_.String(stage);
    writer_.EndArray().EndObject();
  }

  void Print(const Override& override) {
    writer_.BeginObject();
    writer_.Member("name", override.name);
    if (override.id) writer_.Member("id", *override.id);
    writer_.Member("type", ScalarName(override.scalar, override.width));
    writer_.Member("required", !override.has_default);
    if (override.constant) writer_.Member("constant", *override.constant);
    if (override.default_bits) PrintValue(override.scalar, override.width, *override.default_bits);
    writer_.EndObject();
  }

  void Print(const Structure& structure) {
    writer_.BeginObject();
    writer_.Member("name", structure.name);
    if (structure.has_layout) writer_.Member("size", structure.size);
    writer_.Key("members").BeginArray();
    for (const Member& member : structure.members) {
      writer_.BeginObject();
      writer_.Member("name", member.name);
      if (structure.has_layout) writer_.Member("offset", member.offset).Member("size", member.size);
      PrintType(member.type);
      writer_.EndObject();
    }
    writer_.EndArray().EndObject();
  }

  void Print(const SpecializationConstant& constant) {
    writer_.BeginObject();
    writer_.Member("id", constant.id).Member("name", constant.name);
    writer_.Member("type", ScalarName(constant.scalar, constant.width));
    PrintValue(constant.scalar, constant.width, constant.default_bits);
    writer_.EndObject();
  }

  void PrintValue(ScalarKind scalar, uint32_t width, uint64_t bits) {
    writer_.Key("default");
    switch (scalar) {
      case ScalarKind::kBool:
        writer_.Bool(bits != 0);
        break;
      case ScalarKind::kUint:
        writer_.Number(bits);
        break;
      case ScalarKind::kInt: {
        const int unused = static_cast<int>(64 - std::min(width, 64u));
        writer_.Number(static_cast<int64_t>(bits << unused) >> unused);
        break;
      }
      case ScalarKind::kFloat:
        if (width == 64) {
          writer_.Number(std::bit_cast<double>(bits));
        } else if (width == 32) {
          PrintFloat(std::bit_cast<float>(static_cast<uint32_t>(bits)));
        } else {
          PrintFloat(HalfToFloat(static_cast<uint16_t>(bits)));
        }
        break;
    }
    writer_.Member("defaultBits", "0x" + Hex(bits));
  }

  // The shortest text that reads back as the same float, not as the same double.
  void PrintFloat(float value) {
    char text[48];
    const auto end = std::to_chars(text, text + sizeof text, value);
    const std::string_view written(text, static_cast<size_t>(end.ptr - text));
    if (written.find_first_of("in") != std::string_view::npos) {
      writer_.Null();  // infinities and not-a-numbers are only in the bits
    } else {
      writer_.Raw(written);
    }
  }

  static float HalfToFloat(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = (half >> 10) & 31, fraction = half & 1023;
    if (exponent == 0) {
      const float magnitude = static_cast<float>(fraction) / 16777216.0f;
      return sign != 0 ? -magnitude : magnitude;
    }
    const uint32_t wide = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
  }

  static std::string Hex(uint64_t bits) {
    char text[17];
    const auto end = std::to_chars(text, text + sizeof text, bits, 16);
    return std::string(text, end.ptr);
  }

  void PrintType(const Type& type) {
    writer_.Key("type");
    switch (type.kind) {
      case Type::Kind::kScalar:
        writer_.String(ScalarName(type.scalar, type.width));
        break;
      case Type::Kind::kVector:
        writer_.String(ScalarName(type.scalar, type.width) + "x" + std::to_string(type.rows));
        break;
      case Type::Kind::kMatrix:
        writer_.String(ScalarName(type.scalar, type.width) + "x" + std::to_string(type.columns) + "x" +
                       std::to_string(type.rows));
        break;
      case Type::Kind::kStructure:
        writer_.String("structure");
        break;
      case Type::Kind::kPointer:
        writer_.String("address");
        break;
      case Type::Kind::kOpaque:
        writer_.String("opaque");
        break;
    }
    if (type.structure) writer_.Member("structure", *type.structure);
    if (type.kind == Type::Kind::kMatrix && type.matrix_stride != 0) {
      writer_.Member("matrixStride", type.matrix_stride).Member("rowMajor", type.row_major);
    }
    if (!type.array.empty()) PrintArray(type.array);
  }

  void PrintArray(const std::vector<ArrayDimension>& array) {
    writer_.Key("array").BeginArray();
    for (const ArrayDimension& dimension : array) {
      writer_.BeginObject();
      writer_.Member("count", dimension.count);
      if (dimension.stride != 0) writer_.Member("stride", dimension.stride);
      if (dimension.count_constant) writer_.Member("countConstant", *dimension.count_constant);
      writer_.EndObject();
    }
    writer_.EndArray();
  }

  const Module& module_;
  Writer writer_;
};

}  // namespace

std::string ToJson(const Module& module) {
  std::string text;
  Printer(module, text).Print();
  text += '\n';
  return text;
}

}  // namespace kiln::reflect
