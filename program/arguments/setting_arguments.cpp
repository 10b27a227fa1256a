#include "program/arguments/setting_arguments.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <system_error>

namespace mti {

void add_confine(CLI::App& command, Reach& reach) {
  command.add_flag_callback(
      "--confine", [&reach] { reach = Reach::own_folder; },
      "Refuse csv files and models of components that do not lie below the folder of the model");
}

void add_required(CLI::App& command, const char* name, std::string& value, const char* text,
                  const char* type) {
  command.add_option(name, value, text)->required()->type_name(type);
}

void add_model(CLI::App& command, std::string& model, Reach& reach) {
  add_required(command, "MODEL", model, "Model file, or - for standard input", "FILE");
  add_confine(command, reach);
}

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

double number_in(const std::string& text) {
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  double value = 0.0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  return error == std::errc() && rest == end ? value : std::numeric_limits<double>::quiet_NaN();
}

double seconds_in(const std::string& text) {
  static constexpr std::pair<const char*, double> units[] = {
      {"ms", 1e-3}, {"min", 60.0}, {"s", 1.0}, {"h", 3600.0}};  // ms before s, which it ends in
  for (const auto& [unit, factor] : units)
    if (text.ends_with(unit)) return number_in(text.substr(0, text.size() - std::strlen(unit))) * factor;
  return number_in(text);
}

CLI::Option* add_duration(CLI::App& command, const char* name, double& seconds, const char* text) {
  return command
      .add_option_function<std::string>(
          name,
          [name, &seconds](const std::string& given) {
            const double value = seconds_in(given);
            if (!(value > 0.0 && std::isfinite(value)))
              throw CLI::ValidationError(
                  name,
                  "found " + given + ", expected a number of seconds above 0, or one with ms, s, min or h");
            seconds = value;
          },
          text)
      ->type_name("SECONDS");
}

std::string check_positive(const std::string& text) {
  const double value = number_in(text);
  return value > 0.0 && std::isfinite(value) ? "" : "found " + text + ", expected a number above 0";
}

std::string check_not_negative(const std::string& text) {
  const double value = number_in(text);
  return value >= 0.0 && std::isfinite(value) ? "" : "found " + text + ", expected 0 or more";
}

std::string check_part(const std::string& text) {
  const double value = number_in(text);
  return value >= 0.0 && value <= 1.0 ? "" : "found " + text + ", expected a number from 0 to 1";
}

std::pair<std::string, double> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0)
    if (const double value = number_in(text.substr(equals + 1)); std::isfinite(value))
      return {text.substr(0, equals), value};
  throw CLI::ValidationError("--set", "found \"" + text + "\", expected NAME=VALUE with a number");
}

}  // namespace mti
