import { describe, expect, it } from 'vitest'
import { isGlobal } from './addresses.ts'

/** First and last of each denied range, with what lies just outside; a space stands between them. */
const v4 = {
  'this network': ['0.0.0.0 0.255.255.255', '1.0.0.0'],
  'private, 10/8': ['10.0.0.0 10.255.255.255', '9.255.255.255 11.0.0.0'],
  'shared by a provider': ['100.64.0.0 100.127.255.255', '100.63.255.255 100.128.0.0'],
  'this machine': ['127.0.0.0 127.0.0.1 127.255.255.255', '126.255.255.255 128.0.0.0'],
  'link-local': ['169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255', '169.253.255.255 169.255.0.0'],
  'private, 172.16/12': ['172.16.0.0 172.31.255.255', '172.15.255.255 172.32.0.0'],
  'protocol assignments': ['192.0.0.0 192.0.0.192 192.0.0.255', '191.255.255.255 192.0.1.0'],
  'documentation 1': ['192.0.2.0 192.0.2.255', '192.0.1.255 192.0.3.0'],
  '6to4 relays': ['192.88.99.0 192.88.99.255', '192.88.98.255 192.88.100.0'],
  'private, 192.168/16': ['192.168.0.0 192.168.255.255', '192.167.255.255 192.169.0.0'],
  benchmarks: ['198.18.0.0 198.19.255.255', '198.17.255.255 198.20.0.0'],
  'documentation 2': ['198.51.100.0 198.51.100.255', '198.51.99.255 198.51.101.0'],
  'documentation 3': ['203.0.113.0 203.0.113.255', '203.0.112.255 203.0.114.0'],
  multicast: ['224.0.0.0 239.255.255.255', '223.255.255.255'],
  reserved: ['240.0.0.0 255.255.255.254 255.255.255.255', '8.8.8.8'],
  'the host of a cloud': ['168.63.129.16', '168.63.129.15 168.63.129.17'],
} as const

const v6 = {
  unspecified: [':: 0:0:0:0:0:0:0:0 ::0', '2606:4700:4700::1111'],
  'this machine': ['::1 0:0:0:0:0:0:0:1 ::0001', '2001:4860:4860::8888'],
  'IPv4-compatible': ['::7f00:1 ::127.0.0.1 ::8.8.8.8', '2a00:1450::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:a9fe:a9fe ::ffff:8.8.8.8', '2400:cb00::1'],
  'IPv4-translated': ['::ffff:0:127.0.0.1 ::ffff:0:7f00:1', '2803:f800::1'],
  NAT64: ['64:ff9b::a9fe:a9fe 64:ff9b::169.254.169.254 64:ff9b:1::1', '2c0f:f248::1'],
  '6to4': ['2002:: 2002:7f00:1:: 2002:ffff::1', '2003::1'],
  'Teredo and other protocols': [
    '2001:: 2001:0:a9fe:a9fe::1 2001:10::1 2001:20::1 2001:1ff::1',
    '2001:200::1',
  ],
  documentation: [
    '2001:db8:: 2001:db8::1 2001:db8:ffff::1 3fff:: 3fff::1 3fff:fff::1',
    '2001:db7::1 2001:db9::1',
  ],
  'unique local': ['fc00::1 fd00:ec2::254 fdff::1', '2600::1'],
  'link-local': ['fe80::1 febf::1', '2620:fe::fe'],
  'site-local': ['fec0::1 feff::1', '2a06:98c1::1'],
  multicast: ['ff02::1 ff0e::1', '2606:4700::6810:85e5'],
  'discarded or segment routing': ['100::1 5f00::1', '2000::1'],
  'not handed out': ['4000::1 8000::1 1fff:ffff::1', '3ffe:ffff::1'],
} as const

const cases = Object.entries({
  ...v4,
  ...Object.fromEntries(Object.entries(v6).map(([k, v]) => [`${k}, IPv6`, v])),
})
const each = (at: 0 | 1) =>
  cases.flatMap(([what, texts]) => (texts[at] ?? '').split(' ').map((text) => [what, text] as const))

describe('an address', () => {
  it.each(each(0))('that is not global, %s: %s', (_, text) => {
    expect(isGlobal(text)).toBe(false)
  })

  it.each(each(1))('that is global, beside %s: %s', (_, text) => {
    expect(isGlobal(text)).toBe(true)
  })

  it.each([
    '',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '8.8.8.0x8',
    '8.8.8.8 ',
    '-8.8.8.8',
    '134744072',
    'example.com',
    'fe80::1%eth0',
    '[::1]',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::1',
    '::ffff:1.2.3',
    '::ffff:1.2.3.256',
    ':',
    '.',
    '2606:4700::1]/',
  ])('is none: %j', (text) => {
    expect(isGlobal(text)).toBeNull()
  })
})
