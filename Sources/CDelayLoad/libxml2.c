#include "delayed.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#if LIBXML_VERSION >= 21400
#define LIBXML2_NAME "libxml2.so.16"
#else
#define LIBXML2_NAME "libxml2.so.2"
#endif

#define LIBXML2(F)                                                                                                  \
    F(xmlGenericErrorFunc *, __xmlGenericError, (void), (), &no_handler)                                            \
    F(void **, __xmlGenericErrorContext, (void), (), &no_context)                                                   \
    F(htmlDocPtr, htmlCtxtReadMemory,                                                                               \
        (htmlParserCtxtPtr parser, const char *bytes, int count, const char *url, const char *encoding,             \
            int options),                                                                                           \
        (parser, bytes, count, url, encoding, options), 0)                                                          \
    F(void, htmlFreeParserCtxt, (htmlParserCtxtPtr parser), (parser), )                                             \
    F(htmlParserCtxtPtr, htmlNewParserCtxt, (void), (), 0)                                                          \
    F(int, htmlNodeDump, (xmlBufferPtr buffer, xmlDocPtr document, xmlNodePtr node), (buffer, document, node), 0)   \
    F(htmlDocPtr, htmlReadMemory,                                                                                   \
        (const char *bytes, int count, const char *url, const char *encoding, int options),                         \
        (bytes, count, url, encoding, options), 0)                                                                  \
    F(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer), 0)                                    \
    F(xmlBufferPtr, xmlBufferCreate, (void), (), 0)                                                                 \
    F(void, xmlBufferFree, (xmlBufferPtr buffer), (buffer), )                                                       \
    F(xmlParserCtxtPtr, xmlCreateIOParserCtxt,                                                                      \
        (xmlSAXHandlerPtr handler, void *data, xmlInputReadCallback read, xmlInputCloseCallback close,              \
            void *context, xmlCharEncoding encoding),                                                               \
        (handler, data, read, close, context, encoding), 0)                                                         \
    F(int, xmlCtxtUseOptions, (xmlParserCtxtPtr parser, int options), (parser, options), 0)                         \
    F(xmlNodePtr, xmlDocGetRootElement, (const xmlDoc *document), (document), 0)                                    \
    F(void, xmlFreeDoc, (xmlDocPtr document), (document), )                                                         \
    F(void, xmlFreeParserCtxt, (xmlParserCtxtPtr parser), (parser), )                                               \
    F(void, xmlInitParser, (void), (), )                                                                            \
    F(xmlChar *, xmlNodeGetContent, (const xmlNode *node), (node), 0)                                               \
    F(int, xmlParseDocument, (xmlParserCtxtPtr parser), (parser), 0)                                                \
    F(xmlDocPtr, xmlReadMemory,                                                                                     \
        (const char *bytes, int count, const char *url, const char *encoding, int options),                         \
        (bytes, count, url, encoding, options), 0)                                                                  \
    F(void, xmlResetError, (xmlErrorPtr error), (error), )                                                          \
    F(void, xmlSAX2EntityDecl,                                                                                      \
        (void *context, const xmlChar *name, int type, const xmlChar *publicID, const xmlChar *systemID,            \
            xmlChar *content),                                                                                      \
        (context, name, type, publicID, systemID, content), )                                                       \
    F(xmlEntityPtr, xmlSAX2GetEntity, (void *context, const xmlChar *name), (context, name), 0)                     \
    F(void, xmlSAX2InternalSubset,                                                                                  \
        (void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID),                     \
        (context, name, publicID, systemID), )                                                                      \
    F(void, xmlSAX2StartDocument, (void *context), (context), )                                                     \
    F(void, xmlSetGenericErrorFunc, (void *context, xmlGenericErrorFunc handler), (context, handler), )             \
    F(void, xmlStopParser, (xmlParserCtxtPtr parser), (parser), )                                                   \
    F(int, xmlXPathCastToBoolean, (xmlXPathObjectPtr value), (value), 0)                                            \
    F(xmlChar *, xmlXPathCastToString, (xmlXPathObjectPtr value), (value), 0)                                       \
    F(xmlXPathObjectPtr, xmlXPathCompiledEval, (xmlXPathCompExprPtr expression, xmlXPathContextPtr context),        \
        (expression, context), 0)                                                                                   \
    F(xmlXPathCompExprPtr, xmlXPathCtxtCompile, (xmlXPathContextPtr context, const xmlChar *text),                  \
        (context, text), 0)                                                                                         \
    F(void, xmlXPathFreeCompExpr, (xmlXPathCompExprPtr expression), (expression), )                                 \
    F(void, xmlXPathFreeContext, (xmlXPathContextPtr context), (context), )                                         \
    F(void, xmlXPathFreeObject, (xmlXPathObjectPtr value), (value), )                                               \
    F(xmlXPathFunction, xmlXPathFunctionLookup, (xmlXPathContextPtr context, const xmlChar *name),                  \
        (context, name), 0)                                                                                         \
    F(xmlXPathContextPtr, xmlXPathNewContext, (xmlDocPtr document), (document), 0)                                  \
    F(const xmlChar *, xmlXPathNsLookup, (xmlXPathContextPtr context, const xmlChar *prefix), (context, prefix), 0) \
    F(int, xmlXPathRegisterNs, (xmlXPathContextPtr context, const xmlChar *prefix, const xmlChar *uri),             \
        (context, prefix, uri), 0)

/* Variables of the library's, which are read without a question. */
static xmlGenericErrorFunc no_handler;
static void *no_context;

/* As well, but not before there is something to free. */
__attribute__((visibility("hidden"))) xmlFreeFunc xmlFree;

static int find_variable(void *handle) {
    xmlFreeFunc *variable = dlsym(handle, "xmlFree");
    if (variable) xmlFree = *variable;
    return variable != NULL;
}

CRIER_DELAYED(crier_libxml2, LIBXML2_NAME, LIBXML2, if (!find_variable(handle)) return 0;)
#define CRIER_LIBRARY crier_libxml2
LIBXML2(CRIER_FORWARD)
