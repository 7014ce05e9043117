import { expect, test } from 'vitest'
import { vehicleFigures } from './vehicleFigures.ts'

test('papers count as about to expire from today for thirty days, and from the day after as expired: none in both', () => {
  const leadsOf = (name: string) => vehicleFigures(Date.parse('2026-03-10T23:30:00+08:00')).find(({ text }) => text[0] === name)!.leads
  expect(leadsOf('年检将到期')).toEqual({ inspectEndFrom: '2026-03-10', inspectEndTo: '2026-04-09' })
  expect(leadsOf('年检过期')).toEqual({ inspectEndTo: '2026-03-09' })
  expect(leadsOf('保险将到期')).toEqual({ insuranceEndFrom: '2026-03-10', insuranceEndTo: '2026-04-09' })
  expect(leadsOf('保险过期')).toEqual({ insuranceEndTo: '2026-03-09' })
})
