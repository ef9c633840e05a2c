import { describe, expect, it } from 'vitest'
import { checkDestination, type DestinationRules } from './destination.ts'

const production: DestinationRules = { allowLoopback: false, ownHosts: ['api.gateway.dev'], ownPorts: [] }
const local: DestinationRules = { allowLoopback: true, ownHosts: ['localhost'], ownPorts: ['8787'] }

describe('a destination that is allowed', () => {
  it.each([
    ['a name', 'https://example.com/hook', 'https://example.com/hook'],
    ['a query', 'https://example.com/p?x=1', 'https://example.com/p?x=1'],
    ['no path', 'https://example.com', 'https://example.com/'],
    ['the port of https', 'https://example.com:443/hook', 'https://example.com/hook'],
    ['a trailing dot', 'https://example.com./hook', 'https://example.com/hook'],
    ['a trailing dot before a query', 'https://example.com.?x=.', 'https://example.com/?x=.'],
    ['a fragment', 'https://example.com/#@127.0.0.1/', 'https://example.com/'],
    ['a fragment behind a query', 'https://example.com/p?x=1#y', 'https://example.com/p?x=1'],
    ['an empty fragment', 'https://example.com/#', 'https://example.com/'],
    ['an at sign in its path', 'https://example.com/@me?to=a@b', 'https://example.com/@me?to=a@b'],
    ['a host in capitals', 'https://EXAMPLE.com/Hook', 'https://example.com/Hook'],
    ['an international name', 'https://bücher.de/', 'https://xn--bcher-kva.de/'],
    ['a denied suffix within a label', 'https://mylocalhost.com/', 'https://mylocalhost.com/'],
    ['a name that only ends like a denied one', 'https://example.milan/', 'https://example.milan/'],
    ['a denied suffix as another label', 'https://test.example.com/', 'https://test.example.com/'],
    [
      'a name that starts like an own host',
      'https://api.gateway.dev.evil.com/',
      'https://api.gateway.dev.evil.com/',
    ],
    ['digits in its name', 'https://1.2.3.4.example.com/', 'https://1.2.3.4.example.com/'],
    ['253 characters in its name', `https://${'x.'.repeat(125)}com/`, `https://${'x.'.repeat(125)}com/`],
    [
      '2,048 characters',
      `https://example.com/${'x'.repeat(2028)}`,
      `https://example.com/${'x'.repeat(2028)}`,
    ],
  ])('may have %s', (_, raw, href) => {
    expect(checkDestination(raw, production)).toMatchObject({ ok: true, url: { href } })
  })
})

