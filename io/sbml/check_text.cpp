#include "io/sbml/check_text.hpp"

#include <algorithm>
#include <string>

#include "mti/common/fault.hpp"

namespace mti::sbml {
namespace {

/// Walks over the markup of a text, element by element.
class MarkupWalk {
 public:
  explicit MarkupWalk(std::string_view text) : text_(text) {}

  void check() {
    skip_mark_of_order();
    const std::size_t first = text_.find_first_not_of(" \t\r\n", at_);
    if (first == std::string_view::npos || text_[first] != '<')
      fail("sbml-format", "expected XML, which begins with <");
    for (at_ = first; (at_ = text_.find('<', at_)) != std::string_view::npos;) element();
  }

 private:
  [[noreturn]] void fail(const char* id, const std::string& message) const {
    const auto line =
        1 + std::count(text_.begin(),
                       text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw InvalidModel(id, "", "line " + std::to_string(line) + ": " + message);
  }

  void skip_mark_of_order() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    if (text_.starts_with("\xFE\xFF") || text_.starts_with("\xFF\xFE") ||
        text_.substr(0, 4).find('\0') != std::string_view::npos)
      fail("sbml-format", "expected XML in UTF-8, as SBML is written, found another encoding");
  }

  void skip_behind(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
      fail("sbml-format", "expected " + std::string(end) + " before the end of the file");
    at_ = found + end.size();
  }

  /// At a '<'.
  void element() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_behind("-->");
    if (rest.starts_with("<![CDATA[")) return skip_behind("]]>");
    if (rest.starts_with("<?")) return skip_behind("?>");
    if (rest.starts_with("<!"))
      fail("sbml-doctype",
           "a document type declaration, which SBML does not have; its entities are not expanded");
    if (rest.starts_with("</")) {
      --depth_;
      return skip_behind(">");
    }
    const std::size_t end = end_of_tag();
    const std::string_view tag = text_.substr(at_, end - at_);
    if (depth_ == 0) check_root(tag);
    if (text_[end - 1] != '/' && ++depth_ > deepest_element)
      fail("sbml-format", "elements are nested deeper than " + std::to_string(deepest_element) + " levels");
    at_ = end;
  }

  /// The '>' of the tag at hand; a '>' in quotes is none.
  [[nodiscard]] std::size_t end_of_tag() const {
    char quote = '\0';
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != '\0')
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'')
        quote = c;
      else if (c == '>')
        return i;
    }
    fail("sbml-format", "a tag without an end");
  }

  /// Packages say at the root whether the model means something else with them: comp:required="true".
  void check_root(std::string_view tag) const {
    static constexpr std::string_view word = ":required";
    for (std::size_t i = tag.find(word); i != std::string_view::npos; i = tag.find(word, i + 1)) {
      const std::size_t open = tag.find_first_not_of(" \t\r\n=", i + word.size());
      if (open == std::string_view::npos) continue;
      const std::string_view value = tag.substr(open + 1);
      if (!value.starts_with("true") && !value.starts_with("1")) continue;
      const std::size_t begin = tag.find_last_of(" \t\r\n", i) + 1;
      fail("sbml-package", "the package " + std::string(tag.substr(begin, i - begin)) +
                               " changes what the model means and is not read: only the core of SBML is");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

void check_text(std::string_view text) { MarkupWalk(text).check(); }

}  // namespace mti::sbml
