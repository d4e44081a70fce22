#include "scan/Unit.h"

#include "scan/Arguments.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace autokernel {

namespace {

using UseFunction = std::function<llvm::Error(ParsedUnit &)>;

class InclusionLogger : public PPCallbacks {
public:
  InclusionLogger(const SourceManager &sources,
                  std::vector<LoggedInclusion> &log)
      : sources(sources), log(log) {}

  void InclusionDirective(SourceLocation, const Token &include, llvm::StringRef,
                          bool isAngled, CharSourceRange name,
                          OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind kind) override {
    if (!file)
      return;
    auto [from, begin] = sources.getDecomposedLoc(include.getLocation());
    log.push_back({from, begin, endOf(name.getEnd()), *file, !isAngled,
                   SrcMgr::isSystem(kind)});
  }

private:
  /// The name may come from a macro, which is replaced as a whole.
  unsigned endOf(SourceLocation place) const {
    if (place.isFileID())
      return sources.getFileOffset(place);
    SourceLocation last = sources.getExpansionRange(place).getEnd();
    return sources.getFileOffset(last) +
           Lexer::MeasureTokenLength(last, sources, LangOptions());
  }

  const SourceManager &sources;
  std::vector<LoggedInclusion> &log;
};

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &compiler, const CompileCommand &command,
           const UseFunction &use, llvm::Error &result)
      : compiler(compiler), command(command), use(use), result(result) {
    AttributeLog::current() = &log;
    compiler.getPreprocessor().setTokenWatcher([this](const Token &token) {
      if (!token.isAnnotation())
        tokens.push_back(token);
    });
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<InclusionLogger>(
        compiler.getSourceManager(), inclusions));
  }
  ~Consumer() override { AttributeLog::current() = nullptr; }

  void HandleTranslationUnit(ASTContext &context) override {
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    ParsedUnit unit{context,   compiler.getPreprocessor(),
                    tokens,    log,
                    command,   dependencies(),
                    inclusions};
    result = llvm::joinErrors(std::move(result), use(unit));
  }

private:
  std::vector<std::string> dependencies() const {
    std::vector<std::string> files;
    SourceManager &sources = compiler.getSourceManager();
    for (auto it = sources.fileinfo_begin(); it != sources.fileinfo_end(); ++it)
      files.push_back(it->first.getName().str());
    llvm::sort(files);
    return files;
  }

  CompilerInstance &compiler;
  const CompileCommand &command;
  const UseFunction &use;
  llvm::Error &result;
  AttributeLog log;
  std::vector<Token> tokens;
  std::vector<LoggedInclusion> inclusions;
};

class Action : public ASTFrontendAction {
public:
  Action(const CompileCommand &command, const UseFunction &use,
         llvm::Error &result)
      : command(command), use(use), result(result) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<Consumer>(compiler, command, use, result);
  }

private:
  const CompileCommand &command;
  const UseFunction &use;
  llvm::Error &result;
};

} // namespace

static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
fileSystem(const std::map<std::string, std::string> &instead) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk(
      llvm::vfs::createPhysicalFileSystem().release());
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[path, text] : instead)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  files->pushOverlay(memory);
  return files;
}

llvm::Error withUnit(const CompileCommand &command, const UseFunction &use,
                     const std::map<std::string, std::string> &instead) {
  llvm::Error result = llvm::Error::success();
  auto base = fileSystem(instead);
  if (std::error_code ec = base->setCurrentWorkingDirectory(command.directory))
    return llvm::createStringError(
        ec, "%s: the compile command's folder '%s' can't be entered: %s",
        command.file.c_str(), command.directory.c_str(), ec.message().c_str());
  auto files = llvm::makeIntrusiveRefCnt<FileManager>(
      FileSystemOptions{command.directory}, base);
  std::string text;
  llvm::raw_string_ostream stream(text);
  DiagnosticOptions options;
  TextDiagnosticPrinter printer(stream, options);
  tooling::ToolInvocation invocation(
      command.arguments, std::make_unique<Action>(command, use, result),
      files.get());
  invocation.setDiagnosticConsumer(&printer);
  bool parsed = invocation.run();
  if (!parsed && !result)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: the source doesn't compile; mend it "
                                   "first\n%s",
                                   command.file.c_str(), text.c_str());
  return result;
}

static CompileCommand makeCommand(const std::string &directory,
                                  const std::string &file,
                                  const std::vector<std::string> &arguments) {
  return {directory, file, adjustedArguments(arguments, file)};
}

llvm::Expected<std::vector<CompileCommand>>
findCommands(const std::string &buildDir, const std::string &file,
             const std::vector<std::string> &extra) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  if (!extra.empty() || buildDir.empty()) {
    llvm::SmallString<256> here;
    llvm::sys::fs::current_path(here);
    std::vector<std::string> command = {"clang"};
    command.insert(command.end(), extra.begin(), extra.end());
    return std::vector{
        makeCommand(here.str().str(), path.str().str(), command)};
  }
  std::string message;
  llvm::SmallString<256> database(buildDir);
  llvm::sys::path::append(database, "compile_commands.json");
  auto commands = tooling::JSONCompilationDatabase::loadFromFile(
      database, message, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!commands)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: can't be used: %s; configure with "
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or name the flags after '--'",
        database.c_str(), llvm::StringRef(message).trim().str().c_str());
  std::vector<CompileCommand> result;
  for (const tooling::CompileCommand &c : commands->getCompileCommands(path))
    result.push_back(makeCommand(c.Directory, path.str().str(), c.CommandLine));
  if (result.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: no compile command for it in %s; add the file to a target, or "
        "name the flags after '--'",
        path.c_str(), database.c_str());
  return result;
}

} // namespace autokernel
