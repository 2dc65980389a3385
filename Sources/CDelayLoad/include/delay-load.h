#pragma once

/* The functions of libcurl, libxml2 and libjq that Crier calls are defined here once more, for its binary: each of the three
   is loaded when the first of its functions is called. With the 36 libraries that they bring they are half of what a start
   costs, and most runs find nothing due, or nothing changed. Programs of others link the libraries themselves. */
