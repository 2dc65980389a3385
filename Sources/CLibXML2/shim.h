#pragma once
// A libxml2 built with ICU would bring ICU's types, which then meet the ones of Foundation's own ICU. Only the private
// end of the encoding handler's structure depends on it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <libxml/uri.h>
#include <libxml/encoding.h>
#include "xpath-shim.h"

/* Whether the library can be loaded, and has memory. It is ready for several threads then: its functions for HTML and XPath make
   the lock that they share when they first need it, and two that did so at once waited for each other for ever. */
static inline int crier_libxml2_is_there(void) {
    xmlBufferPtr buffer = xmlBufferCreate();
    if (buffer == NULL) return 0;
    xmlBufferFree(buffer);
    xmlInitParser();
    return 1;
}
