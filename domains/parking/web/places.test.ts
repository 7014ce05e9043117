import { describe, expect, it } from 'vitest'
import type { Say } from '../../../platform/web/text.ts'
import type { RegionNode } from '../../system/contract/region.ts'
import { placeFault, rounded } from './place.ts'
import { branchesOf, openAbove } from './regions.ts'

const node = (code: string, name: string, nameEn: string, ...children: RegionNode[]): RegionNode => ({ code, name, nameEn, rank: 1, children })
const TREE = [
  node('420000', '湖北省', 'Hubei', node('420600', '襄阳市', 'Xiangyang', node('420606', '樊城区', ''), node('420607', '襄州区', 'Xiangzhou'))),
]
const chinese: Say = (text) => text[0]
const english: Say = (text) => text[1]

describe('the region of a park', () => {
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
})

describe('the place of a park', () => {
  it('has both halves or none, said at the one that is missing', () => {
    expect(placeFault('lng', { lng: null, lat: 32 })).toBeDefined()
    expect(placeFault('lat', { lng: null, lat: 32 })).toBeUndefined()
    expect(placeFault('lat', { lng: 112 })).toBeDefined()
    expect(placeFault('lng', {})).toBeUndefined()
    expect(placeFault('lng', { lng: 0, lat: 0 })).toBeUndefined()
    expect(placeFault('lat', { lng: 112, lat: 112 })).toEqual(['纬度应在 -90 至 90 之间', 'Latitude must be between -90 and 90'])
  })
  it('is as exact as a person points', () => expect(rounded(112.123_456_789)).toBe(112.123457))
})
