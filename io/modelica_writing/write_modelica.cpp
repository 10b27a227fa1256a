#include "io/modelica_writing/write_modelica.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "io/modelica_writing/at_once.hpp"
#include "io/modelica_writing/input_texts.hpp"
#include "io/modelica_writing/relations.hpp"
#include "io/modelica_writing/reset_texts.hpp"
#include "io/modelica_writing/settled_memories.hpp"
#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "mti/common/signs.hpp"
#include "mti/model/assertions.hpp"
#include "mti/printing/print.hpp"
#include "mti/text/parse.hpp"
#include "mti/whens/without_whens.hpp"

namespace mti::modelica {
namespace {

class Writer {
 public:
  /// `written`: whose equations say what decides the binaries.
  Writer(const Source& source, const Source& written)
      : source_(source),
        kinds_(source),
        notation_(kinds_),
        equations_(parsed(source.equations, "/equations", kinds_)),
        constraints_(parsed(source.constraints, "/constraints", kinds_)),
        at_once_(equations_, kinds_),
        decisions_(decide(source, equations_, parsed(written.equations, "/equations", kinds_), constraints_,
                          kinds_, notation_)) {}

  std::string write() {
    if (source_.sample_time)
      unwritable("/sample_time",
                 "a model of discrete time has no form in flat Modelica here: it has a sample_time");
    const bool all_fixed = std::ranges::all_of(source_.states, &StateSource::fixed);
    if (!source_.initial.empty() || !all_fixed)
      unwritable("/initial", "initial equations have no form in flat Modelica here: expected fixed starts");
    write_equations();
    write_decisions();
    write_resets();
    write_assertions();
    const std::string name = identifier(source_.name.empty() ? "Model" : source_.name);
    std::string text = "model " + name;
    if (!source_.description.empty()) text += " " + quoted_text(source_.description);
    text += "\n";
    if (!source_.scenarios.empty())
      text += "  // Scenarios, which a simulation does not use, are left out.\n";
    text += declarations() + "equation\n";
    for (const std::string& input : inputs_) text += "  " + input + ";\n";
    for (const ModelicaNotation::Memory& memory : notation_.memories())
      text += "  " + memory.equation + ";\n";
    return text + body_ + experiment() + "end " + name + ";\n";
  }

 private:
  [[nodiscard]] Piece piece(const std::string& expression) {
    return notation_.number(text::parse_expression(expression));
  }
  [[nodiscard]] std::string number(const Number& value) {
    if (const auto* direct = std::get_if<double>(&value)) return text::format_number(*direct);
    return piece(std::get<std::string>(value)).text;
  }
  [[nodiscard]] std::string truth(const Number& value) {
    if (const auto* direct = std::get_if<double>(&value)) return *direct > 0.5 ? "true" : "false";
    return at_level(piece(std::get<std::string>(value)), 1) + " > 0.5";
  }

  static std::string attributes(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += (text.empty() ? "(" : ", ") + one;
    return text.empty() ? text : text + ")";
  }

  [[nodiscard]] std::vector<std::string> real_attributes(const Number& start, bool fixed,
                                                         const std::string& unit, const Number& nominal) {
    std::vector<std::string> list;
    if (fixed || start != Number(0.0)) list.push_back("start = " + number(start));
    if (fixed) list.emplace_back("fixed = true");
    if (!unit.empty()) list.push_back("unit = " + quoted_text(unit));
    if (nominal != Number(1.0)) list.push_back("nominal = " + number(nominal));
    return list;
  }

