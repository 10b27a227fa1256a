#include "program/setting_arguments.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace mti {

void add_set(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--set", settings,
                  "Replace a parameter, a constant input or a start value; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_max_seconds(CLI::App& command, double& seconds) {
  command
      .add_option_function<double>(
          "--max-seconds",
          [&seconds](double value) {
            if (!(value > 0.0))
              throw CLI::ValidationError("--max-seconds", "expected a positive number of seconds");
            seconds = value;
          },
          "End after so many seconds, reading among them")
      ->type_name("SECONDS");
}

std::pair<std::string, double> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0) {
    const char* const begin = text.data() + equals + 1;
    const char* const end = text.data() + text.size();
    double value = 0.0;
    const auto [rest, error] = std::from_chars(begin + (begin != end && *begin == '+' ? 1 : 0), end, value);
    if (error == std::errc() && rest == end && std::isfinite(value)) return {text.substr(0, equals), value};
  }
  throw CLI::ValidationError("--set", "found \"" + text + "\", expected NAME=VALUE with a number");
}

}  // namespace mti
