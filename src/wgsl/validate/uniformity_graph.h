// SPDX-License-Identifier: Apache-2.0
// The graph of the uniformity analysis of one function: nodes are statements about uniformity, an edge is an
// implication. https://www.w3.org/TR/WGSL/#uniformity-function. Two flat arrays, reused from function to function.
#pragma once

#include <cstdint>
#include <vector>

#include "wgsl/syntax/ast.h"

namespace kiln::wgsl::validate {

using NodeId = uint32_t;

class UniformityGraph {
 public:
  /// Where a node comes from, for notes.
  enum class Kind : uint8_t {
    kPlain,
    kCondition,  ///< control flow depends on the value of `where`
    kSource,     ///< the value of `where`, an expression or a parameter, may be non-uniform
  };

  static constexpr NodeId kNone = 0;
  static constexpr NodeId kMayBeNonUniform = 1;
  static constexpr NodeId kStart = 2;  ///< CF_start
  static constexpr NodeId kReturn = 3;

  /// For a function with so many parameters.
  void Reset(uint32_t params) {
    nodes_.clear();
    edges_.clear();
    edges_.push_back({});
    nodes_.resize(4 + size_t{params} * 3);
    params_ = params;
  }
  NodeId Param(uint32_t index) const { return 4 + index * 3; }
  NodeId ParamContents(uint32_t index) const { return 5 + index * 3; }
  NodeId ReturnContents(uint32_t index) const { return 6 + index * 3; }
  NodeId first_interior() const { return 4 + params_ * 3; }

  NodeId Add(Kind kind = Kind::kPlain, const ast::Node* where = nullptr) {
    nodes_.push_back({where, 0, kind});
    return static_cast<NodeId>(nodes_.size() - 1);
  }
  void Connect(NodeId from, NodeId to) {
    edges_.push_back({to, nodes_[from].first_edge});
    nodes_[from].first_edge = static_cast<uint32_t>(edges_.size() - 1);
  }
  void Describe(NodeId node, Kind kind, const ast::Node* where) {
    nodes_[node].kind = kind;
    nodes_[node].where = where;
  }

  size_t size() const { return nodes_.size(); }
  Kind kind(NodeId node) const { return nodes_[node].kind; }
  const ast::Node* where(NodeId node) const { return nodes_[node].where; }

  /// Calls `f(to)` for each edge of a node.
  template <typename F>
  void ForEachEdge(NodeId from, F&& f) const {
    for (uint32_t edge = nodes_[from].first_edge; edge != 0; edge = edges_[edge].next) f(edges_[edge].to);
  }

  /// For each node the next one on a shortest way to kMayBeNonUniform; kNone where there is no way.
  std::vector<NodeId> WaysToNonUniform() const;

 private:
  struct Node {
    const ast::Node* where = nullptr;
    uint32_t first_edge = 0;
    Kind kind = Kind::kPlain;
  };
  struct Edge {
    NodeId to = kNone;
    uint32_t next = 0;
  };
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  uint32_t params_ = 0;
};

}  // namespace kiln::wgsl::validate
