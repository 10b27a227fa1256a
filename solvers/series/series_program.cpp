#include "solvers/series/series_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/plan/signal_set.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {

/// Lists what varies, then makes nodes and rows block by block.
class SeriesProgramBuilder {
 public:
  SeriesProgramBuilder(const Model& model, const ModeSystem& system)
      : model_(model), signature_(model.signature), system_(system), in_constraints_(signature_) {
    for (const int constraint : system.live_constraints)
      for (const RowMap::Term& term : system.g.terms(constraint))
        for (const RowMap::Factor& factor : system.g.factors(term.column))
          in_constraints_.insert(factor.signal);
  }

  SeriesProgram build() && {
    program_.place_.assign(at(system_.rows_of_v(signature_)), -1);
    list_known();
    list_blocks();
    for (std::size_t index = 0; index < varying_.size(); ++index) add_block(index);
    program_.constraints_.reserve(system_.live_constraints.size());
    for (const int constraint : system_.live_constraints) {
      row_.clear();
      for (const RowMap::Term& term : system_.g.terms(constraint)) {
        row_.push_back(make_term(system_.g, term, 0));
        for (const RowMap::Factor& factor : factors_)
          program_.watched_.push_back(program_.place_[at(factor.signal)]);
      }
      program_.constraints_.push_back(program_.terms_.keep(row_));
    }
    sort_distinct(program_.watched_);
    hand_out_nodes();
    for (SeriesProgram::Block& block : program_.blocks_) judge(block);
    find_extremes();
    return std::move(program_);
  }

 private:
  using Slot = SeriesProgram::Slot;

  /// Every node to the block after which it is known.
  void hand_out_nodes() {
    std::vector<std::pair<int, int>> by_owner;
    by_owner.reserve(program_.nodes_.size());
    for (std::size_t node = 0; node < program_.nodes_.size(); ++node) {
      const int place = static_cast<int>(program_.slots_.size() + node);
      by_owner.emplace_back(owner_of(place, offset_of(place)), place);
    }
    std::ranges::sort(by_owner);
    std::vector<int> nodes;
    for (std::size_t i = 0; i < by_owner.size();) {
      const int owner = by_owner[i].first;
      nodes.clear();
      for (; i < by_owner.size() && by_owner[i].first == owner; ++i) nodes.push_back(by_owner[i].second);
      if (owner < 0)
        program_.known_nodes_ = nodes;
      else
        program_.blocks_[at(owner)].nodes = program_.indices_.keep(nodes);
    }
  }

  int add_slot(int row, Slot::Kind kind) {
    const int slot = static_cast<int>(program_.slots_.size());
    program_.slots_.push_back({row, -1, kind});
    program_.place_[at(row)] = slot;
    return slot;
  }
  [[nodiscard]] bool is_slot(int place) const { return at(place) < program_.slots_.size(); }
  [[nodiscard]] SeriesProgram::Node& node(int place) {
    return program_.nodes_[at(place) - program_.slots_.size()];
  }
  [[nodiscard]] const SeriesProgram::Node& node(int place) const {
    return program_.nodes_[at(place) - program_.slots_.size()];
  }
  [[nodiscard]] int offset_of(int place) const {
    return is_slot(place) ? program_.slots_[at(place)].offset : node(place).offset;
  }

  /// The block after which order `offset` + k of a place is known at stage k; −1: before all blocks.
  [[nodiscard]] int owner_of(int place, int offset) const {
    if (is_slot(place)) {
      const Slot& slot = program_.slots_[at(place)];
      return slot.offset == offset ? slot.block : -1;
    }
    const SeriesProgram::Node& n = node(place);
    const int left = owner_of(n.left, offset);
    return n.right < 0 ? left : std::max(left, owner_of(n.right, offset));
  }

  /// States whose slopes are unknowns of the mode, and inputs that are no constants.
  void list_known() {
    SignalSet unknown(signature_);
    for (const SolutionBlock& block : system_.plan->blocks)
      for (const int row : block.unknowns) unknown.insert(row);
    for (int i = 0; i < signature_.n(); ++i)
      if (unknown.contains(signature_.derivative_row(i)))
        add_slot(signature_.state_row(i), Slot::Kind::state);
    for (int i = 0; i < signature_.m(); ++i)
      if (!signature_.inputs()[at(i)].binary &&
          !std::holds_alternative<ConstantInput>(model_.inputs[at(i)].form()))
        program_.inputs_.push_back({i, add_slot(signature_.input_row(i), Slot::Kind::input)});
    int row = signature_.size();
    for (const DifferentiatedInput& derivative : input_derivatives(system_))
      program_.inputs_.push_back({derivative.input, add_slot(row++, Slot::Kind::input), derivative.order});
  }

