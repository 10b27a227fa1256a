#include "mti/whens/without_whens.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "mti/common/number.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/written_out.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

bool is_left_limit(const Node& node) {
  return node.kind == Node::Kind::call && node.name == "pre" && node.operands.size() == 1 &&
         node.operands.front().kind == Node::Kind::name;
}

/// Of a node that is a name, or is called by one, in the text that it views: brackets may begin before it.
std::size_t place_of_name(const Node& node, std::string_view text) {
  return static_cast<std::size_t>(node.name.data() - text.data());
}

/// Without the word of pre(s): what stands in an equation is followed to its own left limit.
void drop_pre(const Node& node, std::string_view given, std::string& text) {
  const std::size_t size = node.name.size();
  if (is_left_limit(node))
    return static_cast<void>(text.replace(place_of_name(node, given), size, size, ' '));
  for (const Node& operand : node.operands) drop_pre(operand, given, text);
}

/// Names of signals in a value that is a sum of products, none of them twice; nothing for other values.
class Products {
 public:
  Products(const std::unordered_set<std::string>& signals, const std::unordered_set<std::string>& numbers)
      : signals_(signals), numbers_(numbers) {}

  [[nodiscard]] bool are_all_of(const Node& node, bool divides = false) {
    switch (node.kind) {
      case Node::Kind::number:
        return true;
      case Node::Kind::name:
        if (!signals_.contains(std::string(node.name))) return numbers_.contains(std::string(node.name));
        found_.push_back(&node);
        return !divides && names_.insert(node.name).second;
      case Node::Kind::call:  // pre(s) as in laws
        return is_left_limit(node) && !divides && names_.insert(node.operands.front().name).second;
      case Node::Kind::sum:
      case Node::Kind::product:
        return std::ranges::all_of(node.operands, [&](const Node& operand) {
          return are_all_of(operand, divides || (node.kind == Node::Kind::product && operand.inverse));
        });
      default:
        return false;
    }
  }
  [[nodiscard]] const std::vector<const Node*>& found() const { return found_; }

 private:
  const std::unordered_set<std::string>&signals_, &numbers_;
  std::vector<const Node*> found_;
  std::set<std::string_view> names_;
};

/// A relation, or several with and, or, not. Of others, and of texts with mistakes, building says whether they are conditions.
bool says_what_is_true(const std::string& condition) {
  try {
    const std::string text = "z = " + condition;
    const text::Relation relation = text::parse_relation(text);
    const Node::Kind kind = relation.right.kind;
    return relation.comparison == text::Relation::Comparison::equal &&
           (kind == Node::Kind::comparison || kind == Node::Kind::negation ||
            kind == Node::Kind::conjunction || kind == Node::Kind::disjunction);
  } catch (const text::SyntaxError&) {
    return false;
  }
}

class Writer {
 public:
  Writer(const Source& source, WithoutWhens& result, std::vector<Fault>& faults)
      : source_(source),
        result_(result),
        out_(result.source),
        faults_(faults),
        names_(declared_names(source)) {
    const auto add = [this](const auto& list) {
      for (const auto& signal : list) {
        signals_.insert(signal.name);
        all_.push_back(signal.name);
      }
    };
    add(source.states);
    add(source.inputs);
    add(source.algebraic);
    add(source.binaries);
    for (const StateSource& state : source.states) states_.emplace(state.name, &state);
    for (const ParameterSource& parameter : source.parameters) numbers_.insert(parameter.name);
  }

  void write(std::size_t index) {
    const WhenSource& when = source_.whens[index];
    const std::string pointer = "/when/" + std::to_string(index);
    if (when.set.empty() && when.emit.empty())
      return fail("empty-when", pointer, R"(a when needs values in "set", or a name in "emit")");
    if (!when.emit.empty() && (!is_name(when.emit) || is_reserved(when.emit)))
      return fail("bad-name", pointer + "/emit", when.emit + " is no name");
    const std::string binary = fresh(when.emit.empty() ? "when" + std::to_string(index + 1) : when.emit);
    out_.binaries.push_back({.name = binary, .generated = when.condition});
    result_.of_binaries.push_back(pointer);
    const bool is_relation = says_what_is_true(when.condition);
    add_equation(binary + ".condition", binary + (is_relation ? " = " : " = if "), when.condition,
                 pointer + "/condition", is_relation ? "" : " then 1 else 0");
    TransitionSource law{.when = "risen(" + binary + ")", .emit = when.emit};
    for (const auto& [state, value] : when.set)
      if (is_state(state, pointer + "/set"))
        law.equations.push_back(state + " = " + left_limit(binary, state, value, pointer + "/set/" + state));
    out_.transitions.push_back(std::move(law));
    result_.of_laws.push_back(pointer + "/set");
  }

