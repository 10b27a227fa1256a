#include "program/guard/assertion_watch.hpp"

#include <algorithm>
#include <string_view>

#include "io/modelica/read_modelica.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti {

AssertionWatch::AssertionWatch(const Model& model) {
  const auto& binaries = model.signature.binaries();
  for (std::size_t i = 0; i < binaries.size(); ++i)
    for (const std::string_view mark : {modelica::assertion_mark, modelica::warning_mark})
      if (binaries[i].generated.starts_with(mark))
        assertions_.push_back({.row = model.signature.binary_row(static_cast<int>(i)),
                               .name = binaries[i].name,
                               .message = binaries[i].generated.substr(mark.size()),
                               .is_error = mark == modelica::assertion_mark});
}

void AssertionWatch::add(const Trajectory& part) {
  if (assertions_.empty()) return;
  for (Assertion& assertion : assertions_) {
    if (!begun_ && part.size() > 0 && part.value(0, part.column(assertion.name)) < 0.5)
      assertion.broken = part.time(0);
    for (const Event& event : part.events)
      for (const Change& change : event.changed)
        if (change.row == assertion.row && change.after < 0.5 && !assertion.broken)
          assertion.broken = event.time;
  }
  begun_ = begun_ || part.size() > 0;
}

std::vector<Fault> AssertionWatch::broken() const {
  std::vector<Fault> faults;
  for (const Assertion& assertion : assertions_)
    if (assertion.broken)
      faults.push_back({assertion.is_error ? "modelica-assertion" : "warning: modelica-assertion", "",
                        "at t = " + text::format_number(*assertion.broken, 9) + ": " + assertion.message});
  return faults;
}

bool AssertionWatch::has_failed() const {
  return std::ranges::any_of(assertions_, [](const Assertion& one) { return one.is_error && one.broken; });
}

}  // namespace mti