  std::string declarations() {
    std::string text;
    const auto line = [&text](const std::string& type, const std::string& name, const std::string& rest) {
      text += "  " + type + " " + identifier(name) + rest + ";\n";
    };
    for (const ParameterSource& parameter : source_.parameters)
      line("parameter Real", parameter.name, " = " + number(parameter.value));
    for (const StateSource& state : source_.states) {
      const auto set = starts_.find(state.name);
      const Number start = set == starts_.end() ? state.start : Number(set->second);
      line("Real", state.name,
           attributes(real_attributes(start, moves(state.name), state.unit, state.nominal)));
    }
    for (const InputSource& input : source_.inputs) {
      if (input.name == "time") continue;
      const auto* constant = std::get_if<Number>(&input.form);
      const std::string type = input.binary ? "Boolean" : "Real";
      if (constant != nullptr) {
        std::vector<std::string> list{"start = " + (input.binary ? truth(*constant) : number(*constant))};
        if (!input.binary)
          for (std::string& own : real_attributes(0.0, false, input.unit, input.nominal))
            list.push_back(std::move(own));
        line("input " + type, input.name, attributes(list));
        continue;
      }
      line(type, input.name,
           input.binary ? "" : attributes(real_attributes(0.0, false, input.unit, input.nominal)));
      inputs_.push_back(
          input_text(input, source_.inputs, [this](const Number& value) { return number(value); }));
    }
    for (const AlgebraicSource& signal : source_.algebraic)
      line("Real", signal.name,
           attributes(real_attributes(signal.start, false, signal.unit, signal.nominal)));
    for (const std::string& switched : switched_) text += "  Real " + switched + ";\n";
    for (const BinarySource& binary : source_.binaries)
      line("Boolean", binary.name, "(start = " + truth(binary.start) + ", fixed = true)");
    for (const ModelicaNotation::Memory& memory : notation_.memories())
      text += "  Boolean " + memory.name + "(start = " + memory.start + ", fixed = true);\n";
    return text;
  }

  /// A state whose derivative occurs nowhere is not given a start, but follows from the equations.
  [[nodiscard]] bool moves(const std::string& state) const {
    return std::ranges::any_of(equations_,
                               [&](const auto& one) { return one->names.contains("der(" + state + ")"); });
  }

  void add(const std::string& equation, const std::string& description = {}) {
    body_ += "  " + equation + (description.empty() ? "" : " " + quoted_text(description)) + ";\n";
  }

  /// z·a + (1 − z)·b = 0 is `0 = if z then a else b`.
  void write_equations() {
    for (const auto& equation : equations_) {
      if (decisions_.used.contains(equation.get())) continue;
      if (equation->is_logic)
        unwritable(
            equation->pointer,
            "this equation of binaries alone leaves them open for some values of the others, where they "
            "stay what they are: expected pre(…) of what stays");
      try {
        const Piece left = notation_.number(equation->relation.left),
                    right = notation_.number(equation->relation.right);
        const bool one_side = (left.value && *left.value == 0.0) || (right.value && *right.value == 0.0);
        if (equation->binaries.size() == 1 && one_side &&
            !equation->names.contains("pre(" + *equation->binaries.begin() + ")")) {
          write_alternative(*equation);
        } else {
          add(at_level(left, 1) + " = " + right.text, equation->name);
        }
      } catch (const InvalidModel& refused) {
        unwritable(equation->pointer, refused.faults().front().message);
      }
    }
  }

  void write_alternative(const ParsedRelation& equation) {
    const std::string& z = *equation.binaries.begin();
    std::string parts[2];
    bool binds_states[2] = {false, false};
    for (const bool value : {false, true}) {
      const Piece left = notation_.number(equation.relation.left, {{z, value}});
      const Piece right = notation_.number(equation.relation.right, {{z, value}});
      const bool is_left = right.value && *right.value == 0.0;
      parts[value ? 1 : 0] = at_level(is_left ? left : right, 1);
      binds_states[value ? 1 : 0] = std::ranges::none_of(equation.names, [&](const std::string& name) {
        return (kinds_.is_algebraic(name) || name.starts_with("der(")) &&
               parts[value ? 1 : 0].find(name.starts_with("der(") ? name : identifier(name)) !=
                   std::string::npos;
      });
    }
    if (binds_states[0] != binds_states[1])
      body_ += "  // Binds states where " + std::string(binds_states[1] ? "" : "not ") + identifier(z) +
               ": the index of this model is not the same in all modes.\n";
    add("0 = if " + identifier(z) + " then " + parts[1] + " else " + parts[0], equation.name);
  }

