#include "solvers/mode/run_text.hpp"

#include <algorithm>
#include <cstdio>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"

namespace mti {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string mode_text(const Signature& signature, std::span<const double> v) {
  constexpr int most = 12;
  std::string text = "(";
  for (int i = 0; i < std::min(signature.q(), most); ++i)
    text += (i == 0 ? "" : ", ") + signature.binaries()[at(i)].name + " = " +
            number(v[at(signature.binary_row(i))]);
  return text + (signature.q() > most ? ", …)" : ")");
}

std::string in_mode(const Signature& signature, std::span<const double> v) {
  return signature.q() == 0 ? "" : " in mode " + mode_text(signature, v);
}

std::string at_instant(double t, const Signature& signature, std::span<const double> v) {
  return "at t = " + number(t) + in_mode(signature, v);
}

std::string constraint_list(const Model& model, const std::vector<int>& constraints) {
  std::vector<std::string> names;
  for (const int row : constraints) names.push_back(model.constraint_names[at(row)]);
  return joined(names);
}

}  // namespace mti
