#include "solvers/plan/plan_memory.hpp"

#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr int end_of_row = -1, product = -2, function = -3;

/// The signals of the terms of a row, one term after the other.
void enter_row(const RowMap& f, int row, std::vector<int>& numbers) {
  numbers.push_back(row);
  for (const RowMap::Term& term : f.terms(row)) {
    numbers.push_back(f.function_of(term.column) == nullptr ? product : function);
    for (const RowMap::Factor& factor : f.factors(term.column)) numbers.push_back(factor.signal);
  }
  numbers.push_back(end_of_row);
}

}  // namespace

void PlanMemory::begin(const RowMap& f, const Signature& signature) {
  std::vector<int> model = {signature.n(), signature.m(), signature.p(),
                            signature.q(), signature.r(), signature.is_discrete() ? 1 : 0};
  for (int row = 0; row < f.rows(); ++row) enter_row(f, row, model);
  if (model == model_) return;
  model_ = std::move(model);
  plans_.clear();
  numbers_ = 0;
}

PlanMemory::Key PlanMemory::key(const RowMap& f, std::span<const int> equations,
                                std::span<const int> unknowns) {
  Key key;
  key.reserve(8 * equations.size() + unknowns.size());
  for (const int row : equations) enter_row(f, row, key);
  key.insert(key.end(), unknowns.begin(), unknowns.end());
  return key;
}

std::size_t PlanMemory::Hash::operator()(const Key& key) const noexcept {
  std::size_t hash = 1469598103934665603ULL;
  for (const int number : key) hash = (hash ^ static_cast<std::size_t>(number)) * 1099511628211ULL;
  return hash;
}

const PlanMemory::Known* PlanMemory::find(const Key& key) const {
  const auto found = plans_.find(key);
  return found == plans_.end() ? nullptr : &found->second;
}

void PlanMemory::keep(Key key, Known known) {
  if (numbers_ + key.size() > most_numbers) {
    plans_.clear();
    numbers_ = 0;
  }
  numbers_ += key.size();
  plans_.insert_or_assign(std::move(key), std::move(known));
}

}  // namespace mti
