import { call } from '../../../platform/contract/call.ts'
import { empty, entity, whole } from '../../../platform/contract/field.ts'

const days = (zh: string, en: string) => whole(zh, en, { min: 1, max: 60 })
/** Periods of the procedure, in days on which people work; those of a company that has set none. */
export const USUAL_PERIODS = { letting: 10, correction: 3, shown: 5, contract: 10, refund: 5, payAgain: 3 } as const
export const Periods = entity(['招租流程期限', 'Periods of letting'], {
  letting: days('公告至报名截止至少', 'Notice before enrolment closes, at least'),
  correction: days('更正后报名至少', 'Enrolment after a correction, at least'),
  shown: days('中标公示', 'Award shown'),
  contract: days('公示结束后签约', 'Lease signed after that within'),
  refund: days('保证金退还', 'Earnest money refunded within'),
  payAgain: days('顺位补缴保证金', 'Next in rank pays again within'),
})
export const periods = {
  get: call('rent.periods.get', {
    service: 'business',
    post: '/rentPeriods/get',
    needs: 'rent:project:view',
    own: true,
    body: empty,
    reply: Periods,
  }),
  set: call('rent.periods.set', {
    service: 'business',
    post: '/rentPeriods/set',
    needs: 'rent:period:edit',
    writes: true,
    own: true,
    does: ['设置招租流程期限', 'Set the periods of letting'],
    body: Periods,
    reply: Periods,
  }),
}
