#include "generate/Render.h"

#include "KernelTemplates.h"

#include "llvm/Support/Mustache.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

static llvm::StringRef templateText(llvm::StringRef name) {
  for (const auto &file : KernelTemplates)
    if (llvm::StringRef(file.name) == (name + ".cu.mustache").str())
      return file.text;
  llvm_unreachable("all kernel templates are embedded");
}

std::string renderKernelTemplate(llvm::StringRef name,
                                 const llvm::json::Value &data) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::mustache::MustacheContext context(allocator, saver);
  llvm::mustache::Template page(templateText(name), context);
  page.overrideEscapeCharacters(llvm::DenseMap<char, std::string>());
  page.registerPartial("block_reduce", templateText("block_reduce").str());
  page.registerPartial("block_scan", templateText("block_scan").str());
  std::string text;
  llvm::raw_string_ostream out(text);
  page.render(data, out);
  return text;
}

} // namespace autokernel
