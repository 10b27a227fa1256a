#include "io/report/report_events.hpp"

#include <algorithm>
#include <utility>

#include "io/json/writer.hpp"
#include "io/report/report_text.hpp"
#include "io/runs/write_events.hpp"

namespace mti {
namespace {

/// So many events are kept of the beginning and of the end, as far as their text has room in a page.
constexpr std::size_t most_of_an_end = 2000, room_of_an_end = 300'000;

/// As JSON, the explanation left out.
std::string text_of(const Model& model, const Event& event) {
  json::Writer out(json::in_line);
  write_event(out, model, event, WithExplanation::no);
  std::string text = std::move(out).finish();
  text.pop_back();  // the line end
  return text;
}

}  // namespace

void ReportEvents::add(const std::vector<Event>& events) {
  const std::size_t begin = std::min(events.size(), most_of_an_end - first_.size());
  const auto kept = [](Event event) {
    event.explanation.clear();
    return event;
  };
  for (std::size_t i = 0; i < begin; ++i) first_.push_back(kept(events[i]));
  for (std::size_t i = begin; i < events.size(); ++i) {
    if (events.size() - i > most_of_an_end) {
      ++left_out_;
      continue;
    }
    last_.push_back(kept(events[i]));
    if (last_.size() <= most_of_an_end) continue;
    last_.pop_front();
    ++left_out_;
  }
}

std::string ReportEvents::members(const Model& model) const {
  std::vector<std::string> beginning;
  std::deque<std::string> end;
  std::size_t room = room_of_an_end, listed_last = 0;
  const bool all = left_out_ == 0;
  for (auto event = last_.rbegin(); event != last_.rend(); ++event) {
    std::string text = text_of(model, *event);
    if (text.size() > room) break;
    room -= text.size();
    end.push_front(std::move(text));
    ++listed_last;
  }
  // What the end leaves is the beginning's, if all of the end has its place.
  room = room_of_an_end + (all && listed_last == last_.size() ? room : 0);
  for (const Event& event : first_) {
    std::string text = text_of(model, event);
    if (text.size() > room) break;
    room -= text.size();
    beginning.push_back(std::move(text));
  }
  const std::size_t missing = left_out_ + (first_.size() - beginning.size()) + (last_.size() - end.size()),
                    after = beginning.size();
  std::string joined;
  const auto join = [&](const auto& texts) {
    for (const std::string& text : texts) joined.append(joined.empty() ? "" : ", ").append(text);
  };
  join(beginning);
  join(end);
  std::string text = "\"events\":";
  append_for_script(text, "[" + joined + "]\n");
  text += ',';
  if (missing > 0)
    text +=
        R"("events_gap":{"after":)" + std::to_string(after) + ",\"count\":" + std::to_string(missing) + "},";
  return text;
}

}  // namespace mti
