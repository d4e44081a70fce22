// Why a kernel can't hold a value of a type, for messages. Internal.
//
// Surface: whyNotHeld().
#pragma once

#include "clang/AST/Type.h"

#include <string>

namespace autokernel {

/// "no GPU computes with; use double" of a long double, or a pointer to it:
/// goes on after ", which ".
inline std::string whyNotHeld(clang::QualType type, const char *otherwise) {
  unsigned pointers = 0;
  for (; !type->getPointeeType().isNull(); type = type->getPointeeType())
    pointers += !type->isReferenceType();
  if (pointers > 1 && !type->isFunctionType())
    return "points to pointers; put all rows into one array";
  const clang::Type *plain = type->getBaseElementTypeUnsafe();
  if (const auto *complex = plain->getAs<clang::ComplexType>())
    plain = complex->getElementType().getTypePtr();
  const auto *builtin = plain->getAs<clang::BuiltinType>();
  switch (builtin ? builtin->getKind() : clang::BuiltinType::Void) {
  case clang::BuiltinType::LongDouble:
  case clang::BuiltinType::Float128:
  case clang::BuiltinType::Ibm128:
    return "no GPU computes with; use double";
  default:
    return otherwise;
  }
}

} // namespace autokernel
