#include "solvers/logic/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"

namespace mti {
namespace {

/// The coefficient c of one binary in a row of binaries alone, over the vertices of the others.
class Coefficient {
 public:
  Coefficient(const RowMap& f, int row, int signal) {
    for (const RowMap::Term& term : f.terms(row)) {
      Product product;
      bool holds = false;
      for (const RowMap::Factor& factor : f.factors(term.column)) {
        if (factor.signal == signal) {
          product.weight = term.Phi * factor.S;
          holds = true;
          continue;
        }
        product.factors.emplace_back(place_of(factor.signal), factor.S);
      }
      if (holds) products_.push_back(std::move(product));
    }
    values_.assign(signals_.size(), open);
  }

  /// Nowhere zero: told by intervals over ever smaller faces of the box.
  [[nodiscard]] bool vanishes_nowhere() {
    faces_ = 0;
    return vanishes_nowhere(0);
  }

 private:
  static constexpr signed char open = -1;
  /// Past so many faces a binary counts as a decider, which is only dearer.
  static constexpr long most_faces = 1L << 14;

  struct Product {
    double weight = 0.0;
    std::vector<std::pair<std::size_t, double>> factors;  ///< place in `values_`, S
  };

  std::size_t place_of(int signal) {
    const auto found = std::find(signals_.begin(), signals_.end(), signal);
    if (found == signals_.end()) {
      signals_.push_back(signal);
      return signals_.size() - 1;
    }
    return at(found - signals_.begin());
  }

  bool vanishes_nowhere(std::size_t decided) {
    if (products_.empty() || ++faces_ > most_faces) return false;
    double low = 0.0, high = 0.0, size = 0.0;
    for (const Product& product : products_) {
      double least = product.weight, most = product.weight;
      for (const auto& [place, S] : product.factors) {
        const double at_0 = 1.0 - std::abs(S), at_1 = at_0 + S;
        const double from = values_[place] == open ? std::min(at_0, at_1) : values_[place] == 0 ? at_0 : at_1;
        const double to = values_[place] == open ? std::max(at_0, at_1) : from;
        const auto [a, b] = std::minmax({least * from, least * to, most * from, most * to});
        least = a;
        most = b;
      }
      low += least;
      high += most;
      size += std::abs(product.weight);
    }
    if (low > row_rounding * size || high < -row_rounding * size) return true;
    if (decided == values_.size()) return false;
    for (int value = 0; value < 2; ++value) {
      values_[decided] = static_cast<signed char>(value);
      const bool excluded = vanishes_nowhere(decided + 1);
      values_[decided] = open;
      if (!excluded) return false;
    }
    return true;
  }

