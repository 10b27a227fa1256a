#include "io/kinetics/read_sbml.hpp"

#include <algorithm>
#include <set>

#include "io/files/files.hpp"
#include "io/kinetics/event_writer.hpp"
#include "io/kinetics/source_writer.hpp"
#include "io/quantities/exact_assignments.hpp"
#include "io/quantities/fast_reactions.hpp"
#include "io/quantities/quantities.hpp"
#include "io/sbml/past_values.hpp"
#include "io/sbml/rates_at_start.hpp"
#include "io/sbml/read_document.hpp"
#include "io/sbml/refusals.hpp"

namespace mti {
namespace {

/// Events need no id; their signals need a name.
void name_events(sbml::Document& document) {
  std::set<std::string> taken = {"events", "order_of"};
  for (const auto& list : document.events) taken.insert(list.id);
  for (const auto& compartment : document.compartments) taken.insert(compartment.id);
  for (const auto& species : document.species) taken.insert(species.id);
  for (const auto& parameter : document.parameters) taken.insert(parameter.id);
  for (const auto& reaction : document.reactions) taken.insert(reaction.id);
  int count = 0;
  for (sbml::Event& event : document.events) {
    ++count;
    if (!event.id.empty()) continue;
    event.id = "event" + std::to_string(count);
    while (!taken.insert(event.id).second) event.id += "_";
  }
}

}  // namespace

bool is_sbml_file(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending == ".xml" || ending == ".sbml";
}

Source read_sbml_text(const std::string& text) {
  sbml::Document document = sbml::read_document(text);
  name_events(document);
  sbml::write_rates_at_start(document);
  sbml::Refusals refusals;
  sbml::refuse_fast_reactions(document, refusals);
  sbml::write_past_values(document);
  const sbml::Quantities quantities(document, refusals);
  refusals.raise();
  sbml::refuse_exact_assignments(quantities, refusals);
  sbml::SourceWriter writer(quantities, refusals);
  writer.write_equations();
  sbml::EventWriter(writer).write();
  refusals.raise();
  return writer.take();
}

Source read_sbml_source(const std::filesystem::path& path) { return read_sbml_text(read_file(path)); }

}  // namespace mti
