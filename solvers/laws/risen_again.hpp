#pragma once

#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// What becomes true again within one instant.
///
/// A condition on its boundary is decided by the motion that would go on, and the modes that an instant passes do not last: x > 1
/// at x = 1 may fall and rise by them while x stays. Its law is not due again then, but only if something that the condition is about
/// has had another value since. A value: who goes back to an earlier point of the instant takes what it was there.
class RisenAgain {
 public:
  /// Both outlive it.
  RisenAgain(const Model& model, const Accuracy& accuracy) : model_(&model), accuracy_(&accuracy) {}

  /// A point of the instant, z⁻ and z there: z⁻ with 1 in the place of what has not become true anew.
  [[nodiscard]] std::vector<char> before(std::vector<char> z_before, std::span<const char> z,
                                         std::span<const double> v);
  /// The instant has come to other values.
  void pass(std::span<const double> v);

 private:
  struct Fired {
    int binary = 0;
    std::vector<double> v = {};
    std::size_t passed = 0;  ///< points before it
  };
  [[nodiscard]] bool has_changed(const Fired& fired) const;
  [[nodiscard]] std::vector<int> rows_about(int binary) const;

  const Model* model_;
  const Accuracy* accuracy_;
  std::vector<Fired> fired_;
  std::vector<std::vector<double>> passed_;  ///< v, since the first has fired
};

}  // namespace mti
