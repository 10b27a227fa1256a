#include "mti/build/build_start_values.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti::building {

StartValues::Known StartValues::known(text::Symbol symbol) const {
  const auto index = at(symbol.index());
  switch (symbol.group()) {
    case text::Group::derivative:
      return {0.0, signals_.states[index].nominal};
    case text::Group::state:
      return {signals_.x_start[index], signals_.states[index].nominal};
    case text::Group::input:
      if (index >= signals_.inputs.size()) return {start_time_, 1.0};  // the clock, which is appended later
      return {signals_.input_forms[index].piece(start_time_).value(start_time_),
              signals_.inputs[index].nominal};
    case text::Group::algebraic:
      return {signals_.y_start[index], signals_.algebraic[index].nominal};
    case text::Group::auxiliary: {
      const std::size_t place = at(first_auxiliary_) + index;
      if (place >= signals_.algebraic.size()) return {};
      return {signals_.y_start[place], signals_.algebraic[place].nominal};
    }
    case text::Group::binary:
    case text::Group::pre:
      return {index < signals_.z_start.size() ? static_cast<double>(signals_.z_start[index]) : 0.0, 1.0};
    case text::Group::copy:
      break;
  }
  return {};
}

double StartValues::value(const text::Polynomial& polynomial) const {
  double sum = 0.0;
  for (const text::Monomial& monomial : polynomial.monomials()) {
    double product = monomial.coefficient.value().rounded();
    for (const text::Power& power : monomial.powers)
      product *= std::pow(known(power.symbol).value, power.exponent);
    sum += product;
  }
  return std::isfinite(sum) ? sum : 0.0;
}

bool StartValues::is_certain(const text::Polynomial& polynomial) const {
  return std::ranges::all_of(polynomial.monomials(), [this](const text::Monomial& monomial) {
    return std::ranges::all_of(monomial.powers, [this](const text::Power& power) {
      if (power.symbol.group() != text::Group::state) return power.symbol.group() == text::Group::input;
      const std::size_t state = at(power.symbol.index());
      return state >= signals_.x_free.size() || signals_.x_free[state] == 0;
    });
  });
}

double StartValues::nominal(const text::Polynomial& polynomial) const {
  double largest = 0.0;
  for (const text::Monomial& monomial : polynomial.monomials()) {
    if (monomial.powers.empty()) continue;  // does not vary
    double product = std::abs(monomial.coefficient.value().rounded());
    for (const text::Power& power : monomial.powers)
      product *= std::pow(known(power.symbol).nominal, power.exponent);
    largest = std::max(largest, product);
  }
  return std::isfinite(largest) && largest > 0.0 ? largest : 1.0;
}

}  // namespace mti::building
