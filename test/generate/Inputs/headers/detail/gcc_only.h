#pragma once
constexpr int other_compiler = 0;
