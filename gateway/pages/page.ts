/** What all pages look like. They load nothing from elsewhere, and no style or script that is not a file of ours. */

export const head = (title: string, more = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">${more}
</head>`

/** The links at the top of each page. */
export const links = `<a href="/docs"><strong>Async AI gateway</strong></a>
<a href="/docs/guides/quickstart">Quickstart</a>
<a href="/docs">Reference</a>
<a href="/problems">Problems</a>`

export const page = (title: string, body: string, aside = '') => `${head(`${title} · Async AI gateway`)}
<body>
<header>${links}</header>
<div class="columns">${aside && `\n<nav class="guides">${aside}</nav>`}
<main>
${body}
</main>
</div>
</body>
</html>
`

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** One line of Markdown that has nothing but code in it. */
export const inline = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
