import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LoadMode, LoadWhy } from '../contract/load.ts'
import { asksNow, type GunNow, heldSum, leastLimit, shareOut } from './loadRule.ts'

const gun = fc.record({
  ratedW: fc.integer({ min: 1_000, max: 180_000 }),
  leastShare: fc.integer({ min: 1, max: 100 }),
  floorShare: fc.integer({ min: 0, max: 100 }),
  heldShare: fc.integer({ min: 0, max: 100 }),
  pinned: fc.constantFrom(null, null, null, LoadWhy.silent, LoadWhy.unmanaged),
  since: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
  priority: fc.integer({ min: 0, max: 9 }),
  shares: fc.boolean(),
})
const pileAt = (all: readonly { ratedW: number }[], place: number, beside: number) => ({
  id: `P${place}`,
  ratedW: Math.max(all[place]!.ratedW, beside),
})
const guns = fc.array(gun, { maxLength: 40 }).map((all) =>
  all.map(({ ratedW, leastShare, floorShare, heldShare, pinned, since, priority, shares }, place): GunNow => {
    const part = (percent: number) => Math.floor((ratedW * percent) / 100)
    const floorW = part(floorShare)
    const heldW = Math.max(floorW, part(heldShare))
    return {
      connectorId: `G${String(place).padStart(2, '0')}`,
      // Some are the second gun of the pile before them, which has the power of the stronger one.
      pile:
        shares && place % 2 === 1
          ? pileAt(all, place - 1, all[place]!.ratedW)
          : pileAt(all, place, place % 2 === 0 && all[place + 1]?.shares ? all[place + 1]!.ratedW : 0),
      ...{ ratedW, leastW: part(leastShare), floorW, ackedW: heldW, heldW, asking: false, unsure: false, late: false, pinned },
      charge: since === null ? null : { since: String(since).padStart(2, '0'), priority },
    }
  }),
)
const mode = fc.constantFrom(LoadMode.equal, LoadMode.arrival, LoadMode.priority)
const extra = fc.integer({ min: 0, max: 2_000_000 })
const plain = (over: Partial<GunNow> & { connectorId: string }): GunNow => ({
  pile: { id: over.connectorId, ratedW: 60_000 },
  ...{ ratedW: 60_000, leastW: 5_000, floorW: 5_000, ackedW: 5_000, heldW: 5_000, asking: false, unsure: false, late: false, pinned: null },
  charge: { since: over.connectorId, priority: 5 },
  ...over,
})
const wantsOf = (limitW: number, how: (typeof LoadMode)['equal' | 'arrival' | 'priority'], all: GunNow[]) =>
  all.map((one) => shareOut(limitW, how, all).get(one.connectorId)!)

describe('shares of a limit', () => {
  test('add up to no more than the limit, lie between floor and plate, and leave nothing that somebody could take', () => {
    fc.assert(
      fc.property(guns, mode, extra, (all, how, above) => {
        const limitW = leastLimit(all) + above
        const shares = shareOut(limitW, how, all)
        const given = all.map((one) => shares.get(one.connectorId)!.wantW)
        const total = heldSum(all.map((one, place) => ({ ...one, heldW: given[place]! })))
        expect(total).toBeLessThanOrEqual(limitW)
        for (const [place, one] of all.entries()) {
          if (one.pinned !== null) expect(given[place]).toBe(one.heldW)
          else {
            expect(given[place]).toBeGreaterThanOrEqual(one.floorW)
            expect(given[place]).toBeLessThanOrEqual(one.ratedW)
            const why = shares.get(one.connectorId)!.why
            // A car that charges has what it needs, and one that waits has no more than what is kept.
            if (one.charge && why !== LoadWhy.waits) expect(given[place]).toBeGreaterThanOrEqual(Math.min(one.leastW, one.ratedW))
            if (why === LoadWhy.waits) expect(given[place]).toBe(one.floorW)
          }
        }
        const hungry = all.filter(
          (one, place) => one.pinned === null && one.charge && shares.get(one.connectorId)!.why !== LoadWhy.waits && given[place]! < one.ratedW,
        )
        if (hungry.length > 0) expect(limitW - total).toBeLessThan(Math.max(hungry.length, 1) + all.length)
      }),
      { numRuns: 500 },
    )
  })

  test('who came first, or stands highest, has no less than those after', () => {
    const all = ['a', 'b', 'c'].map((connectorId, place) => plain({ connectorId, charge: { since: connectorId, priority: place } }))
    expect(wantsOf(90_000, LoadMode.equal, all).map(({ wantW }) => wantW)).toEqual([30_000, 30_000, 30_000])
    expect(wantsOf(90_000, LoadMode.arrival, all).map(({ wantW }) => wantW)).toEqual([60_000, 25_000, 5_000])
    expect(wantsOf(90_000, LoadMode.priority, all).map(({ wantW }) => wantW)).toEqual([5_000, 25_000, 60_000])
  })

  test('a car waits where too little is left to charge with, and one that may pause gives its part to the others', () => {
    const all = ['a', 'b', 'c'].map((connectorId) => plain({ connectorId, floorW: 0, ackedW: 0, heldW: 0 }))
    expect(wantsOf(12_000, LoadMode.equal, all)).toEqual([
      { wantW: 6_000, why: LoadWhy.equal },
      { wantW: 6_000, why: LoadWhy.equal },
      { wantW: 0, why: LoadWhy.waits },
    ])
  })
})

