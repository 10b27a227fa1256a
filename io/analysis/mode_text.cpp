#include "io/analysis/mode_text.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/signature.hpp"
#include "solvers/blocks/start_point.hpp"

namespace mti {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Where the value of each binary and binary input stands in a mode.
std::map<std::string, char*, std::less<>> places_in(Mode& mode, const Signature& signature) {
  std::map<std::string, char*, std::less<>> places;
  for (std::size_t i = 0; i < mode.z.size(); ++i) places.emplace(signature.binaries()[i].name, &mode.z[i]);
  std::size_t b = 0;
  for (const Signal& input : signature.inputs())
    if (input.binary) places.emplace(input.name, &mode.binary_inputs[b++]);
  return places;
}

[[noreturn]] void fail(const std::string& message) { throw InvalidOption("bad-mode", "", message); }

void set_value(const std::map<std::string, char*, std::less<>>& places, std::string_view assignment,
               std::map<std::string, char>& set) {
  const std::size_t equals = assignment.find('=');
  const std::string name(trimmed(assignment.substr(0, equals)));
  const std::string_view value =
      equals == std::string_view::npos ? "" : trimmed(assignment.substr(equals + 1));
  if (value != "0" && value != "1")
    fail("found \"" + std::string(assignment) + "\", expected NAME=0 or NAME=1");
  const auto place = places.find(name);
  if (place != places.end()) {
    *place->second = value == "1" ? 1 : 0;
    if (set.emplace(name, *place->second).first->second != *place->second)
      fail(name + " is both 0 and 1, expected one value");
    return;
  }
  std::vector<std::string> names;
  for (const auto& [known, unused] : places) names.push_back(known);
  const std::string suggestion = closest_name(name, names);
  fail("there is no binary or binary input " + name +
       (suggestion.empty() ? "" : ", did you mean " + suggestion + "?"));
}

}  // namespace

Mode parse_mode(const Model& model, std::string_view text) {
  Mode mode = start_mode(model, model.experiment.start);
  const auto places = places_in(mode, model.signature);
  std::map<std::string, char> set;
  while (!trimmed(text).empty()) {
    const std::size_t comma = text.find(',');
    set_value(places, trimmed(text.substr(0, comma)), set);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  remember(model.signature, mode);
  return mode;
}

}  // namespace mti
