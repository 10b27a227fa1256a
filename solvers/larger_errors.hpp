#pragma once

#include <utility>
#include <vector>

#include "solvers/instant.hpp"

namespace mti {

/// For a while ε is larger: `more` is added to what is left open about the rows from `first_row` on.
class LargerErrors {
 public:
  LargerErrors(Accuracy& accuracy, int first_row, const std::vector<double>& more)
      : accuracy_(accuracy), before_(accuracy.absolute) {
    for (std::size_t i = 0; i < more.size(); ++i)
      accuracy_.absolute[static_cast<std::size_t>(first_row) + i] += more[i];
  }
  LargerErrors(const LargerErrors&) = delete;
  LargerErrors& operator=(const LargerErrors&) = delete;
  ~LargerErrors() { accuracy_.absolute = std::move(before_); }

 private:
  Accuracy& accuracy_;
  std::vector<double> before_;
};

}  // namespace mti
