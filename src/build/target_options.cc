// SPDX-License-Identifier: Apache-2.0
#include "build/target_options.h"

namespace kiln::build {
namespace {

constexpr uint32_t kMsl = BitOf(TargetKind::kMsl);
constexpr uint32_t kHlsl = BitOf(TargetKind::kHlsl);
constexpr uint32_t kGlslEssl = BitOf(TargetKind::kGlsl) | BitOf(TargetKind::kEssl);
constexpr uint32_t kAnyText = kMsl | kHlsl | kGlslEssl;
using enum OptionKind;

constexpr TargetOption kOptions[] = {
    {"emit-line-directives", kBool, kAnyText},
    {"enable-storage-image-qualifier-deduction", kBool, kAnyText},
    {"fixup-depth-convention", kBool, kAnyText},
    {"flatten-multidimensional-arrays", kBool, kAnyText},
    {"flip-vertex-y", kBool, kAnyText},
    {"force-temporary", kBool, kAnyText},
    {"force-zero-initialized-variables", kBool, kAnyText},
    {"relax-nan-checks", kBool, kAnyText},
    {"emit-push-constant-as-uniform-buffer", kBool, kGlslEssl},
    {"emit-uniform-buffer-as-plain-uniforms", kBool, kGlslEssl},
    {"enable-420pack-extension", kBool, kGlslEssl},
    {"enable-row-major-load-workaround", kBool, kGlslEssl},
    {"es-default-float-precision-highp", kBool, kGlslEssl},
    {"es-default-int-precision-highp", kBool, kGlslEssl},
    {"force-flattened-io-blocks", kBool, kGlslEssl},
    {"ovr-multiview-view-count", kUnsigned, kGlslEssl},
    {"separate-shader-objects", kBool, kGlslEssl},
    {"support-nonzero-base-instance", kBool, kGlslEssl},
    {"vulkan-semantics", kBool, kGlslEssl},
    {"enable-16bit-types", kBool, kHlsl},
    {"flatten-matrix-vertex-input-semantics", kBool, kHlsl},
    {"force-storage-buffer-as-uav", kBool, kHlsl},
    {"nonwritable-uav-texture-as-srv", kBool, kHlsl},
    {"point-coord-compat", kBool, kHlsl},
    {"point-size-compat", kBool, kHlsl},
    {"support-nonzero-base-vertex-base-instance", kBool, kHlsl},
    {"argument-buffers", kBool, kMsl},
    {"argument-buffers-tier", kUnsigned, kMsl},
    {"arrayed-subpass-input", kBool, kMsl},
    {"buffer-size-buffer-index", kUnsigned, kMsl},
    {"capture-output-to-buffer", kBool, kMsl},
    {"check-discarded-frag-stores", kBool, kMsl},
    {"device-index", kUnsigned, kMsl},
    {"disable-rasterization", kBool, kMsl},
    {"dispatch-base", kBool, kMsl},
    {"dynamic-offsets-buffer-index", kUnsigned, kMsl},
    {"emulate-cubemap-array", kBool, kMsl},
    {"emulate-subgroups", kBool, kMsl},
    {"enable-base-index-zero", kBool, kMsl},
    {"enable-clip-distance-user-varying", kBool, kMsl},
    {"enable-decoration-binding", kBool, kMsl},
    {"enable-frag-depth-builtin", kBool, kMsl},
    {"enable-frag-output-mask", kUnsigned, kMsl},
    {"enable-frag-stencil-ref-builtin", kBool, kMsl},
    {"enable-point-size-builtin", kBool, kMsl},
    {"fixed-subgroup-size", kUnsigned, kMsl},
    {"force-active-argument-buffer-resources", kBool, kMsl},
    {"force-native-arrays", kBool, kMsl},
    {"force-sample-rate-shading", kBool, kMsl},
    {"framebuffer-fetch-subpass", kBool, kMsl},
    {"indirect-params-buffer-index", kUnsigned, kMsl},
    {"invariant-fp-math", kBool, kMsl},
    {"ios-support-base-vertex-instance", kBool, kMsl},
    {"ios-use-simdgroup-functions", kBool, kMsl},
    {"manual-helper-invocation-updates", kBool, kMsl},
    {"multi-patch-workgroup", kBool, kMsl},
    {"multiview", kBool, kMsl},
    {"multiview-layered-rendering", kBool, kMsl},
    {"pad-fragment-output-components", kBool, kMsl},
    {"r32ui-alignment-constant-id", kUnsigned, kMsl},
    {"r32ui-linear-texture-alignment", kUnsigned, kMsl},
    {"raw-buffer-tese-input", kBool, kMsl},
    {"shader-index-buffer-index", kUnsigned, kMsl},
    {"shader-input-buffer-index", kUnsigned, kMsl},
    {"shader-input-workgroup-index", kUnsigned, kMsl},
    {"shader-output-buffer-index", kUnsigned, kMsl},
    {"shader-patch-input-buffer-index", kUnsigned, kMsl},
    {"shader-patch-output-buffer-index", kUnsigned, kMsl},
    {"shader-tess-factor-output-buffer-index", kUnsigned, kMsl},
    {"swizzle-buffer-index", kUnsigned, kMsl},
    {"swizzle-texture-samples", kBool, kMsl},
    {"tess-domain-origin-lower-left", kBool, kMsl},
    {"texel-buffer-texture-width", kUnsigned, kMsl},
    {"texture-1d-as-2d", kBool, kMsl},
    {"texture-buffer-native", kBool, kMsl},
    {"vertex-for-tessellation", kBool, kMsl},
    {"vertex-index-type", kUnsigned, kMsl},
    {"view-index-from-device-index", kBool, kMsl},
    {"view-mask-buffer-index", kUnsigned, kMsl},
};

}  // namespace

std::span<const TargetOption> AllTargetOptions() { return kOptions; }

}  // namespace kiln::build