  void write_decisions() {
    for (const Decision& decision : decisions_.binaries) {
      const std::string z = identifier(decision.binary);
      if (!decision.logic.empty()) {
        add(z + " = " + decision.logic);
      } else if (decision.while_off.empty() && decision.while_on.empty() && !decision.never_falls) {
        if (is_in_equation(decision.binary)) continue;
        body_ += is_annotated(decision.binary) ? "  // Constraints decide " + z +
                                                     " together with others, for which Modelica has no "
                                                     "equation: a tool stops at an assertion below\n"
                                                     "  // where a binary would have to change.\n"
                                               : "  // Nothing decides " + z + ".\n";
        add(z + " = pre(" + z + ")");
      } else if (is_at_once(decision)) {
        write_switched(decision);
      } else {
        write_memory(decision);
      }
    }
  }

  /// An equation that is there for nothing else: what it holds besides z is known.
  [[nodiscard]] bool is_in_equation(const std::string& binary) const {
    return std::ranges::any_of(equations_, [&](const auto& equation) {
      return equation->numbers.contains(binary) && !decisions_.used.contains(equation.get()) &&
             std::ranges::none_of(equation->numbers, [&](const std::string& name) {
               return kinds_.is_algebraic(name) || name.starts_with("der(");
             });
    });
  }

  [[nodiscard]] bool is_annotated(const std::string& binary) const {
    return std::ranges::any_of(constraints_,
                               [&](const auto& constraint) { return constraint->binaries.contains(binary); });
  }

  /// Whether what decides z moves with z itself: a loop of Boolean and real equations.
  [[nodiscard]] bool is_at_once(const Decision& decision) const {
    std::set<std::string> names = decision.names;
    names.erase(decision.binary);
    return at_once_.follows(names, decision.binary);
  }

  /// z = pre(z) or a > b; z = if pre(z) then not c > d else a > b; z = a > b where both are one boundary.
  void write_memory(const Decision& decision) {
    const std::string z = identifier(decision.binary);
    const auto any = [](const std::vector<Excess>& list) {
      std::string text;
      for (const Excess& one : list) text += (text.empty() ? "" : " or ") + one.text();
      return list.size() > 1 ? "(" + text + ")" : text.empty() ? "false" : text;
    };
    if (decision.while_off.size() == 1 && decision.while_on.size() == 1 && !decision.never_falls &&
        !decision.never_rises) {
      const Excess& off = decision.while_off.front();
      if (off.is_opposite(decision.while_on.front())) {
        add(z + " = " + off.text());
        return;
      }
    }
    const std::string rises = decision.never_rises ? "false" : any(decision.while_off);
    const std::string stays =
        decision.never_falls || decision.while_on.empty() ? "true" : "not " + any(decision.while_on);
    if (stays == "true")
      add(z + " = (pre(" + z + ") or " + rises + ")");
    else
      add(z + " = if pre(" + z + ") then " + stays + " else " + rises);
  }

  /// s = if z then −g₁ else g₀ and z = s > 0, g₀ <= 0 being asked of z = 0 and g₁ <= 0 of z = 1.
  void write_switched(const Decision& decision) {
    const std::string z = identifier(decision.binary), s = identifier(kinds_.fresh(decision.binary + ".s"));
    const auto largest = [](const std::vector<Excess>& list) {
      std::string text;
      for (const Excess& one : list)
        text = text.empty() ? one.difference() : "max(" + text + ", " + one.difference() + ")";
      return text;
    };
    const std::string off = largest(decision.while_off), on = largest(decision.while_on);
    switched_.push_back(s);
    add(s + " = if " + z + " then " + (on.empty() || decision.never_falls ? "1" : text::negated(on)) +
        " else " + (off.empty() || decision.never_rises ? "-1" : off));
    add(z + " = " + s + " > 0");
  }

  void write_resets() {
    require_quiet_start(source_);
    for (const std::string& latch :
         require_settled_memories(source_, equations_, decisions_, at_once_, kinds_))
      body_ +=
          "  // " + identifier(latch) +
          " looks at signals that follow the mode at once, and the resets below set their states one event\n"
          "  // iteration later: what they are in between is not to be beyond its threshold.\n";
    starts_ = starts_behind_laws(source_);
    for (std::size_t i = 0; i < source_.transitions.size(); ++i) {
      const Reset reset = reset_of(source_, i, constraints_, kinds_, notation_);
      body_ += reset.text;
      if (reset.constraint != nullptr) decisions_.used.insert(reset.constraint);
    }
  }

