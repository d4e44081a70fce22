// Stands in for the autokernel tool in tests of the CMake module: it knows one
// loop, saxpy, and emits for it what the real tool would. Everything it is
// started with is appended to the file that FAKE_LOG names.
#include "../unit/emit/Items.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;
using namespace autokernel;

static std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static void writeIfDifferent(const fs::path &path, const std::string &text) {
  fs::create_directories(path.parent_path());
  if (!fs::exists(path) || readFile(path) != text)
    std::ofstream(path, std::ios::binary) << text;
}

struct Options {
  std::string command, source;
  std::map<std::string, std::string> values;
  std::string operator[](const std::string &name) const {
    auto found = values.find(name);
    return found == values.end() ? "" : found->second;
  }
};

static Options parse(int argc, char **argv) {
  Options o;
  o.command = argv[1];
  for (int i = 2; i < argc; ++i) {
    std::string a = argv[i];
    size_t equals = a.find('=');
    if (a == "-p" || a == "--kernel-dir")
      o.values[a] = argv[++i];
    else if (a.rfind("--", 0) == 0)
      o.values[a.substr(0, equals)] =
          equals == std::string::npos ? "on" : a.substr(equals + 1);
    else
      o.source = a;
  }
  return o;
}

static void log(const std::string &line) {
  if (const char *file = std::getenv("FAKE_LOG"))
    std::ofstream(file, std::ios::app) << line << "\n";
}

/// Entries for the source in the database; there must be exactly one.
static int countEntries(const Options &o) {
  std::string text = readFile(fs::path(o["-p"]) / "compile_commands.json");
  std::string wanted = "\"file\": \"" + o.source + "\"";
  int n = 0;
  for (size_t at = text.find(wanted); at != std::string::npos;
       at = text.find(wanted, at + 1))
    ++n;
  std::smatch m;
  std::regex definition("-DWHICH=(\\w+)");
  if (std::regex_search(text, m, definition))
    log("  which " + m[1].str());
  return n;
}

static std::vector<EmitItem> findLoops(const Options &o,
                                       const std::string &text) {
  std::vector<EmitItem> items;
  std::regex loop("\\[\\[autokernel\\]\\]\\s*(for[^;]*;[^;]*;[^;]*;)");
  std::string stem = fs::path(o.source).stem().string();
  for (std::sregex_iterator m(text.begin(), text.end(), loop), end; m != end;
       ++m) {
    EmitItem item = saxpyItem();
    item.contract.id = std::regex_replace(stem, std::regex("\\W"), "_") +
                       std::to_string(items.size());
    item.region.attributeBegin = unsigned(m->position());
    item.region.attributeEnd = unsigned(m->position()) + 14;
    item.region.begin = unsigned(m->position(1));
    item.region.end = unsigned(m->position(1) + m->length(1));
    items.push_back(item);
  }
  return items;
}

/// False where a kernel is missing and must not be.
static bool findKernels(const Options &o, std::vector<EmitItem> &items) {
  for (EmitItem &item : items) {
    fs::path path = fs::path(o["--kernel-dir"]) / (item.contract.id + ".cu");
    if (!fs::exists(path) && !o["--frozen"].empty()) {
      std::cerr << "autokernel: " << item.contract.id << " is missing\n";
      return false;
    }
    item.kernelSource =
        std::regex_replace(SaxpyKernel, std::regex("autokernel_saxpy"),
                           "autokernel_" + item.contract.id);
    if (!fs::exists(path) && o["--on-missing"] == "generate")
      writeIfDifferent(path, item.kernelSource);
    if (fs::exists(path))
      item.kernelPath = path.string();
  }
  return true;
}

static std::string escaped(std::string path) {
  return std::regex_replace(path, std::regex("[ #]"), "\\$&");
}

static void writeDepfile(const Options &o, const std::string &text,
                         const std::vector<EmitItem> &items) {
  std::ostringstream out;
  out << escaped(o["--stamp"]) << ": " << escaped(o.source);
  std::regex include("#include \"([^\"]+)\"");
  for (std::sregex_iterator m(text.begin(), text.end(), include), end; m != end;
       ++m)
    if (fs::path p = fs::path(o.source).parent_path() / m->str(1);
        fs::exists(p))
      out << " \\\n  " << escaped(p.string());
  for (const EmitItem &item : items)
    if (item.hasKernel())
      out << " \\\n  " << escaped(item.kernelPath);
  fs::create_directories(fs::path(o["--depfile"]).parent_path());
  std::ofstream(o["--depfile"]) << out.str() << "\n";
}

static int rewrite(const Options &o) {
  std::string text = readFile(o.source);
  if (countEntries(o) != 1) {
    std::cerr << "autokernel: " << countEntries(o) << " entries for "
              << o.source << "\n";
    return 2;
  }
  std::vector<EmitItem> items = findLoops(o, text);
  if (!findKernels(o, items))
    return 1;
  writeIfDifferent(o["--output-header"], dispatchHeader(items));
  writeIfDifferent(o["--output-cuda"],
                   dispatchSource(items, o["--output-header"]));
  writeIfDifferent(o["--output-source"],
                   rewriteSource(text, o.source, o["--output-header"], items));
  writeDepfile(o, text, items);
  std::ofstream(o["--stamp"]) << "\n";
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  Options o = parse(argc, argv);
  std::string line;
  for (int i = 1; i < argc; ++i)
    line += std::string(i > 1 ? " " : "") + argv[i];
  log(line);
  return o.command == "rewrite" ? rewrite(o) : 0;
}
