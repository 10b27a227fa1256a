#include <algorithm>
#include <cstdlib>

#include "io/analysis/all_modes_names.hpp"
#include "io/analysis/all_modes_summary.hpp"
#include "io/analysis/write_all_modes.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

/// Lines of a list, cut where it gets long.
class Lines {
 public:
  static constexpr std::size_t most = 60;

  void add(const std::string& line) {
    if (++count_ <= most) text_ += "  " + line + "\n";
  }
  /// The list under its title; nothing if it is empty.
  [[nodiscard]] std::string under(const std::string& title) const {
    if (count_ == 0) return {};
    if (count_ <= most) return title + "\n" + text_;
    return title + "\n" + text_ + "  … and " + std::to_string(count_ - most) + " more (--json has all)\n";
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Lines beyond are not shown: no need to make them.
  [[nodiscard]] bool full() const { return count_ >= most; }
  void skip() { ++count_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

class AllModesText {
 public:
  AllModesText(const Model& model, const MultimodeAnalysis& analysis)
      : model_(model),
        analysis_(analysis),
        modes_(analysis.modes),
        names_(model, analysis.modes),
        summary_(model, analysis) {}

  std::string write() {
    if (modes_.space.contradictory()) return sizes() + "no mode is left: these rules contradict each other\n";
    return sizes() + singular() + classes() + offsets() + blocks() + changes() + laws() + scenarios();
  }

 private:
  [[nodiscard]] std::string sizes() const {
    const int binaries = modes_.space.variables();
    std::string text = binaries == 1 ? "1 binary" : std::to_string(binaries) + " binaries";
    text += ", " + counted(analysis_.all_modes, "mode");
    if (analysis_.considered_modes != analysis_.all_modes) {
      text += ", " + analysis_.considered_modes + " considered,\n";
      Lines rules;
      for (const ModeSet& factor : modes_.space.factors()) rules.add(names_.anywhere(factor));
      return text + rules.under("those where");
    }
    return text + "\n";
  }

  [[nodiscard]] std::string singular() const {
    std::string excluded;
    if (const auto& others = analysis_.without_rules;
        others && others->modes != "0" && others->modes != analysis_.singular_modes)
      excluded = "structurally singular without these rules: " + counted(others->modes, "mode") + ", where " +
                 names_.anywhere(others->singular) + "\n";
    excluded += absent();
    if (analysis_.singular_modes == "0") return "structurally regular: all of them\n" + excluded;
    std::string text = "structurally singular: " + counted(analysis_.singular_modes, "mode") + ", where " +
                       analysis_.where(modes_.parts.singular) +
                       "\nstructurally regular: " + counted(analysis_.regular_modes, "mode") + "\n";
    return text + absent() + list("over-determined:", rows_of(summary_.overdetermined)) +
           list("under-determined:", rows_of(summary_.underdetermined));
  }

  /// Signals that occur in no equation of some modes.
  [[nodiscard]] std::string absent() const {
    return list("absent, keeping what value they have:", summary_.absent);
  }

  [[nodiscard]] std::string list(const std::string& title, const SummaryRows& rows) const {
    Lines lines;
    for (const auto& [what, modes] : rows) lines.add(what + where(modes));
    return lines.under(title);
  }

  /// " where …", or nothing if it is everywhere.
  [[nodiscard]] std::string where(const ModeSet& set) const { return clause(analysis_.where(set)); }
  [[nodiscard]] std::string where_regular(const ModeSet& set) const {
    return clause(analysis_.where_regular(set));
  }
  /// The same, left out where it would be too long to be read.
  [[nodiscard]] std::string where_if_short(const ModeSet& set) const {
    constexpr std::size_t longest = 200;
    const std::string text = where(set);
    return text.size() > longest || text.find('<') != std::string::npos ? "" : text;
  }
  [[nodiscard]] static std::string clause(const std::string& text) {
    return text == "true" ? "" : " where " + text;
  }

  [[nodiscard]] std::string sum() const {
    const ConditionalSum& sum = analysis_.degrees_of_freedom;
    std::string text = std::to_string(sum.constant);
    std::size_t shown = 0;
    for (const auto& [weight, set] : sum.terms) {
      if (++shown > Lines::most)
        return text + " … and " + std::to_string(sum.terms.size() - Lines::most) + " more terms";
      text += weight < 0 ? " - " : " + ";
      if (std::abs(weight) != 1) text += std::to_string(std::abs(weight)) + "*";
      text += "[" + analysis_.where_regular(set) + "]";
    }
    return text;
  }

  [[nodiscard]] std::string classes() const {
    if (analysis_.regular_modes == "0") return {};
    // Written as a sum where that is simple: each binary by itself.
    const auto& terms = analysis_.degrees_of_freedom.terms;
    const bool plain = std::ranges::all_of(
        terms, [](const ConditionalTerm& term) { return term.where.support().size() == 1; });
    std::string text;
    if (plain || !analysis_.classes) text = "degrees of freedom = " + sum() + "\n";
    Lines lines;
    if (analysis_.classes) {
      for (const ModeClass& one : *analysis_.classes)
        lines.add("index " + std::to_string(one.index) +
                  (one.differentiation_index_is_one_more && !model_.is_discrete()
                       ? " (differentiation index " + std::to_string(one.index + 1) + ")"
                       : "") +
                  ", " + std::to_string(one.degrees_of_freedom) +
                  (one.degrees_of_freedom == 1 ? " degree" : " degrees") +
                  " of freedom: " + counted(analysis_.count(one.where), "mode") + where_if_short(one.where));
    } else {
      for (std::size_t index = 0; index < analysis_.by_index.size(); ++index)
        if (const std::string modes = analysis_.count(analysis_.by_index[index]); modes != "0")
          lines.add("index " + std::to_string(index) + ": " + counted(modes, "mode") +
                    where(analysis_.by_index[index]));
    }
    return text + lines.under("regular modes:");
  }

  [[nodiscard]] std::string offsets() const {
    Lines lines;
    const auto add = [&](const std::string& name, const ModeNumber& number, const ModeSet& there, int usual) {
      if (lines.full()) return lines.skip();
      for (const auto& [value, where] : values_of(number, there, analysis_))
        if (value != usual) lines.add(name + " = " + std::to_string(value) + clause(where));
    };
    const std::vector<ModeNumber>&c = modes_.offsets.c, &d = modes_.offsets.d;
    for (std::size_t i = 0; i < c.size(); ++i)
      add("c(" + names_.equation(static_cast<int>(i)) + ")", c[i], modes_.incidence.active[i], 0);
    for (std::size_t j = 0; j < d.size(); ++j)
      add("d(" + names_.signal(static_cast<int>(j)) + ")", d[j], !modes_.parts.absent[j],
          static_cast<int>(j) < model_.signature.n() ? 1 : 0);
    return lines.under("offsets, where c is not 0, d not 1 of a state or 0 of another signal:");
  }

  [[nodiscard]] std::string blocks() const {
    const ConditionalGraph& graph = modes_.graph;
    std::vector<std::vector<const ConditionalEdge*>> needs(graph.blocks.size());
    for (const ConditionalEdge& edge : graph.edges) needs[at(edge.block)].push_back(&edge);
    Lines lines;
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
      if (lines.full()) {
        lines.skip();
        continue;
      }
      const ConditionalBlock& block = graph.blocks[b];
      std::string inputs;
      for (const ConditionalEdge* edge : needs[b]) {
        const std::string condition = analysis_.where_both(*edge);
        inputs += (inputs.empty() ? "" : ", ") + std::to_string(edge->from + 1) +
                  (condition == "true" ? "" : " if " + condition);
      }
      lines.add(std::to_string(b + 1) + "  {" + joined(names_.leading(block)) + "} from " +
                joined(names_.equations(block)) + where_regular(block.where) +
                (inputs.empty() ? "" : "; takes " + inputs));
    }
    return lines.under(counted(std::to_string(graph.blocks.size()), "block") + " in all:");
  }

  [[nodiscard]] std::string changes() const {
    if (model_.is_discrete()) return "";  // nothing restarts from sample to sample
    const bool all_pairs = analysis_.before.is_all() && analysis_.after.is_all();
    Lines lines;
    for (const AllModesSummary::Change& change : summary_.changes)
      for (const auto& [what, pairs] : {jump_of(change), impulse_of(change)})
        if (!pairs.empty()) lines.add(what + clause(analysis_.where_pair(pairs)));
    const ModeSet singular = modes_.space.considered(analysis_.after & modes_.parts.singular);
    if (!singular.empty()) lines.add("no restart" + where(singular) + ": singular");
    if (all_pairs && lines.empty())
      return modes_.space.variables() == 0 ? "" : "mode changes: none forces a jump or an impulse\n";
    const std::string title =
        all_pairs ? "mode changes, pre(z) being z before (unless the new constraints happen to hold):"
                  : "mode changes from " + analysis_.where(analysis_.before) + " to " +
                        analysis_.where(analysis_.after) + ":";
    return lines.empty() ? title + " none forces a jump or an impulse\n" : lines.under(title);
  }

  [[nodiscard]] std::string laws() const {
    Lines lines;
    for (const AllModesSummary::Law& law : summary_.laws)
      for (const auto& [what, modes] : rows_of(law, named(law.signals), named(law.equations)))
        lines.add(what + where_regular(modes));
    return lines.under("transition laws:");
  }

  static std::string named(const SummaryRows& rows) {
    std::vector<std::string> names;
    for (const SummaryRow& row : rows) names.push_back(row.what);
    return names.empty() ? "nothing" : joined(names);
  }

  [[nodiscard]] std::string scenarios() const {
    Lines lines;
    for (const AllModesSummary::Scenario& scenario : summary_.scenarios) {
      if (scenario.modes.empty()) lines.add(scenario.name + ": no mode");
      for (const auto& [what, modes] : rows_of(scenario, "singular modes")) lines.add(what + where(modes));
    }
    return lines.under("initial scenarios:");
  }

  const Model& model_;
  const MultimodeAnalysis& analysis_;
  const AllModes& modes_;
  AllModesNames names_;
  AllModesSummary summary_;
};

}  // namespace

std::string all_modes_text(const Model& model, const MultimodeAnalysis& analysis) {
  return AllModesText(model, analysis).write();
}

}  // namespace mti
