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

    // Mail readers know tables and styles of elements better than style sheets: what must hold stands in the elements, what
    // is better left to a browser (the dark theme, two lines of summary) in the sheet.
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
        body { margin: 0; padding: 0; background: #f5f5f2; color: #1d1d1b; }
        main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem;
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; }
        h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; padding-bottom: .3rem; border-bottom: 1px solid #d8d8d2; }
        article { padding: .7rem 0; overflow-wrap: anywhere; }
        h3 { font-size: 1rem; font-weight: 600; margin: 0; }
        a { color: #0b57a4; text-decoration: none; }
        a:hover { text-decoration: underline; }
        .facts { font-size: .85rem; color: #62625c; margin: .1rem 0 0; }
        .summary { margin: .25rem 0 0; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical;
          overflow: hidden; }
        img { display: block; max-width: 100%; height: auto; margin: .5rem 0 0; border-radius: .4rem; }
        @media (prefers-color-scheme: dark) {
          body { background: #161615; color: #e6e6e1; }
          h2 { border-color: #3a3a37; }
          a { color: #8ab8ee; }
          .facts { color: #a3a39b; }
        }
        </style>
        </head>
        <body>
        <main>
        <h1 dir="auto">{{title}}</h1>
        <p class="facts">{{day}} · {{summary}}</p>
        {{#groups}}
        <section>
        <h2 dir="auto">{{title}}</h2>
        {{#items}}
        <article>
        <h3 dir="auto">{{#url}}<a href="{{url}}">{{title}}</a>{{/url}}{{^url}}{{title}}{{/url}}</h3>
        <p class="facts"><bdi>{{source}}</bdi> · <time datetime="{{published}}">{{time}}</time>{{#reading}} · {{reading}}{{/reading}}</p>
        {{#summary}}<p class="summary" dir="auto">{{summary}}</p>
        {{/summary}}
        {{#image}}<img src="{{image}}" alt="" loading="lazy" referrerpolicy="no-referrer">
        {{/image}}
        </article>
        {{/items}}
        </section>
        {{/groups}}
        {{#more}}
        <p class="facts">{{more}}</p>
        {{/more}}
        </main>
        </body>
        </html>
        """
}
