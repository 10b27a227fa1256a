#include "solvers/trajectory/instant_steps.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {

InstantSteps::InstantSteps(const Signature& signature, const Accuracy& accuracy, Mode mode,
                           std::span<const double> v)
    : signature_(&signature), accuracy_(&accuracy), kept_(std::move(mode)) {
  const auto first = v.begin() + signature.state_row(0);
  x_.assign(first, first + signature.n());
}

bool InstantSteps::take(const std::vector<Change>& changes, const Mode& mode, std::span<const double> v) {
  round_.push_back(changes);
  const auto same_state = [&] {
    for (int i = 0; i < signature_->n(); ++i) {
      const int row = signature_->state_row(i);
      const double x = v[at(row)], kept = x_[at(i)];
      if (std::abs(x - kept) > accuracy_->of(row, kept)) return false;
    }
    return true;
  };
  if (mode == kept_ && same_state()) return false;
  if (round_.size() < next_keeping_) return true;
  next_keeping_ *= 2;
  kept_ = mode;
  std::copy_n(v.begin() + signature_->state_row(0), signature_->n(), x_.begin());
  round_.clear();
  return true;
}

std::vector<int> InstantSteps::binaries() const {
  std::set<int> binaries;
  for (const std::vector<Change>& step : round_)
    for (const Change& change : step)
      if (const int binary = change.row - signature_->binary_row(0); binary >= 0 && binary < signature_->q())
        binaries.insert(binary);
  return {binaries.begin(), binaries.end()};
}

std::string InstantSteps::text() const {
  constexpr std::size_t most_changes = 6, most_steps = 10;
  std::string text = std::to_string(round_.size()) + (round_.size() == 1 ? " step: " : " steps: ");
  for (std::size_t i = 0; i < std::min(round_.size(), most_steps); ++i) {
    std::vector<std::string> changes;
    for (const Change& change : round_[i])
      changes.push_back(signature_->row_name(change.row) + ": " + number(change.before) + " > " +
                        number(change.after));
    text += (i == 0 ? "" : "; ") + (changes.empty() ? "jumps only" : name_list(changes, most_changes));
  }
  if (round_.size() > most_steps) text += "; and " + std::to_string(round_.size() - most_steps) + " more";
  return text;
}

}  // namespace mti
