/** The pages that the `type` of a problem leads to, and the list of them. */
import { type ProblemCode, problemCatalog, problemCodes } from '../../openapi/problems.ts'
import { guidePath } from './guides.ts'
import { inline, page } from './page.ts'

const errorsGuide = guidePath('errors')

export function problemPage(slug: ProblemCode): string {
  const { status, title, explanation, remedy } = problemCatalog[slug]
  return page(
    title,
    `<p><code>${slug}</code> · HTTP ${status}</p>
<h1>${inline(title)}</h1>
<p>${inline(explanation)}</p>
<h2>What to do</h2>
<p>${inline(remedy)}</p>
<p class="more"><a href="/problems">All problems</a> · <a href="${errorsGuide}">Errors: what to do when something goes wrong</a></p>`,
  )
}

const row = (slug: ProblemCode) =>
  `<tr><td><a href="/problems/${slug}"><code>${slug}</code></a></td><td>${problemCatalog[slug].status}</td><td>${inline(problemCatalog[slug].title)}</td></tr>`

export const problemList = page(
  'Problems',
  `<h1>Problems</h1>
<p>What the <code>type</code> of a refusal can end in. <a href="${errorsGuide}">Errors</a> tells how to deal with them.</p>
<div class="table"><table>
<thead><tr><th>Problem</th><th>Status</th><th>Title</th></tr></thead>
<tbody>
${problemCodes.map(row).join('\n')}
</tbody>
</table></div>`,
)
