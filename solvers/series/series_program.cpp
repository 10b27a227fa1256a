#include "solvers/series/series_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"

namespace mti {

/// Lists what varies, then makes nodes and rows block by block.
class SeriesProgramBuilder {
 public:
  SeriesProgramBuilder(const Model& model, const ModeSystem& system)
      : model_(model), signature_(model.signature), system_(system) {}

  SeriesProgram build() && {
    program_.place_.assign(at(signature_.size()), -1);
    list_known();
    list_blocks();
    for (const SolutionBlock* block : varying_) add_block(*block);
    for (const int constraint : system_.live_constraints) {
      SeriesProgram::Row& row = program_.constraints_.emplace_back();
      for (const RowMap::Term& term : system_.g.terms(constraint)) {
        row.push_back(make_term(system_.g, term));
        for (const RowMap::Factor& factor : varying_factors(system_.g, term))
          program_.watched_.push_back(program_.place_[at(factor.signal)]);
      }
    }
    std::vector<int>& watched = program_.watched_;
    std::sort(watched.begin(), watched.end());
    watched.erase(std::unique(watched.begin(), watched.end()), watched.end());
    for (std::size_t node = 0; node < program_.nodes_.size(); ++node) {
      const int owner = owner_[program_.slots_.size() + node];
      (owner < 0 ? program_.known_nodes_ : program_.blocks_[at(owner)].nodes)
          .push_back(static_cast<int>(program_.slots_.size() + node));
    }
    for (SeriesProgram::Block& block : program_.blocks_) judge(block);
    return std::move(program_);
  }

 private:
  using Slot = SeriesProgram::Slot;

  int add_slot(int row, int block) {
    const int slot = static_cast<int>(program_.slots_.size());
    program_.slots_.push_back({row, block, row < signature_.state_row(0)});
    program_.place_[at(row)] = slot;
    owner_.push_back(block);
    return slot;
  }

  /// States that occur in the mode, and inputs that are no constants.
  void list_known() {
    const std::vector<int>& absent = system_.plan->absent.slopes;
    for (int i = 0; i < signature_.n(); ++i)
      if (!std::binary_search(absent.begin(), absent.end(), signature_.derivative_row(i)))
        add_slot(signature_.state_row(i), -1);
    for (int i = 0; i < signature_.m(); ++i)
      if (!signature_.inputs()[at(i)].binary &&
          !std::holds_alternative<ConstantInput>(model_.inputs[at(i)].form()))
        program_.inputs_.push_back({i, add_slot(signature_.input_row(i), -1)});
  }

  /// A block varies if it gives the slope of a state, or if something else that varies occurs in it.
  void list_blocks() {
    for (const SolutionBlock& block : system_.plan->blocks) {
      bool varies =
          std::ranges::any_of(block.unknowns, [&](int unknown) { return unknown < signature_.state_row(0); });
      for (const int equation : block.equations)
        for (const RowMap::Term& term : system_.f.terms(equation))
          for (const RowMap::Factor& factor : system_.f.factors(term.column))
            varies = varies || program_.place_[at(factor.signal)] >= 0;
      if (!varies) continue;
      const int index = static_cast<int>(varying_.size());
      varying_.push_back(&block);
      SeriesProgram::Block& made = program_.blocks_.emplace_back();
      for (const int unknown : block.unknowns) made.unknowns.push_back(add_slot(unknown, index));
    }
    for (int i = 0; i < signature_.n(); ++i) {
      const int slope = program_.place_[at(signature_.derivative_row(i))],
                value = program_.place_[at(signature_.state_row(i))];
      if (slope >= 0 && value >= 0) program_.states_.push_back({slope, value});
    }
  }

  int add_node(const SeriesProgram::Node& node) {
    const auto [found, is_new] = known_.try_emplace({{node.left, node.right}, {node.a, node.b}}, 0);
    if (is_new) {
      found->second = static_cast<int>(program_.slots_.size() + program_.nodes_.size());
      program_.nodes_.push_back(node);
      const int left = owner_[at(node.left)];
      owner_.push_back(node.right < 0 ? left : std::max(left, owner_[at(node.right)]));
    }
    return found->second;
  }