/** Several URLs for one reason; a space stands between them. */
const refused = {
  'a public address': 'https://8.8.8.8/hook https://168.63.129.16/ https://[2606:4700:4700::1111]/',
  'this machine': 'https://127.0.0.1/ https://127.1/ https://0/ https://0.0.0.0/ https://127.0.0.1./',
  'this machine in octal': 'https://017700000001/ https://0177.0.0.1/',
  'this machine in hexadecimal': 'https://0x7f000001/ https://0x7f.1/ https://0x7f000001./',
  'this machine in other digits': 'https://①②⑦.⓪.⓪.①/ https://127。0。0。1/',
  'this machine by name': 'https://LOCALHOST/ https://localhost./ https://ⓛocalhost/',
  'a format character':
    'https://local\u00adhost/ https://exam\u00adple.com/ https://exam\u200bple.com/ https://example.com\u2060/x',
  'a mark of direction or order': 'https://example.com/\u202emoc https://example.com/\ufeff',
  'half a character': 'https://example.com/\ud800 https://example.com/?\udc00',
  'a number for its top level':
    'https://example.1e3/ https://example.4/ https://example.x1/ https://example.x/',
  'a name within this machine': 'https://foo.localhost/ https://localhost.localdomain/',
  'a private network': 'https://10.0.0.1/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.0.1/',
  'a metadata service':
    'https://169.254.169.254/latest/meta-data/ https://0xa9fea9fe/ https://169.254.170.2/',
  'a metadata service in octal': 'https://0251.0376.0251.0376/ https://425.510.425.510/',
  'a metadata service by name': 'https://metadata.goog/ https://metadata.google.internal/',
  'a shared or protocol address': 'https://100.64.0.1/ https://192.0.0.192/ https://224.0.0.1/',
  'a documentation address':
    'https://192.0.2.1/ https://203.0.113.5/ https://[2001:db8::1]/ https://[3fff::1]/',
  'this machine in IPv6': 'https://[::1]/ https://[0:0:0:0:0:0:0:1]/ https://[::]/',
  'this machine within IPv6':
    'https://[::ffff:127.0.0.1]/ https://[::ffff:0:127.0.0.1]/ https://[2002:7f00:1::]/',
  'a metadata service within IPv6': 'https://[::ffff:169.254.169.254]/ https://[64:ff9b::a9fe:a9fe]/',
  'a metadata service by Teredo': 'https://[2001:0:a9fe:a9fe::1]/ https://[fd00:ec2::254]/',
  'a local IPv6 address':
    'https://[fe80::1%25eth0]/ https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/',
  'a special IPv6 address': 'https://[100::1]/ https://[5f00::1]/',
  'a single label': 'https://metadata/ https://instance-data/ https://intranet/ https://com./',
  'a name of a local network': 'https://printer.local/ https://X.LOCAL/ https://host.home.arpa/',
  'a name of a company’s own network':
    'https://wiki.intranet/ https://nas.lan/ https://router.home/ https://mail.corp/ https://db.private/',
  'a name within a cluster': 'https://kubernetes.default.svc/ https://kubernetes.default.svc.cluster.local/',
  'a reserved name': 'https://x.test/ https://x.test./ https://x.invalid/ https://bücher.example/hook',
  'a name of another network': 'https://x.onion/ https://x.alt/',
  credentials: 'https://user:pass@example.com/hook https://:pass@example.com/ https://127.0.0.1@example.com/',
  'empty credentials': 'https://@example.com/ https://:@example.com/ https://@@example.com',
  'an address behind credentials': 'https://example.com@127.0.0.1/ https://127.0.0.1\\@example.com/',
  'an address before a fragment': 'https://127.0.0.1#@example.com/',
  'slashes that the parser repairs':
    'https:example.com/hook https:/example.com/ https:///example.com/ https:\\\\example.com/',
  'a tab, line break or null': 'ht\ttps://127.0.0.1/ https://example.com/\n https://example.com/\u0000',
  'a hyphen at an end': 'https://-example.com/ https://example-.com/',
  'an empty label': 'https://example..com/ https://.example.com/ https://example.com../',
  'a label of 64 characters': `https://${'x'.repeat(64)}.com/`,
  'a name of 254 characters': `https://${'x.'.repeat(125)}info/`,
  'a name of the infrastructure':
    'https://1.0.0.127.in-addr.arpa/ https://x.ip6.arpa/ https://resolver.arpa/',
  'an impossible address': 'https://256.256.256.256/ https://1.2.3.4.5/ https://0x100000000/',
  'no host': 'https:// https://. example.com https://example.com%00.evil.com/',
  'another port': 'https://example.com:65536/ https://example.com:22/ https://example.com:8443/',
  'another scheme': 'http://example.com/ HTTPS://example.com/ ftp://example.com/ wss://example.com/',
  'a scheme without a host':
    'file:///etc/passwd gopher://127.0.0.1:6379/_x data:text/plain,x javascript:alert(1)',
  'our own host': 'https://api.gateway.dev/ https://API.gateway.dev/ https://api.gateway.dev./v1/jobs',
  'a name within our own host': 'https://eu.api.gateway.dev/ https://A.B.API.GATEWAY.DEV./',
  'more than 2,048 characters': `https://example.com/${'x'.repeat(2029)}`,
}
const spaced = [
  ' https://127.0.0.1/',
  'https://example.com/ ',
  'https://exa mple.com/',
  'https://example.com/a b',
]

