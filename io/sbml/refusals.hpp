#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti::sbml {

/// What of a file is not read, each element once for each id.
class Refusals {
 public:
  /// `element`: the id of what is refused, or how it is called where it has none.
  void add(const std::string& id, const std::string& element, std::string message) {
    if (seen_.emplace(id, element).second)
      faults_.push_back({id, element.empty() ? "" : "/" + element, std::move(message)});
  }
  [[nodiscard]] bool empty() const { return faults_.empty(); }
  /// Errors: InvalidModel, if there is any.
  void raise() const {
    if (!faults_.empty()) throw InvalidModel(faults_);
  }

 private:
  std::vector<Fault> faults_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace mti::sbml
