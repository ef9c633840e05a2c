/** `/docs`: where a newcomer begins, and the reference, which a package's element makes out of the document. */
import { guidePath, guides } from './guides.ts'
import { head } from './page.ts'

const guideList = guides
  .map(({ name, title, about }) => `<li><a href="${guidePath(name)}">${title}</a>: ${about}</li>`)
  .join('\n')

/** Seen at first, and without scripts all that is seen. */
const overview = `<div slot="overview" class="overview">
<h1>Asynchronous AI gateway</h1>
<p>AI work that nobody waits for in front of a screen: summarise documents overnight, embed a search index, classify last year's
tickets. Submit a job with an <code>Idempotency-Key</code>, get <code>202 Accepted</code> as soon as it is durably recorded, and be told
by signed webhooks when its result is there, or that it failed.</p>
<p>Not promised: immediate answers, exact completion times, atomicity across jobs.</p>
<p><a class="button" href="${guidePath('quickstart')}">Quickstart: your first result in ten minutes</a></p>
<h2>Guides</h2>
<ul>
${guideList}
</ul>
<h2>Reference</h2>
<p>Every operation and every webhook is in the list beside this text (on a small screen, below it). The same for machines, as OpenAPI 3.1:</p>
<ul>
<li><a href="/openapi.json"><code>/openapi.json</code></a>: the API of tenants</li>
<li><a href="/ops/openapi.json"><code>/ops/openapi.json</code></a>: the API of those who run the service</li>
<li><a href="/problems"><code>/problems</code></a>: everything that a refusal can be</li>
</ul>
</div>
<span slot="overview-api-description"></span>`

const authentication = `<div slot="authentication" class="overview">
<h1>Authentication</h1>
<p>OAuth 2.0 client credentials. <code>POST /oauth/token</code> with the ID and secret of your client gives an access token for 15 minutes;
send it with every request as <code>Authorization: Bearer …</code>. Keep it, and fetch another when it has ended.</p>
<pre><code>curl "$BASE/oauth/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials</code></pre>
<div class="table"><table>
<thead><tr><th>Scope</th><th>Lets a client</th></tr></thead>
<tbody>
<tr><td><code>jobs:write</code></td><td>submit, estimate, cancel and delete jobs and batches; upload and delete files</td></tr>
<tr><td><code>jobs:read</code></td><td>read jobs, batches, results and files</td></tr>
<tr><td><code>webhooks:write</code></td><td>make, change, test and delete endpoints; retry and replay deliveries</td></tr>
<tr><td><code>webhooks:read</code></td><td>read endpoints, public keys, deliveries and events</td></tr>
<tr><td><code>usage:read</code></td><td>read usage</td></tr>
</tbody>
</table></div>
<p>A token has all scopes of its client, or those that <code>scope=</code> asks for. Each operation names the one that it needs.</p>
</div>`

const script = '\n<script type="module" src="/openapi-explorer.min.js"></script>'

export const referencePage = `${head('API reference · Async AI gateway', script)}
<body class="reference">
<openapi-explorer spec-url="/openapi.json" hide-console hide-server-selection="true" primary-color="#0b5cad" secondary-color="#0b5cad"
 text-color="#1c2733" bg-color="#ffffff" nav-bg-color="#f5f7f9" nav-text-color="#1c2733" nav-hover-bg-color="#e3ebf2" nav-hover-text-color="#0b2b4a">
<div slot="nav-header" class="brand"><a href="/docs">Async AI gateway</a> <a href="${guidePath('quickstart')}">Quickstart</a></div>
${overview}
${authentication}
</openapi-explorer>
</body>
</html>
`
