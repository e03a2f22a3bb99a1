// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/uniformity_values.h"

#include "base/check.h"

namespace kiln::wgsl::validate {

std::vector<NodeId> UniformityGraph::WaysToNonUniform() const {
  // Edges the other way round, as one array sorted by their end.
  std::vector<uint32_t> first(nodes_.size() + 1);
  for (NodeId from = 1; from < nodes_.size(); ++from) {
    ForEachEdge(from, [&](NodeId to) { ++first[to]; });
  }
  uint32_t sum = 0;
  for (uint32_t& f : first) {
    sum += f;
    f = sum;
  }
  std::vector<NodeId> sources(sum);
  for (NodeId from = static_cast<NodeId>(nodes_.size()) - 1; from > 0; --from) {
    ForEachEdge(from, [&](NodeId to) { sources[--first[to]] = from; });
  }
  std::vector<NodeId> way(nodes_.size(), kNone);
  std::vector<NodeId> queue = {kMayBeNonUniform};
  way[kMayBeNonUniform] = kMayBeNonUniform;
  for (size_t at = 0; at < queue.size(); ++at) {
    const NodeId to = queue[at];
    for (uint32_t i = first[to]; i < first[to + 1]; ++i) {
      const NodeId from = sources[i];
      if (way[from] != kNone) continue;
      way[from] = to;
      queue.push_back(from);
    }
  }
  return way;
}

void UniformityValues::Reset(uint32_t slots) {
  current_.assign(slots, 0);
  declared_in_.assign(slots, 0);
  record_of_.assign(slots, 0);
  stamp_.assign(slots, 0);
  joined_.assign(slots, 0);
  join_count_.assign(slots, 0);
  next_stamp_ = 0;
  records_.assign(1, {});
  targets_.clear();
  log_.clear();
  undo_.clear();
  changes_.clear();
}

void UniformityValues::Declare(uint32_t slot, NodeId value) {
  current_[slot] = value;
  declared_in_[slot] = static_cast<uint32_t>(targets_.size());
  record_of_[slot] = 0;
  if (targets_.empty() || !targets_.back().has_continuing) return;
  --declared_in_[slot];
  const auto index = static_cast<uint32_t>(records_.size());
  records_.push_back({slot, declared_in_[slot], 0, value, value, 0, 0, false, true});
  record_of_[slot] = index;
  targets_.back().records.push_back(index);
}

NodeId UniformityValues::Read(uint32_t slot) {
  Touch(slot);
  return current_[slot];
}

void UniformityValues::Write(uint32_t slot, NodeId value) {
  Touch(slot);
  undo_.emplace_back(slot, current_[slot]);
  current_[slot] = value;
  NoteChange(slot);
}

/// Makes the records of the variable for all open targets inside its scope.
void UniformityValues::Touch(uint32_t slot) {
  const uint32_t innermost = record_of_[slot];
  uint32_t target = innermost != 0 ? records_[innermost].target + 1 : declared_in_[slot];
  for (; target < targets_.size(); ++target) {
    Record record{slot, target, record_of_[slot], current_[slot], current_[slot], 0, 0, false, false};
    if (targets_[target].is_loop) {
      record.base = graph_.Add();
      graph_.Connect(record.base, record.before);
      current_[slot] = record.base;
    }
    const auto index = static_cast<uint32_t>(records_.size());
    records_.push_back(record);
    record_of_[slot] = index;
    targets_[target].records.push_back(index);
  }
}

void UniformityValues::Restore(size_t undo_mark) {
  while (undo_.size() > undo_mark) {
    const auto [slot, value] = undo_.back();
    undo_.pop_back();
    current_[slot] = value;
    NoteChange(slot);
  }
}

// -------------------------------------------------------------------------------------------------------- branches

UniformityValues::Branches UniformityValues::BeginBranches() { return {undo_.size(), changes_.size(), 0}; }

void UniformityValues::EndBranch(Branches& branches, bool merges) {
  if (merges) {
    ++branches.merging;
    const uint32_t stamp = ++next_stamp_;
    for (size_t i = branches.undo_mark; i < undo_.size(); ++i) {
      const uint32_t slot = undo_[i].first;
      if (stamp_[slot] == stamp) continue;
      stamp_[slot] = stamp;
      changes_.emplace_back(slot, current_[slot]);
    }
  }
  Restore(branches.undo_mark);
}

void UniformityValues::Join(const Branches& branches) {
  const size_t begin = branches.changes_mark;
  for (size_t i = begin; i < changes_.size(); ++i) ++join_count_[changes_[i].first];
  for (size_t i = begin; i < changes_.size(); ++i) {
    const auto [slot, value] = changes_[i];
    if (joined_[slot] == 0) {
      joined_[slot] = branches.merging == 1 ? value : graph_.Add();
      if (branches.merging > 1 && join_count_[slot] < branches.merging) graph_.Connect(joined_[slot], current_[slot]);
    }
    if (branches.merging > 1) graph_.Connect(joined_[slot], value);
  }
  for (size_t i = begin; i < changes_.size(); ++i) {
    const uint32_t slot = changes_[i].first;
    join_count_[slot] = 0;
    if (joined_[slot] == 0) continue;
    Write(slot, joined_[slot]);
    joined_[slot] = 0;
  }
  changes_.resize(begin);
}

// --------------------------------------------------------------------------------------------------------- targets

void UniformityValues::Begin(bool is_loop, bool has_continuing) {
  Target target;
  target.is_loop = is_loop;
  target.has_continuing = has_continuing;
  target.undo_mark = undo_.size();
  target.breaks.log_mark = log_.size();
  target.continues.log_mark = log_.size();
  targets_.push_back(std::move(target));
}

void UniformityValues::Exit(size_t target_index, NodeId Record::*node, Exits Target::*exits) {
  Target& target = targets_[target_index];
  Exits& state = target.*exits;
  for (size_t i = state.log_mark; i < log_.size(); ++i) {
    const uint32_t slot = log_[i];
    if (declared_in_[slot] > target_index) continue;  // out of scope where the exit leads
    uint32_t index = record_of_[slot];
    while (index != 0 && records_[index].target != target_index) index = records_[index].outer;
    if (index == 0) continue;  // of a variable that is out of scope
    Record& record = records_[index];
    if (record.is_local && node == &Record::after) continue;
    if (record.*node == 0) {
      record.*node = graph_.Add();
      // Exits before this one left it as it was.
      if (state.count > 0) graph_.Connect(record.*node, record.base);
    }
    graph_.Connect(record.*node, current_[slot]);
  }
  state.log_mark = log_.size();
  ++state.count;
}

void UniformityValues::Continue() {
  size_t target = targets_.size() - 1;
  while (!targets_[target].is_loop) --target;
  Exit(target, &Record::next, &Target::continues);
}

void UniformityValues::BeginContinuing() {
  const size_t target = targets_.size() - 1;
  Restore(targets_[target].undo_mark);
  const size_t count = targets_[target].records.size();
  for (size_t i = 0; i < count; ++i) {
    const Record record = records_[targets_[target].records[i]];
    if (record.next != 0) Write(record.slot, record.next);
  }
}

void UniformityValues::Iterate() {
  for (const uint32_t index : targets_.back().records) {
    Record& record = records_[index];
    if (record.is_local || current_[record.slot] == record.base) continue;
    graph_.Connect(record.base, current_[record.slot]);
    record.is_changed = true;
  }
}

void UniformityValues::EndTarget() {
  Restore(targets_.back().undo_mark);
  const Target target = std::move(targets_.back());
  targets_.pop_back();
  for (const uint32_t index : target.records) {
    const Record& record = records_[index];
    current_[record.slot] = record.before;
    record_of_[record.slot] = record.outer;
  }
  if (targets_.empty()) log_.clear();
  for (const uint32_t index : target.records) {
    const Record record = records_[index];
    if (record.is_local) continue;
    if (record.after != 0) {
      Write(record.slot, record.after);
    } else if (record.is_changed) {
      Write(record.slot, record.base);  // all breaks are before the changes
    }
  }
}

}  // namespace kiln::wgsl::validate
