import { describe, expect, it } from 'vitest'
import { parseOpenMetrics } from '../../test/support/openmetrics.ts'
import { exposition, type Family } from './exposition.ts'

const gauge = (more: Partial<Family> = {}): Family =>
  ({ name: 'g', type: 'gauge', help: 'A gauge.', samples: [{ labels: {}, value: 1 }], ...more }) as Family

const linesOf = (...families: Family[]) => exposition(families).split('\n')

describe('the text of a scrape', () => {
  it('ends with its marker, though there is nothing else to tell', () => {
    expect(exposition([gauge({ samples: [] })])).toBe('# TYPE g gauge\n# HELP g A gauge.\n# EOF\n')
  })

  it('has the type, the unit and the help of a family before its samples', () => {
    const family = gauge({ name: 'wait_seconds', unit: 'seconds', samples: [{ labels: {}, value: 0.5 }] })

    expect(linesOf(family)).toEqual([
      '# TYPE wait_seconds gauge',
      '# UNIT wait_seconds seconds',
      '# HELP wait_seconds A gauge.',
      'wait_seconds 0.5',
      '# EOF',
      '',
    ])
  })

  it('names the samples of a counter by its total', () => {
    const samples = [{ labels: { a: 'x', b: 'y' }, value: 7 }]

    expect(linesOf({ name: 'c', type: 'counter', help: 'A counter.', samples })[2]).toBe(
      'c_total{a="x",b="y"} 7',
    )
  })

  it.each([
    ['plain', 'plain'],
    ['a "quote"', 'a \\"quote\\"'],
    ['back\\slash', 'back\\\\slash'],
    ['two\nlines', 'two\\nlines'],
    ['\\n', '\\\\n'],
    ['日本, {x="1"}', '日本, {x=\\"1\\"}'],
  ])('escapes %j in labels, and it is read back', (text, escaped) => {
    const written = exposition([gauge({ samples: [{ labels: { l: text }, value: 1 }] })])

    expect(written).toContain(`\ng{l="${escaped}"} 1\n`)
    expect(parseOpenMetrics(written).get('g')?.samples[0]?.labels).toEqual({ l: text })
  })

  it('escapes line feeds and backslashes in help', () => {
    expect(linesOf(gauge({ help: 'a\nb \\ c' }))[1]).toBe('# HELP g a\\nb \\\\ c')
  })

  it.each([
    [0, '0'],
    [0.000001, '0.000001'],
    [1234.5678, '1234.5678'],
    [9_007_199_254_740_991, '9007199254740991'],
    [1e21, '1e+21'],
  ])('writes the value %s as %s', (value, text) => {
    expect(linesOf(gauge({ samples: [{ labels: {}, value }] }))[2]).toBe(`g ${text}`)
  })

  it('adds the buckets of a histogram up, to one without a bound', () => {
    const histogram = { bounds: [0.1, 1, 2.5, 14_400], buckets: [3, 0, 2, 1, 4], sum: 99.125 }
    const family: Family = { name: 'h_seconds', type: 'histogram', help: 'H.', unit: 'seconds', histogram }

    expect(linesOf(family).slice(3, -2)).toEqual([
      'h_seconds_bucket{le="0.1"} 3',
      'h_seconds_bucket{le="1.0"} 3',
      'h_seconds_bucket{le="2.5"} 5',
      'h_seconds_bucket{le="14400.0"} 6',
      'h_seconds_bucket{le="+Inf"} 10',
      'h_seconds_count 10',
      'h_seconds_sum 99.125',
    ])
    expect(() => parseOpenMetrics(exposition([family]))).not.toThrow()
  })
})

describe('the strict reader', () => {
  const good = '# TYPE c counter\n# HELP c C.\nc_total{a="x"} 1\n# TYPE g gauge\ng 2\n# EOF\n'

  it('takes what is to the letter', () => {
    expect([...parseOpenMetrics(good).keys()]).toEqual(['c', 'g'])
  })

  it.each([
    ['no end', good.replace('# EOF\n', '')],
    ['an end that is not the end', `${good}g 3\n# EOF\n`],
    ['no line feed at the end', good.slice(0, -1)],
    ['carriage returns', good.replaceAll('\n', '\r\n')],
    ['an empty line', good.replace('g 2', '\ng 2')],
    ['a counter without its suffix', good.replace('c_total', 'c')],
    ['a counter below zero', good.replace('} 1', '} -1')],
    ['an unknown type', good.replace('gauge', 'meter')],
    ['a type that comes too late', good.replace('# TYPE g gauge\ng 2', 'g 2\n# TYPE g gauge')],
    ['a unit that is not in the name', good.replace('# HELP c C.', '# UNIT c seconds')],
    ['two spaces', good.replace('g 2', 'g  2')],
    ['a sample without a value', good.replace('g 2', 'g')],
    ['a value that is no number', good.replace('g 2', 'g two')],
    ['a label twice', good.replace('a="x"', 'a="x",a="y"')],
    ['a comma too many', good.replace('a="x"', 'a="x",')],
    ['a quote that is not escaped', good.replace('a="x"', 'a="x"y"')],
    ['samples that are alike', good.replace('g 2', 'g 2\ng 3')],
    ['a family in two pieces', good.replace('# EOF', '# TYPE c counter\nc_total 1\n# EOF')],
    ['names that meet', good.replace('# EOF', '# TYPE c_total gauge\nc_total 1\n# EOF')],
  ])('refuses %s', (_, text) => {
    expect(() => parseOpenMetrics(text)).toThrow()
  })

  it.each([
    ['no last bucket', '{le="1.0"} 1', 1],
    ['a bound that is no float', '{le="1"} 1\nh_bucket{le="+Inf"} 1', 1],
    ['bounds out of order', '{le="2.0"} 1\nh_bucket{le="1.0"} 1\nh_bucket{le="+Inf"} 1', 1],
    ['buckets that fall', '{le="1.0"} 2\nh_bucket{le="+Inf"} 1', 1],
    ['another count', '{le="1.0"} 1\nh_bucket{le="+Inf"} 1', 2],
  ])('refuses a histogram with %s', (_, buckets, count) => {
    const text = `# TYPE h histogram\nh_bucket${buckets}\nh_count ${count}\nh_sum 1\n# EOF\n`

    expect(() => parseOpenMetrics(text)).toThrow(/^h /)
  })
})
