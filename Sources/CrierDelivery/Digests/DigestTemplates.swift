import CrierNotifications

/// Crier's own looks of a digest.
enum DigestTemplates {
    static let html = try? NotificationTemplate(page, escaping: .html)
    static let markdown = try? NotificationTemplate(text, escaping: .markdown)

    private static let text = """
        # {{title}}

        {{day}} · {{summary}}
        {{#groups}}

        ## {{title}}

        {{#items}}
        - {{#url}}[{{title}}](<{{url}}>){{/url}}{{^url}}**{{title}}**{{/url}}\\
          {{source}} · {{time}}{{#reading}} · {{reading}}{{/reading}}{{#summary}}\\
          {{summary}}{{/summary}}{{#image}}\\
          ![](<{{image}}>){{/image}}
        {{/items}}
        {{/groups}}
        {{#more}}

        *{{more}}*
        {{/more}}
        """

    /// What there is to read, without its look.
    static let fragment = try? NotificationTemplate(content, escaping: .html)

    // Mail readers know styles of elements better than style sheets, and some know no sheet at all: what the layout needs
    // stands in the elements, colours, the dark theme and two lines of summary in the sheet.
    private static let page = """
        <!DOCTYPE html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <title>{{title}} · {{day}}</title>
        <style>
        :root { color-scheme: light dark; }
        body { background: #f5f5f2; color: #1d1d1b; }
        .page { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
        .page h2 { border-bottom: 1px solid #d8d8d2; }
        .page a { color: #0b57a4; text-decoration: none; }
        .page a:hover { text-decoration: underline; }
        .facts { color: #62625c; }
        .summary { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
        @media (prefers-color-scheme: dark) {
          body { background: #161615; color: #e6e6e1; }
          .page h2 { border-color: #3a3a37; }
          .page a { color: #8ab8ee; }
          .facts { color: #a3a39b; }
        }
        @media print {
          body { background: #fff; color: #000; }
          .page { max-width: none !important; padding: 0 !important; }
          .page a { color: #000; text-decoration: underline; }
          .page h2, .item { break-inside: avoid; }
          .page h2 { break-after: avoid; }
          .facts { color: #444; }
        }
        </style>
        </head>
        <body style="margin: 0; padding: 0">
        <div class="page" role="main" style="max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; font-size: 1rem; \
        line-height: 1.5; overflow-wrap: anywhere; word-break: break-word">
        \(content)
        </div>
        </body>
        </html>
        """

    private static let content = """
        <h1 dir="auto" style="font-size: 1.6rem; line-height: 1.25; margin: 0">{{title}}</h1>
        <p class="facts" style="font-size: .85rem; margin: .1rem 0 0">{{day}} · {{summary}}</p>
        {{#groups}}
        <h2 dir="auto" style="font-size: 1.05rem; margin: 2rem 0 .25rem; padding-bottom: .3rem">{{title}}</h2>
        {{#items}}
        <div class="item" dir="auto" style="padding: .7rem 0">
        <h3 style="font-size: 1rem; font-weight: 600; margin: 0">{{#url}}<a href="{{url}}">{{title}}</a>{{/url}}{{^url}}{{title}}{{/url}}</h3>
        <p class="facts" style="font-size: .85rem; margin: .1rem 0 0"><bdi>{{source}}</bdi> · \
        <bdi>{{#published}}<time datetime="{{published}}">{{time}}</time>{{/published}}{{^published}}{{time}}{{/published}}</bdi>\
        {{#reading}} · <bdi>{{reading}}</bdi>{{/reading}}</p>
        {{#summary}}<p class="summary" dir="auto" style="margin: .25rem 0 0">{{summary}}</p>
        {{/summary}}
        {{#image}}<img src="{{image}}" alt="" loading="lazy" referrerpolicy="no-referrer" style="display: block; \
        max-width: 100%; height: auto; max-height: 36rem; margin: .5rem 0 0; border-radius: .4rem">
        {{/image}}
        </div>
        {{/items}}
        {{/groups}}
        {{#more}}
        <p class="facts" style="font-size: .85rem; margin: 1.5rem 0 0">{{more}}</p>
        {{/more}}
        """
}
