import { expect, test } from 'vitest'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { liquidation } from '../contract/liquidation.ts'
import { waitingFor } from '../contract/waiting.ts'

const opened = (held: readonly string[]) =>
  waitingFor((needs) => held.includes(needs)).map(({ name, opens }) => [name[0], listAt(opens.path, opens.filter({ from: '', to: '' }))])
const PAGE = 'settlement:order:view'

test('whoever may decide finds what waits for them, each count with its own list', () => {
  expect(opened([PAGE, 'settlement:refund:view', 'settlement:refund:approve', 'settlement:order:cash'])).toEqual([
    ['待审核退款', '/operation/finance?tab=refunds&state=0'],
    ['待付现金退款', '/operation/finance?tab=refunds&state=1&payMethod=4'],
  ])
  const clearing = ['settlement:liquidation:view', 'settlement:liquidation:handle', 'settlement:liquidation:review']
  expect(opened([PAGE, ...clearing])).toEqual([
    ['待处理差异', '/operation/finance?tab=trades&diffState=0%2C1'],
    ['待复核差异', '/operation/finance?tab=trades&diffState=2'],
  ])
  expect(opened(['settlement:shift:view', 'settlement:shift:verify', 'staff:money:view'])).toEqual([
    ['待核验收银班次', '/assetManage/person/charging?tab=shifts&state=2%2C3'],
  ])
})

test('whoever may look only, or may not open the list, is shown nothing to do', () => {
  expect(opened([PAGE, 'settlement:refund:view', 'settlement:waiver:view', liquidation.details.needs, 'settlement:shift:view'])).toEqual([])
  expect(opened([PAGE, 'settlement:refund:approve', 'settlement:shift:verify'])).toEqual([])
})
