#pragma once

#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/signature.hpp"

namespace mti {

/// Signals of a model by their rows of S. Rows beyond them, such as those of derivatives of inputs
/// (solvers/plan/differentiated_input.hpp), are never in it.
class SignalSet {
 public:
  explicit SignalSet(const Signature& signature) : holds_(at(signature.size()), 0) {}

  void insert(int signal) {
    if (at(signal) < holds_.size()) holds_[at(signal)] = 1;
  }
  void erase(int signal) { holds_[at(signal)] = 0; }
  [[nodiscard]] bool contains(int signal) const {
    return at(signal) < holds_.size() && holds_[at(signal)] != 0;
  }

 private:
  std::vector<char> holds_;
};

}  // namespace mti
