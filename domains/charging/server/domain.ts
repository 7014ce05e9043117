import type { Domain } from '../../../platform/server/domain.ts'
import { orderPaid } from '../../settlement/server/api.ts'
import { subNames } from '../../ledger/server/api.ts'
import { menu } from '../contract/menu.ts'
import { finaliseDue } from './hear.ts'
import { linkCalls, linkTasks, startLink } from './linkDomain.ts'
import { nouns } from './nouns.ts'
import { hearPaid } from './start.ts'
import { sweeping, sweepingOne } from './sweep.ts'

export const charging: Domain = {
  name: 'charging',
  calls: [...linkCalls],
  menu,
  nouns,
  tasks: [finaliseDue, sweeping, sweepingOne, ...linkTasks],
  start(house) {
    startLink(house)
    orderPaid.answer('charging', hearPaid)
    subNames.answer('charging', async (_, subs) =>
      subs
        .filter(({ account }) => account === 'liability.charge-prepaid' || account === 'asset.partner')
        .map(({ account, sub }) => ({ account, sub, zh: sub.replace(/^unit:/, '单位 '), en: sub.replace(/^unit:/, 'Company ') })),
    )
  },
}
