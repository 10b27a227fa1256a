#include "tests/io/report/report_browser.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace mti::test {
namespace {

std::string chromium() {
  const char* variable = std::getenv("PATH");
  std::istringstream path(variable ? variable : "");
  for (std::string folder; std::getline(path, folder, ':');) {
    for (const char* name : {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}) {
      const auto file = std::filesystem::path(folder) / name;
      if (std::filesystem::exists(file)) return file.string();
    }
  }
  throw std::runtime_error(
      "no Chromium on the PATH: the tests of report.html need it (Debian: chromium-headless-shell)");
}

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

}  // namespace

std::string document_in_browser(const std::string& html) {
  const TemporaryDirectory directory;
  const auto page = directory.path() / "page.html", document = directory.path() / "document.html";
  std::ofstream(page, std::ios::binary) << html;
  // Nothing but the page itself is to be loaded; the profile is new, so nothing is left over from before.
  // A browser that hangs must not take the test's whole time without a word.
  const std::string command =
      "timeout --kill-after=5 120 " + in_quotes(chromium()) +
      " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
      " --disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1300,2400"
      " --virtual-time-budget=5000 --dump-dom --user-data-dir=" +
      in_quotes((directory.path() / "profile").string()) + " " + in_quotes("file://" + page.string()) +
      " > " + in_quotes(document.string()) + " 2> " + in_quotes((directory.path() / "messages").string());
  if (std::system(command.c_str()) != 0) {
    throw std::runtime_error("Chromium failed or took more than two minutes: " +
                             read_text(directory.path() / "messages"));
  }
  return read_text(document);
}

nlohmann::json json_element(const std::string& document, const std::string& id) {
  const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
  const auto begin = document.find(open);
  if (begin == std::string::npos) throw std::runtime_error("no element #" + id + " in the document");
  const auto end = document.find("</script>", begin);
  return nlohmann::json::parse(document.substr(begin + open.size(), end - begin - open.size()));
}

nlohmann::json read_back(const std::string& html) {
  return json_element(document_in_browser(html), "readback");
}

nlohmann::json after_steps(std::string html, const std::vector<std::string>& steps,
                           const std::string& expression) {
  std::string script =
      "<script>(async () => {\nconst drawn = () => new Promise((go) => setTimeout(go, 50));\n";
  for (const auto& step : steps) script += "await drawn();\n" + step + ";\n";
  script +=
      "await drawn();\nconst result = document.createElement('script');\nresult.type = 'application/json';\n"
      "result.id = 'result';\nresult.textContent = JSON.stringify(" +
      expression + ").replaceAll('<', '\\\\u003c');\ndocument.body.append(result);\n})();</script>";
  html.insert(html.rfind("</body>"), script);
  return json_element(document_in_browser(html), "result");
}

std::vector<std::string> external_references(const std::string& html) {
  // Licence comments may name a home page: nothing is loaded from there.
  const std::string text = std::regex_replace(html, std::regex(R"(/\*![^*]*\*/)"), "");
  // Searched piece by piece: a regular expression over a line of 50 kB exhausts the stack.
  std::vector<std::string> found;
  for (const char* pattern :
       {"http:", "https:", "src=", "src =", "@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket",
        "EventSource", "sendBeacon", "import(", "importScripts", "<link", "<iframe", "<object", "<embed",
        "<base", "http-equiv=\"refresh\""}) {
    if (text.find(pattern) != std::string::npos) found.emplace_back(pattern);
  }
  constexpr std::string_view link = "href=\"";
  for (auto place = text.find(link); place != std::string::npos; place = text.find(link, place + 1)) {
    const char first = text[place + link.size()];
    if (first != '#') found.push_back(text.substr(place, 40));
  }
  return found;
}

}  // namespace mti::test
