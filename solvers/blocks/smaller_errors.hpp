#pragma once

#include <utility>
#include <vector>

#include "solvers/blocks/instant.hpp"

namespace mti {

/// Makes every ε the given part of itself for the lifetime of the object.
class SmallerErrors {
 public:
  SmallerErrors(Accuracy& accuracy, double part)
      : accuracy_(accuracy), rtol_before_(accuracy.rtol), absolute_before_(accuracy.absolute) {
    accuracy_.rtol *= part;
    for (double& absolute : accuracy_.absolute) absolute *= part;
  }
  SmallerErrors(const SmallerErrors&) = delete;
  SmallerErrors& operator=(const SmallerErrors&) = delete;
  ~SmallerErrors() {
    accuracy_.rtol = rtol_before_;
    accuracy_.absolute = std::move(absolute_before_);
  }

 private:
  Accuracy& accuracy_;
  double rtol_before_;
  std::vector<double> absolute_before_;
};

}  // namespace mti
