import { describe, expect, it } from 'vitest'
import { bayFaults } from './bays.ts'

const at = (counts: Parameters<typeof bayFaults>[0]) => bayFaults(counts).map((fault) => fault.at)

describe('the bays of a park', () => {
  it('add up, or are not divided at all', () => {
    expect(at({ totalBays: 10, tempBays: 8, passBays: 2, chargeBays: 3, disabledBays: 1 })).toEqual([])
    expect(at({ totalBays: 10 })).toEqual([])
    expect(at({ totalBays: 10, tempBays: 0, passBays: 0 })).toEqual([])
    expect(at({ totalBays: 10, tempBays: 10, passBays: null })).toEqual([])
    expect(at({ totalBays: 0, tempBays: 0, passBays: 0 })).toEqual([])
    expect(at({ tempBays: 3 })).toEqual([])
  })
  it('say by how many they are short or too many, at the part that is to be put right', () => {
    expect(bayFaults({ totalBays: 10, tempBays: 7, passBays: 2 })).toEqual([
      { at: 'passBays', says: ['临停 7 + 月租 2 = 9，比总车位 10 少 1', 'Temporary 7 + pass 2 = 9: 1 short of the total of 10'] },
    ])
    expect(bayFaults({ totalBays: 10, tempBays: 8, passBays: 4 })).toMatchObject([
      { at: 'passBays', says: [expect.stringContaining('多 2'), expect.stringContaining('2 more than')] },
    ])
  })
  it('name each part that is larger than the whole, and then not the sum as well', () => {
    expect(at({ totalBays: 10, tempBays: 11, passBays: 0 })).toEqual(['tempBays'])
    expect(at({ totalBays: 10, tempBays: 5, passBays: 5, chargeBays: 11, disabledBays: 12 })).toEqual(['chargeBays', 'disabledBays'])
  })
})
