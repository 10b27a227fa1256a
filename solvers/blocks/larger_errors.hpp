#pragma once

#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// Enlarges ε for the lifetime of the object: `more` is added to the error bounds of the rows from `first_row` on.
class LargerErrors {
 public:
  LargerErrors(Accuracy& accuracy, int first_row, const std::vector<double>& more)
      : accuracy_(accuracy), before_(accuracy.absolute) {
    for (std::size_t i = 0; i < more.size(); ++i) accuracy_.absolute[at(first_row) + i] += more[i];
  }
  LargerErrors(const LargerErrors&) = delete;
  LargerErrors& operator=(const LargerErrors&) = delete;
  ~LargerErrors() { accuracy_.absolute = std::move(before_); }

 private:
  Accuracy& accuracy_;
  std::vector<double> before_;
};

}  // namespace mti
