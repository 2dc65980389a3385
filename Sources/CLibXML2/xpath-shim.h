#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *crier_xml_error;
#else
typedef xmlErrorPtr crier_xml_error;
#endif

/* Some errors go to the thread's generic handler whatever the options say, and that writes to the standard error. */
typedef struct {
    xmlGenericErrorFunc handler;
    void *data;
} crier_xpath_hush;

static inline void crier_xpath_ignore_message(void *data, const char *format, ...) {
    (void)data;
    (void)format;
}

static inline crier_xpath_hush crier_xpath_hush_begin(void) {
    crier_xpath_hush before = {xmlGenericError, xmlGenericErrorContext};
    xmlSetGenericErrorFunc(NULL, crier_xpath_ignore_message);
    return before;
}

static inline void crier_xpath_hush_end(crier_xpath_hush before) {
    xmlSetGenericErrorFunc(before.data, before.handler);
}

/* Trees of UTF-8, whatever it says it is: without a word, without the network and without substituting entities; NULL
   where nothing can be made of it. */
static inline xmlDocPtr crier_xpath_read_html(const char *bytes, int count) {
    crier_xpath_hush before = crier_xpath_hush_begin();
    int options =
        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
    xmlDocPtr document = htmlReadMemory(bytes, count, NULL, "UTF-8", options);
    crier_xpath_hush_end(before);
    return document;
}

static inline xmlDocPtr crier_xpath_read_xml(const char *bytes, int count) {
    crier_xpath_hush before = crier_xpath_hush_begin();
    int options = XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_NOCDATA
        | XML_PARSE_IGNORE_ENC;
    xmlDocPtr document = xmlReadMemory(bytes, count, NULL, "UTF-8", options);
    crier_xpath_hush_end(before);
    return document;
}

static inline void crier_xpath_ignore_error(void *data, crier_xml_error error) {
    (void)data;
    (void)error;
}

/* A context that writes nowhere and stops after so many operations, over all its evaluations. */
static inline xmlXPathContextPtr crier_xpath_context(xmlDocPtr document, unsigned long operations) {
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    if (context != NULL) {
        context->error = crier_xpath_ignore_error;
        context->opLimit = operations;
    }
    return context;
}

/* From another thread: the evaluation that is under way, and each after it, stops at its next step. */
static inline void crier_xpath_halt(xmlXPathContextPtr context) {
    __atomic_store_n(&context->opLimit, 1, __ATOMIC_RELAXED);
}

static inline xmlXPathObjectPtr crier_xpath_evaluate(xmlXPathCompExprPtr expression, xmlXPathContextPtr context) {
    crier_xpath_hush before = crier_xpath_hush_begin();
    xmlXPathObjectPtr result = xmlXPathCompiledEval(expression, context);
    crier_xpath_hush_end(before);
    return result;
}

/* The code of the last error, 0 for none, and where in the expression it stands. */
static inline int crier_xpath_error_code(xmlXPathContextPtr context) { return context->lastError.code; }
static inline int crier_xpath_error_place(xmlXPathContextPtr context) { return context->lastError.int1; }
static inline void crier_xpath_forget_error(xmlXPathContextPtr context) { xmlResetError(&context->lastError); }

/* Whether the document declares entities of its own. */
static inline int crier_declares_entities(xmlDocPtr document) {
    return document->intSubset != NULL && document->intSubset->entities != NULL;
}

/* xmlFree is a variable, which Swift takes for shared mutable state. */
static inline void crier_xpath_free(void *memory) { xmlFree(memory); }
