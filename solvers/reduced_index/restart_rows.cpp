#include "solvers/reduced_index/restart_rows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "mti/common/fault.hpp"
#include "mti/common/signs.hpp"

namespace mti {
namespace {

/// Sets of modes with restarts of their own that are written out.
constexpr std::size_t most_restarts = 64;

std::string pointer_of(int equation) { return "/equations/" + std::to_string(equation); }

/// The offsets that hold in all of a set of modes.
class OffsetsOf {
 public:
  OffsetsOf(const Replicates& replicates, ModeSet where)
      : replicates_(replicates), where_(std::move(where)) {}

  [[nodiscard]] int d(int signal) const {
    int order = 0;
    while (order < replicates_.most(signal) &&
           !(where_ & replicates_.lower({.signal = signal, .order = order})).empty())
      ++order;
    return order;
  }
  [[nodiscard]] int c(int equation) const {
    int order = 0;
    while (order < replicates_.most_differentiated(equation) &&
           !(where_ & replicates_.binds(equation, order)).empty())
      ++order;
    return order;
  }

 private:
  const Replicates& replicates_;
  ModeSet where_;
};

class RestartWriter {
 public:
  explicit RestartWriter(Replicates& replicates) : replicates_(replicates) {}

  std::vector<RestartRows> write() {
    for (int i = 0; i < replicates_.equations(); ++i)
      if (is_new_somewhere(i)) grow(i);
    return std::move(result_);
  }

 private:
  /// A row that binds in some modes and not, or otherwise, in others. One without binaries holds in all modes alike.
  [[nodiscard]] bool is_new_somewhere(int equation) {
    const ModeSet binds = replicates_.binds(equation, 0);
    if (binds.empty()) return false;
    return binds != replicates_.modes()
               ? replicates_.holds_binaries(replicates_.residual(equation, 0, replicates_.modes()))
               : replicates_.holds_binaries(replicates_.residual(equation, 0, binds));
  }

  /// Splits the modes in which the row binds by everything that the equations coupled with it depend on.
  void grow(int equation) {
    std::vector<ModeSet> open{replicates_.binds(equation, 0)};
    while (!open.empty()) {
      const ModeSet where = open.back();
      open.pop_back();
      if (where.empty() || is_known(equation, where)) continue;
      std::set<int> rows, signals;
      if (const std::optional<ModeSet> part = couple(equation, where, rows, signals)) {
        open.push_back(where & *part);
        open.push_back(where - *part);
        continue;
      }
      if (result_.size() == most_restarts)
        throw InvalidModel("modelica-unwritable", pointer_of(equation),
                           "states are bound anew at more than " + std::to_string(most_restarts) +
                               " changes of modes (most_restarts), each of which has equations of its own");
      write_one(where, rows, signals);
    }
  }

  [[nodiscard]] bool is_known(int equation, const ModeSet& where) const {
    return std::ranges::any_of(known_, [&](const auto& one) {
      return one.first.contains(equation) && (where - one.second).empty();
    });
  }

  /// Collects rows and signals coupled with a row: those that share a w. A set that splits `where` if they are not the same
  /// in all of it.
  std::optional<ModeSet> couple(int equation, const ModeSet& where, std::set<int>& rows,
                                std::set<int>& signals) {
    std::vector<int> open{equation};
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      if (std::optional<ModeSet> part = splitting(i, where)) return part;
      const std::set<int> shares = signals_of(i, where);
      const bool is_coupled =
          i == equation || std::ranges::any_of(shares, [&](int j) { return signals.contains(j); });
      if (!is_coupled || !rows.insert(i).second) continue;
      for (const int j : shares)
        if (signals.insert(j).second)
          for (const int other : rows_of(j)) open.push_back(other);
    }
    return std::nullopt;
  }

