import { type Factories, type Maker, of, some } from './maker.ts'

/** Samples of the gallery. */
export function ready({ asked, admin }: Maker): Factories {
  const aSample = async () => of(await asked(admin, 'dashboard.sample.add', { code: `T-${some()}`, name: 'x', kind: 1 }))
  return {
    'dashboard.sample.add': async () => ({ code: `T-${some()}` }),
    'dashboard.sample.update': aSample,
    'dashboard.sample.finish': aSample,
    'dashboard.sample.reopen': async () => {
      const { id, version } = await aSample()
      await asked(admin, 'dashboard.sample.finish', { id, version })
      return { id, version: version + 1 }
    },
    'dashboard.sample.delete': aSample,
    'dashboard.sample.fill': async () => ({ rows: 2 }),
  }
}