  std::vector<Product> products_;
  std::vector<int> signals_;
  std::vector<signed char> values_;
  long faces_ = 0;
};

/// As many binaries as possible with an equation each out of those that serve them, the ones declared last
/// first. Result: the equation of each binary, −1 for none.
std::vector<int> match_last_first(const std::vector<std::vector<int>>& serving, int equations) {
  std::vector<int> equation_of(serving.size(), -1), owner(at(equations), -1);
  std::vector<int> reached_from(at(equations), -1);
  for (std::size_t start = serving.size(); start-- > 0;) {
    std::vector<int> open{static_cast<int>(start)}, reached;
    int end = -1;
    for (std::size_t next = 0; next < open.size() && end < 0; ++next)
      for (const int equation : serving[at(open[next])]) {
        const auto place = at(equation);
        if (reached_from[place] >= 0) continue;
        reached_from[place] = open[next];
        reached.push_back(equation);
        if (owner[place] < 0) {
          end = equation;
          break;
        }
        open.push_back(owner[place]);
      }
    while (end >= 0) {  // back along the path, every binary takes the next one's equation
      const int binary = reached_from[at(end)];
      owner[at(end)] = binary;
      end = std::exchange(equation_of[at(binary)], end);
    }
    for (const int equation : reached) reached_from[at(equation)] = -1;
  }
  return equation_of;
}

}  // namespace

Outputs::Outputs(const SignalRows& rows) : rows_(rows) {
  const Signature& signature = this->signature();
  const RowMap& f = rows.f;
  int binary_inputs = 0;
  for (const Signal& input : signature.inputs()) binary_input_.push_back(input.binary ? binary_inputs++ : -1);

  // A row of logic may serve as the equation of each binary in it that it determines wherever the others are.
  const auto q = at(signature.q());
  std::vector<std::vector<int>> serving(q);
  std::vector<char> candidates(q, 0);
  for (std::size_t binary = 0; binary < q; ++binary)
    candidates[binary] = rows.g.with(signature.binary_row(static_cast<int>(binary))).empty() ? 1 : 0;
  determining_.resize(q);
  for (int row = 0; row < f.rows(); ++row) {
    if (!rows.f.is_logic(row)) continue;
    for (const int binary : binaries_of(row)) {
      if (!Coefficient(f, row, signature.binary_row(binary)).vanishes_nowhere()) continue;
      determining_[at(binary)].push_back(row);
      if (candidates[at(binary)] != 0) serving[at(binary)].push_back(row);
    }
  }

  // Outputs that would need each other are a block of several: that loses its first binary, until none is left.
  Incidence pattern(signature.q());
  for (int row = 0; row < f.rows(); ++row) pattern.add_row(positions<PatternColumn>(binaries_of(row)));
  for (bool in_sequence = false; !in_sequence;) {
    equation_of_ = match_last_first(serving, f.rows());
    in_sequence = true;
    for (const Block& block : blocks(pattern)) {
      if (block.columns.size() < 2) continue;
      serving[at(block.columns.front().value())].clear();  // a loop: its first binary becomes a decider
      in_sequence = false;
    }
  }
  find_joint(candidates);
  index();
}

/// The outputs in an order in which each comes after those that it needs, by the rows of `pattern`.
std::vector<Block> Outputs::blocks(const Incidence& pattern) const {
  std::vector<int> row_match(at(pattern.rows()), -1);
  for (std::size_t binary = 0; binary < equation_of_.size(); ++binary)
    if (equation_of_[binary] >= 0) row_match[at(equation_of_[binary])] = static_cast<int>(binary);
  return block_triangular_form(pattern, RowMatch(positions<PatternColumn>(row_match)));
}

/// Candidates that have found no equation may be determined together with others.
void Outputs::find_joint(std::span<const char> candidates) {
  std::vector<char> loose(candidates.begin(), candidates.end());
  for (std::size_t binary = 0; binary < loose.size(); ++binary)
    if (equation_of_[binary] >= 0) loose[binary] = 0;
  const JointOutputs joint(rows_, candidates, loose);
  joint_ = joint.sources();
  outputs_of_.resize(at(rows_.f.rows()));
  for (const JointOutputs::Source& source : joint_) outputs_of_[at(source.row)] = source.outputs;
  if (joint.formulas().empty()) return;
  RowMap::Builder builder;
  for (int row = 0; row < rows_.f.rows(); ++row) {
    builder.begin_row();
    for (const RowMap::Term& term : rows_.f.terms(row))
      builder.add_term(term.Phi, rows_.f.factors(term.column), rows_.f.function_of(term.column));
  }
  std::vector<RowMap::Factor> factors;
  for (const JointOutputs::Formula& formula : joint.formulas()) {
    equation_of_[at(formula.binary)] = rows_.f.rows() + static_cast<int>(binaries_of_joint_.size());
    builder.begin_row();
    const RowMap::Factor own{signature().binary_row(formula.binary), 1.0};
    builder.add_term(1.0, std::span(&own, 1));
    std::vector<int>& binaries = binaries_of_joint_.emplace_back(1, formula.binary);
    for (const JointOutputs::Formula::Term& term : formula.terms) {
      factors.clear();
      for (const int signal : term.signals) {
        factors.push_back({signal, 1.0});
        if (signal >= signature().binary_row(0) && signal < signature().pre_row(0))
          binaries.push_back(signal - signature().binary_row(0));
      }
      builder.add_term(-term.Phi, factors);
    }
    sort_distinct(binaries);
  }
  extended_ = builder.build();
}

void Outputs::index() {
  Incidence pattern(signature().q());
  for (int row = 0; row < equations().rows(); ++row)
    pattern.add_row(positions<PatternColumn>(binaries_of(row)));
  for (const Block& block : blocks(pattern)) order_.push_back(block.columns.front().value());
  const std::size_t q = equation_of_.size();
  place_.assign(q, -1);
  outputs_with_.resize(q);
  outputs_with_in_time_.resize(q);
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const int output = order_[place];
    place_[at(output)] = static_cast<int>(place);
    if (const int row = equation_of(output); row < rows_.f.rows()) outputs_of_[at(row)] = {output};
    for (const int binary : binaries_of(equation_of(output)))
      if (binary != output) outputs_with_[at(binary)].push_back(output);
    for (const int binary : binaries_needed_by(output)) outputs_with_in_time_[at(binary)].push_back(output);
  }
}

