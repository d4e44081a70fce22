#ifndef WEIGHTS_H
#define WEIGHTS_H
constexpr float weight = 3;
#endif