 private:
  void fail(std::string id, std::string pointer, std::string message) {
    faults_.push_back({std::move(id), std::move(pointer), std::move(message)});
  }

  std::string fresh(std::string name) {
    const std::string wanted = name;
    for (int k = 2; !names_.insert(name).second; ++k) name = wanted + std::to_string(k);
    return name;
  }

  void add_equation(const std::string& name, const std::string& before, const std::string& text,
                    std::string pointer, const std::string& behind = "") {
    out_.equations.emplace_back(name, before + text + behind);
    result_.of_equations.push_back(std::move(pointer));
    result_.indents.push_back(before.size());
  }

  bool is_state(const std::string& name, const std::string& pointer) {
    if (states_.contains(name)) return true;
    if (!names_.contains(name))
      fail("unknown-name", pointer + "/" + name, "unknown name " + name + did_you_mean(name, all_));
    else
      fail("set-of-non-state", pointer + "/" + name,
           name +
               " is no state: equations say what it is. Expected a state; what keeps its value between "
               "events is one "
               "with der(" +
               name + ") = 0");
    return false;
  }

  /// The value by left limits, as a law holds it.
  std::string left_limit(const std::string& binary, const std::string& state, const Number& value,
                         const std::string& pointer) {
    if (const auto* number = std::get_if<double>(&value)) return text::format_number(*number);
    const auto& given = std::get<std::string>(value);  // which nodes are views of
    std::string text = given;
    Products products(signals_, numbers_);
    bool is_plain = false;
    Node node;
    try {
      node = text::parse_expression(given);
      is_plain = products.are_all_of(node);
    } catch (const text::SyntaxError&) {  // building the equation below says what is wrong
    }
    if (is_plain) {
      std::vector<const Node*> found = products.found();
      const auto place = [&](const Node* name) { return place_of_name(*name, given); };
      std::ranges::sort(found, std::ranges::greater{}, place);
      for (const Node* name : found) {
        text.insert(place(name) + name->name.size(), ")");
        text.insert(place(name), "pre(");
      }
      return text;
    }
    drop_pre(node, given, text);
    const std::string signal = fresh(binary + "." + state);
    const StateSource& declared = *states_.at(state);
    out_.algebraic.push_back({.name = signal,
                              .start = declared.start,
                              .unit = declared.unit,
                              .nominal = declared.nominal,
                              .auxiliary = true});
    result_.of_signals.push_back(pointer);
    add_equation(signal + ".value", signal + " = ", text, pointer);
    return "pre(" + signal + ")";
  }

  const Source& source_;
  WithoutWhens& result_;
  Source& out_;
  std::vector<Fault>& faults_;
  std::unordered_set<std::string> names_, signals_, numbers_;
  std::vector<std::string> all_;
  std::unordered_map<std::string, const StateSource*> states_;
};

/// "column 12: …" of a text of which the first characters are not the user's.
void move_column(std::string& message, std::size_t indent) {
  constexpr std::string_view word = "column ";
  if (!message.starts_with(word)) return;
  std::size_t column = 0;
  const char* const begin = message.data() + word.size();
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), column);
  if (error != std::errc() || column <= indent) return;
  message.replace(word.size(), static_cast<std::size_t>(end - begin), std::to_string(column - indent));
}

}  // namespace

WithoutWhens without_whens(const Source& source) {
  std::vector<Fault> faults;
  WithoutWhens result{source, source.binaries.size(), source.algebraic.size(), source.equations.size(),
                      source.transitions.size()};
  result.source.whens.clear();
  if (source.sample_time)
    faults.push_back({"when-in-discrete-model", "/when",
                      "a model with a sample_time has no instants between its samples: expected next(x) with "
                      "a condition"});
  if (source.matrices || source.explicit_form || source.state_space)
    faults.push_back(
        {"when-beside-matrices", "/when", "conditions are equations: expected no when beside matrices"});
  Writer writer(source, result, faults);
  for (std::size_t i = 0; i < source.whens.size(); ++i) writer.write(i);
  if (!faults.empty()) throw InvalidModel(std::move(faults));
  return result;
}

std::vector<Fault> WithoutWhens::in_terms_of_whens(std::vector<Fault> faults) const {
  const auto moved = [](Fault& fault, std::string_view list, std::size_t first,
                        const std::vector<std::string>& targets) -> std::optional<std::size_t> {
    const auto element = element_of(fault.pointer, list, first, targets.size());
    if (!element) return std::nullopt;
    fault.pointer = targets[element->index];
    return element->index;
  };
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    if (const auto equation = moved(fault, "/equations", first_equation, of_equations))
      move_column(fault.message, indents[*equation]);
    else if (!moved(fault, "/binaries", first_binary, of_binaries) &&
             !moved(fault, "/algebraic", first_signal, of_signals))
      moved(fault, "/transitions", first_law, of_laws);
  }
  return faults;
}

}  // namespace mti
