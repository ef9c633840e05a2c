import { beforeAll, describe, expect, inject, it } from 'vitest'
import { nameThat } from './support/names.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant({ max_webhook_endpoints: 500 })
})

/** Under the rule of production. */
const create = (url: string) => acme.client.post(`${inject('stack').strictUrl}/v1/webhook_endpoints`, { url })
/** Where receivers on this machine are allowed. */
const createLocally = (url: string) => acme.client.post('/v1/webhook_endpoints', { url })

/** What is stored and called; a space stands between the URL given and what becomes of it. */
const allowed = {
  'a name': 'https://example.com/hook https://example.com/hook',
  'the port of https': 'https://example.com:443/hook https://example.com/hook',
  'a trailing dot': 'https://example.com./hook https://example.com/hook',
  'an international name': 'https://bücher.de/ https://xn--bcher-kva.de/',
  'a query': 'https://example.com/p?x=1 https://example.com/p?x=1',
  'a fragment': 'https://example.com/#@127.0.0.1/ https://example.com/',
  'a name that starts like another': 'https://docs.apify.com.evil.com/ https://docs.apify.com.evil.com/',
  'a name that starts like ours': 'https://api.gateway.test.evil.com/ https://api.gateway.test.evil.com/',
  'an address in a name that leads to a public one': 'https://8.8.8.8.nip.io/ https://8.8.8.8.nip.io/',
}

/** Several URLs for one reason; a space stands between them. */
const refused = {
  'a reserved name in another script': 'https://bücher.example/hook',
  'a public address': 'https://8.8.8.8/hook https://[2606:4700:4700::1111]/',
  'this machine': 'https://127.0.0.1/ https://127.1/ https://0/ https://0.0.0.0/',
  'this machine in octal': 'https://017700000001/ https://0177.0.0.1/',
  'this machine in hexadecimal': 'https://0x7f000001/ https://0x7f.1/',
  'this machine with a trailing dot': 'https://127.0.0.1./ https://0x7f000001./',
  'this machine in other digits': 'https://①②⑦.⓪.⓪.①/ https://127。0。0。1/',
  'this machine by name': 'https://ⓛocalhost/ https://LOCALHOST/ http://localhost:9999/ https://localhost./',
  'a name within this machine': 'https://foo.localhost/ https://localhost.localdomain/',
  'a private network': 'https://10.0.0.1/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.0.1/',
  'a metadata service': 'https://169.254.169.254/latest/meta-data/ https://0xa9fea9fe/',
  'a metadata service in octal': 'https://0251.0376.0251.0376/ https://425.510.425.510/',
  'the credentials of a container': 'https://169.254.170.2/',
  'a shared or special address': 'https://100.64.0.1/ https://192.0.0.192/ https://224.0.0.1/',
  'a documentation address': 'https://192.0.2.1/ https://203.0.113.5/',
  'the host of a cloud': 'https://168.63.129.16/',
  'this machine in IPv6': 'https://[::1]/ https://[0:0:0:0:0:0:0:1]/',
  'an address mapped to IPv6': 'https://[::ffff:127.0.0.1]/ https://[::ffff:169.254.169.254]/',
  'an address translated to IPv6': 'https://[::ffff:0:127.0.0.1]/ https://[64:ff9b::a9fe:a9fe]/',
  'an address by a tunnel': 'https://[2002:7f00:1::]/ https://[2001:0:a9fe:a9fe::1]/',
  'an address with a zone': 'https://[fe80::1%25eth0]/',
  'a local IPv6 address': 'https://[fec0::1]/ https://[fd00:ec2::254]/ https://[ff02::1]/',
  'a special IPv6 address': 'https://[2001:db8::1]/ https://[100::1]/ https://[5f00::1]/ https://[3fff::1]/',
  'a single label': 'https://metadata/ https://instance-data/ https://intranet/',
  'a metadata service by name': 'https://metadata.goog/',
  'a name of a local network': 'https://printer.local/',
  'a name of a cluster': 'https://kubernetes.default.svc/ https://kubernetes.default.svc.cluster.local/',
  'a reserved name': 'https://x.test/ https://x.invalid/ https://x.example/ https://x.onion/ https://x.alt/',
  'an address in its name, to which it leads': 'https://127.0.0.1.nip.io/ https://169-254-169-254.sslip.io/',
  'a public and a private answer': `https://${nameThat('mixed')}/`,
  'a public answer, and this machine in IPv6': `https://${nameThat('mixed-v6')}/`,
  credentials: 'https://user:pass@example.com/hook https://127.0.0.1@example.com/ https://@example.com/',
  'an address before a fragment': 'https://127.0.0.1#@example.com/',
  'an address before a backslash': 'https://127.0.0.1\\@example.com/',
  'no slashes': 'https:example.com/hook',
  'a tab': 'ht\ttps://127.0.0.1/',
  'a soft hyphen': 'https://exam\u00adple.com/ https://local\u00adhost/',
  'a null in other clothes': 'https://example.com%00.evil.com/',
  'a hyphen at the start of a label': 'https://-example.com/',
  'an impossible address': 'https://256.256.256.256/ https://1.2.3.4.5/ https://0x100000000/',
  'an impossible port': 'https://example.com:65536/',
  'another scheme':
    'http://example.com/ ftp://example.com/ file:///etc/passwd gopher://127.0.0.1:6379/_x data:text/plain,x javascript:alert(1)',
  'our own host': 'https://api.gateway.test/ https://api.gateway.test./ https://API.Gateway.Test/v1/jobs',
  'a name within our own host': 'https://eu.api.gateway.test/',
}
const spaced = [' https://127.0.0.1/', 'https://exa mple.com/']

const refusals = [
  ...Object.entries(refused).flatMap(([what, urls]) => urls.split(' ').map((url) => [what, url] as const)),
  ...spaced.map((url) => ['a space', url] as const),
]

describe('the URL of a webhook endpoint', () => {
  it.each(Object.entries(allowed))('may have %s: %s', async (_, urls) => {
    const [url = '', stored] = urls.split(' ')

    const { body } = await expectStatus(201, create(url))

    expect(body.url).toBe(stored)
  })

  it.each(refusals)('is refused for %s: %j', async (_, url) => {
    const { status, body } = await create(url)

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/url'])
    expect(JSON.stringify([body.detail, body.errors])).not.toContain(url.trim())
  })
})

describe('a receiver on this machine', () => {
  it('is allowed in the local run alone', async () => {
    const { url } = await newReceiver()

    expect((await createLocally(url)).status).toBe(201)
    expect((await create(url)).status).toBe(400)
  })
})
