// SPDX-License-Identifier: Apache-2.0
#include "build/target_options.h"

#include <algorithm>
#include <iterator>

#include "emit/spirv/emit.h"

namespace kiln::build {
namespace {

constexpr uint32_t kMsl = BitOf(TargetKind::kMsl);
constexpr uint32_t kHlsl = BitOf(TargetKind::kHlsl);
constexpr uint32_t kGlslEssl = BitOf(TargetKind::kGlsl) | BitOf(TargetKind::kEssl);
constexpr uint32_t kAnyText = kMsl | kHlsl | kGlslEssl;
using enum OptionKind;

constexpr uint32_t kCompiled = kAnyText | BitOf(TargetKind::kSpirv);

constexpr TargetOption kOptions[] = {
    {"bound-loops", kBool, kCompiled},
    {"clamp-indices", kBool, kCompiled},
    {kExternalPlanes, kBool, kCompiled},
    {"integer-division", kBool, kCompiled},
    {"mask-shifts", kBool, kCompiled},
    {"saturate-conversions", kBool, kCompiled},
    {"texture-bounds", kBool, kCompiled},
    {"zero-variables", kBool, kCompiled},
    {"zero-workgroup", kBool, kCompiled},
    {"emit-line-directives", kBool, kAnyText},
    {"enable-storage-image-qualifier-deduction", kBool, kAnyText},
    {"fixup-depth-convention", kBool, kAnyText},
    {"flatten-multidimensional-arrays", kBool, kAnyText},
    {"flatten-uniform-blocks", kBool, kAnyText},
    {"flip-vertex-y", kBool, kAnyText},
    {"force-temporary", kBool, kAnyText},
    {"force-zero-initialized-variables", kBool, kAnyText},
    {"relax-nan-checks", kBool, kAnyText},
    {"remove-unused", kBool, kAnyText},
    {"rename-entry-point", kText, kAnyText},
    {"glsl-emit-push-constant-as-uniform-buffer", kBool, kGlslEssl},
    {"glsl-emit-uniform-buffer-as-plain-uniforms", kBool, kGlslEssl},
    {"glsl-enable-420pack-extension", kBool, kGlslEssl},
    {"glsl-enable-row-major-load-workaround", kBool, kGlslEssl},
    {"glsl-es-default-float-precision-highp", kBool, kGlslEssl},
    {"glsl-es-default-int-precision-highp", kBool, kGlslEssl},
    {"glsl-force-flattened-io-blocks", kBool, kGlslEssl},
    {"glsl-ovr-multiview-view-count", kUnsigned, kGlslEssl},
    {"glsl-separate-shader-objects", kBool, kGlslEssl},
    {"glsl-support-nonzero-base-instance", kBool, kGlslEssl},
    {"glsl-vulkan-semantics", kBool, kGlslEssl},
    {"require-extensions", kText, kGlslEssl},
    {"hlsl-automatic-registers", kBool, kHlsl},
    {"hlsl-enable-16bit-types", kBool, kHlsl},
    {"hlsl-flatten-matrix-vertex-input-semantics", kBool, kHlsl},
    {"hlsl-force-storage-buffer-as-uav", kBool, kHlsl},
    {"hlsl-nonwritable-uav-texture-as-srv", kBool, kHlsl},
    {"hlsl-point-coord-compat", kBool, kHlsl},
    {"hlsl-point-size-compat", kBool, kHlsl},
    {"hlsl-preserve-structured-buffers", kBool, kHlsl},
    {"hlsl-support-nonzero-base-vertex-base-instance", kBool, kHlsl},
    {"hlsl-use-entry-point-name", kBool, kHlsl},
    {"hlsl-user-semantic", kBool, kHlsl},
    {"msl-agx-manual-cube-grad-fixup", kBool, kMsl},
    {"msl-argument-buffers", kBool, kMsl},
    {"msl-argument-buffers-tier", kUnsigned, kMsl},
    {"msl-arrayed-subpass-input", kBool, kMsl},
    {"msl-auto-disable-rasterization", kBool, kMsl},
    {"msl-buffer-size-buffer-index", kUnsigned, kMsl},
    {"msl-capture-output-to-buffer", kBool, kMsl},
    {"msl-check-discarded-frag-stores", kBool, kMsl},
    {"msl-device-index", kUnsigned, kMsl},
    {"msl-disable-rasterization", kBool, kMsl},
    {"msl-dispatch-base", kBool, kMsl},
    {"msl-dynamic-offsets-buffer-index", kUnsigned, kMsl},
    {"msl-emulate-cubemap-array", kBool, kMsl},
    {"msl-emulate-subgroups", kBool, kMsl},
    {"msl-enable-base-index-zero", kBool, kMsl},
    {"msl-enable-clip-distance-user-varying", kBool, kMsl},
    {"msl-enable-decoration-binding", kBool, kMsl},
    {"msl-enable-frag-depth-builtin", kBool, kMsl},
    {"msl-enable-frag-output-mask", kUnsigned, kMsl},
    {"msl-enable-frag-stencil-ref-builtin", kBool, kMsl},
    {"msl-enable-point-size-builtin", kBool, kMsl},
    {"msl-enable-point-size-default", kBool, kMsl},
    {"msl-fixed-subgroup-size", kUnsigned, kMsl},
    {"msl-force-active-argument-buffer-resources", kBool, kMsl},
    {"msl-force-fragment-with-side-effects-execution", kBool, kMsl},
    {"msl-force-native-arrays", kBool, kMsl},
    {"msl-force-sample-rate-shading", kBool, kMsl},
    {"msl-framebuffer-fetch-subpass", kBool, kMsl},
    {"msl-indirect-params-buffer-index", kUnsigned, kMsl},
    {"msl-invariant-fp-math", kBool, kMsl},
    {"msl-ios-support-base-vertex-instance", kBool, kMsl},
    {"msl-ios-use-simdgroup-functions", kBool, kMsl},
    {"msl-manual-helper-invocation-updates", kBool, kMsl},
    {"msl-multi-patch-workgroup", kBool, kMsl},
    {"msl-multiview", kBool, kMsl},
    {"msl-multiview-layered-rendering", kBool, kMsl},
    {"msl-pad-fragment-output-components", kBool, kMsl},
    {"msl-r32ui-alignment-constant-id", kUnsigned, kMsl},
    {"msl-r32ui-linear-texture-alignment", kUnsigned, kMsl},
    {"msl-raw-buffer-tese-input", kBool, kMsl},
    {"msl-readwrite-texture-fences", kBool, kMsl},
    {"msl-replace-recursive-inputs", kBool, kMsl},
    {"msl-sample-dref-lod-array-as-grad", kBool, kMsl},
    {"msl-shader-index-buffer-index", kUnsigned, kMsl},
    {"msl-shader-input-buffer-index", kUnsigned, kMsl},
    {"msl-shader-input-workgroup-index", kUnsigned, kMsl},
    {"msl-shader-output-buffer-index", kUnsigned, kMsl},
    {"msl-shader-patch-input-buffer-index", kUnsigned, kMsl},
    {"msl-shader-patch-output-buffer-index", kUnsigned, kMsl},
    {"msl-shader-tess-factor-output-buffer-index", kUnsigned, kMsl},
    {"msl-swizzle-buffer-index", kUnsigned, kMsl},
    {"msl-swizzle-texture-samples", kBool, kMsl},
    {"msl-tess-domain-origin-lower-left", kBool, kMsl},
    {"msl-texel-buffer-texture-width", kUnsigned, kMsl},
    {"msl-texture-1d-as-2d", kBool, kMsl},
    {"msl-texture-buffer-native", kBool, kMsl},
    {"msl-vertex-for-tessellation", kBool, kMsl},
    {"msl-vertex-index-type", kUnsigned, kMsl},
    {"msl-view-index-from-device-index", kBool, kMsl},
    {"msl-view-mask-buffer-index", kUnsigned, kMsl},
};

}  // namespace

std::span<const TargetOption> AllTargetOptions() { return kOptions; }

bool IsProtection(std::string_view name) {
  return std::any_of(std::begin(emit::spirv::kProtections), std::end(emit::spirv::kProtections),
                     [&](const emit::spirv::Protection& each) { return each.name == name; });
}

}  // namespace kiln::build
