#include "fmi/cosimulation/log.hpp"

#include <algorithm>

#include "fmi/description/log_category.hpp"

namespace mti::fmi {

void Log::choose(bool on, std::span<const std::string_view> categories) {
  for (const std::string_view name : categories)
    if (name != "logAll" &&
        std::ranges::find(log_categories, name, &LogCategory::name) == log_categories.end())
      throw Refused("there is no log category " + std::string(name));
  const auto is_events = [](std::string_view name) { return name == "logEvents" || name == "logAll"; };
  if (categories.empty() || std::ranges::any_of(categories, is_events)) events_ = on;
}

void Log::tell_event(const std::string& message) const {
  if (tells_events()) sink_(Status::ok, "logEvents", message);
}

void Log::tell(Status status, const std::string& message) const {
  if (!sink_) return;
  sink_(status,
        status == Status::discard   ? "logStatusDiscard"
        : status == Status::warning ? "logStatusWarning"
                                    : "logStatusError",
        message);
}

}  // namespace mti::fmi
