#include "mti/printing/readable_terms.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::text {
namespace {

/// 1 − |S| + S v = scale · (constant + slope · v)
ReadableFactor readable_factor(int row, double S, double& scale) {
  const double a = 1.0 - std::abs(S);
  if (a == 0.0) {
    scale *= S;
    return {.row = row};
  }
  if (std::abs(S) >= a) {
    scale *= a;
    return {.row = row, .constant = 1.0, .slope = S / a};
  }
  scale *= S;
  return {.row = row, .constant = a / S, .slope = 1.0};
}

/// constant ± slope·name without parentheses; the signal first where it has no number of its own.
std::string affine(const ReadableFactor& factor, const Notation& notation) {
  const std::string name = notation.name(factor.row);
  const auto signed_number = [&](double value) {
    return (value < 0.0 ? " - " : " + ") + notation.number(std::abs(value));
  };
  if (factor.constant != 1.0) return name + signed_number(factor.constant);
  const std::string number = notation.number(std::abs(factor.slope));
  return notation.number(factor.constant) + (factor.slope < 0.0 ? " - " : " + ") +
         (number == "1" ? "" : number + notation.times) + name;
}

std::string written(const ReadableFactor& factor, const Notation& notation) {
  const std::string base = factor.constant == 0.0 ? notation.name(factor.row)
                                                  : notation.open + affine(factor, notation) + notation.close;
  return factor.exponent == 1 ? base : notation.power(base, factor.exponent);
}

}  // namespace

PowerCopies no_copies(const Model& model) {
  PowerCopies copies;
  copies.original.resize(at(model.signature.size()));
  std::iota(copies.original.begin(), copies.original.end(), 0);
  copies.is_definition.assign(at(model.equations()), 0);
  return copies;
}

PowerCopies find_copies(const Model& model) {
  const Signature& signature = model.signature;
  PowerCopies copies{std::vector<int>(at(signature.size())), std::vector<char>(at(model.equations()), 0)};
  std::iota(copies.original.begin(), copies.original.end(), 0);
  std::vector<char> replaced(at(model.equations()), 0);
  for (const Transition& law : model.transitions)
    for (const int equation : law.replaces) replaced[at(equation)] = 1;
  const auto is_auxiliary = [&](int row) {
    const int i = row - signature.algebraic_row(0);
    return i >= 0 && i < signature.p() && signature.algebraic()[at(i)].auxiliary;
  };
  // Of two auxiliary signals: the square of what a function gives.
  const auto is_named_as_copy = [&](int row, int of) {
    return signature.row_name(row).starts_with(signature.row_name(of) + ".copy");
  };
  const Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi(model.Phi_eq);
  std::vector<std::pair<int, double>> signals;
  for (int j = 0; j < model.equations(); ++j) {
    if (replaced[at(j)] != 0) continue;
    signals.clear();
    bool plain = true;
    for (const FunctionText& function : model.function_texts) plain = plain && function.equation != j;
    for (decltype(Phi)::InnerIterator entry(Phi, j); entry && plain; ++entry) {
      SparseColumns::InnerIterator factor(model.S, static_cast<int>(entry.col()));
      plain = factor && std::abs(factor.value()) == 1.0 && signals.size() < 2;
      if (plain) signals.emplace_back(static_cast<int>(factor.row()), entry.value() * factor.value());
      plain = plain && !++factor;
    }
    if (!plain || signals.size() != 2 || signals[0].second != -signals[1].second) continue;
    auto [copy, original] = std::pair(signals[0].first, signals[1].first);
    if (!is_auxiliary(copy) || is_named_as_copy(original, copy)) std::swap(copy, original);
    if (!is_auxiliary(copy) || copies.original[at(copy)] != copy) continue;
    if (is_auxiliary(original) && !is_named_as_copy(copy, original)) continue;
    copies.original[at(copy)] = original;
    copies.is_definition[at(j)] = 1;
  }
  return copies;
}

std::vector<ReadableTerm> ReadableRows::terms(int row) const {
  std::vector<ReadableTerm> result;
  for (decltype(Phi_)::InnerIterator entry(Phi_, row); entry; ++entry) {
    ReadableTerm term{.coefficient = entry.value(), .factors = {}};
    term.phi = map_.function_of(static_cast<int>(entry.col()));
    for (SparseColumns::InnerIterator factor(map_.S(), static_cast<int>(entry.col())); factor; ++factor) {
      const ReadableFactor next =
          readable_factor(original_(static_cast<int>(factor.row())), factor.value(), term.coefficient);
      const auto same = std::find_if(term.factors.begin(), term.factors.end(), [&](const auto& known) {
        return known.row == next.row && known.constant == next.constant && known.slope == next.slope;
      });
      if (same == term.factors.end())
        term.factors.push_back(next);
      else
        ++same->exponent;
    }
    std::stable_sort(term.factors.begin(), term.factors.end(),
                     [](const ReadableFactor& a, const ReadableFactor& b) { return a.row < b.row; });
    result.push_back(std::move(term));
  }
  return result;
}

std::vector<std::string> written(const std::vector<ReadableTerm>& terms, const Notation& notation) {
  if (terms.empty()) return {"0"};
  std::vector<std::string> result;
  for (const ReadableTerm& term : terms) {
    std::string product;
    const std::string size = notation.number(std::abs(term.coefficient));
    if (term.factors.empty() || size != "1") product = size;
    for (const ReadableFactor& factor : term.factors) {
      if (!product.empty()) product += notation.times;
      const std::string text = written(factor, notation);
      product += term.phi == nullptr ? text : notation.apply(*term.phi, text);
    }
    const bool negative = term.coefficient < 0.0;
    const char* const sign = result.empty() ? (negative ? "-" : "") : (negative ? "- " : "+ ");
    result.push_back(sign + product);
  }
  return result;
}

std::string format_rounded(double value, int digits) {
  if (digits >= 17) return format_number(value);
  const std::string text = format_number(value, digits);
  double rounded = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return format_number(rounded);
}

}  // namespace mti::text
