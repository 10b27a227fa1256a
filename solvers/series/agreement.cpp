#include "solvers/series/agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/functions/function_bounds.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// What a relation may be off by: as much as where the equations are solved anew at the end of a step.
constexpr double several_tolerances = 4.0;

/// Σ c_k s^k = Σ b_i B_i(s) on [0, 1]: b_i = Σ_{j ≤ i} C(i, j)/C(n, j) c_j.
void to_bernstein(std::span<const double> c, std::vector<double>& b) {
  b.assign(c.begin(), c.end());
  const std::size_t n = c.size() - 1;
  double binomial = 1.0;
  for (std::size_t j = 0; j <= n; ++j) {
    b[j] /= binomial;
    binomial *= static_cast<double>(n - j) / static_cast<double>(j + 1);
  }
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = n; i >= j; --i) b[i] += b[i - 1];
}

/// The same polynomial on [0, s] and [s, 1] (de Casteljau).
void divide(const std::vector<double>& b, double s, std::vector<double>& left, std::vector<double>& right) {
  const std::size_t n = b.size();
  left.resize(n);
  right = b;
  for (std::size_t i = 0; i < n; ++i) {
    left[i] = right[0];
    for (std::size_t j = 0; j + 1 < n - i; ++j) right[j] += s * (right[j + 1] - right[j]);
  }
}

double at_middle(std::span<const double> bernstein) {
  std::array<double, 128> row{};  // of most_coefficients at most
  std::ranges::copy(bernstein, row.begin());
  for (std::size_t left = bernstein.size(); left > 1; --left)
    for (std::size_t j = 0; j + 1 < left; ++j) row[j] = 0.5 * (row[j] + row[j + 1]);
  return row[0];
}

}  // namespace

void Agreement::begin(const SeriesProgram& program, std::span<const double> v) {
  relations_.clear();
  for (const SeriesProgram::Block& block : program.blocks()) {
    for (const SeriesProgram::Row& row : block.equations) list_function(program, row, v);
    list_quotient(program, block, v);
  }
}

/// 0 = r + weight·φ(a).
void Agreement::list_function(const SeriesProgram& program, const SeriesProgram::Row& row,
                              std::span<const double> v) {
  if (row.size() != 2) return;
  for (std::size_t i = 0; i < 2; ++i) {
    const SeriesProgram::Term &of_result = row[i], &of_function = row[1 - i];
    if (of_result.node < 0 || at(of_result.node) >= program.slots().size() ||
        at(of_function.node) < program.slots().size() || of_function.node < 0)
      continue;
    const SeriesProgram::Node& node = program.nodes()[at(of_function.node) - program.slots().size()];
    if (node.function < 0 || at(node.left) >= program.slots().size()) continue;
    Relation relation;
    if (!take_result(program, of_result.node, relation)) continue;
    relation.phi = &program.functions()[at(node.function)];
    relation.weight = -of_function.weight(v, program.functions()) / of_result.weight(v, program.functions());
    relation.argument = {{1.0, {node.left}}};
    if (std::isfinite(relation.weight) && relation.weight != 0.0) relations_.push_back(std::move(relation));
    return;
  }
}

/// d·r − n = 0, d and n being sums of products of what is known before r.
void Agreement::list_quotient(const SeriesProgram& program, const SeriesProgram::Block& block,
                              std::span<const double> v) {
  if (block.unknowns.size() != 1 || block.largest_c > 0 || block.has_constant_jacobian || !block.linear)
    return;
  Relation relation;
  if (!take_result(program, block.unknowns[0].slot, relation)) return;
  const SeriesProgram::Row& row = block.equations[0];
  std::vector<char> holds_result(row.size(), 0);
  for (const SeriesProgram::Derivative& derivative : block.derivatives) {
    if (derivative.S != 1.0) return;
    const SeriesProgram::Term& term = row[at(derivative.term)];
    holds_result[at(derivative.term)] = 1;
    Sum product = {{term.weight(v, program.functions()), {}}};
    for (const int node : derivative.nodes)
      if (!multiply(program, node, product)) return;
    relation.argument.insert(relation.argument.end(), product.begin(), product.end());
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (holds_result[i] != 0) continue;
    Sum product = {{-row[i].weight(v, program.functions()), {}}};
    if (row[i].node >= 0 && !multiply(program, row[i].node, product)) return;
    relation.numerator.insert(relation.numerator.end(), product.begin(), product.end());
  }
  relations_.push_back(std::move(relation));
}

