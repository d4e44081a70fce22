// One parsed translation unit: the AST with the tokens it was made from.
//
// Surface: withUnit() parses a source with its compile command and hands the
// result to a function while Clang keeps it alive.
#pragma once

#include "scan/Attribute.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileEntry.h"
#include "clang/Lex/Token.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace autokernel {

struct CompileCommand {
  std::string directory, file;
  std::vector<std::string> arguments; // adjusted, see Arguments.h
};

/// One #include; inclusionsOf() has it in plain words.
struct LoggedInclusion {
  clang::FileID from;
  unsigned begin, end; // from the word "include" to the name's end
  clang::FileEntryRef file;
  bool quoted, system;
};

struct ParsedUnit {
  clang::ASTContext &context;
  clang::Preprocessor &preprocessor;
  const std::vector<clang::Token> &tokens; // after preprocessing, in order
  const AttributeLog &attributes;
  const CompileCommand &command;
  std::vector<std::string> dependencies; // every file read
  const std::vector<LoggedInclusion> &inclusions;
};

/// Parses and calls `use`. Fails with Clang's first errors where the source
/// doesn't compile. Files in `instead` have that text.
llvm::Error withUnit(const CompileCommand &command,
                     const std::function<llvm::Error(ParsedUnit &)> &use,
                     const std::map<std::string, std::string> &instead = {});

/// The command of `file` from the database in `buildDir`; `extra` replaces the
/// database when it is not empty.
llvm::Expected<std::vector<CompileCommand>>
findCommands(const std::string &buildDir, const std::string &file,
             const std::vector<std::string> &extra);

} // namespace autokernel
