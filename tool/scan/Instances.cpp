#include "scan/Instances.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace autokernel {

namespace {

constexpr size_t LongestSuffix = 40;

/// "vector_float": letters, digits and single underscores.
std::string wordOf(llvm::StringRef text) {
  std::string out;
  for (char c : text) {
    std::string next(1, llvm::isAlnum(c) ? c : '_');
    if (c == '*' || c == '&' || c == '-')
      next = c == '*' ? "_ptr" : c == '&' ? "_ref" : "m";
    bool isSeparated = out.empty() || out.back() == '_';
    out += next[0] == '_' && isSeparated ? next.substr(1) : next;
  }
  while (!out.empty() && out.back() == '_')
    out.pop_back();
  return out;
}

std::string shortened(const std::string &suffix) {
  if (suffix.size() <= LongestSuffix)
    return suffix;
  std::string hash = llvm::utohexstr(llvm::xxh3_64bits(suffix) >> 32, true, 8);
  return suffix.substr(0, LongestSuffix - 9) + "_" + hash;
}

class Reader {
public:
  Reader(const FunctionDecl *function, SourceLocation place)
      : function(function), place(place), context(function->getASTContext()),
        sources(context.getSourceManager()), policy(context.getLangOpts()) {
    policy.SuppressUnwrittenScope = true;
    policy.AnonymousTagLocations = false;
  }

  std::optional<Instance> run() {
    pattern = function->getTemplateInstantiationPattern();
    if (!pattern)
      return std::nullopt;
    readLevels();
    if (suffix.empty())
      return std::nullopt; // a plain member of an ordinary class
    if (unnamed)
      compareParameters();
    if (!context.getLangOpts().CPlusPlus17)
      fail("choosing its kernel takes 'if constexpr' of C++17");
    if (condition.empty())
      fail("its arguments have no names that tell them apart");
    return Instance{shortened(suffix), "<" + arguments + ">", condition,
                    problem,           printedType,           hasLocalType};
  }

private:
  void fail(const std::string &why) {
    if (problem.empty())
      problem = why;
  }

  /// Outermost class first, as the names of the arguments read.
  void readLevels() {
    std::vector<const ClassTemplateSpecializationDecl *> classes;
    std::vector<const FunctionDecl *> functions = {function};
    for (const DeclContext *c = function->getParent(); c; c = c->getParent()) {
      if (const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(c))
        if (!s->isExplicitSpecialization())
          classes.push_back(s);
      if (const auto *f = dyn_cast<FunctionDecl>(c))
        functions.push_back(f);
    }
    for (size_t i = classes.size(); i-- > 0;)
      read(parametersOf(classes[i], classes.size() - 1 - i),
           classes[i]->getTemplateInstantiationArgs().asArray());
    for (size_t i = functions.size(); i-- > 0;)
      read(functions[i]);
  }

  void read(const FunctionDecl *f) {
    const FunctionDecl *from = f->getTemplateInstantiationPattern();
    const TemplateArgumentList *args = f->getTemplateSpecializationArgs();
    const FunctionTemplateDecl *described =
        from ? from->getDescribedFunctionTemplate() : nullptr;
    if (args && described)
      read(described->getTemplateParameters(), args->asArray());
  }

  /// A member that is defined outside its class may name them anew.
  const TemplateParameterList *
  parametersOf(const ClassTemplateSpecializationDecl *s, size_t level) const {
    if (level < pattern->getNumTemplateParameterLists())
      return pattern->getTemplateParameterList(level);
    auto from = s->getInstantiatedFrom();
    if (auto *partial =
            dyn_cast_if_present<ClassTemplatePartialSpecializationDecl *>(from))
      return partial->getTemplateParameters();
    auto *primary = dyn_cast_if_present<ClassTemplateDecl *>(from);
    if (!primary)
      return nullptr;
    const CXXRecordDecl *defined = primary->getTemplatedDecl()->getDefinition();
    if (defined && defined->getDescribedClassTemplate())
      return defined->getDescribedClassTemplate()->getTemplateParameters();
    return primary->getTemplateParameters();
  }

  void read(const TemplateParameterList *parameters,
            llvm::ArrayRef<TemplateArgument> args) {
    if (!parameters || parameters->size() != args.size())
      return fail("its template arguments can't be matched");
    for (unsigned i = 0; i < args.size(); ++i)
      read(parameters->getParam(i), args[i]);
  }

  void read(const NamedDecl *parameter, const TemplateArgument &arg) {
    bool isAuto = parameter->isImplicit();
    bool isNamed = parameter->getIdentifier() && !isAuto;
    if (isNamed || isAuto)
      describe(arg);
    if (parameter->isParameterPack())
      return fail("it has a parameter pack");
    if (!isNamed) {
      unnamed = true;
      return;
    }
    std::string name = parameter->getNameAsString();
    if (arg.getKind() == TemplateArgument::Type)
      addSame(name, arg.getAsType());
    else if (arg.getKind() == TemplateArgument::Integral)
      addValue(name, arg);
    else
      fail("its argument '" + name + "' is neither a type nor an integer");
  }

