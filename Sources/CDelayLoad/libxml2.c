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

#define LIBXML2(F)                                                                                            \
    F(xmlGenericErrorFunc *, __xmlGenericError, (void), ())                                                   \
    F(void **, __xmlGenericErrorContext, (void), ())                                                          \
    F(htmlDocPtr, htmlCtxtReadMemory,                                                                         \
        (htmlParserCtxtPtr parser, const char *bytes, int count, const char *url, const char *encoding,      \
            int options),                                                                                     \
        (parser, bytes, count, url, encoding, options))                                                      \
    F(const htmlEntityDesc *, htmlEntityLookup, (const xmlChar *name), (name))                                \
    F(void, htmlFreeParserCtxt, (htmlParserCtxtPtr parser), (parser))                                         \
    F(htmlParserCtxtPtr, htmlNewParserCtxt, (void), ())                                                       \
    F(int, htmlNodeDump, (xmlBufferPtr buffer, xmlDocPtr document, xmlNodePtr node), (buffer, document, node)) \
    F(htmlDocPtr, htmlReadMemory,                                                                             \
        (const char *bytes, int count, const char *url, const char *encoding, int options),                  \
        (bytes, count, url, encoding, options))                                                              \
    F(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer))                                 \
    F(xmlBufferPtr, xmlBufferCreate, (void), ())                                                              \
    F(void, xmlBufferFree, (xmlBufferPtr buffer), (buffer))                                                   \
    F(xmlParserCtxtPtr, xmlCreateIOParserCtxt,                                                                \
        (xmlSAXHandlerPtr handler, void *data, xmlInputReadCallback read, xmlInputCloseCallback close,       \
            void *context, xmlCharEncoding encoding),                                                         \
        (handler, data, read, close, context, encoding))                                                     \
    F(int, xmlCtxtUseOptions, (xmlParserCtxtPtr parser, int options), (parser, options))                      \
    F(xmlNodePtr, xmlDocGetRootElement, (const xmlDoc *document), (document))                                 \
    F(void, xmlFreeDoc, (xmlDocPtr document), (document))                                                     \
    F(void, xmlFreeParserCtxt, (xmlParserCtxtPtr parser), (parser))                                           \
    F(void, xmlInitParser, (void), ())                                                                        \
    F(xmlChar *, xmlNodeGetContent, (const xmlNode *node), (node))                                            \
    F(int, xmlParseDocument, (xmlParserCtxtPtr parser), (parser))                                             \
    F(xmlDocPtr, xmlReadMemory,                                                                               \
        (const char *bytes, int count, const char *url, const char *encoding, int options),                  \
        (bytes, count, url, encoding, options))                                                              \
    F(void, xmlResetError, (xmlErrorPtr error), (error))                                                      \
    F(void, xmlSAX2EntityDecl,                                                                                \
        (void *context, const xmlChar *name, int type, const xmlChar *publicID, const xmlChar *systemID,     \
            xmlChar *content),                                                                                \
        (context, name, type, publicID, systemID, content))                                                  \
    F(xmlEntityPtr, xmlSAX2GetEntity, (void *context, const xmlChar *name), (context, name))                  \
    F(void, xmlSAX2InternalSubset,                                                                            \
        (void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID),              \
        (context, name, publicID, systemID))                                                                 \
    F(void, xmlSAX2StartDocument, (void *context), (context))                                                 \
    F(void, xmlSetGenericErrorFunc, (void *context, xmlGenericErrorFunc handler), (context, handler))         \
    F(void, xmlStopParser, (xmlParserCtxtPtr parser), (parser))                                               \
    F(int, xmlXPathCastToBoolean, (xmlXPathObjectPtr value), (value))                                         \
    F(xmlChar *, xmlXPathCastToString, (xmlXPathObjectPtr value), (value))                                    \
    F(xmlXPathObjectPtr, xmlXPathCompiledEval, (xmlXPathCompExprPtr expression, xmlXPathContextPtr context),  \
        (expression, context))                                                                               \
    F(xmlXPathCompExprPtr, xmlXPathCtxtCompile, (xmlXPathContextPtr context, const xmlChar *text),            \
        (context, text))                                                                                     \
    F(void, xmlXPathFreeCompExpr, (xmlXPathCompExprPtr expression), (expression))                             \
    F(void, xmlXPathFreeContext, (xmlXPathContextPtr context), (context))                                     \
    F(void, xmlXPathFreeObject, (xmlXPathObjectPtr value), (value))                                           \
    F(xmlXPathFunction, xmlXPathFunctionLookup, (xmlXPathContextPtr context, const xmlChar *name),            \
        (context, name))                                                                                     \
    F(xmlXPathContextPtr, xmlXPathNewContext, (xmlDocPtr document), (document))                               \
    F(const xmlChar *, xmlXPathNsLookup, (xmlXPathContextPtr context, const xmlChar *prefix), (context, prefix)) \
    F(int, xmlXPathRegisterNs, (xmlXPathContextPtr context, const xmlChar *prefix, const xmlChar *uri),       \
        (context, prefix, uri))

/* A variable of the library's, which is not read before there is something to free. */
__attribute__((visibility("hidden"))) xmlFreeFunc xmlFree;

CRIER_DELAYED(LIBXML2, xmlFree = *(xmlFreeFunc *)crier_function(library, "xmlFree"), LIBXML2_NAME)
