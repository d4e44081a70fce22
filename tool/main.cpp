#include "Commands.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace autokernel;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::StringRef first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "help" || first == "-h") {
    llvm::outs() << usageText();
    return 0;
  }
  if (first == "--version") {
    llvm::outs() << "autokernel " << AUTOKERNEL_VERSION << "\n";
    return 0;
  }
  auto options = parseOptions(argc, argv);
  auto code =
      options ? runCommand(*options) : llvm::Expected<int>(options.takeError());
  if (code)
    return *code;
  llvm::errs() << "autokernel: " << llvm::toString(code.takeError()) << "\n";
  return 2;
}
