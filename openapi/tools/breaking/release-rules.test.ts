import { describe, expect, it } from 'vitest'
import { compareVersions, complaintsAbout, hasEntry, mayBreak, withoutWords } from './release-rules.ts'
import { changed, released } from './released.fixture.ts'

const since = (document: typeof released, changelog: string, before = '1.0.0') =>
  complaintsAbout({
    file: 'openapi.json',
    released: { ...released, info: { version: before } },
    document,
    changelog,
  }).map(({ file, place, message }) => `${file} ${place}: ${message}`)

const versioned = (version: string, document = released) => ({ ...document, info: { version } })

const told = (title: string) => `# Changes\n\n## ${title}\n\n- Something.\n\n## 1.0.0\n\n- All.\n`
const broken = changed('paths|/v1/jobs|get', undefined)
const grown = changed('components|schemas|Job|properties|more', { type: 'string' })

const IS_GONE = 'openapi.json GET /v1/jobs: is gone'
const untold = (title: string) =>
  `CHANGES.md ## ${title}: has no entry, though openapi.json is not what 1.0.0 was`

describe('since the last release', () => {
  it.each<[title: string, document: typeof released, changelog: string, complaints: string[]]>([
    ['the same document needs no word', versioned('1.0.0'), '', []],
    ['the same document may be released anew', versioned('1.1.0'), '', []],
    [
      'other words are no change',
      versioned('1.0.0', changed('components|schemas|Job|description', 'A job.')),
      '',
      [],
    ],
    ['a change is told of as unreleased', versioned('1.0.0', grown), told('Unreleased'), []],
    ['a change is told of under a new version', versioned('1.1.0', grown), told('1.1.0 (2026-12-01)'), []],
    ['an untold change is refused', versioned('1.0.0', grown), told('1.0.0'), [untold('Unreleased')]],
    [
      'an untold change of a new version is refused',
      versioned('1.1.0', grown),
      told('Unreleased'),
      [untold('1.1.0')],
    ],
    [
      'an empty section tells nothing',
      versioned('1.0.0', grown),
      '## Unreleased\n\n## 1.0.0\n\n- All.\n',
      [untold('Unreleased')],
    ],
    ['what breaks is refused', versioned('1.0.0', broken), told('Unreleased'), [IS_GONE]],
    ['what breaks is refused in a minor version', versioned('1.1.0', broken), told('1.1.0'), [IS_GONE]],
    ['what breaks is let through in a major version', versioned('2.0.0', broken), told('2.0.0'), []],
    ['but not untold', versioned('2.0.0', broken), told('Unreleased'), [IS_GONE, untold('2.0.0')]],
    [
      'a version that has gone down is refused',
      versioned('0.9.0'),
      '',
      ['openapi.json info.version: is 0.9.0, though 1.0.0 has been released'],
    ],
  ])('%s', (_, document, changelog, complaints) => {
    expect(since(document, changelog)).toEqual(complaints)
  })

  it('lets a minor version break while the major one is 0', () => {
    expect(since(versioned('0.2.0', broken), told('0.2.0'), '0.1.0')).toEqual([])
  })
})

describe('versions', () => {
  it('are compared by number', () => {
    expect(['0.10.0', '0.9.1', '0.9.0', '1.0.0'].sort(compareVersions)).toEqual([
      '0.9.0',
      '0.9.1',
      '0.10.0',
      '1.0.0',
    ])
  })

  it.each([
    ['0.1.0', '0.1.1', false],
    ['0.1.0', '0.2.0', true],
    ['0.9.0', '1.0.0', true],
    ['1.2.0', '1.3.0', false],
    ['1.2.0', '2.0.0', true],
    ['1.2.0', '0.3.0', false],
  ])('from %s to %s may break: %s', (before, after, may) => {
    expect(mayBreak(before, after)).toBe(may)
  })
})

describe('the changelog', () => {
  it('has an entry only under the title that was asked for', () => {
    expect(hasEntry('## 1.1.0\n\nWords.\n\n## 1.0.0\n\n- All.\n', '1.1.0')).toBe(false)
    expect(hasEntry('## 1.1.0\n\n- More.\n', '1.1')).toBe(false)
    expect(hasEntry('## 1.1.0 (2026-12-01)\n\n- More.\n', '1.1.0')).toBe(true)
  })
})

describe('words', () => {
  it('are left out, but not a property that is called like them', () => {
    const schema = { description: 'A', properties: { description: { type: 'string', example: 'B' } } }
    expect(withoutWords(schema)).toEqual({ properties: { description: { type: 'string' } } })
  })
})
