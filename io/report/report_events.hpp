#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The events of a page: all of them, or of many the first and the last.
class ReportEvents {
 public:
  void add(const std::vector<Event>& events);
  /// Members of a JSON object, with a comma behind each: "events" as events.json has them but for explanations and,
  /// where some are left out, "events_gap": {"after": of the events listed, "count": of those left out}.
  [[nodiscard]] std::string members(const Model& model) const;

 private:
  std::vector<Event> first_;
  std::deque<Event> last_;
  std::size_t left_out_ = 0;  ///< between them
};

}  // namespace mti
