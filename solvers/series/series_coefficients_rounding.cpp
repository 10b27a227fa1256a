#include <algorithm>
#include <cmath>

#include "mti/common/rounding.hpp"
#include "solvers/series/series_coefficients.hpp"

namespace mti {

/// What order 0 of a node is off if its operands are off by `off`.
double SeriesCoefficients::rounding_of_node(int node, std::span<const double> off) const {
  const SeriesProgram::Node& n = node_at(node);
  if (n.function == SeriesProgram::Node::companion) return 0.0;
  const double value = of(node)[0], rounded = machine_epsilon * std::abs(value);
  if (n.function >= 0) return std::abs(of(node + 1)[0]) * off[at(n.left)] + rounded;
  const double left = of(n.left)[0];
  if (n.right < 0)
    return std::abs(n.b) * off[at(n.left)] + machine_epsilon * (std::abs(n.a) + std::abs(n.b * left));
  return std::abs(left) * off[at(n.right)] + std::abs(of(n.right)[0]) * off[at(n.left)] + rounded;
}

/// |J⁻¹| times what the equations are off with their block's unknowns held, into the places of these.
void SeriesCoefficients::enter_rounding_of_block(std::size_t index, std::vector<double>& off) const {
  constexpr std::size_t most_solves = 100;
  const SeriesProgram::Block& block = program_->blocks()[index];
  const std::size_t size = block.unknowns.size(), first = block_begin_[index];
  for (const int node : block.nodes) off[at(node)] = rounding_of_node(node, off);
  std::vector<double> of_equations(size, 0.0), of_unknowns(size, 0.0), b(size, 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = row_begin_[first + i]; k < row_begin_[first + i + 1]; ++k) {
      const WeightedPlace& term = terms_[k];
      const bool constant = term.first < 0;
      const double value = constant ? 1.0 : coefficients_[at(term.first)];
      const double known = constant ? 0.0 : off[at(term.first) / stride_];
      of_equations[i] += std::abs(term.weight) * (known + machine_epsilon * std::abs(value));
    }
  const auto add = [&] {
    if (size == 1)
      b[0] /= slopes_[index];
    else
      factors_[factor_[index]].solve(b);
    for (std::size_t j = 0; j < size; ++j) of_unknowns[j] += std::abs(b[j]);
  };
  if (size <= most_solves) {
    for (std::size_t i = 0; i < size; ++i) {
      std::ranges::fill(b, 0.0);
      b[i] = of_equations[i];
      add();
    }
  } else {
    b = of_equations;
    add();
  }
  for (std::size_t j = 0; j < size; ++j) off[at(block.unknowns[j].slot)] = of_unknowns[j];
  for (const int node : block.nodes) off[at(node)] = rounding_of_node(node, off);
}

std::vector<double> SeriesCoefficients::rounding() const {
  using Kind = SeriesProgram::Slot::Kind;
  std::vector<double> off(at(program_->places()), 0.0);
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    if (const Kind kind = program_->slots()[slot].kind; kind == Kind::state || kind == Kind::input)
      off[slot] = machine_epsilon * std::abs(of(static_cast<int>(slot))[0]);
  for (const int node : program_->known_nodes()) off[at(node)] = rounding_of_node(node, off);
  for (std::size_t index = 0; index < program_->blocks().size(); ++index) enter_rounding_of_block(index, off);
  off.resize(program_->slots().size());
  return off;
}

}  // namespace mti
