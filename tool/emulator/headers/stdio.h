#pragma once
#include <stddef.h>
extern "C" __attribute__((host, device)) int printf(const char *, ...);