  int factor_node(const RowMap::Factor& factor) {
    const int place = program_.place_[at(factor.signal)];
    if (factor.S == 1.0) return place;
    return add_node({place, -1, 1.0 - std::abs(factor.S), factor.S});
  }

  /// The varying factors, those of earlier blocks first: so the prefix that is solved for last is short.
  [[nodiscard]] std::vector<RowMap::Factor> varying_factors(const RowMap& f, const RowMap::Term& term) const {
    std::vector<RowMap::Factor> factors;
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (program_.place_[at(factor.signal)] >= 0) factors.push_back(factor);
    std::ranges::stable_sort(factors, {}, [&](const RowMap::Factor& factor) {
      return owner_[at(program_.place_[at(factor.signal)])];
    });
    return factors;
  }

  SeriesProgram::Term make_term(const RowMap& f, const RowMap::Term& term) {
    SeriesProgram::Term made{.Phi = term.Phi, .node = -1, .constant_factors = {}};
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (program_.place_[at(factor.signal)] < 0) made.constant_factors.push_back(factor);
    for (const RowMap::Factor& factor : varying_factors(f, term)) {
      const int node = factor_node(factor);
      made.node = made.node < 0 ? node : add_node({made.node, node});
    }
    return made;
  }

  void add_block(const SolutionBlock& block) {
    const int index = next_block_++;
    std::vector<SeriesProgram::Row> equations;
    std::vector<SeriesProgram::Derivative> derivatives;
    for (std::size_t i = 0; i < block.equations.size(); ++i) {
      SeriesProgram::Row& row = equations.emplace_back();
      for (const RowMap::Term& term : system_.f.terms(block.equations[i])) {
        row.push_back(make_term(system_.f, term));
        const std::vector<RowMap::Factor> factors = varying_factors(system_.f, term);
        for (std::size_t b = 0; b < factors.size(); ++b) {
          const auto unknown = std::ranges::find(block.unknowns, factors[b].signal);
          if (unknown == block.unknowns.end()) continue;
          SeriesProgram::Derivative derivative{static_cast<int>(i),
                                               static_cast<int>(unknown - block.unknowns.begin()),
                                               static_cast<int>(row.size()) - 1,
                                               factors[b].S,
                                               {}};
          for (std::size_t other = 0; other < factors.size(); ++other)
            if (other != b) derivative.nodes.push_back(factor_node(factors[other]));
          derivatives.push_back(std::move(derivative));
        }
      }
    }
    SeriesProgram::Block& made = program_.blocks_[at(index)];
    made.equations = std::move(equations);
    made.derivatives = std::move(derivatives);
  }

  void judge(SeriesProgram::Block& block) const {
    const int own = static_cast<int>(&block - program_.blocks_.data());
    for (const SeriesProgram::Derivative& derivative : block.derivatives)
      for (const int node : derivative.nodes) {
        block.has_constant_jacobian = false;
        block.linear = block.linear && owner_[at(node)] != own;
      }
  }

  const Model& model_;
  const Signature& signature_;
  const ModeSystem& system_;
  SeriesProgram program_;
  std::vector<int> owner_;  ///< block of each place; −1: known beforehand
  std::vector<const SolutionBlock*> varying_;
  std::map<std::pair<std::pair<int, int>, std::pair<double, double>>, int> known_;
  int next_block_ = 0;
};

std::optional<SeriesProgram> SeriesProgram::of(const Model& model, const ModeSystem& system) {
  const bool suits = system.plan->plain() && system.sliding.empty() && !system.extended &&
                     !system.recombination && system.structurally_solvable();
  if (!suits) return std::nullopt;
  return SeriesProgramBuilder(model, system).build();
}

}  // namespace mti
