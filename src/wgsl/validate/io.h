// SPDX-License-Identifier: Apache-2.0
// One shader stage input or output, and the rules about it alone: private to wgsl/validate.
// https://www.w3.org/TR/WGSL/#stage-inputs-outputs
#pragma once

#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {

/// A parameter, a return type or a structure member as a datum.
struct IoDatum {
  const core::IoAttributes* io;
  const core::Type* type;
  const ast::Attributes* attributes;
  /// Of the name, or of the return type.
  diag::Range range;
  bool is_member = false;
};

/// The range of an attribute of the datum; that of its name without.
diag::Range RangeOf(const IoDatum& datum, ast::AttributeKind kind);

/// Rules that hold whether or not an entry point uses the datum: types of locations and built-in values, attributes
/// that need one another. False after an error.
bool CheckIoDatum(Context& context, const IoDatum& datum);

/// Rules about the members of one structure: locations, @blend_src. The structure need not be used.
bool CheckIoStruct(Context& context, const ast::Struct* decl, const core::StructType& type);

/// Numeric scalar or vector.
bool IsNumeric(const core::Type* type);
bool IsIntegral(const core::Type* type);

}  // namespace kiln::wgsl::validate
