#include "solvers/switching/transition_memory.hpp"

#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

std::size_t size_of(const TransitionKey& key, const KnownTransition& transition) {
  std::size_t size = sizeof(std::pair<TransitionKey, KnownTransition>) + key.numbers.size() * sizeof(int);
  for (const JudgedCandidate& candidate : transition)
    size += sizeof(JudgedCandidate) + candidate.flipped.size() * sizeof(int);
  return size;
}

}  // namespace

/// Of the constraints that turn it down, the one of the lowest order costs least. Those that the mode makes numbers and
/// those broken by an impulse have none; rows beyond the model's belong to surfaces; and recombined rows are only made
/// where the original ones have failed.
JudgedCandidate::JudgedCandidate(std::vector<int> flipped_, const Admissibility& verdict,
                                 int model_constraints)
    : flipped(std::move(flipped_)) {
  if (verdict.admissible()) {
    fate = Fate::follows;
    return;
  }
  const bool by_constraint = verdict.rejection == Rejection::constraint_violated ||
                             verdict.rejection == Rejection::constraint_rising;
  if (!by_constraint || !verdict.motion || verdict.system->recombination) return;
  int lowest = -1;
  for (std::size_t i = 0; i < verdict.constraints.size(); ++i) {
    const int order = verdict.decided_at[i];
    if (order < 0 || verdict.constraints[i] >= model_constraints || (lowest >= 0 && order >= lowest))
      continue;
    lowest = order;
    fate = Fate::excluded;
    constraint = verdict.constraints[i];
  }
}

TransitionKey::TransitionKey(const std::vector<int>& broken, const std::vector<int>& A, const Mode& z_minus) {
  numbers.reserve(broken.size() + A.size() + 1);
  numbers = broken;
  numbers.push_back(-1);  // no constraint
  for (const int binary : A) numbers.push_back(2 * binary + z_minus.z[at(binary)]);
}

std::size_t TransitionMemory::Hash::operator()(const TransitionKey& key) const noexcept {
  std::size_t hash = 1469598103934665603ULL;
  for (const int number : key.numbers) hash = (hash ^ at(number + 1)) * 1099511628211ULL;
  return hash;
}

void TransitionMemory::begin(int constraints, int binaries) {
  if (constraints == constraints_ && binaries == binaries_) return;
  transitions_.clear();
  bytes_ = 0;
  constraints_ = constraints;
  binaries_ = binaries;
}

const KnownTransition* TransitionMemory::find(const TransitionKey& key) const {
  const auto found = transitions_.find(key);
  return found == transitions_.end() ? nullptr : &found->second;
}

void TransitionMemory::keep(TransitionKey key, KnownTransition transition) {
  const std::size_t size = size_of(key, transition);
  if (const auto known = transitions_.find(key); known != transitions_.end()) {
    bytes_ -= size_of(known->first, known->second);
    transitions_.erase(known);
  }
  if (bytes_ + size > most_bytes) {
    transitions_.clear();
    bytes_ = 0;
  }
  bytes_ += size;
  transitions_.emplace(std::move(key), std::move(transition));
}

}  // namespace mti