test('two guns of one pile count with its plate, not with twice as much, and what one of them cannot draw goes to others', () => {
  const pile = { id: 'P', ratedW: 120_000 }
  const strong = { ratedW: 120_000, pile }
  const away = ['a', 'b'].map((connectorId) => plain({ connectorId, ...strong, ackedW: 120_000, heldW: 120_000, pinned: LoadWhy.silent }))
  expect([heldSum(away), leastLimit(away)]).toEqual([120_000, 120_000])
  const other = plain({ connectorId: 'c' })
  expect(wantsOf(180_000, LoadMode.equal, [...away, other]).map(({ wantW }) => wantW)).toEqual([120_000, 120_000, 60_000])
  const both = ['a', 'b'].map((connectorId) => plain({ connectorId, ...strong }))
  expect(wantsOf(180_000, LoadMode.equal, [...both, other]).map(({ wantW }) => wantW)).toEqual([120_000, 120_000, 60_000])
  expect(wantsOf(60_000, LoadMode.equal, [...both, other]).map(({ wantW }) => wantW)).toEqual([20_000, 20_000, 20_000])
})

describe('asking', () => {
  test('in whatever order answers come, and whichever never come, the sum of what was agreed to and asked stays under the limit', () => {
    const outcome = fc.constantFrom('agrees', 'agrees', 'agrees', 'lost', 'refuses', 'waits')
    fc.assert(
      fc.property(
        guns,
        mode,
        extra,
        fc.array(outcome, { minLength: 200, maxLength: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (all, how, above, outcomes, cut) => {
          const open = heldSum(all)
          const limits = [open + above, Math.max(leastLimit(all), Math.floor((open * cut) / 100))]
          let now = all.map((one) => ({ ...one, doubtW: 0, askedW: null as number | null }))
          const counted = () =>
            now.map((one) =>
              one.pinned === null
                ? {
                    ...one,
                    heldW: Math.max(one.ackedW, one.askedW ?? 0, one.doubtW),
                    asking: one.askedW !== null,
                    unsure: one.doubtW > 0,
                    late: one.doubtW > 0 || one.askedW !== null,
                  }
                : one,
            )
          let turn = 0
          for (const limitW of limits) {
            let peak = Math.max(limitW, heldSum(counted()))
            for (let round = 0; round < 12; round++) {
              for (const { connectorId, toW } of asksNow(limitW, counted(), shareOut(limitW, how, counted())))
                now = now.map((one) => (one.connectorId === connectorId ? { ...one, askedW: toW } : one))
              expect(heldSum(counted())).toBeLessThanOrEqual(peak)
              now = now.map((one) => {
                if (one.askedW === null) return one
                const said = outcomes[turn++ % outcomes.length]!
                if (said === 'agrees') return { ...one, ackedW: one.askedW, askedW: null, doubtW: 0 }
                if (said === 'refuses') return { ...one, askedW: null }
                return said === 'lost' ? { ...one, doubtW: Math.max(one.doubtW, one.askedW), askedW: null } : one
              })
              // A limit that was cut is reached from above, and never left again.
              expect(heldSum(counted())).toBeLessThanOrEqual(peak)
              peak = Math.max(limitW, heldSum(counted()))
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('where all agree, each has what it is to have after a few rounds', () => {
    fc.assert(
      fc.property(guns, mode, extra, (all, how, above) => {
        const limitW = leastLimit(all) + above
        let now = all
        for (let round = 0; round < 6; round++) {
          const asks = new Map(asksNow(limitW, now, shareOut(limitW, how, now)).map(({ connectorId, toW }) => [connectorId, toW]))
          now = now.map((one) =>
            asks.has(one.connectorId) ? { ...one, ackedW: asks.get(one.connectorId)!, heldW: asks.get(one.connectorId)! } : one,
          )
        }
        const shares = shareOut(limitW, how, now)
        for (const one of now) if (one.pinned === null) expect(one.ackedW).toBe(shares.get(one.connectorId)!.wantW)
      }),
      { numRuns: 300 },
    )
  })
})
