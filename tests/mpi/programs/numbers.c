// SPDX-License-Identifier: Apache-2.0
#include "numbers.h"

#include <complex.h>

MPI_Op handle_of(enum Operator operator) {
  const MPI_Op handles[OPERATORS] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                                     MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  return handles[operator];
}

const char* name_of(enum Operator operator) {
  static const char* const names[OPERATORS] = {"MPI_SUM",  "MPI_PROD", "MPI_MAX",    "MPI_MIN",
                                               "MPI_LAND", "MPI_LOR",  "MPI_LXOR",   "MPI_BAND",
                                               "MPI_BOR",  "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"};
  return names[operator];
}

#define DRAW(NAME, TYPE)                                      \
  static void draw_##NAME(struct Dice* dice, void* element) { \
    const TYPE value = (TYPE)between(dice, 0, 3);             \
    memcpy(element, &value, sizeof value);                    \
  }

#define EQUAL(NAME, TYPE)                                             \
  static bool equal_##NAME(const void* found, const void* expected) { \
    TYPE f, e;                                                        \
    memcpy(&f, found, sizeof f);                                      \
    memcpy(&e, expected, sizeof e);                                   \
    return f == e;                                                    \
  }

#define ARITHMETIC \
  case SUM:        \
    r = l + r;     \
    break;         \
  case PROD:       \
    r = l * r;     \
    break;
#define ORDER          \
  case MAX:            \
    r = l > r ? l : r; \
    break;             \
  case MIN:            \
    r = l < r ? l : r; \
    break;
#define LOGICAL   \
  case LAND:      \
    r = l && r;   \
    break;        \
  case LOR:       \
    r = l || r;   \
    break;        \
  case LXOR:      \
    r = !l != !r; \
    break;
#define BITWISE \
  case BAND:    \
    r = l & r;  \
    break;      \
  case BOR:     \
    r = l | r;  \
    break;      \
  case BXOR:    \
    r = l ^ r;  \
    break;

#define FOLD(NAME, TYPE, CASES)                                                    \
  DRAW(NAME, TYPE)                                                                 \
  EQUAL(NAME, TYPE)                                                                \
  static bool fold_##NAME(enum Operator operator, const void* left, void* right) { \
    TYPE l, r;                                                                     \
    memcpy(&l, left, sizeof l);                                                    \
    memcpy(&r, right, sizeof r);                                                   \
    switch (operator) {                                                            \
      CASES                                                                        \
      default:                                                                     \
        return false;                                                              \
    }                                                                              \
    memcpy(right, &r, sizeof r);                                                   \
    return true;                                                                   \
  }

#define INTEGER(NAME, TYPE) FOLD(NAME, TYPE, ARITHMETIC ORDER LOGICAL BITWISE)
INTEGER(schar, signed char)
INTEGER(uchar, unsigned char)
INTEGER(short, short)
INTEGER(ushort, unsigned short)
INTEGER(int, int)
INTEGER(uint, unsigned)
INTEGER(long, long)
INTEGER(ulong, unsigned long)
INTEGER(llong, long long)
INTEGER(ullong, unsigned long long)
FOLD(aint, MPI_Aint, ARITHMETIC ORDER BITWISE)
FOLD(offset, MPI_Offset, ARITHMETIC ORDER BITWISE)
FOLD(count, MPI_Count, ARITHMETIC ORDER BITWISE)
FOLD(float, float, ARITHMETIC ORDER)
FOLD(double, double, ARITHMETIC ORDER)
FOLD(ldouble, long double, ARITHMETIC ORDER)
FOLD(fcomplex, float complex, ARITHMETIC)
FOLD(dcomplex, double complex, ARITHMETIC)
FOLD(ldcomplex, long double complex, ARITHMETIC)
FOLD(truth, bool, LOGICAL)
FOLD(byte, unsigned char, BITWISE)

