#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/files/reach.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mti {

/// Enters the option --confine.
void add_confine(CLI::App& command, Reach& reach);

/// Enters the name of a file or folder, type "FILE" or "DIR", that the command cannot do without.
void add_required(CLI::App& command, const char* name, std::string& value, const char* text,
                  const char* type);

/// Enters MODEL and --confine.
void add_model(CLI::App& command, std::string& model, Reach& reach);

/// Enters the option --set.
void add_set(CLI::App& command, std::vector<std::string>& settings);

/// Enters the option --max-seconds of a command that CommandLimit watches.
void add_max_seconds(CLI::App& command, double& seconds);

/// The whole text as a number; nan where it is none.
[[nodiscard]] double number_in(const std::string& text);

/// A duration in seconds: a number, with `ms`, `s`, `min` or `h` behind it if it has a unit; nan where it is none.
[[nodiscard]] double seconds_in(const std::string& text);

/// Enters the option `name` for a duration above 0.
CLI::Option* add_duration(CLI::App& command, const char* name, double& seconds, const char* text);

/// For CLI::Option::check: why the text is no number from 0 on, above 0, or from 0 to 1; empty if it is. Checks of CLI11 let
/// nan pass.
[[nodiscard]] std::string check_not_negative(const std::string& text);
[[nodiscard]] std::string check_positive(const std::string& text);
[[nodiscard]] std::string check_part(const std::string& text);

/// "NAME=VALUE" as a pair; throws CLI::ValidationError.
[[nodiscard]] std::pair<std::string, double> parse_setting(const std::string& text);

}  // namespace mti
