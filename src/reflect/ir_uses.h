// SPDX-License-Identifier: Apache-2.0
// What each function of a module reaches: module-scope variables, overrides, and textures that are sampled with
// samplers, through calls and through handles that are passed as arguments.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "ir/module.h"

namespace kiln::reflect {

class IrUses {
 public:
  struct Function {
    std::set<const ir::Var*> vars;
    std::set<const ir::Override*> overrides;
    /// A texture and the sampler it is sampled with: variables of the module, or parameters of the function.
    std::set<std::pair<const ir::Decl*, const ir::Decl*>> pairs;
  };

  explicit IrUses(const ir::Module& module);
  const Function& Of(const ir::Function& function) const { return functions_[function.id]; }

 private:
  void Visit(ir::Function& function);
  void Note(Function& uses, ir::Expr& root);
  /// Where a texture or sampler comes from: a variable, a parameter, or null.
  const ir::Decl* HandleOf(const ir::Expr& expr) const;

  const ir::Module& module_;
  std::vector<Function> functions_;             // by id
  std::vector<const ir::Decl*> handle_of_let_;  // by id
};

}  // namespace kiln::reflect
