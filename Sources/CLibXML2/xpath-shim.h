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

/* Without a handler libxml2 writes XPath errors to the standard error; what went wrong is in the context as well. */
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

static inline void crier_xpath_ignore_message(void *data, const char *format, ...) {
    (void)data;
    (void)format;
}

/* Evaluates without a word: some errors go to the thread's generic handler, which writes to the standard error. */
static inline xmlXPathObjectPtr crier_xpath_evaluate(xmlXPathCompExprPtr expression, xmlXPathContextPtr context) {
    xmlGenericErrorFunc handler = xmlGenericError;
    void *data = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, crier_xpath_ignore_message);
    xmlXPathObjectPtr result = xmlXPathCompiledEval(expression, context);
    xmlSetGenericErrorFunc(data, handler);
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
