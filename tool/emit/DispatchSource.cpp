// The CUDA file of one source: each kernel in a namespace of its own, then the
// tables of its contract and the functions that the rewritten source calls.
#include "emit/Emit.h"
#include "emit/Symbols.h"
#include "emit/Tables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using llvm::StringRef;

namespace autokernel {
namespace {

/// The rest of a "# keyword ..." line, or nothing.
StringRef afterDirective(StringRef line, StringRef keyword) {
  line = line.trim();
  if (!line.consume_front("#"))
    return {};
  line = line.ltrim();
  return line.consume_front(keyword) ? line.trim() : StringRef();
}

StringRef macroName(StringRef line) {
  StringRef rest = afterDirective(line, "define");
  return rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Headers are included before the namespaces open; their guards make the
/// kernels' own includes empty.
void collectHeaders(StringRef source, std::vector<std::string> &headers) {
  for (StringRef rest = source; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    StringRef header = afterDirective(line, "include");
    size_t end = header.find('>');
    if (header.starts_with("<") && end != StringRef::npos) {
      std::string name = header.take_front(end + 1).str();
      if (std::find(headers.begin(), headers.end(), name) == headers.end())
        headers.push_back(name);
    }
    rest = tail;
  }
}

/// What one kernel defines must not reach the next.
std::string undefineMacros(StringRef source) {
  std::set<std::string> names;
  for (StringRef rest = source; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    if (StringRef name = macroName(line); !name.empty())
      names.insert(name.str());
    rest = tail;
  }
  std::string text;
  for (const std::string &name : names)
    text += "#undef " + name + "\n";
  return text;
}

std::string kernelNamespace(const EmitItem &item) {
  return "kernel_" + item.contract.id + "_" + symbolSuffix(item);
}

/// The text that was judged, not an #include: the file of the store may be
/// another kernel when this is compiled, made for a source that compiles a
/// header's loop differently. nvcc counts the names of #line as dependencies,
/// so they are files.
std::string kernelText(const EmitItem &item, StringRef header) {
  std::string plain = "autokernel_" + item.contract.id;
  std::string symbol = launcherName(item, header);
  return "#define " + plain + " " + symbol + "\n#define " + plain +
         "_workspace " + symbol + "_workspace\nnamespace " +
         kernelNamespace(item) + " {\n#line 1 " + quoted(item.kernelPath) +
         "\n" + item.kernelSource + "\n}\n#line 1 " + quoted(header) +
         "\n#undef " + plain + "\n#undef " + plain + "_workspace\n" +
         undefineMacros(item.kernelSource);
}

std::string scalarValue(const Param &p, unsigned i) {
  std::string slot = "v[" + std::to_string(i) + "]";
  if (p.type.kind == ElementType::Bool)
    return "*static_cast<const unsigned char *>(" + slot + ") != 0";
  return "*static_cast<const " + p.type.spelling + " *>(" + slot + ")";
}

bool isByValue(const Param &p) { return !p.isArray && p.role == Role::In; }

std::string launchFunction(const EmitItem &item, StringRef header) {
  std::string text =
      "int launch(void *const *v, void *workspace, size_t bytes, void *stream) "
      "{\n  return " +
      kernelNamespace(item) + "::" + launcherName(item, header) + "(\n      ";
  for (unsigned i = 0; i < item.contract.params.size(); ++i) {
    const Param &p = item.contract.params[i];
    text += isByValue(p) ? scalarValue(p, i)
                         : "Pointer{v[" + std::to_string(i) + "]}";
    text += ",\n      ";
  }
  return text + "workspace, bytes, static_cast<cudaStream_t>(stream));\n}\n";
}

bool hasWorkspace(const EmitItem &item) {
  return StringRef(item.kernelSource)
      .contains("autokernel_" + item.contract.id + "_workspace");
}

std::string workspaceFunction(const EmitItem &item, StringRef header) {
  if (!hasWorkspace(item))
    return "constexpr Workspace workspace = nullptr;\n";
  std::string scalars;
  unsigned arrays = 0;
  for (unsigned i = 0; i < item.contract.params.size(); ++i) {
    const Param &p = item.contract.params[i];
    arrays += p.isArray;
    if (isByValue(p))
      scalars += (scalars.empty() ? "" : ", ") + scalarValue(p, i);
  }
  return "size_t workspace([[maybe_unused]] void *const *v, "
         "[[maybe_unused]] const size_t *extents) {\n"
         "  return workspaceBytes(&" +
         kernelNamespace(item) + "::" + launcherName(item, header) +
         "_workspace,\n      std::make_tuple(" + scalars +
         "), extents, std::make_index_sequence<" + std::to_string(arrays) +
         ">());\n}\n";
}

std::string number(double v) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", v);
  return buffer;
}

std::string regionObject(const EmitItem &item) {
  const Contract &c = item.contract;
  auto count = [](size_t n) { return ", " + std::to_string(n) + ",\n     "; };
  int64_t largest = std::max<int64_t>(INT32_MAX, item.largestSize);
  return "Region region = {\n    {" + quoted(c.id) + ", " +
         quoted(c.place.file) + ", " + std::to_string(c.place.line) + ", " +
         quoted(item.evidence) + ",\n     params" + count(c.params.size()) +
         "loops, facts" + count(c.loops.size()) + "accesses" +
         count(c.accesses.size()) + "guards" + count(c.guards.size()) +
         "assumptions" + count(c.assumptions.size()) + std::to_string(largest) +
         ", " + (c.tolerance.exact ? "true" : "false") + ", " +
         number(c.tolerance.relative.value_or(0)) + ", " +
         std::to_string(item.breakEvenElements) +
         ", launch, workspace},\n    {}};\n";
}

std::string dispatchFunctions(const EmitItem &item, StringRef space) {
  const std::vector<Param> &params = item.contract.params;
  // Weak: other files of the program may have the same region and kernel.
  const std::string linkage = "extern \"C\" __attribute__((weak)) ";
  std::string text = linkage + "int " + dispatchName(item) + "(" +
                     declaredParams(item) +
                     ") {\n  const autokernel::runtime::Argument a[] = {";
  for (size_t i = 0; i < params.size(); ++i) {
    std::string name = "p" + std::to_string(i), type = params[i].type.spelling;
    if (params[i].isArray)
      text += "autokernel::runtime::array(" + name + "), ";
    else if (isByValue(params[i]))
      text += "autokernel::runtime::scalar(&" + name + "), ";
    else
      text +=
          "autokernel::runtime::scalar(static_cast<" +
          (params[i].type.kind == ElementType::Bool ? "unsigned char" : type) +
          " *>(" + name + ")), ";
  }
  return text + "{}};\n  return autokernel::runtime::dispatch(" + space.str() +
         "::region, a);\n}\n" + linkage + "void " + compareName(item) +
         "(void) {\n  autokernel::runtime::compareShadow(" + space.str() +
         "::region);\n}\n";
}

std::string oneRegion(const EmitItem &item, StringRef header) {
  std::string space = "region_" + item.contract.id + "_" + symbolSuffix(item);
  return "\n// --- " + item.contract.id + ", " + item.contract.place.file +
         ":" + std::to_string(item.contract.place.line) + "\n" +
         kernelText(item, header) + "namespace {\nnamespace " + space +
         " {\nusing namespace autokernel;\nusing namespace "
         "autokernel::runtime;\n" +
         contractTables(item.contract) + launchFunction(item, header) +
         workspaceFunction(item, header) + regionObject(item) + "}\n}\n" +
         dispatchFunctions(item, space);
}

const char PointerType[] = R"(
namespace {
// Becomes whatever pointer the launcher declares.
struct Pointer {
  void *p;
  template <class T> operator T *() const { return static_cast<T *>(p); }
};
}
)";

/// What the conditions of instantiations are made of, without any include.
const char ChoiceTrait[] =
    R"(#if defined(__cplusplus) && !defined(AUTOKERNEL_CHOICE)
#define AUTOKERNEL_CHOICE
namespace autokernel_choice {
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
/* For types that are declared later: compilers print "[T = name]". */
template <class T> constexpr bool named(const char *name) {
  const char *text = __PRETTY_FUNCTION__;
  while (*text && !(text[0] == 'T' && text[1] == ' ' && text[2] == '=')) ++text;
  if (!*text) return false;
  for (text += 4; *name && *text == *name; ++text) ++name;
  return !*name && *text == ']';
}
}
#endif
)";

} // namespace

