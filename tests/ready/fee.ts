import { RehearsalState } from '../../domains/fee/contract/rehearsal.ts'
import { type Factories, type Maker, of, some } from './maker.ts'

const BY_VISIT = {
  ...{ schema: 1, currency: 'CNY', seconds: 'drop', clock: 'segment' },
  bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'visit', priceE4: 50_000 } }],
}
/** Drafts of tariffs and their parts, each open for a change; drafts that were rehearsed. */
export function ready({ asked, row, admin, parkCode }: Maker): Factories {
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
  /** A stay that a whole draft would charge something else. */
  const rehearsed = async (state: number) => {
    const { id: ruleVersionId } = await whole()
    const { id } = await row(
      `insert into fee.rehearsal (enterprise_id, rule_version_id, days, park_codes, tariff, mark, state, stays_from, stays_to, started_by)
       values (1, $1, 7, $2, $3, '-', $4, now() - interval '7 days', now(), 'admin') returning id`,
      [ruleVersionId, [parkCode], JSON.stringify(BY_VISIT), state],
    )
    return { id, ruleVersionId }
  }
  const changedStay = async () => {
    const { id } = await rehearsed(RehearsalState.done)
    const kept = await published()
    return row(
      `insert into fee.rehearsed_stay (enterprise_id, rehearsal_id, stay_id, park_code, plate_no, rule_version_id, entry_time, until, before_fen, after_fen)
       values (1, $1, gen_random_uuid(), $2, '鄂F6S218', $3, now() - interval '1 day', now(), 100, 500) returning id`,
      [id, parkCode, kept.id],
    )
  }
  const published = async () => {
    const one = await whole()
    await asked(admin, 'fee.rule.publish', one)
    return one
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
    'fee.rule.withdraw': async () => ({
      ...(await row('select id, version from fee.rule where id = $1', [(await published()).id])),
      reason: '物价局通知',
    }),
    'fee.rule.publish-over': async () => ({ ...(await whole()), reason: '物价局批复' }),
    'fee.rehearsal.start': async () => ({ ruleVersionId: (await whole()).id, days: 7, parkCodes: [parkCode] }),
    'fee.rehearsal.cancel': async () => ({ id: (await rehearsed(RehearsalState.waiting)).id }),
    'fee.rehearsal.verdict': async () => ({ ruleVersionId: (await whole()).id }),
    'fee.rehearsal.stay': async () => ({ id: (await changedStay()).id }),
  }
}
