// Proves that a candidate obeys the rules: device code, one launcher that only
// computes, carves the workspace and launches on its stream, and nothing else
// that could run on the host, keep state or see how it is tested. Checked on
// the tokens (what a preprocessor could hide from one compiler) and on the
// AST of a host and of several device compilations; an allow-list on the host,
// a short list of forbidden things on the device.
// Surface: checkRules, emulatorRuleParser, ruleName, ruleSentence.
#ifndef AUTOKERNEL_COMPILE_RULES_H
#define AUTOKERNEL_COMPILE_RULES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace autokernel {

enum class RuleId {
#define RULE(Id, Name, Sentence) Id,
#include "compile/Rules.def"
};

/// As reports and feedback name it, e.g. "host-dereference".
llvm::StringRef ruleName(RuleId Id);
/// What the rule asks for, for a generator that broke it.
llvm::StringRef ruleSentence(RuleId Id);

/// How candidates are parsed: CUDA headers in memory and cc1 arguments.
struct RuleParser {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Headers;
  std::vector<std::string> HostArgs, DeviceArgs;
};

/// With the emulator's headers, so that both see the same program.
RuleParser emulatorRuleParser();

struct RuleParameter {
  std::string Type; ///< C spelling, such as "const float *"
  std::string Name;
};

struct RuleRequest {
  std::string Launcher; ///< autokernel_<id>
  /// The contract's; workspace, its size and the stream follow.
  std::vector<RuleParameter> Parameters;
  std::string FileName = "candidate.cu";
  /// Values of __CUDA_ARCH__: those that will be built.
  std::vector<unsigned> Architectures = {800, 900};
  bool AllowInlineAssembly = false;
};

struct RuleViolation {
  RuleId Id;
  unsigned Line = 0, Column = 0;
  std::string Message;
};

struct RuleResult {
  std::vector<RuleViolation> Violations; ///< by place, errors of the compiler last
  bool accepted() const { return Violations.empty(); }
};

/// An Error means that the check itself could not be made.
llvm::Expected<RuleResult> checkRules(llvm::StringRef Candidate,
                                      const RuleRequest &Request,
                                      const RuleParser &Parser);

} // namespace autokernel

#endif