// Of equal values the lower index counts.
#define PAIR(NAME, TYPE)                                                                     \
  struct NAME {                                                                              \
    TYPE value;                                                                              \
    int index;                                                                               \
  };                                                                                         \
  static void draw_##NAME(struct Dice* dice, void* element) {                                \
    struct NAME pair;                                                                        \
    memset(&pair, 0, sizeof pair);                                                           \
    pair.value = (TYPE)between(dice, 0, 2);                                                  \
    pair.index = below(dice, 100);                                                           \
    memcpy(element, &pair, sizeof pair);                                                     \
  }                                                                                          \
  static bool fold_##NAME(enum Operator operator, const void* left, void* right) {           \
    struct NAME l, r;                                                                        \
    if (operator!= MINLOC && operator!= MAXLOC) return false;                                \
    memcpy(&l, left, sizeof l);                                                              \
    memcpy(&r, right, sizeof r);                                                             \
    const bool left_wins = operator== MINLOC ? l.value < r.value : l.value> r.value;         \
    if (left_wins || (l.value == r.value && l.index < r.index)) memcpy(right, &l, sizeof l); \
    return true;                                                                             \
  }                                                                                          \
  static bool equal_##NAME(const void* found, const void* expected) {                        \
    struct NAME f, e;                                                                        \
    memcpy(&f, found, sizeof f);                                                             \
    memcpy(&e, expected, sizeof e);                                                          \
    return f.value == e.value && f.index == e.index;                                         \
  }
PAIR(float_int, float)
PAIR(double_int, double)
PAIR(long_int, long)
PAIR(two_int, int)
PAIR(short_int, short)
PAIR(ldouble_int, long double)

#define ADD(HANDLE, TYPE, NAME) \
  numbers[count++] = (struct Number) { HANDLE, #HANDLE, sizeof(TYPE), draw_##NAME, fold_##NAME, equal_##NAME }

int all_numbers(struct Number* numbers) {
  int count = 0;
  ADD(MPI_SIGNED_CHAR, signed char, schar);
  ADD(MPI_UNSIGNED_CHAR, unsigned char, uchar);
  ADD(MPI_SHORT, short, short);
  ADD(MPI_UNSIGNED_SHORT, unsigned short, ushort);
  ADD(MPI_INT, int, int);
  ADD(MPI_UNSIGNED, unsigned, uint);
  ADD(MPI_LONG, long, long);
  ADD(MPI_UNSIGNED_LONG, unsigned long, ulong);
  ADD(MPI_LONG_LONG, long long, llong);
  ADD(MPI_UNSIGNED_LONG_LONG, unsigned long long, ullong);
  ADD(MPI_INT8_T, int8_t, schar);
  ADD(MPI_INT16_T, int16_t, short);
  ADD(MPI_INT32_T, int32_t, int);
  ADD(MPI_INT64_T, int64_t, llong);
  ADD(MPI_UINT8_T, uint8_t, uchar);
  ADD(MPI_UINT16_T, uint16_t, ushort);
  ADD(MPI_UINT32_T, uint32_t, uint);
  ADD(MPI_UINT64_T, uint64_t, ullong);
  ADD(MPI_AINT, MPI_Aint, aint);
  ADD(MPI_OFFSET, MPI_Offset, offset);
  ADD(MPI_COUNT, MPI_Count, count);
  ADD(MPI_FLOAT, float, float);
  ADD(MPI_DOUBLE, double, double);
  ADD(MPI_LONG_DOUBLE, long double, ldouble);
  ADD(MPI_C_FLOAT_COMPLEX, float complex, fcomplex);
  ADD(MPI_C_DOUBLE_COMPLEX, double complex, dcomplex);
  ADD(MPI_C_LONG_DOUBLE_COMPLEX, long double complex, ldcomplex);
  ADD(MPI_C_BOOL, bool, truth);
  ADD(MPI_BYTE, unsigned char, byte);
  ADD(MPI_FLOAT_INT, struct float_int, float_int);
  ADD(MPI_DOUBLE_INT, struct double_int, double_int);
  ADD(MPI_LONG_INT, struct long_int, long_int);
  ADD(MPI_2INT, struct two_int, two_int);
  ADD(MPI_SHORT_INT, struct short_int, short_int);
  ADD(MPI_LONG_DOUBLE_INT, struct ldouble_int, ldouble_int);
  return count;
}