std::string dispatchHeader(llvm::ArrayRef<EmitItem> items) {
  std::string text =
      "/* Made by autokernel; changes are lost. */\n#pragma once\n";
  if (llvm::any_of(items, [](const EmitItem &item) {
        return item.hasKernel() && !item.region.choice.empty();
      }))
    text += ChoiceTrait;
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const EmitItem &item : items)
    if (item.hasKernel())
      text += "int " + dispatchName(item) + "(" + declaredParams(item) +
              ");\nvoid " + compareName(item) + "(void);\n";
  return text + "#ifdef __cplusplus\n}\n#endif\n";
}

std::string dispatchSource(llvm::ArrayRef<EmitItem> items,
                           StringRef headerPath) {
  std::vector<std::string> headers = {"<cuda_runtime.h>"};
  std::string regions;
  for (const EmitItem &item : items) {
    if (!item.hasKernel())
      continue;
    collectHeaders(item.kernelSource, headers);
    regions += oneRegion(item, headerPath);
  }
  std::string text = "// Made by autokernel; changes are lost.\n";
  if (regions.empty())
    return text;
  for (const std::string &h : headers)
    text += "#include " + h + "\n";
  return text + "#include \"autokernel/dispatch.h\"\n#include " +
         quoted(headerPath) + "\n" + PointerType + regions;
}

} // namespace autokernel
