#include "fmi/description/dae_manifest.hpp"

#include <map>
#include <utility>

#include "fmi/description/xml_writer.hpp"
#include "mti/common/at.hpp"

namespace mti::fmi {
namespace {

/// The fully implicit form of the draft: algebraic signals and derivatives are known to an importer, and residuals are what it
/// brings to zero.
class ManifestWriter {
 public:
  ManifestWriter(const Model& model, const std::vector<Variable>& variables,
                 const std::vector<DaeResidual>& residuals)
      : model_(model), variables_(variables), residuals_(residuals) {
    for (std::size_t k = 0; k < variables.size(); ++k) {
      places_[{variables[k].role, variables[k].index}] = k;
      if (variables[k].causality == Causality::parameter) parameters_.push_back(k);
    }
  }

  std::string write() {
    xml_.begin("fmiLayeredStandardManifest");
    xml_.attribute("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest");
    xml_.attribute("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-dae");
    xml_.attribute("fmi-ls:fmi-ls-version", "1.0.0-alpha.1");
    xml_.attribute("fmi-ls:fmi-ls-description", "Layered standard for DAE support in FMI");
    xml_.begin("EnableDAE");
    refer(places_.at({Role::dae_mode, 0}));
    xml_.end().begin("AlgebraicVariables");
    of_all("AlgebraicVariable", [](const Variable& variable) { return variable.role == Role::algebraic; });
    xml_.end().begin("ModelStructure");
    of_all("Output", [](const Variable& variable) { return variable.causality == Causality::output; });
    of_all("EventIndicator", [](const Variable& variable) { return variable.role == Role::indicator; });
    for (std::size_t i = 0; i < residuals_.size(); ++i) write_residual(static_cast<int>(i));
    xml_.end().end();
    return std::move(xml_).finish();
  }

 private:
  /// Of more variables formulations may depend on all.
  static constexpr std::size_t most_names = 10'000;

  void refer(std::size_t place) { xml_.attribute("valueReference", std::to_string(place)); }
  template <class Fits>
  void of_all(const char* element, Fits fits) {
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (fits(variables_[k])) {
        xml_.begin(element);
        refer(k);
        xml_.end();
      }
  }

  /// The index falls with each derivative by one, to that of an equation which determines a derivative or a signal.
  void write_residual(int i) {
    const DaeResidual& residual = residuals_[at(i)];
    xml_.begin("Residual");
    write_formulation(Role::residual, i, residual.differentiations, residual.signals);
    if (residual.has_rate) {
      std::vector<int> signals;
      for (const int state : residual.signals) signals.push_back(state - model_.signature.n());
      signals.insert(signals.end(), residual.signals.begin(), residual.signals.end());
      write_formulation(Role::residual_rate, i, residual.differentiations - 1, signals);
    }
    xml_.end();
  }
  void write_formulation(Role role, int i, int differentiations, const std::vector<int>& signals) {
    xml_.begin("Formulation");
    refer(places_.at({role, i}));
    if (residuals_[at(i)].differentiations > 0) xml_.attribute("index", std::to_string(differentiations + 1));
    if (variables_.size() <= most_names) {
      std::vector<std::size_t> known = parameters_;
      for (const int signal : signals) known.push_back(place_of(signal));
      xml_.attribute("dependencies", known);
    }
    xml_.end();
  }

  /// Inputs that go on inside are functions of time.
  [[nodiscard]] std::size_t place_of(int signal) const {
    const Signature& signature = model_.signature;
    if (signal < signature.state_row(0)) return places_.at({Role::derivative, signal});
    if (signal < signature.input_row(0)) return places_.at({Role::state, signal - signature.state_row(0)});
    if (signal >= signature.algebraic_row(0))
      return places_.at({Role::algebraic, signal - signature.algebraic_row(0)});
    const auto input = places_.find({Role::input, signal - signature.input_row(0)});
    return input != places_.end() && variables_[input->second].causality == Causality::input ? input->second
                                                                                             : 0;
  }

  const Model& model_;
  const std::vector<Variable>& variables_;
  const std::vector<DaeResidual>& residuals_;
  std::map<std::pair<Role, int>, std::size_t> places_;
  std::vector<std::size_t> parameters_;
  XmlWriter xml_;
};

}  // namespace

std::string dae_manifest(const Model& model, const std::vector<Variable>& variables,
                         const std::vector<DaeResidual>& residuals) {
  return ManifestWriter(model, variables, residuals).write();
}

}  // namespace mti::fmi