/// Slot of r, and whose tolerance it has; false if it has none.
bool Agreement::take_result(const SeriesProgram& program, int slot, Relation& relation) const {
  const SeriesProgram::Slot& s = program.slots()[at(slot)];
  relation.result = slot;
  relation.tolerance_row = s.row;
  if (s.kind == SeriesProgram::Slot::Kind::slope) {
    const auto of_slope = [&](const SeriesProgram::State& state) { return state.slope == slot; };
    const auto found = std::ranges::find_if(program.states(), of_slope);
    if (found == program.states().end()) return false;
    relation.state = found->value;
    relation.tolerance_row = program.slots()[at(found->value)].row;
  }
  return at(relation.tolerance_row) < accuracy_.absolute.size();
}

/// `sum` times what stands at a place, as products of slots; false if that holds a function, or too many products.
bool Agreement::multiply(const SeriesProgram& program, int place, Sum& sum) const {
  constexpr std::size_t most_products = 16;
  if (at(place) < program.slots().size()) {
    for (Product& product : sum) product.slots.push_back(place);
    return true;
  }
  const SeriesProgram::Node& node = program.nodes()[at(place) - program.slots().size()];
  if (node.function != SeriesProgram::Node::no_function) return false;
  if (node.right >= 0) return multiply(program, node.left, sum) && multiply(program, node.right, sum);
  Sum scaled = sum;
  if (!multiply(program, node.left, scaled)) return false;
  for (Product& product : scaled) product.weight *= node.b;
  for (Product& product : sum) product.weight *= node.a;
  if (node.a == 0.0) sum.clear();
  sum.insert(sum.end(), scaled.begin(), scaled.end());
  return sum.size() <= most_products;
}

/// A sum on the step. What a signal leaves out is some times the last terms that it has.
bool Agreement::evaluate(const Sum& sum, double tau, const Coefficients& coefficients, Polynomial& result) {
  constexpr double continued = 8.0;
  result.c.assign(1, 0.0);
  result.tail = 0.0;
  for (const Product& product : sum) {
    product_.assign(1, product.weight);
    double size = std::abs(product.weight), tail = 0.0;
    for (const int slot : product.slots) {
      const std::span<const double> c = coefficients(slot);
      factor_.assign(c.begin(), c.end());
      double power = 1.0, size_of_factor = 0.0;
      for (double& coefficient : factor_) {
        size_of_factor += std::abs(coefficient *= power);
        power *= tau;
      }
      const double left_out =
          continued * std::max(std::abs(factor_[factor_.size() - 1]), std::abs(factor_[factor_.size() - 2]));
      while (factor_.size() > 1 && factor_.back() == 0.0) factor_.pop_back();
      tail = tail * size_of_factor + size * left_out;
      size *= size_of_factor;
      multiplied_.assign(product_.size() + factor_.size() - 1, 0.0);
      for (std::size_t i = 0; i < product_.size(); ++i)
        for (std::size_t j = 0; j < factor_.size(); ++j) multiplied_[i + j] += product_[i] * factor_[j];
      std::swap(product_, multiplied_);
    }
    result.c.resize(std::max(result.c.size(), product_.size()), 0.0);
    for (std::size_t k = 0; k < product_.size(); ++k) result.c[k] += product_[k];
    result.tail += tail;
  }
  while (result.c.size() > 1 && result.c.back() == 0.0) result.c.pop_back();
  result.size = 0.0;
  for (const double c : result.c) result.size += std::abs(c);
  return std::isfinite(result.size) && result.c.size() <= most_coefficients;
}

double Agreement::value(const Relation& relation, double a, double n) const {
  return relation.phi != nullptr ? relation.weight * relation.phi->value(a) : n / a;
}

/// ε_r, and what a and n being off makes of φ(a) or n/a.
double Agreement::allowed_at(const Relation& relation, double r, double a, double n) const {
  constexpr double rounding = 64.0 * machine_epsilon;
  const double off_a = a_.tail + rounding * a_.size;
  const double of_operands = relation.phi != nullptr
                                 ? std::abs(relation.weight) * relation.phi->error(a, off_a)
                                 : (n_.tail + rounding * n_.size + std::abs(n / a) * off_a) / std::abs(a);
  return several_tolerances * accuracy_of(relation, r) + 16.0 * rounding * std::abs(r) + of_operands;
}