std::vector<int> Outputs::binaries_needed_by(int output) const {
  const Signature& signature = this->signature();
  std::vector<int> needed;
  for (const RowMap::Term& term : equations().terms(equation_of(output)))
    for (const RowMap::Factor& factor : equations().factors(term.column)) {
      if (factor.signal < signature.binary_row(0)) continue;  // a binary input
      const int pre = factor.signal - signature.pre_row(0);
      needed.push_back(pre >= 0 ? signature.pre()[at(pre)] : factor.signal - signature.binary_row(0));
    }
  std::erase(needed, output);
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  return needed;
}

std::vector<int> Outputs::deciders_behind(std::span<const int> binaries) const {
  std::vector<int> open(binaries.begin(), binaries.end()), deciders;
  std::vector<char> seen(equation_of_.size(), 0);
  while (!open.empty()) {
    const int binary = open.back();
    open.pop_back();
    if (std::exchange(seen[at(binary)], 1) != 0) continue;
    if (is_output(binary)) {
      const std::span<const int> behind = binaries_of(equation_of(binary));
      open.insert(open.end(), behind.begin(), behind.end());
    } else {
      deciders.push_back(binary);
    }
  }
  std::sort(deciders.begin(), deciders.end());
  return deciders;
}

std::vector<int> Outputs::outputs_behind(std::span<const int> binaries) const {
  return outputs_behind(binaries, outputs_with_);
}

std::vector<int> Outputs::outputs_behind_in_time(std::span<const int> binaries) const {
  return outputs_behind(binaries, outputs_with_in_time_);
}

std::vector<int> Outputs::outputs_behind(std::span<const int> binaries,
                                         const std::vector<std::vector<int>>& outputs_with) const {
  std::vector<int> open(binaries.begin(), binaries.end()), places;
  std::vector<char> seen(equation_of_.size(), 0);
  while (!open.empty()) {
    const int binary = open.back();
    open.pop_back();
    for (const int output : outputs_with[at(binary)])
      if (std::exchange(seen[at(output)], 1) == 0) {
        places.push_back(place_[at(output)]);
        open.push_back(output);
      }
  }
  std::sort(places.begin(), places.end());
  for (int& place : places) place = order_[at(place)];
  return places;
}

double Outputs::value_in(const Mode& mode, int row) const {
  const Signature& signature = this->signature();
  if (row >= signature.pre_row(0)) return mode.pre[at(row - signature.pre_row(0))];
  if (row >= signature.binary_row(0)) return mode.z[at(row - signature.binary_row(0))];
  return mode.binary_inputs[at(binary_input_[at(row - signature.input_row(0))])];
}

Outputs::Line Outputs::line(int output, const std::function<double(int)>& value_of) const {
  const int signal = signature().binary_row(output);
  Line line;
  for (const RowMap::Term& term : equations().terms(equation_of(output))) {
    double others = term.Phi, own_0 = 1.0, own_1 = 1.0;
    for (const RowMap::Factor& factor : equations().factors(term.column)) {
      const double without = 1.0 - std::abs(factor.S);
      if (factor.signal == signal) {
        own_0 = without;
        own_1 = without + factor.S;
      } else {
        others *= without + factor.S * value_of(factor.signal);
      }
    }
    line.at_0 += others * own_0;
    line.at_1 += others * own_1;
    line.size += std::abs(others);
  }
  return line;
}

bool Outputs::holds(int row, const Mode& mode) const {
  double sum = 0.0, size = 0.0;
  for (const RowMap::Term& term : equations().terms(row)) {
    double product = term.Phi;
    for (const RowMap::Factor& factor : equations().factors(term.column))
      product *= 1.0 - std::abs(factor.S) + factor.S * value_in(mode, factor.signal);
    sum += product;
    size += std::abs(product);
  }
  return std::abs(sum) <= row_rounding * size;
}

bool Outputs::settle(Mode& mode, std::span<const int> outputs) const {
  bool all = true;
  for (const int output : outputs) {
    const Line e = line(output, [&](int row) { return value_in(mode, row); });
    const bool zero = std::abs(e.at_0) <= row_rounding * e.size,
               one = std::abs(e.at_1) <= row_rounding * e.size;
    if (zero != one) mode.z[at(output)] = one ? 1 : 0;
    all = all && zero != one;
  }
  // Rows that determine several have no solution where these, whatever they are, do not fulfil them.
  const auto concerned = [&](const JointOutputs::Source& source) {
    return std::ranges::any_of(
        source.outputs, [&](int output) { return std::ranges::find(outputs, output) != outputs.end(); });
  };
  return all && std::ranges::all_of(joint_, [&](const JointOutputs::Source& source) {
           return !concerned(source) || holds(source.row, mode);
         });
}

}  // namespace mti
