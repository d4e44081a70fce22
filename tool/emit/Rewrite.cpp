// The user's source with a choice between kernel and loop at each region.
//
// Lines keep their numbers: everything is inserted within a line, apart from
// places where a pragma stands between; there a #line restores the count.
#include "emit/Edits.h"
#include "emit/Symbols.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using llvm::StringRef;

namespace autokernel {
namespace {

/// Spaces for everything but line ends.
std::string blank(StringRef text) {
  std::string out = text.str();
  for (char &c : out)
    if (c != '\n' && c != '\r')
      c = ' ';
  return out;
}

/// The list's brackets, too, when nothing else stands between them.
void widenToBrackets(StringRef source, size_t &begin, size_t &end) {
  StringRef before = source.take_front(begin).rtrim();
  StringRef after = source.drop_front(end).ltrim();
  if (source.slice(begin, end).starts_with("[[") || !before.ends_with("[[") ||
      !after.starts_with("]]"))
    return;
  begin = before.size() - 2;
  end = source.size() - after.size() + 2;
}

/// Past the semicolon of a body that Clang ends before it.
size_t statementEnd(StringRef source, const Region &region) {
  StringRef statement = source.slice(region.begin, region.end);
  if (statement.ends_with("}") || statement.ends_with(";"))
    return region.end;
  StringRef after = source.drop_front(region.end);
  StringRef rest = after.ltrim();
  return rest.starts_with(";") ? source.size() - rest.size() + 1 : region.end;
}

size_t lineStart(StringRef source, size_t at) {
  size_t newline = source.take_front(at).rfind('\n');
  return newline == StringRef::npos ? 0 : newline + 1;
}

/// A pragma in front of a loop, such as OpenMP's, belongs to the loop: the
/// choice goes before it. Answers the start of that line, or `begin`.
size_t beforePragmas(StringRef source, size_t begin) {
  size_t at = begin;
  size_t line = lineStart(source, begin);
  if (!source.slice(line, begin).trim().empty())
    return begin;
  while (line > 0) {
    size_t previous = lineStart(source, line - 1);
    StringRef text = source.slice(previous, line).trim();
    if (!text.starts_with("#") ||
        !text.drop_front().ltrim().starts_with("pragma"))
      break;
    at = line = previous;
  }
  return at;
}

/// One region, or the instantiations of one that have a kernel.
using Group = std::vector<const EmitItem *>;

/// `text(item)` for the instantiation that is compiled.
template <class Text> std::string choose(const Group &group, Text text) {
  if (group[0]->region.choice.empty())
    return text(*group[0]);
  std::string out;
  for (const EmitItem *item : group)
    out += std::string(out.empty() ? "" : " else ") + "if constexpr (" +
           item->region.choice + ") { " + text(*item) + " }";
  return out;
}

std::string dispatchCall(const EmitItem &item) {
  return dispatchName(item) + "(" + passedArguments(item) + ");";
}

std::string opening(const Group &group) {
  std::string mode =
      group[0]->region.choice.empty()
          ? "const int autokernel_mode_ = " + dispatchCall(*group[0])
          : "int autokernel_mode_ = 0; " +
                choose(group, [](const EmitItem &item) {
                  return "autokernel_mode_ = " + dispatchCall(item);
                });
  return "{ " + mode + " if (autokernel_mode_ != 1) { ";
}

std::string counterValues(const EmitItem &item) {
  std::string text;
  for (const auto &[name, value] : item.finalCounters)
    text += " " + name + " = " + value + ";";
  return text;
}

std::string closing(const Group &group) {
  std::string text =
      " } if (autokernel_mode_ == 2) { " +
      choose(group,
             [](const EmitItem &item) { return compareName(item) + "();"; }) +
      " }";
  if (llvm::any_of(group, [](const EmitItem *item) {
        return !item->finalCounters.empty();
      }))
    text +=
        " if (autokernel_mode_ == 1) {" + choose(group, counterValues) + " }";
  return text + " }";
}

std::string lineDirective(StringRef source, size_t at, StringRef path) {
  size_t line = source.take_front(at).count('\n') + 1;
  return "\n#line " + std::to_string(line) + " " + quoted(path) + "\n";
}

void addAttribute(StringRef source, const Region &region,
                  std::vector<Edit> &edits) {
  if (region.attributeEnd <= region.attributeBegin)
    return;
  size_t begin = region.attributeBegin, end = region.attributeEnd;
  widenToBrackets(source, begin, end);
  edits.push_back({begin, end, blank(source.slice(begin, end))});
}

/// Where the choice goes when attribute and pragmas stand in front.
size_t choicePlace(StringRef source, const Region &region) {
  size_t begin = region.begin;
  bool attributeInFront = region.attributeEnd > region.attributeBegin &&
                          region.attributeEnd <= region.begin;
  if (attributeInFront &&
      source.slice(region.attributeEnd, region.begin).trim().empty()) {
    size_t outer = beforePragmas(source, region.attributeBegin);
    if (outer != region.attributeBegin)
      return outer;
  }
  return beforePragmas(source, begin);
}

void addRegion(StringRef source, StringRef path, const Group &group,
               std::vector<Edit> &edits) {
  const Region &region = group[0]->region;
  addAttribute(source, region, edits);
  Group kernels;
  llvm::copy_if(group, std::back_inserter(kernels),
                [](const EmitItem *item) { return item->hasKernel(); });
  if (kernels.empty())
    return;
  size_t begin = choicePlace(source, region);
  size_t end = statementEnd(source, region);
  std::string text = opening(kernels);
  if (begin != region.begin)
    text += lineDirective(source, begin, path);
  edits.push_back({begin, begin, text});
  edits.push_back({end, end, closing(kernels)});
}

} // namespace

void addRegions(StringRef source, StringRef path, StringRef header,
                llvm::ArrayRef<EmitItem> items, std::vector<Edit> &edits) {
  std::vector<Group> groups;
  for (const EmitItem &item : items) {
    if (item.region.header != header)
      continue;
    auto samePlace = llvm::find_if(groups, [&](const Group &group) {
      return group[0]->region.begin == item.region.begin &&
             !item.region.choice.empty();
    });
    if (samePlace == groups.end())
      groups.push_back({&item});
    else
      samePlace->push_back(&item);
  }
  for (const Group &group : groups)
    addRegion(source, path, group, edits);
}

std::string apply(StringRef source, std::vector<Edit> edits) {
  llvm::stable_sort(
      edits, [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  std::string out;
  size_t at = 0;
  for (const Edit &e : edits) {
    out += source.slice(at, e.begin);
    out += e.text;
    at = std::max(at, e.end);
  }
  return out + source.drop_front(at).str();
}

std::string rewriteSource(StringRef original, StringRef originalPath,
                          StringRef headerPath, llvm::ArrayRef<EmitItem> items,
                          const HeaderSet &headers) {
  std::vector<Edit> edits;
  addCopies("", headers, edits);
  addRegions(original, originalPath, "", items, edits);
  std::string body = apply(original, std::move(edits));

  StringRef mark = original.starts_with("\xEF\xBB\xBF") ? "\xEF\xBB\xBF" : "";
  size_t firstEnd = original.find('\n');
  bool crlf = firstEnd != StringRef::npos && firstEnd > 0 &&
              original[firstEnd - 1] == '\r';
  std::string newline = crlf ? "\r\n" : "\n";
  std::string digest =
      headers.copies.empty() ? "" : " /* headers " + headers.digest + " */";
  return mark.str() + "#include " + quoted(headerPath) + digest + newline +
         "#line 1 " + quoted(originalPath) + newline + body.substr(mark.size());
}

} // namespace autokernel
