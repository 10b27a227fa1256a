#include "mti/source/written_out.hpp"

namespace mti {

std::unordered_set<std::string> declared_names(const Source& source) {
  std::unordered_set<std::string> names;
  for (const ParameterSource& parameter : source.parameters) names.insert(parameter.name);
  for (const StateSource& state : source.states) names.insert(state.name);
  for (const InputSource& input : source.inputs) names.insert(input.name);
  for (const AlgebraicSource& signal : source.algebraic) names.insert(signal.name);
  for (const BinarySource& binary : source.binaries) names.insert(binary.name);
  return names;
}

std::optional<ElementOf> element_of(std::string_view pointer, std::string_view list, std::size_t first,
                                    std::size_t count) {
  if (!pointer.starts_with(list) || pointer.size() <= list.size() + 1 || pointer[list.size()] != '/')
    return std::nullopt;
  std::size_t end = list.size() + 1, index = 0;
  for (; end < pointer.size() && pointer[end] >= '0' && pointer[end] <= '9'; ++end)
    index = 10 * index + static_cast<std::size_t>(pointer[end] - '0');
  if (index < first || index >= first + count) return std::nullopt;
  return ElementOf{index - first, end};
}

}  // namespace mti
