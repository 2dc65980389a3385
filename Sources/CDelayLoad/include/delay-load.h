#pragma once

/* The functions of libcurl, libxml2 and libjq that Crier calls are defined here once more, for its binary: each of the three
   is loaded when the first of its functions is called. With the libraries that they bring they are half of what a start costs,
   and most runs find nothing due, or nothing changed. Programs of others link the libraries themselves.

   Where a library cannot be loaded, the loader's words go to the standard error once, and a function gives what it gives
   where there is no memory. The next call tries again: descriptors may be short for a moment only. */

/* Why one of the libraries cannot be loaded, in the loader's words; NULL where all can. Loads each. */
const char *crier_delay_load_problem(void);