  /// A set of modes that the row, or an offset of a signal in it, tells apart.
  [[nodiscard]] std::optional<ModeSet> splitting(int equation, const ModeSet& where) {
    const auto splits = [&](const ModeSet& set) { return !(where & set).empty() && !(where - set).empty(); };
    for (int k = 0; k < replicates_.most_differentiated(equation); ++k)
      if (splits(replicates_.binds(equation, k))) return replicates_.binds(equation, k);
    if (splits(replicates_.vanishes(equation))) return replicates_.vanishes(equation);
    const std::string text = leading_text(equation, where);
    for (const int variable : replicates_.variables_in(text))
      if (splits(ModeSet::where(variable))) return ModeSet::where(variable);
    for (const std::string& name : names_in(text)) {
      const std::optional<Replicate> replicate = replicates_.find(name);
      for (int k = 0; replicate && k < replicates_.most(replicate->signal); ++k)
        if (const ModeSet lower = replicates_.lower({.signal = replicate->signal, .order = k}); splits(lower))
          return lower;
    }
    return std::nullopt;
  }

  /// The signals whose w a row holds.
  [[nodiscard]] std::set<int> signals_of(int equation, const ModeSet& where) {
    std::set<int> signals;
    if (!(where & replicates_.vanishes(equation)).empty()) return signals;
    const OffsetsOf offsets(replicates_, where);
    const int below = offsets.c(equation) > 0 ? 1 : 0;
    for (const std::string& name : names_in(leading_text(equation, where)))
      if (const std::optional<Replicate> replicate = replicates_.find(name))
        if (replicate->order == offsets.d(replicate->signal) - below) signals.insert(replicate->signal);
    return signals;
  }

  /// f_i for c_i = 0, f_i^(c_i − 1) otherwise.
  [[nodiscard]] std::string leading_text(int equation, const ModeSet& where) {
    const int c = OffsetsOf(replicates_, where).c(equation);
    return replicates_.residual(equation, c > 0 ? c - 1 : 0, where);
  }

  /// The equations in which a signal stands in any mode.
  [[nodiscard]] const std::vector<int>& rows_of(int signal) {
    if (rows_of_.empty()) {
      rows_of_.resize(at(replicates_.signals()));
      for (int i = 0; i < replicates_.equations(); ++i) {
        if (replicates_.is_rule(i)) continue;
        std::set<int> signals;
        for (const std::string& name : names_in(replicates_.residual(i, 0, replicates_.modes())))
          if (const auto replicate = replicates_.find(name)) signals.insert(replicate->signal);
        for (const int j : signals) rows_of_[at(j)].push_back(i);
      }
    }
    return rows_of_[at(signal)];
  }

  /// A constraint that is the boundary at which the mode is left before: it holds there.
  [[nodiscard]] bool is_boundary(int equation, const ModeSet& where) {
    if (OffsetsOf(replicates_, where).c(equation) != 1) return false;
    const text::SignedTerms bound = text::difference_terms(replicates_.residual(equation, 0, where), "0");
    const ModeSet before = replicates_.modes() - replicates_.binds(equation, 0);
    return std::ranges::any_of(replicates_.source().constraints, [&](const RelationSource& constraint) {
      return std::ranges::any_of(std::array{where, before}, [&](const ModeSet& side) {
        if (side.empty()) return false;
        const text::SignedTerms terms = text::difference_terms(
            rewritten_residual(constraint.text, replicates_.in_replicates(side)).text, "0");
        return terms == bound || terms == text::negated(bound);
      });
    });
  }

  void write_one(const ModeSet& where, const std::set<int>& rows, const std::set<int>& signals) {
    const OffsetsOf offsets(replicates_, where);
    const bool is_quiet = std::ranges::all_of(
        rows, [&](int i) { return offsets.c(i) == 0 || !is_new_somewhere(i) || is_boundary(i, where); });
    known_.emplace_back(rows, where);
    result_.push_back(is_quiet ? quiet(where, signals) : balance(where, rows, signals));
  }

  /// What does not change where the mode begins.
  [[nodiscard]] RestartRows quiet(const ModeSet& where, const std::set<int>& signals) const {
    const OffsetsOf offsets(replicates_, where);
    RestartRows result{.where = where};
    for (const int j : signals)
      if (const int d = offsets.d(j); d > 0)
        result.after.push_back({.replicate = {.signal = j, .order = d - 1}});
    return result;
  }

