// SPDX-License-Identifier: Apache-2.0
// The node for the value of each function-scope variable at the point that a walk over a function has reached
// (https://www.w3.org/TR/WGSL/#func-var-value-analysis). Branches are undone by a log and joined; a loop or switch gets
// a node for a variable only when the variable is first touched in it, and an exit from it looks at what changed since
// the last exit only. So the work is linear in the size of the function times the depth of its nesting.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "wgsl/validate/uniformity_graph.h"

namespace kiln::wgsl::validate {

class UniformityValues {
 public:
  explicit UniformityValues(UniformityGraph& graph) : graph_(graph) {}

  /// For a function with variables in slots below `slots`.
  void Reset(uint32_t slots);
  /// A variable comes into scope.
  void Declare(uint32_t slot, NodeId value);
  NodeId Read(uint32_t slot);
  void Write(uint32_t slot, NodeId value);
  /// Changes with each Write.
  size_t pending_writes() const { return undo_.size(); }

  /// Branches of an if: Begin; for each branch run it, then EndBranch; Join. Branches nest.
  struct Branches {
    size_t undo_mark = 0;
    size_t changes_mark = 0;
    uint32_t merging = 0;  // branches that go on to what follows
  };
  Branches BeginBranches();
  /// `merges`: whether control goes on from the end of the branch to what follows.
  void EndBranch(Branches& branches, bool merges);
  void Join(const Branches& branches);

  /// What `break` and `continue` lead out of. Targets nest.
  void BeginLoop(bool has_continuing) { Begin(true, has_continuing); }
  void BeginSwitch() { Begin(false, false); }
  /// The state here goes to what follows the innermost target.
  void Break() { Exit(targets_.size() - 1, &Record::after, &Target::breaks); }
  /// The state here goes to the continuing block of the innermost loop.
  void Continue();
  /// One clause of a switch has been walked: the next begins with the state before the switch.
  void EndClause() { Restore(targets_.back().undo_mark); }
  /// The state becomes that of the beginning of the continuing block.
  void BeginContinuing();
  /// The state here goes to the beginning of the next iteration.
  void Iterate();
  void EndTarget();

 private:
  /// A variable touched in a target.
  struct Record {
    uint32_t slot = 0;
    uint32_t target = 0;
    uint32_t outer = 0;       // the record of the same variable for an outer target; 0 without
    NodeId before = 0;        // its value before the target
    NodeId base = 0;          // at the beginning of an iteration; of a switch `before`
    NodeId after = 0;         // what breaks bring; kNone: nothing changed
    NodeId next = 0;          // what continues bring
    bool is_changed = false;  // something comes back to base
    bool is_local = false;    // declared in the body: only the continuing block sees it after an exit
  };
  struct Exits {
    size_t log_mark = 0;
    uint32_t count = 0;
  };
  struct Target {
    bool is_loop = false;
    bool has_continuing = false;
    size_t undo_mark = 0;
    Exits breaks;
    Exits continues;
    std::vector<uint32_t> records;
  };

  void Begin(bool is_loop, bool has_continuing);
  void Touch(uint32_t slot);
  void Exit(size_t target, NodeId Record::*node, Exits Target::*exits);
  void Restore(size_t undo_mark);
  void NoteChange(uint32_t slot) {
    if (!targets_.empty()) log_.push_back(slot);
  }

  UniformityGraph& graph_;
  std::vector<NodeId> current_;
  std::vector<uint32_t> declared_in_;  // how many targets were open at the declaration
  std::vector<uint32_t> record_of_;    // the innermost record; 0 without
  std::vector<Record> records_;
  std::vector<Target> targets_;
  std::vector<uint32_t> log_;                         // slots in the order of changes, while a target is open
  std::vector<std::pair<uint32_t, NodeId>> undo_;     // slot, value before
  std::vector<std::pair<uint32_t, NodeId>> changes_;  // of ended branches: slot, value at the end
  std::vector<uint32_t> stamp_;
  uint32_t next_stamp_ = 0;
  std::vector<NodeId> joined_;
  std::vector<uint32_t> join_count_;
};

}  // namespace kiln::wgsl::validate
