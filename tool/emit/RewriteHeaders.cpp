// Copies of headers with the choice in place.
//
// A copy lies in the build tree. What it includes between quotes was looked for
// beside the original first, so that is written with its whole path.
#include "emit/Edits.h"
#include "emit/Symbols.h"

#include "support/Includers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using llvm::StringRef;

namespace autokernel {

const HeaderCopy *HeaderSet::find(StringRef original) const {
  for (const HeaderCopy &copy : copies)
    if (copy.original == original)
      return &copy;
  return nullptr;
}

static std::string copyPath(const std::string &folder, StringRef original) {
  std::string hash = llvm::utohexstr(llvm::xxh3_64bits(original) >> 32,
                                     /*LowerCase=*/true, 8);
  return folder + "/" + hash + "/" + llvm::sys::path::filename(original).str();
}

HeaderSet headersToCopy(llvm::ArrayRef<EmitItem> items,
                        const std::vector<Inclusion> &inclusions,
                        const std::string &folder) {
  HeaderSet headers;
  headers.inclusions = inclusions;
  std::set<std::string> wanted;
  for (const EmitItem &item : items)
    if (item.hasKernel() && !item.region.header.empty())
      wanted.insert(item.region.header);
  for (const std::string &file : includersOf(wanted, inclusions)) {
    if (file.empty() || file == CommandLineFile)
      continue;
    bool system = llvm::any_of(inclusions, [&](const Inclusion &i) {
      return i.file == file && i.system;
    });
    headers.copies.push_back({file, copyPath(folder, file), system});
  }
  return headers;
}

void addCopies(StringRef from, const HeaderSet &headers,
               std::vector<Edit> &edits) {
  std::set<size_t> done; // a header may be read several times
  for (const Inclusion &i : headers.inclusions)
    if (i.from == from)
      if (const HeaderCopy *copy = headers.find(i.file))
        if (done.insert(i.begin).second)
          edits.push_back({i.begin, i.end, "include " + quoted(copy->path)});
}

namespace {

/// Directives of one header that look beside it.
class Neighbours {
public:
  Neighbours(StringRef text, const HeaderCopy &copy, const HeaderSet &headers,
             std::vector<Edit> &edits)
      : text(text), copy(copy), headers(headers), edits(edits) {}

  void run() {
    addCopies(copy.original, headers, edits);
    for (const Edit &edit : edits)
      done.insert(edit.begin);
    addFollowed();
    addOthers();
  }

private:
  void add(size_t begin, size_t end, const std::string &with) {
    if (done.insert(begin).second)
      edits.push_back({begin, end, with});
  }

  /// Names that come from macros may mean several files.
  bool isOneFile(const Inclusion &a) const {
    return llvm::all_of(headers.inclusions, [&](const Inclusion &b) {
      return a.from != b.from || a.begin != b.begin || a.file == b.file;
    });
  }

  void addFollowed() {
    for (const Inclusion &i : headers.inclusions) {
      if (i.from != copy.original || done.count(i.begin) || !isOneFile(i))
        continue;
      bool next = text.substr(i.begin).starts_with("include_next");
      if (i.quoted || next)
        add(i.begin, i.end, "include " + quoted(i.file));
    }
  }

  /// Directives that Clang skipped may be for another compiler.
  void addOthers() {
    for (StringRef word : {"include", "__has_include"})
      for (size_t at = text.find(word); at != StringRef::npos;
           at = text.find(word, at + 1))
        addName(at, at + word.size(), word != "include");
  }

  void addName(size_t begin, size_t at, bool isQuestion) {
    StringRef rest = text.substr(at).ltrim(" \t");
    if (isQuestion ? !rest.consume_front("(") : !isDirective(begin))
      return;
    rest = rest.ltrim(" \t");
    size_t open = text.size() - rest.size();
    if (done.count(begin) || !rest.consume_front("\""))
      return;
    StringRef name =
        rest.take_until([](char c) { return c == '"' || c == '\n'; });
    llvm::SmallString<256> path = llvm::sys::path::parent_path(copy.original);
    llvm::sys::path::append(path, name);
    if (llvm::sys::path::is_absolute(name) || !llvm::sys::fs::exists(path))
      return;
    const HeaderCopy *other = headers.find(path);
    add(open, open + name.size() + 2,
        quoted(other ? StringRef(other->path) : StringRef(path)));
  }

  bool isDirective(size_t begin) const {
    return text.take_front(begin).rtrim(" \t").ends_with("#");
  }

  StringRef text;
  const HeaderCopy &copy;
  const HeaderSet &headers;
  std::vector<Edit> &edits;
  std::set<size_t> done;
};

} // namespace

std::string rewriteHeader(StringRef original, const HeaderCopy &copy,
                          const HeaderSet &headers,
                          llvm::ArrayRef<EmitItem> items) {
  std::vector<Edit> edits;
  Neighbours(original, copy, headers, edits).run();
  addRegions(original, copy.original, copy.original, items, edits);
  std::string body = apply(original, std::move(edits));
  StringRef text = body;
  text.consume_front("\xEF\xBB\xBF");
  // The original's folder may have made it a system header.
  return std::string(copy.system ? "#pragma GCC system_header\n" : "") +
         "#line 1 " + quoted(copy.original) + "\n" + text.str();
}

} // namespace autokernel