  /// What nothing else says is asserted; the annotation says that modes in which it is broken are not looked at.
  void write_assertions() {
    for (const auto& constraint : constraints_) {
      if (decisions_.used.contains(constraint.get())) continue;
      const Piece left = notation_.number(constraint->relation.left),
                  right = notation_.number(constraint->relation.right);
      const bool less = constraint->relation.comparison == text::Relation::Comparison::less_equal;
      add("assert(" + at_level(left, 1) + (less ? " <= " : " >= ") + at_level(right, 1) + ", " +
          quoted_text(constraint->name) + ") annotation(__mti(constraint = true))");
    }
    for (const BinarySource& binary : source_.binaries)
      if (const auto assertion = assertion_of(binary.generated))
        add("assert(" + identifier(binary.name) + ", " + quoted_text(assertion->message) +
            (assertion->is_error ? ")" : ", AssertionLevel.warning)"));
    for (const std::string& formula : source_.invariants)
      add("assert(" + formula_text(formula) + ", \"invariant\") annotation(__mti(invariant = true))");
  }

  static std::string formula_text(const std::string& formula) {
    std::string text;
    std::vector<std::string> stack;
    for (const text::FormulaStep& step : text::parse_formula(formula)) {
      const auto pop = [&stack] {
        std::string top = std::move(stack.back());
        stack.pop_back();
        return top;
      };
      switch (step.kind) {
        case text::FormulaStep::Kind::name:
          stack.push_back(identifier(std::string(step.name)));
          break;
        case text::FormulaStep::Kind::constant:
          stack.emplace_back(step.value ? "true" : "false");
          break;
        case text::FormulaStep::Kind::negation:
          stack.back() = "(not " + stack.back() + ")";
          break;
        case text::FormulaStep::Kind::conjunction:
        case text::FormulaStep::Kind::disjunction: {
          const std::string b = pop(), a = pop();
          stack.push_back("(" + a + (step.kind == text::FormulaStep::Kind::conjunction ? " and " : " or ") +
                          b + ")");
          break;
        }
      }
    }
    return stack.back();
  }

  std::string experiment() {
    const ExperimentSource& run = source_.experiment;
    std::string text = "  annotation(experiment(StartTime = " + number(run.start) +
                       ", StopTime = " + number(run.stop) + ", Tolerance = " + number(run.rtol);
    if (run.output_interval) text += ", Interval = " + number(*run.output_interval);
    text += "), __mti(atol = " + number(run.atol);
    if (run.fixed_start) text += ", fixedStart = 1";
    return text + "));\n";
  }

  const Source& source_;
  Kinds kinds_;
  ModelicaNotation notation_;
  std::vector<std::unique_ptr<ParsedRelation>> equations_, constraints_;
  AtOnce at_once_;
  Decisions decisions_;
  std::vector<std::string> inputs_ = {}, switched_ = {};
  std::map<std::string, double> starts_ = {};  ///< of states that laws set at the start
  std::string body_ = {};
};

}  // namespace
}  // namespace mti::modelica

namespace mti {

namespace {

bool has_no_equations(const Source& source) {
  return source.matrices || source.explicit_form || source.state_space;
}

}  // namespace

std::string to_modelica(const Source& source) { return to_modelica(source, source); }

std::string to_modelica(const Source& source, const Source& written) {
  if (has_no_equations(source)) {
    const Source equations = to_equations(build(source));
    return modelica::Writer(equations, equations).write();
  }
  if (has_no_equations(written)) return to_modelica(source, to_equations(build(written)));
  static_cast<void>(build(source));  // every fault, before anything is written
  if (!source.whens.empty()) {
    const Source whole = without_whens(source).source;
    return to_modelica(whole, &source == &written ? whole : written);
  }
  return modelica::Writer(source, written).write();
}

}  // namespace mti