  [[nodiscard]] RestartRows balance(const ModeSet& where, const std::set<int>& rows,
                                    const std::set<int>& signals) {
    if (rows.size() != signals.size())
      refuse(*rows.begin(), where,
             "its balance has " + std::to_string(rows.size()) + " equations for " +
                 std::to_string(signals.size()) + " signals");
    const OffsetsOf offsets(replicates_, where);
    const std::string prefix = "after" + std::to_string(result_.size() + 1) + "_";
    RestartRows restart{.where = where};
    std::map<std::string, WrittenTerm> weights, values;  // by the name that leads, by the one below it
    for (const int j : signals) {
      const int d = offsets.d(j);
      const std::string& leading = replicates_.name({.signal = j, .order = d});
      if (d == 0) {
        restart.impulses.push_back(replicates_.fresh(prefix + "impulse_" + leading));
        weights.emplace(leading, name_term(restart.impulses.back()));
        continue;
      }
      const Replicate below{.signal = j, .order = d - 1};
      const std::string& name = replicates_.name(below);
      if (below.order > 0 &&
          replicates_.lower({.signal = j, .order = below.order - 1}) != replicates_.modes())
        refuse(*rows.begin(), where, name + " has no value in all modes before");
      restart.after.push_back({.replicate = below, .name = replicates_.fresh(prefix + name)});
      const WrittenTerm after = name_term(restart.after.back().name);
      weights.emplace(leading, after - name_term(name));
      values.emplace(name, after);
    }
    for (const int i : rows)
      restart.rows.emplace_back(prefix + replicates_.equation_name(i),
                                offsets.c(i) > 0 ? constraint_after(i, where, weights, values)
                                                 : balance_of(i, where, weights, values));
    for (const auto& [name, weight] : weights) restart.weights.emplace(name, weight.text);
    return restart;
  }

  using Terms = std::map<std::string, WrittenTerm>;

  /// f_i^(c_i − 1) at the values after.
  [[nodiscard]] std::string constraint_after(int equation, const ModeSet& where, const Terms& weights,
                                             const Terms& values) {
    const std::string text = leading_text(equation, where);
    for (const auto& [name, value] : values)
      static_cast<void>(coefficient(equation, where, text, name, weights, values));
    return rewritten(text,
                     [&](const std::string& name) -> std::optional<WrittenTerm> {
                       const auto found = values.find(name);
                       return found == values.end() ? std::nullopt : std::optional(found->second);
                     })
        .text;
  }

  /// Σ_j ∂f_i/∂x_j^(d_j) w_j
  [[nodiscard]] std::string balance_of(int equation, const ModeSet& where, const Terms& weights,
                                       const Terms& values) {
    const std::string text = leading_text(equation, where);
    WrittenTerm sum = number_term(0.0);
    for (const auto& [name, weight] : weights)
      sum = sum + coefficient(equation, where, text, name, weights, values) * weight;
    return sum.text;
  }

  /// By a name, which nothing that jumps may stand in.
  [[nodiscard]] WrittenTerm coefficient(int equation, const ModeSet& where, const std::string& text,
                                        const std::string& name, const Terms& weights,
                                        const Terms& values) const {
    WrittenTerm slope = derivative(text, along(name));
    for (const std::string& one : names_in(slope.text))
      if (weights.contains(one) || values.contains(one))
        refuse(equation, where, "the coefficient " + slope.text + " of " + name + " jumps with it");
    return slope;
  }

  [[noreturn]] void refuse(int equation, const ModeSet& where, const std::string& why) const {
    throw InvalidModel("modelica-unwritable", pointer_of(equation),
                       replicates_.equation_name(equation) + ": what states are after the change to modes " +
                           replicates_.in_modes(where) + " is no formula: " + why);
  }

  Replicates& replicates_;
  std::vector<RestartRows> result_;
  std::vector<std::pair<std::set<int>, ModeSet>> known_;
  std::vector<std::vector<int>> rows_of_;
};

}  // namespace

std::vector<RestartRows> restart_rows(Replicates& replicates) { return RestartWriter(replicates).write(); }

}  // namespace mti
