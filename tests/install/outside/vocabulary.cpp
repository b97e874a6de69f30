// Links the installed library as long as there is no cohort/cohort.hpp.
#include <cohort/types.hpp>
#include <iostream>

int main() { std::cout << cohort::name_of(cohort::Operation::combine) << '\n'; }
