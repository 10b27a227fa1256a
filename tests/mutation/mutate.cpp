#include "tests/mutation/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace mti::test {
namespace {

using Json = nlohmann::ordered_json;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

class Mutation {
 public:
  Mutation(Json& model, std::uint32_t seed) : model_(model), random_(seed) {}

  void apply() {
    for (int faults = 1 + index(3); faults > 0; --faults) {
      collect(model_);
      switch (index(8)) {
        case 0:
        case 1:
          change_number();
          break;
        case 2:
          drop_element();
          break;
        case 3:
          double_element();
          break;
        case 4:
          exchange_elements();
          break;
        case 5:
        case 6:
          change_text();
          break;
        default:
          exchange_values();
      }
    }
  }

 private:
  /// All values of the file by kind; what says the format stays, or nothing else would be read.
  void collect(Json& model) {
    numbers_.clear();
    texts_.clear();
    lists_.clear();
    words_.clear();
    for (auto& [key, value] : model.items())
      if (key != "format" && key != "version") visit(value);
  }

  void visit(Json& value) {
    if (value.is_number()) numbers_.push_back(&value);
    if (value.is_string()) {
      texts_.push_back(&value);
      for (const auto& [first, size] : words_of(value.get_ref<const std::string&>()))
        words_.push_back(value.get_ref<const std::string&>().substr(first, size));
    }
    if (value.is_array() && !value.empty()) lists_.push_back(&value);
    if (value.is_structured())
      for (Json& part : value) visit(part);
  }

  static std::vector<std::pair<std::size_t, std::size_t>> words_of(const std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      if (end > i) words.emplace_back(i, end - i);
      i = std::max(end, i + 1);
    }
    return words;
  }

  double unusual(double value) {
    constexpr double denormal = 4.9406564584124654e-324;
    switch (index(12)) {
      case 0:
        return 0.0;
      case 1:
        return -1.0;
      case 2:
        return 1e308;
      case 3:
        return -1e308;
      case 4:
        return denormal;
      case 5:
        return -denormal;
      case 6:
        return -value;
      case 7:
        return 1e-300;
      case 8:
        return value * 1e12;
      case 9:
        return value * 1e-12;
      case 10:
        return 1.0;
      default:
        return std::nextafter(value, 1e308);
    }
  }

  void change_number() {
    if (numbers_.empty()) return;
    Json& number = *any(numbers_);
    number = unusual(number.get<double>());
  }

  void drop_element() {
    if (lists_.empty()) return;
    Json& list = *any(lists_);
    list.erase(list.begin() + index(static_cast<int>(list.size())));
  }

  void double_element() {
    if (lists_.empty()) return;
    Json& list = *any(lists_);
    const Json copy = list[at(index(static_cast<int>(list.size())))];
    list.insert(list.begin() + index(static_cast<int>(list.size())), copy);
  }

  void exchange_elements() {
    if (lists_.empty()) return;
    Json& list = *any(lists_);
    const int size = static_cast<int>(list.size());
    std::swap(list[at(index(size))], list[at(index(size))]);
  }

  void change_text() {
    if (texts_.empty()) return;
    std::string& text = any(texts_)->get_ref<std::string&>();
    const auto words = words_of(text);
    if (index(4) == 0) return change_operator(text);
    if (words.empty()) return;
    const auto [first, size] = words[at(index(static_cast<int>(words.size())))];
    const bool number = std::isdigit(static_cast<unsigned char>(text[first])) != 0;
    std::string other = number ? Json(unusual(1.0)).dump() : any(words_);
    if (!number && index(4) == 0) other = index(2) == 0 ? "pre(" + other + ")" : "der(" + other + ")";
    text.replace(first, size, "(" + other + ")");
  }

  void change_operator(std::string& text) {
    const std::string operators = "+-*/=<>()";
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (operators.find(text[i]) != std::string::npos) places.push_back(i);
    if (!places.empty()) text[any(places)] = operators[at(index(static_cast<int>(operators.size())))];
  }

  /// Two values of one kind.
  void exchange_values() {
    std::vector<Json*>& values = index(2) == 0 ? texts_ : numbers_;
    if (!values.empty()) std::swap(*any(values), *any(values));
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int index(int size) { return static_cast<int>(random_() % static_cast<std::uint32_t>(size)); }
  template <class T>
  T& any(std::vector<T>& values) {
    return values[at(index(static_cast<int>(values.size())))];
  }

  Json& model_;
  std::mt19937 random_;
  std::vector<Json*> numbers_, texts_, lists_;
  std::vector<std::string> words_;
};

}  // namespace

nlohmann::ordered_json mutated(nlohmann::ordered_json model, std::uint32_t seed) {
  Mutation(model, seed).apply();
  return model;
}

}  // namespace mti::test
