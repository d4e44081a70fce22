#pragma once
#include "autokernel_math.h"
