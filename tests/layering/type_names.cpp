#include "tests/layering/type_names.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>

namespace mti {

void check_type_names(const std::filesystem::path& root, const std::set<std::string>& files,
                      std::vector<std::string>& violations) {
  static const std::regex opens(R"(^namespace( [\w:]+)? \{.*)"), closes(R"(^\}\s+// namespace.*)"),
      defines(R"(^(struct|class|enum class) (\w+)( final)?( :.*)?( \{.*)?$)");
  std::map<std::string, std::string> first_place;
  for (const std::string& file : files) {
    std::vector<std::string> open;
    std::ifstream stream(root / file);
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (std::regex_match(line, match, opens)) {
        open.push_back(match[1]);
      } else if (std::regex_match(line, closes)) {
        if (!open.empty()) open.pop_back();
      } else if (std::regex_match(line, match, defines) && std::ranges::find(open, "") == open.end()) {
        std::string name;
        for (const std::string& outer : open) name += outer.substr(1) + "::";
        name += match[2];
        const auto [known, is_new] = first_place.emplace(name, file);
        if (!is_new) violations.push_back(file + ": defines " + name + ", as " + known->second + " does");
      }
    }
  }
}

}  // namespace mti
