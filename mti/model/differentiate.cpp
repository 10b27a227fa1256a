#include "mti/model/differentiate.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

/// Columns of a map that is being differentiated; a factor's signal may occur twice.
struct Terms {
  struct Term {
    int row;
    double coefficient;
    std::size_t first_factor;
  };
  std::vector<Term> terms;
  std::vector<std::pair<int, double>> factors;  ///< (row of S, S), those of a term ascending

  void add(int row, double coefficient, std::span<const std::pair<int, double>> product) {
    terms.push_back({row, coefficient, factors.size()});
    factors.insert(factors.end(), product.begin(), product.end());
    std::sort(factors.begin() + static_cast<std::ptrdiff_t>(terms.back().first_factor), factors.end());
  }
  [[nodiscard]] std::span<std::pair<int, double>> factors_of(std::size_t t) {
    const std::size_t end = t + 1 < terms.size() ? terms[t + 1].first_factor : factors.size();
    return std::span(factors).subspan(terms[t].first_factor, end - terms[t].first_factor);
  }
};

/// The second of two equal signals of a column becomes its copy. Copies are numbered as they appear.
std::vector<int> make_copies(Terms& terms, int first_copy) {
  std::vector<int> copied;
  std::unordered_map<int, int> copy_of;
  for (std::size_t t = 0; t < terms.terms.size(); ++t) {
    const auto factors = terms.factors_of(t);
    for (std::size_t i = 1; i < factors.size(); ++i) {
      const int row = factors[i].first;
      if (row != factors[i - 1].first) continue;
      const auto [found, is_new] = copy_of.try_emplace(row, first_copy + static_cast<int>(copied.size()));
      if (is_new) copied.push_back(row);
      factors[i].first = found->second;
    }
  }
  return copied;
}

CpMap build_map(Terms& terms, int signals, int equations, const std::vector<int>& copied, int first_copy) {
  CpBuilder builder(signals, equations + static_cast<int>(copied.size()));
  for (std::size_t t = 0; t < terms.terms.size(); ++t)
    builder.add_normalised(terms.terms[t].row, terms.terms[t].coefficient, terms.factors_of(t));
  for (std::size_t c = 0; c < copied.size(); ++c) {
    const int row = equations + static_cast<int>(c);
    builder.add_normalised(row, 1.0, std::vector{std::pair(first_copy + static_cast<int>(c), 1.0)});
    builder.add_normalised(row, -1.0, std::vector{std::pair(copied[c], 1.0)});
  }
  return builder.build();
}

/// The listed rows of f, which become rows 0, 1, ….
DifferentiatedMap undifferentiated(const CpMap& f, std::span<const int> equations,
                                   const Signature& signature) {
  DifferentiatedMap result;
  result.signals = f.signals();
  result.states = signature.n();
  result.constant.assign(at(f.signals()), 0);
  std::fill(result.constant.begin() + signature.binary_row(0), result.constant.end(), 1);
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary) result.constant[at(signature.input_row(i))] = 1;

  std::unordered_map<int, int> position;
  for (std::size_t j = 0; j < equations.size(); ++j) position.emplace(equations[j], static_cast<int>(j));
  Terms terms;
  std::vector<std::pair<int, double>> product;
  for (int k = 0; k < f.columns(); ++k) {
    product.clear();
    for (SparseColumns::InnerIterator factor(f.S(), k); factor; ++factor)
      product.emplace_back(static_cast<int>(factor.row()), factor.value());
    for (SparseColumns::InnerIterator weight(f.Phi(), k); weight; ++weight)
      if (const auto found = position.find(static_cast<int>(weight.row())); found != position.end())
        terms.add(found->second, weight.value(), product);
  }
  result.map = build_map(terms, result.signals, static_cast<int>(equations.size()), {}, result.signals);
  return result;
}

}  // namespace

int DifferentiatedMap::row(SignalDerivative derivative) const {
  const bool of_state = derivative.signal >= states && derivative.signal < 2 * states;
  if (of_state && derivative.order > 0) return (derivative.order - 1) * signals + derivative.signal - states;
  return derivative.order * signals + derivative.signal;
}

SignalDerivative DifferentiatedMap::at(int row_of_S) const {
  const int first_copy = (order + 1) * signals;
  const int original = row_of_S < first_copy ? row_of_S : copied[mti::at(row_of_S - first_copy)];
  return {original % signals, original / signals};
}

DifferentiatedMap differentiate(const DifferentiatedMap& f) {
  DifferentiatedMap result{{}, f.signals, f.states, f.order + 1, f.constant, {}};
  Terms terms;
  std::vector<std::pair<int, double>> product;
  for (int k = 0; k < f.map.columns(); ++k) {
    product.clear();
    for (SparseColumns::InnerIterator factor(f.map.S(), k); factor; ++factor)
      product.emplace_back(f.row(f.at(static_cast<int>(factor.row()))), factor.value());
    for (auto& [row, S] : product) {
      const SignalDerivative signal = f.at(row);
      if (f.constant[at(signal.signal)] != 0) continue;
      // d/dt (1 − |S| + S s) = S · ds/dt.
      const std::pair<int, double> before(row, S);
      const double slope = S;
      row = result.row({signal.signal, signal.order + 1});
      S = 1.0;
      for (SparseColumns::InnerIterator weight(f.map.Phi(), k); weight; ++weight)
        if (weight.row() < f.equations())
          terms.add(static_cast<int>(weight.row()), slope * weight.value(), product);
      std::tie(row, S) = before;
    }
  }
  const int first_copy = (result.order + 1) * result.signals;
  result.copied = make_copies(terms, first_copy);
  result.map = build_map(terms, first_copy + static_cast<int>(result.copied.size()), f.equations(),
                         result.copied, first_copy);
  return result;
}

DifferentiatedMap differentiate(const CpMap& f, std::span<const int> equations, const Signature& signature,
                                int times) {
  for (const FunctionColumn& function : f.functions())
    for (SparseColumns::InnerIterator weight(f.Phi(), function.column); weight; ++weight)
      if (std::ranges::find(equations, static_cast<int>(weight.row())) != equations.end())
        throw InvalidModel("functions-of-signals", "",
                           "the derivative of a function row is no CP map, found one in row " +
                               std::to_string(weight.row()));
  DifferentiatedMap result = undifferentiated(f, equations, signature);
  for (int i = 0; i < times; ++i) result = differentiate(result);
  return result;
}

}  // namespace mti
