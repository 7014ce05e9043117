import { describe, expect, it } from 'vitest'
import { placeFault, rounded } from './place/place.ts'

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