const rows = [
  ...Object.entries(refused).flatMap(([what, urls]) => urls.split(' ').map((url) => [what, url] as const)),
  ...spaced.map((url) => ['a space', url] as const),
  ['a space of another kind', 'https://\u00a0example.com/'] as const,
  ['nothing', ''] as const,
]

describe('a destination that is refused', () => {
  it.each(rows)('has %s: %j', (_, raw) => {
    expect(checkDestination(raw, production).ok).toBe(false)
  })

  it.each(rows)('is told why in our own words: %s, %j', (_, raw) => {
    const checked = checkDestination(raw, production)

    expect(checked.ok ? '' : checked.why).toMatch(/^(The|This) [^/]*(https:\/\/)?\.$/)
  })

  it.each([
    ['https://8.8.8.8/', 'The host must be a name, not an address.'],
    ['https://[2606:4700:4700::1111]/', 'The host must be a name, not an address.'],
    ['https://intranet/', 'The host must be a public name.'],
    ['https://hooks.acme.internal/', 'The host is not a public name.'],
    ['https://api.gateway.dev/', 'The host belongs to this service.'],
    ['https://user:secret@example.com/', 'The URL must not hold credentials.'],
    ['http://example.com/', 'The URL must start with https://.'],
    ['https://example.com:8443/', 'The port must be 443.'],
  ])('is told what is wrong with it: %s', (raw, why) => {
    expect(checkDestination(raw, production)).toEqual({ ok: false, why })
  })
})

describe('this machine', () => {
  const urls = ['http://localhost:9999/hook', 'https://127.0.0.1/', 'http://127.1:80/', 'http://[::1]:9999/']

  it.each(urls)('is allowed in the local run: %s', (raw) => {
    expect(checkDestination(raw, local)).toMatchObject({ ok: true, loopback: true })
  })

  it.each(urls)('is refused in production: %s', (raw) => {
    expect(checkDestination(raw, production).ok).toBe(false)
  })

  it('is called without a fragment', () => {
    const destination = checkDestination('http://localhost:9999/hook#x', local)

    expect(destination).toMatchObject({ url: { href: 'http://localhost:9999/hook' } })
  })

  it.each([
    'http://localhost:8787/',
    'http://LOCALHOST:8787/v1/jobs',
    'https://localhost:8787/',
    'http://127.0.0.1:8787/',
    'http://127.1:08787/',
    'http://[::1]:8787/',
    'http://localhost.:8787/',
  ])('is closed where we listen ourselves: %s', (raw) => {
    expect(checkDestination(raw, local).ok).toBe(false)
  })

  it.each([
    ['80', 'http://localhost/'],
    ['443', 'https://localhost/'],
  ])('is closed on port %s, whether or not the URL names it', (port, raw) => {
    expect(checkDestination(raw, { ...local, ownPorts: [port] }).ok).toBe(false)
  })

  it.each([
    'http://example.com/',
    'http://user:pass@localhost/',
    'http://@localhost:9999/',
    'http:localhost/',
    'HTTP://localhost/',
    'ftp://localhost/',
    'http://0.0.0.0/',
    'http://127.0.0.2/',
    'http://[::ffff:127.0.0.1]/',
    'http://foo.localhost/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
  ])('opens nothing else in the local run: %s', (raw) => {
    expect(checkDestination(raw, local).ok).toBe(false)
  })

  it('does not open names to another port in the local run', () => {
    expect(checkDestination('https://example.com:9999/', local).ok).toBe(false)
    expect(checkDestination('https://example.com/', local)).toMatchObject({ ok: true, loopback: false })
  })
})
