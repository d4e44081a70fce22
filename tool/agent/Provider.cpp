#include "agent/Provider.h"

namespace autokernel::agent {

char ProviderError::ID;

} // namespace autokernel::agent