  void list_blocks() {
    const std::vector<char> varies = find_varying_blocks();
    for (std::size_t b = 0; b < varies.size(); ++b)
      if (varies[b] != 0) list_unknowns(system_.plan->blocks[b]);
    for (int i = 0; i < signature_.n(); ++i) {
      const int slope = program_.place_[at(signature_.derivative_row(i))],
                value = program_.place_[at(signature_.state_row(i))];
      if (slope >= 0 && value >= 0 && program_.slots_[at(value)].offset > 0)
        program_.states_.push_back({slope, value});
    }
  }

  /// A block varies if it gives the slope of a state, or if something else that varies occurs in it. That may be a lower
  /// derivative of what a later block gives.
  [[nodiscard]] std::vector<char> find_varying_blocks() const {
    const std::vector<SolutionBlock>& blocks = system_.plan->blocks;
    std::vector<char> varies(blocks.size(), 0), signals(program_.place_.size(), 0);
    for (std::size_t signal = 0; signal < signals.size(); ++signal)
      signals[signal] = program_.place_[signal] >= 0 ? 1 : 0;
    const auto is_new = [&](std::size_t b) {
      if (varies[b] != 0) return false;
      for (const int unknown : blocks[b].unknowns)
        if (unknown < signature_.state_row(0)) return true;
      for (const int equation : blocks[b].equations)
        for (const RowMap::Term& term : system_.f.terms(equation))
          for (const RowMap::Factor& factor : system_.f.factors(term.column))
            if (signals[at(factor.signal)] != 0) return true;
      return false;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (!is_new(b)) continue;
        changed = true;
        varies[b] = 1;
        for (const int unknown : blocks[b].unknowns) signals[at(unknown)] = 1;
      }
    }
    return varies;
  }

  void list_unknowns(const SolutionBlock& block) {
    const int index = static_cast<int>(varying_.size()), n = signature_.n();
    varying_.push_back(&block);
    SeriesProgram::Block& made = program_.blocks_.emplace_back();
    c_.assign(block.equations.size(), 0);
    made.c = program_.indices_.keep(block.differentiated() ? block.c : c_);
    made.largest_c = *std::ranges::max_element(made.c);
    unknowns_.clear();
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      const int unknown = block.unknowns[j], e = block.differentiated() ? block.e[j] : 0;
      const bool slope = unknown < n, state = !slope && unknown < 2 * n;
      const int slot = add_slot(unknown, slope   ? Slot::Kind::slope
                                         : state ? Slot::Kind::state
                                                 : Slot::Kind::other);
      const int partner = slope ? program_.place_[at(unknown + n)]
                          : state && in_constraints_.contains(unknown - n)
                              ? add_slot(unknown - n, Slot::Kind::slope)
                              : -1;
      unknowns_.push_back({slot, partner, e, slope});
      const auto place = [&](int of, int offset) {
        program_.slots_[at(of)].block = index;
        program_.slots_[at(of)].offset = offset;
      };
      place(slot, e);
      if (partner >= 0) place(partner, slope ? e + 1 : e - 1);
    }
    made.unknowns = program_.unknowns_.keep(unknowns_);
  }

  int add_node(const SeriesProgram::Node& wanted) {
    const auto [found, is_new] = known_.try_emplace({{wanted.left, wanted.right}, {wanted.a, wanted.b}}, 0);
    if (is_new) {
      found->second = static_cast<int>(program_.slots_.size() + program_.nodes_.size());
      program_.nodes_.push_back(wanted);
    } else {
      raise(found->second, wanted.offset);
    }
    return found->second;
  }

  /// Order `offset` + k of a node is asked for at stage k, and so are those of its operands. Of an input too.
  void raise(int place, int offset) {
    if (is_slot(place)) {
      Slot& slot = program_.slots_[at(place)];
      if (slot.kind == Slot::Kind::input) slot.offset = std::max(slot.offset, offset);
      return;
    }
    SeriesProgram::Node& n = node(place);
    n.offset = std::max(n.offset, offset);
    if (n.function >= 0)
      for (const int companion : {place + 1, place + 2})
        node(companion).offset = std::max(node(companion).offset, offset);
    raise(n.left, offset);
    if (n.right >= 0) raise(n.right, offset);
  }

  int index_of(const ElementaryFunction& phi) {
    std::vector<ElementaryFunction>& functions = program_.functions_;
    const auto found = std::ranges::find(functions, phi);
    if (found != functions.end()) return static_cast<int>(found - functions.begin());
    functions.push_back(phi);
    return static_cast<int>(functions.size()) - 1;
  }

  /// φ of a place, with its slope and the base of that behind it.
  int function_node(const ElementaryFunction& phi, int argument, int offset) {
    const int function = index_of(phi);
    const auto [found, is_new] = applied_.try_emplace({function, argument}, 0);
    if (is_new) {
      found->second = static_cast<int>(program_.slots_.size() + program_.nodes_.size());
      SeriesProgram::Node made{.left = argument, .offset = offset, .function = function};
      program_.nodes_.push_back(made);
      made.function = SeriesProgram::Node::companion;
      program_.nodes_.push_back(made);
      program_.nodes_.push_back(made);
    }
    return found->second;
  }

  int factor_node(const RowMap::Factor& factor, int offset) {
    const int place = program_.place_[at(factor.signal)];
    if (factor.S == 1.0) return place;
    return add_node({place, -1, 1.0 - std::abs(factor.S), factor.S, offset});
  }

  /// The varying factors, those of earlier blocks first: so the prefix that is solved for last is short.
  void list_varying_factors(const RowMap& f, const RowMap::Term& term, int offset) {
    std::vector<RowMap::Factor>& factors = factors_;
    factors.clear();
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (program_.place_[at(factor.signal)] >= 0) factors.push_back(factor);
    // By insertion, for columns have few factors.
    const auto owner = [&](const RowMap::Factor& factor) {
      return owner_of(program_.place_[at(factor.signal)], offset);
    };
    for (std::size_t i = 1; i < factors.size(); ++i)
      for (std::size_t j = i; j > 0 && owner(factors[j]) < owner(factors[j - 1]); --j)
        std::swap(factors[j], factors[j - 1]);
  }

  /// A term of a row whose order c + k is asked for at stage k. Leaves its varying factors in factors_.
  SeriesProgram::Term make_term(const RowMap& f, const RowMap::Term& term, int c) {
    factors_.clear();
    for (const RowMap::Factor& factor : f.factors(term.column))
      if (program_.place_[at(factor.signal)] < 0) factors_.push_back(factor);
    SeriesProgram::Term made{.Phi = term.Phi, .constant_factors = program_.constant_factors_.keep(factors_)};
    list_varying_factors(f, term, c);
    const std::vector<RowMap::Factor>& factors = factors_;
    // The slope of an algebraic state comes one stage later.
    int offset = c;
    for (const RowMap::Factor& factor : factors)
      offset =
          std::min(offset, program_.slots_[at(program_.place_[at(factor.signal)])].kind == Slot::Kind::input
                               ? offset
                               : offset_of(program_.place_[at(factor.signal)]));
    if (const ElementaryFunction* const phi = f.function_of(term.column)) {
      if (factors.empty()) {
        made.constant_function = index_of(*phi);
      } else {
        made.node = function_node(*phi, program_.place_[at(factors[0].signal)], offset);
        raise(made.node, offset);
      }
      return made;
    }
    for (const RowMap::Factor& factor : factors) {
      const int node = factor_node(factor, offset);
      raise(node, offset);
      made.node = made.node < 0 ? node : add_node({made.node, node, 0.0, 1.0, offset});
    }
    return made;
  }

  void add_block(std::size_t index) {
    const SolutionBlock& block = *varying_[index];
    const SystemJacobian matrix(block, signature_.n());
    equations_.clear();
    derivatives_.clear();
    for (std::size_t i = 0; i < block.equations.size(); ++i) {
      const int c = program_.blocks_[index].c[i];
      row_.clear();
      for (const RowMap::Term& term : system_.f.terms(block.equations[i])) {
        row_.push_back(make_term(system_.f, term, c));
        const std::vector<RowMap::Factor>& factors = factors_;
        for (std::size_t b = 0; b < factors.size(); ++b) {
          const int unknown = matrix.column(i, factors[b].signal);
          if (unknown < 0) continue;
          nodes_.clear();
          if (system_.f.function_of(term.column) != nullptr) nodes_.push_back(row_.back().node + 1);
          for (std::size_t other = 0; other < factors.size(); ++other)
            if (other != b) nodes_.push_back(factor_node(factors[other], c));
          derivatives_.push_back({static_cast<int>(i), unknown, static_cast<int>(row_.size()) - 1,
                                  factors[b].S, program_.indices_.keep(nodes_)});
        }
      }
      equations_.push_back(program_.terms_.keep(row_));
    }
    for (const int equation : block.equations) mark_functions(equation, program_.blocks_[index]);
    program_.blocks_[index].equations = program_.rows_.keep(equations_);
    program_.blocks_[index].derivatives = program_.derivatives_.keep(derivatives_);
  }

  /// Of a function row r − φ(a) in the block.
  void mark_functions(int equation, const SeriesProgram::Block& block) {
    using Kind = ElementaryFunction::Kind;
    for (const RowMap::Term& term : system_.f.terms(equation)) {
      const ElementaryFunction* const phi = system_.f.function_of(term.column);
      if (phi == nullptr) continue;
      for (const SeriesProgram::Unknown& unknown : block.unknowns)
        program_.slots_[at(unknown.slot)].of_function = true;
      const bool root =
          phi->kind == Kind::sqrt || (phi->kind == Kind::power && phi->exponent != std::floor(phi->exponent));
      for (const RowMap::Term& other : system_.f.terms(equation)) {
        const auto factors = system_.f.factors(other.column);
        if (!root || !system_.f.is_affine(other.column) || factors.empty()) continue;
        const int place = program_.place_[at(factors[0].signal)];
        if (place >= 0) program_.slots_[at(place)].is_root = true;
      }
    }
  }

  void judge(SeriesProgram::Block& block) {
    const int own = static_cast<int>(&block - program_.blocks_.data());
    for (const SeriesProgram::Derivative& derivative : block.derivatives)
      for (const int node : derivative.nodes) {
        block.has_constant_jacobian = false;
        block.linear = block.linear && owner_of(node, 0) != own;
      }
    if (block.largest_c == 0) return;
    std::vector<int> nodes;
    for (const SeriesProgram::Row& equation : block.equations)
      for (const SeriesProgram::Term& term : equation) list_operands(term.node, nodes);
    for (const SeriesProgram::Derivative& derivative : block.derivatives)
      for (const int node : derivative.nodes) list_operands(node, nodes);
    sort_distinct(nodes);
    block.equation_nodes = program_.indices_.keep(nodes);
  }

  void list_operands(int place, std::vector<int>& nodes) const {
    if (place < 0 || is_slot(place)) return;
    nodes.push_back(place);
    list_operands(node(place).left, nodes);
    list_operands(node(place).right, nodes);
  }

  void find_extremes() {
    for (const SeriesProgram::Block& block : program_.blocks_)
      program_.largest_c_ = std::max(program_.largest_c_, block.largest_c);
    for (std::size_t slot = 0; slot < program_.slots_.size(); ++slot) {
      const Slot& s = program_.slots_[slot];
      program_.largest_offset_ = std::max(program_.largest_offset_, s.offset);
      program_.smallest_offset_ = std::min(program_.smallest_offset_, s.offset);
      program_.most_given_orders_ = std::max(program_.most_given_orders_, program_.given_orders(slot));
    }
  }

  const Model& model_;
  const Signature& signature_;
  const ModeSystem& system_;
  SignalSet in_constraints_;
  SeriesProgram program_;
  std::vector<const SolutionBlock*> varying_;
  std::vector<RowMap::Factor> factors_;   ///< of the term that was made last
  std::vector<SeriesProgram::Term> row_;  ///< lists at work, until they are kept
  std::vector<SeriesProgram::Row> equations_;
  std::vector<SeriesProgram::Derivative> derivatives_;
  std::vector<SeriesProgram::Unknown> unknowns_;
  std::vector<int> nodes_, c_;
  std::map<std::pair<std::pair<int, int>, std::pair<double, double>>, int> known_;
  std::map<std::pair<int, int>, int> applied_;  ///< by function and argument
};

std::shared_ptr<const SeriesProgram> SeriesProgram::of(const Model& model, const ModeSystem& system) {
  if (system.held || !system.structurally_solvable()) return nullptr;
  return std::make_shared<const SeriesProgram>(SeriesProgramBuilder(model, system).build());
}

}  // namespace mti
