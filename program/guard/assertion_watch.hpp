#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Assertions of a Modelica model are binaries that are 1 where they hold (docs/modelica.md): when each was first broken.
class AssertionWatch {
 public:
  explicit AssertionWatch(const Model& model);
  /// The next rows and events of the run.
  void add(const Trajectory& part);

  /// One line for each that was broken, warnings with `warning: ` before the id.
  [[nodiscard]] std::vector<Fault> broken() const;
  /// One was broken that is more than a warning.
  [[nodiscard]] bool has_failed() const;

 private:
  struct Assertion {
    int row = -1;  ///< of S
    std::string name, message;
    bool is_error = true;
    std::optional<double> broken = {};
  };
  std::vector<Assertion> assertions_ = {};
  bool begun_ = false;
};

}  // namespace mti
