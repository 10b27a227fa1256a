#include "mti/common/wording.hpp"

#include <algorithm>

namespace mti {

std::string counted(const std::string& number, const std::string& noun) {
  if (number == "1") return number + " " + noun;
  return number + " " + (noun.ends_with('y') ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

std::string counted(long count, const std::string& noun) { return counted(std::to_string(count), noun); }

std::string joined(const std::vector<std::string>& names) { return name_list(names, names.size()); }

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace mti
