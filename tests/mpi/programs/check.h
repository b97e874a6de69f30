// SPDX-License-Identifier: Apache-2.0
// What each program here begins and ends with, how it draws, and how it compares.
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int me, ranks;  // in MPI_COMM_WORLD
extern uint64_t seed;  // of this round

// Arguments of the program: the first seed (1), and how many (`rounds`). Each message about a difference names its
// seed.
void begin(int argc, char** argv, const char* name, int rounds);
void begin_with_threads(int argc, char** argv, const char* name, int rounds, int level);
bool next_round(void);  // takes the next seed
int finish(void);       // "ok NAME" at rank 0

// Says where, rank, seed and this, and ends the job with status 1.
_Noreturn void fail(const char* file, int line, const char* format, ...) __attribute__((format(printf, 3, 4)));
void expect_equal(const char* file, int line, const char* what, long long found, long long expected);
void expect_bytes(const char* file, int line, const char* what, const void* found, const void* expected, size_t bytes);

#define FAIL(...) fail(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(condition) ((condition) ? (void)0 : FAIL("%s does not hold", #condition))
#define EXPECT_EQ(found, expected) expect_equal(__FILE__, __LINE__, #found, (long long)(found), (long long)(expected))
#define EXPECT_BYTES(found, expected, bytes) expect_bytes(__FILE__, __LINE__, #found, found, expected, bytes)
#define EXPECT_CLASS(call, expected) expect_equal(__FILE__, __LINE__, #call, class_of(call), expected)

int class_of(int code);

// A stream of numbers that follows from the seed of the round and these two.
struct Dice {
  uint64_t state;
};
struct Dice dice_of(uint64_t first, uint64_t second);
uint64_t draw(struct Dice* dice);
int below(struct Dice* dice, int limit);                  // 0 to limit - 1
int between(struct Dice* dice, int lowest, int highest);  // both may come
void draw_bytes(struct Dice* dice, void* memory, size_t bytes);
void shuffle(struct Dice* dice, int* numbers, int count);  // fills them with 0 to count - 1, in any order

void* allocate(size_t bytes);  // zeros; fails instead of a null pointer
