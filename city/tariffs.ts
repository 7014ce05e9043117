import type { TariffName } from './plan.ts'

/** The district's tariffs, written as such tariffs are published; the four of them follow the pattern of those of real towns nearby. */
export const TARIFFS: Record<TariffName, { name: string; nameEn: string; rule: object }> = {
  centre: {
    name: '中心区临停（一类）',
    nameEn: 'Centre, class one',
    rule: {
      free: { minutes: 30, inclusive: true, mode: 'grace' },
      segments: [
        {
          name: '白天',
          from: '08:00',
          to: '20:00',
          tiers: [
            { toMin: 60, unitMin: 60, price: 5 },
            { toMin: null, unitMin: 30, price: 2 },
          ],
        },
        { name: '夜间', from: '20:00', to: '08:00', tiers: [{ toMin: null, unitMin: 60, price: 1 }], cap: 6 },
      ],
      tierClock: 'segment',
      cycle: { type: 'rolling24h', caps: [35] },
    },
  },
  hospital: {
    name: '医院临停',
    nameEn: 'Hospital',
    rule: {
      free: { minutes: 30, inclusive: true, mode: 'grace' },
      segments: [
        {
          name: '全天',
          from: '00:00',
          to: '24:00',
          tiers: [
            { toMin: 240, unitMin: 60, price: 3 },
            { toMin: null, unitMin: 60, price: 5 },
          ],
        },
      ],
      tierClock: 'cycle',
      cycle: { type: 'rolling24h', caps: [40] },
    },
  },
  station: {
    name: '交通枢纽临停',
    nameEn: 'Stations',
    rule: {
      free: { minutes: 15, inclusive: true, mode: 'grace' },
      segments: [
        {
          name: '全天',
          from: '00:00',
          to: '24:00',
          tiers: [
            { toMin: 30, unitMin: 30, price: 2 },
            { toMin: null, unitMin: 60, price: 5 },
          ],
        },
      ],
      tierClock: 'cycle',
      cycle: { type: 'rolling24h', caps: [30, 40, 50] },
    },
  },
  ordinary: {
    name: '公共停车场临停（二类）',
    nameEn: 'Public car parks, class two',
    rule: {
      free: { minutes: 30, inclusive: true, mode: 'grace' },
      segments: [
        {
          name: '全天',
          from: '00:00',
          to: '24:00',
          tiers: [
            { toMin: 180, unitMin: 180, price: 5 },
            { toMin: null, unitMin: 60, price: 1 },
          ],
        },
      ],
      tierClock: 'cycle',
      cycle: { type: 'rolling24h', caps: [20] },
    },
  },
}
