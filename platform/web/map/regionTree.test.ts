import { describe, expect, it } from 'vitest'
import { regionPrefix } from '../../contract/region.ts'
import type { RegionNode } from '../../contract/region.ts'
import { branchesOf, openAbove } from './regionTree.ts'
import type { Say } from '../text.ts'

const node = (code: string, name: string, nameEn: string, ...children: RegionNode[]): RegionNode => ({ code, name, nameEn, rank: 1, children })
const TREE = [
  node('420000', '湖北省', 'Hubei', node('420600', '襄阳市', 'Xiangyang', node('420606', '樊城区', ''), node('420607', '襄州区', 'Xiangzhou'))),
]
const chinese: Say = (text) => text[0]
const english: Say = (text) => text[1]

describe('a region', () => {
  it('is shown with what it belongs to, and found by code and both names', () => {
    const county = branchesOf(TREE, chinese)[0]!.children[0]!.children[1]!
    expect(county).toEqual({ value: '420607', title: '襄州区', whole: '湖北省 / 襄阳市 / 襄州区', words: '420607 襄州区 Xiangzhou', children: [] })
    expect(branchesOf(TREE, english)[0]!.children[0]!.children.map(({ whole }) => whole)).toEqual([
      'Hubei / Xiangyang / 樊城区',
      'Hubei / Xiangyang / Xiangzhou',
    ])
  })
  it('is in sight when the tree opens, or else as far as there is no choice', () => {
    expect(openAbove(TREE, '420607')).toEqual(['420000', '420600'])
    expect(openAbove(TREE, '420600')).toEqual(['420000'])
    expect(openAbove(TREE, '420000')).toEqual([])
    expect(openAbove(TREE, '110000')).toEqual([])
    expect(openAbove(TREE, undefined)).toEqual(['420000', '420600'])
    expect(openAbove([...TREE, node('430000', '湖南省', 'Hunan')], undefined)).toEqual([])
  })
  it.each([
    ['420000', '42'],
    ['420600', '4206'],
    ['429000', '4290'],
    ['420607', '420607'],
    ['420607100', '420607100'],
    ['4206', '4206'],
  ])('%s holds what begins with %s', (code, prefix) => expect(regionPrefix(code)).toBe(prefix))
})
