#include "solvers/switching/law_values.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The binaries that signals depend on, at given states.
class Dependence {
 public:
  Dependence(const SignalRows& rows, const ModeSystem& system)
      : rows_(rows), blocks_(system.plan->blocks), block_of_(at(system.rows_of_v(rows.model.signature)), -1) {
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      for (const int unknown : blocks_[k].unknowns) block_of_[at(unknown)] = static_cast<int>(k);
  }

  [[nodiscard]] std::vector<char> binaries_of(int signal) const {
    std::vector<char> binaries(at(rows_.model.signature.q()), 0), seen(blocks_.size(), 0);
    std::vector<int> open{signal};
    while (!open.empty()) {
      const int block = block_of_[at(open.back())];
      open.pop_back();
      if (block < 0 || seen[at(block)] != 0) continue;
      seen[at(block)] = 1;
      for (const int equation : blocks_[at(block)].equations) {
        if (equation >= rows_.model.equations()) continue;  // a surface
        for (const int binary : rows_.f.binaries(equation)) binaries[at(binary)] = 1;
        for (const int other : rows_.f.signals(equation)) open.push_back(other);
      }
    }
    return binaries;
  }

 private:
  const SignalRows& rows_;
  const std::vector<SolutionBlock>& blocks_;
  std::vector<int> block_of_;  ///< by signal: the block that determines it, −1 where it is given
};

/// The algebraic signals whose left limits laws take, as rows of S.
std::vector<int> left_limits(const Signature& signature, const DueLaws& laws) {
  const int first = signature.size() + signature.algebraic_row(0);
  std::vector<int> taken;
  for (const Transition* law : laws) {
    const SparseColumns& S = law->equations.S();
    for (int k = 0; k < S.outerSize(); ++k)
      for (SparseColumns::InnerIterator entry(S, k); entry; ++entry)
        if (entry.index() >= first && entry.index() < first + signature.p())
          taken.push_back(entry.index() - signature.size());
  }
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

}  // namespace

std::vector<int> constraints_of_rows(const Model& model, const Mode& mode, std::span<const int> rows) {
  std::vector<int> constraints;
  for (const int row : rows) add_arrived({constraint_index(model, mode, row)}, constraints);
  return constraints;
}

void add_arrived(const std::vector<int>& more, std::vector<int>& arrived) {
  for (const int constraint : more)
    if (std::ranges::find(arrived, constraint) == arrived.end()) arrived.push_back(constraint);
}

void LawValues::note_motion() {
  laws_have_moved_ = false;
  broken_.clear();
}

void LawValues::look(const Mode& mode, const Admissibility& verdict, const DueLaws& due) {
  broken_.clear();
  if (!laws_have_moved_) return;
  std::vector<int> rows = verdict.system->broken_constraints;
  // By the value, g > 0: the direction of a motion takes orders above 1 to decide.
  for (std::size_t i = 0; i < verdict.decided_at.size(); ++i)
    if (verdict.decided_at[i] == 0 || verdict.decided_at[i] == 1) rows.push_back(verdict.constraints[i]);
  for (const int constraint : constraints_of_rows(*model_, mode, rows))
    if (std::ranges::none_of(due, [&](const Transition* law) { return law->target == constraint; }))
      broken_.push_back(constraint);
}

std::optional<std::string> LawValues::refusal(const Mode& mode, const DueLaws& laws) const {
  if (broken_.empty() || laws.empty()) return std::nullopt;
  const Signature& signature = model_->signature;
  const SignalRows& rows = cache_->rows();
  const std::shared_ptr<const ModeSystem> system = preferred(cache_->get(mode));
  const Dependence dependence(rows, *system);
  for (const int signal : left_limits(signature, laws)) {
    const std::vector<char> binaries = dependence.binaries_of(signal);
    for (const int constraint : broken_)
      if (std::ranges::any_of(rows.g.binaries(constraint),
                              [&](int binary) { return binaries[at(binary)] != 0; }))
        return "a law takes pre(" + signature.row_name(signal) +
               ") after another law of the instant, which has broken " +
               model_->constraint_names[at(constraint)] + ": it has no value before the mode changes";
  }
  return std::nullopt;
}

}  // namespace mti
