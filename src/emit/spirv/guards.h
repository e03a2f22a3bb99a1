// SPDX-License-Identifier: Apache-2.0
// Code that runs only under a condition of ours (a protection): the bodies of Emitter::If and Emitter::Guarded.
#pragma once

#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

/// Emits `if (condition) { f() }`. With a type, the result is f's value where the condition holds, else zero.
template <typename F>
Id Emitter::If(Id condition, Id type, F f) {
  const Id before = label_;
  const Id then_label = NewId();
  const Id merge = NewId();
  const Id zero = type == 0 ? 0 : Null(type);
  body_.Op(spv::Op::kSelectionMerge, merge, 0u);
  BranchIf(condition, then_label, merge);
  Label(then_label);
  const Id value = f();
  const Id after = label_;
  Branch(merge);
  Label(merge);
  return type == 0 ? 0 : Op(spv::Op::kPhi, type, value, after, zero, before);
}

template <typename F>
Id Emitter::Guarded(Id type, F f) {
  if (!is_guarded_) return f();
  const Id discarded = Op(spv::Op::kLoad, BoolId(), discard_flag_);
  return If(Op(spv::Op::kLogicalNot, BoolId(), discarded), type, f);
}

template <typename F>
void Emitter::Repeat(Id first, Id count, Id stride, F f) {
  const Id before = label_, header = NewId(), body = NewId(), continuing = NewId(), merge = NewId();
  const Id at = NewId(), next = NewId();
  Branch(header);
  Label(header);
  body_.Op(spv::Op::kPhi, U32Id(), at, first, before, next, continuing);
  const Id inside = Op(spv::Op::kULessThan, BoolId(), at, count);
  body_.Op(spv::Op::kLoopMerge, merge, continuing, 0u);
  BranchIf(inside, body, merge);
  Label(body);
  f(at);
  Branch(continuing);
  Label(continuing);
  body_.Op(spv::Op::kIAdd, U32Id(), next, at, stride);
  Branch(header);
  Label(merge);
}

}  // namespace kiln::emit::spirv
