#include "io/files/input_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "io/files/files.hpp"
#include "mti/common/fault.hpp"

namespace mti {

void InputFiles::add(std::filesystem::path path) {
  if (path != "-" && std::ranges::find(paths_, path) == paths_.end()) paths_.push_back(std::move(path));
}

void InputFiles::keep_from(std::span<const std::filesystem::path> outputs) const {
  std::vector<Fault> faults;
  for (const std::filesystem::path& output : outputs) {
    std::error_code ignored;
    if (output == "-" || !std::filesystem::is_regular_file(output, ignored)) continue;
    if (std::ranges::any_of(paths_, [&](const auto& input) { return are_one_file(input, output); }))
      faults.push_back({"output-is-input", "",
                        output.string() + " is read by this command, which would write over it; nothing is "
                                          "done, give another name or folder for the output"});
  }
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

void InputFiles::keep_from(const std::filesystem::path& directory, std::span<const std::string> names) const {
  std::vector<std::filesystem::path> outputs;
  for (const std::string& name : names) outputs.push_back(directory / name);
  keep_from(outputs);
}

}  // namespace mti