bool Agreement::agrees(const Relation& relation, double r, double a, double n) const {
  const double exact = value(relation, a, n);
  return std::abs(exact - r) <= allowed_at(relation, exact, a, n);
}

/// Whether nothing is left to look for on a part.
bool Agreement::is_clear(const Relation& relation, const Part& part) const {
  const double a = part.a.back(), n = part.n.back(), r = part.r.back();
  const ValueRange of_a = range_of(part.a), of_n = range_of(part.n), of_r = range_of(part.r);
  const double spread = relation.phi != nullptr ? std::abs(relation.weight) * spread_of(*relation.phi, of_a)
                                                : spread_of_quotient(of_n, of_a);
  const double least = std::min(std::abs(r), std::abs(value(relation, a, n)));
  if (spread + of_r.width() <= several_tolerances * accuracy_of(relation, least)) return true;
  if (!is_resolved(relation.phi, of_a)) return false;
  return agrees(relation, r, a, n) &&
         agrees(relation, at_middle(part.r), at_middle(part.a), at_middle(part.n));
}

/// What of the step agrees, as a part of it.
double Agreement::look_at(const Relation& relation, int order) {
  const double n_0 = n_.c[0], a_0 = a_.c[0], r_0 = r_.c[0];
  // What does not hold where the equations have been solved is no matter of the step.
  if (!agrees(relation, r_0, a_0, n_0)) return 1.0;
  const auto bound = [&](double rho) {
    double moves = 0.0;
    for (std::size_t k = a_.c.size(); k-- > 1;) moves = rho * (moves + std::abs(a_.c[k]));
    if (relation.phi != nullptr) return std::abs(relation.weight) * bound_on_disc(*relation.phi, a_0, moves);
    double size = 0.0;
    for (std::size_t k = n_.c.size(); k-- > 0;) size = size * rho + std::abs(n_.c[k]);
    return size / std::max(std::abs(a_0) - moves, 0.0);
  };
  for (const double rho : {2.0, 4.0, 8.0, 16.0})
    if (bound(rho) * std::pow(rho, -order) / (rho - 1.0) <= several_tolerances * accuracy_of(relation, r_0))
      return 1.0;

  constexpr double irregular = 0.4786, little = 0.125, shortest = 1e-13;
  constexpr int most_parts = 4000;
  struct Waiting {
    Part part;
    double from = 0.0, to = 1.0;
  };
  std::vector<Waiting> waiting(1);
  to_bernstein(r_.c, waiting[0].part.r);
  to_bernstein(a_.c, waiting[0].part.a);
  to_bernstein(n_.c, waiting[0].part.n);
  double agreed = 0.0;
  for (int parts = 0; !waiting.empty(); ++parts) {
    check_budget();
    Waiting here = std::move(waiting.back());
    waiting.pop_back();
    if (is_clear(relation, here.part)) {
      agreed = here.to;
      continue;
    }
    const double length = here.to - here.from;
    const bool ends = length <= little * agreed &&
                      !agrees(relation, here.part.r.back(), here.part.a.back(), here.part.n.back());
    if (ends || parts >= most_parts || length <= shortest) return agreed > 0.0 ? agreed : here.to;
    Waiting left, right;
    divide(here.part.r, irregular, left.part.r, right.part.r);
    divide(here.part.a, irregular, left.part.a, right.part.a);
    divide(here.part.n, irregular, left.part.n, right.part.n);
    left.from = here.from;
    left.to = right.from = here.from + irregular * length;
    right.to = here.to;
    waiting.push_back(std::move(right));
    waiting.push_back(std::move(left));
  }
  return 1.0;
}

double Agreement::accuracy_of(const Relation& relation, double r) const {
  return relation.state < 0 ? accuracy_.of(relation.tolerance_row, r)
                            : accuracy_.of(relation.tolerance_row, state_) / step_;
}

double Agreement::agrees_up_to(double tau, double step, int order, const Coefficients& coefficients) {
  step_ = step;
  double agreed = tau;
  for (const Relation& relation : relations_) {
    result_[0].slots[0] = relation.result;
    if (relation.state >= 0) state_ = coefficients(relation.state)[0];
    if (!evaluate(relation.argument, agreed, coefficients, a_) ||
        !evaluate(relation.numerator, agreed, coefficients, n_) ||
        !evaluate(result_, agreed, coefficients, r_))
      continue;
    const double part = look_at(relation, order);
    step_ *= part;
    agreed *= part;
  }
  return agreed;
}

}  // namespace mti