  void describe(const TemplateArgument &arg) {
    if (arg.getKind() == TemplateArgument::Pack) {
      for (const TemplateArgument &element : arg.pack_elements())
        describe(element);
      return;
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    PrintingPolicy plain = policy;
    arg.print(plain, stream, /*IncludeType=*/false);
    arguments += (arguments.empty() ? "" : ", ") + text;
    plain.SuppressScope = true;
    std::string bare;
    llvm::raw_string_ostream bareStream(bare);
    if (arg.getKind() == TemplateArgument::Type)
      bare = arg.getAsType().getCanonicalType().getAsString(plain);
    else
      arg.print(plain, bareStream, false);
    std::string word = wordOf(bare);
    suffix += (suffix.empty() ? "" : "_") + (word.empty() ? "x" : word);
  }

  void add(const std::string &text) {
    condition += (condition.empty() ? "" : " && ") + text;
  }

  void addSame(const std::string &what, QualType type) {
    type = type.getCanonicalType();
    if (std::string why = whyNotNamed(type); !why.empty()) {
      std::string printed = printedName(type);
      if (printed.empty())
        return fail(why);
      printedType = printed;
      return add("::autokernel_choice::named<" + what + ">(\"" + printed +
                 "\")");
    }
    add("::autokernel_choice::same<" + what + ", " +
        TypeName::getFullyQualifiedName(type, context, policy, true) +
        ">::value");
  }

  void addValue(const std::string &name, const TemplateArgument &arg) {
    const llvm::APSInt &value = arg.getAsIntegral();
    llvm::SmallString<24> digits;
    value.toString(digits, 10);
    std::string number = digits.str().str() + (value.isUnsigned() ? "u" : "");
    QualType type = arg.getIntegralType();
    if (type->isBooleanType())
      return add(value == 0 ? "!" + name : name);
    bool isEnum = type->isEnumeralType();
    add((isEnum ? "static_cast<long long>(" + name + ")" : name) +
        " == " + (isEnum ? digits.str().str() : number));
  }

  /// Parameters of the function tell what unnamed arguments are.
  void compareParameters() {
    for (unsigned i = 0; i < pattern->getNumParams(); ++i) {
      const ParmVarDecl *p = pattern->getParamDecl(i);
      if (!p->getIdentifier() || !p->getType()->isDependentType())
        continue;
      if (p->isParameterPack() || i >= function->getNumParams())
        return fail("it has a parameter pack");
      addSame("decltype(" + p->getNameAsString() + ")",
              function->getParamDecl(i)->getType());
    }
  }

  /// What g++ and Clang both call a class or enumeration whose name isn't known
  /// or accessible yet; empty where they differ.
  std::string printedName(QualType type) {
    const TagDecl *tag = type->getAsTagDecl();
    hasLocalType |= !tag || tag->getParentFunctionOrMethod();
    if (!tag || type.hasQualifiers() || !isa<TagType>(type) ||
        !tag->getIdentifier())
      return "";
    for (const DeclContext *c = tag; !c->isTranslationUnit();
         c = c->getParent()) {
      const auto *space = dyn_cast<NamespaceDecl>(c);
      bool isPlain = space
                         ? !space->isAnonymousNamespace() && !space->isInline()
                         : isa<TagDecl>(c) && cast<TagDecl>(c)->getIdentifier();
      if (!isPlain || isa<ClassTemplateSpecializationDecl>(c))
        return "";
    }
    return tag->getQualifiedNameAsString();
  }

  /// Where the template stands, a type can be named that is declared before.
  std::string whyNotNamed(QualType type) const {
    if (const auto *f = type->getAs<FunctionProtoType>()) {
      std::string why = whyNotNamed(f->getReturnType());
      for (QualType p : f->getParamTypes())
        why = why.empty() ? whyNotNamed(p) : why;
      return why;
    }
    if (!type->getPointeeType().isNull())
      return whyNotNamed(type->getPointeeType());
    if (const auto *array = context.getAsArrayType(type))
      return whyNotNamed(array->getElementType());
    const TagDecl *tag = type->getAsTagDecl();
    return tag ? whyNotNamed(tag) : "";
  }

  std::string whyNotNamed(const TagDecl *tag) const {
    std::string name =
        "'" + QualType(context.getCanonicalTagType(tag)).getAsString(policy) +
        "'";
    const auto *record = dyn_cast<CXXRecordDecl>(tag);
    if ((record && record->isLambda()) || !tag->getDeclName() ||
        tag->getParentFunctionOrMethod())
      return "its argument " + name + " has no name at this place";
    const auto *special = dyn_cast<ClassTemplateSpecializationDecl>(tag);
    const Decl *declared =
        special ? static_cast<const Decl *>(
                      special->getSpecializedTemplate()->getFirstDecl())
                : tag->getFirstDecl();
    if (!sources.isBeforeInTranslationUnit(declared->getLocation(), place))
      return "its argument " + name + " is declared after the template";
    if (tag->getAccess() == AS_private || tag->getAccess() == AS_protected)
      return "its argument " + name + " is not accessible at this place";
    if (special)
      for (const TemplateArgument &arg : special->getTemplateArgs().asArray())
        if (arg.getKind() == TemplateArgument::Type)
          if (std::string why = whyNotNamed(arg.getAsType().getCanonicalType());
              !why.empty())
            return why;
    if (const auto *outer = dyn_cast<TagDecl>(tag->getDeclContext()))
      return whyNotNamed(outer);
    return "";
  }

  const FunctionDecl *function, *pattern = nullptr;
  SourceLocation place;
  const ASTContext &context;
  const SourceManager &sources;
  PrintingPolicy policy;
  bool unnamed = false;
  std::string suffix, arguments, condition, problem, printedType;
  bool hasLocalType = false;
};

} // namespace

std::optional<Instance> instanceOf(const FunctionDecl *function,
                                   SourceLocation place) {
  return Reader(function, place).run();
}

} // namespace autokernel
