import { type Factories, type Maker, of, some } from './maker.ts'

/** Drafts of tariffs and their parts, each open for a change. */
export function ready({ asked, row, admin }: Maker): Factories {
  const draft = async () => {
    const { id } = await asked(admin, 'fee.rule.insert', { name: `rule ${some()}` })
    return { ...(await asked(admin, 'fee.rule.detail', { id })), id } as { id: string; version: number }
  }
  const hour = async () => asked(admin, 'fee.hour.insert', { segmentId: (await segment(2)).id, unitMin: 60, unitFen: 500 })
  const frequency = async () => asked(admin, 'fee.frequency.insert', { segmentId: (await segment(1)).id, amountFen: 500 })
  const step = async () => asked(admin, 'fee.step.insert', { segmentId: (await segment(3)).id, upToMin: 60, totalFen: 500 })
  /** A draft that is whole: it may be published. */
  const whole = async () => {
    const one = await draft()
    const { id: segmentId } = await asked(admin, 'fee.segment.insert', { ruleVersionId: one.id, from: '00:00', to: '24:00', mode: 1 })
    await asked(admin, 'fee.frequency.insert', { segmentId, amountFen: 500 })
    return row('select id, version from fee.rule where id = $1', [one.id])
  }
  const segment = async (mode: number) => asked(admin, 'fee.segment.insert', { ruleVersionId: (await draft()).id, from: '00:00', to: '24:00', mode })
  return {
    'fee.rule.update': async () => of(await draft()),
    'fee.rule.delete': async () => ({ id: (await draft()).id }),
    'fee.segment.insert': async () => ({ ruleVersionId: (await draft()).id }),
    'fee.segment.update': async () => of(await segment(1)),
    'fee.segment.delete': async () => ({ id: (await segment(1)).id }),
    'fee.hour.insert': async () => ({ segmentId: (await segment(2)).id, unitMin: 60 }),
    'fee.frequency.insert': async () => ({ segmentId: (await segment(1)).id }),
    'fee.frequency.update': async () => of(await frequency()),
    'fee.frequency.delete': async () => ({ id: (await frequency()).id }),
    'fee.hour.update': async () => of(await hour()),
    'fee.hour.delete': async () => ({ id: (await hour()).id }),
    'fee.step.insert': async () => ({ segmentId: (await segment(3)).id, upToMin: 60, totalFen: 500 }),
    'fee.step.update': async () => ({ ...of(await step()), upToMin: 90, totalFen: 600 }),
    'fee.step.delete': async () => ({ id: (await step()).id }),
    'fee.rule.publish': whole,
  } // prettier-ignore
}
