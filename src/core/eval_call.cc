// SPDX-License-Identifier: Apache-2.0
// Which family evaluates a call.
#include "core/eval_scalar.h"
#include "core/match.h"
#include "core/type_table.h"

namespace kiln::core {

EvalResult EvalCall(TypeTable& types, const CallTarget& target, std::span<const Constant* const> args) {
  if (signature::IsConstructor(target.overload)) return EvalConstructor(types, target, args);
  const OverloadFacts& facts = Facts(target);
  if (!facts.fn || facts.earliest != Phase::kConst) return std::string("this is not known before the shader runs");
  const bool is_float = IsFloatKind(ScalarOf(args[0]->type)->kind);
  switch (*facts.fn) {
    case BuiltinFn::kBitcast:
      return EvalBitcast(types, target, args[0]);
    case BuiltinFn::kSelect:
    case BuiltinFn::kAll:
    case BuiltinFn::kAny:
      return EvalIntegerCall(types, target, args);
    case BuiltinFn::kLength:
    case BuiltinFn::kDistance:
      return args[0]->type->is_scalar() ? EvalFloatCall(types, target, args) : EvalVectorCall(types, target, args);
    case BuiltinFn::kCross:
    case BuiltinFn::kDeterminant:
    case BuiltinFn::kDot:
    case BuiltinFn::kFaceForward:
    case BuiltinFn::kNormalize:
    case BuiltinFn::kReflect:
    case BuiltinFn::kRefract:
    case BuiltinFn::kTranspose:
      return EvalVectorCall(types, target, args);
    case BuiltinFn::kPack4x8snorm:
    case BuiltinFn::kPack4x8unorm:
    case BuiltinFn::kPack4xI8:
    case BuiltinFn::kPack4xU8:
    case BuiltinFn::kPack4xI8Clamp:
    case BuiltinFn::kPack4xU8Clamp:
    case BuiltinFn::kPack2x16snorm:
    case BuiltinFn::kPack2x16unorm:
    case BuiltinFn::kPack2x16float:
    case BuiltinFn::kUnpack4x8snorm:
    case BuiltinFn::kUnpack4x8unorm:
    case BuiltinFn::kUnpack4xI8:
    case BuiltinFn::kUnpack4xU8:
    case BuiltinFn::kUnpack2x16snorm:
    case BuiltinFn::kUnpack2x16unorm:
    case BuiltinFn::kUnpack2x16float:
    case BuiltinFn::kDot4I8Packed:
    case BuiltinFn::kDot4U8Packed:
      return EvalPackCall(types, target, args);
    default:
      return is_float ? EvalFloatCall(types, target, args) : EvalIntegerCall(types, target, args);
  }
}

}  // namespace kiln::core
