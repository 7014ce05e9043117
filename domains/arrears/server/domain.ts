import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { etcDisabled, laneEvent } from '../../device/server/api.ts'
import { debts, exitWaits } from '../../parking/server/api.ts'
import { evidenceWhole } from '../../roadside/server/api.ts'
import { orderNamed, orderPaid, owed, owedAgain, repaid } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as appeals } from './appeal.ts'
import { calls as doors } from './door.ts'
import { calls as closings } from './closing.ts'
import { etcTasks, giveUp, hearEtc, waitsAt } from './deduct.ts'
import { calls as etcs } from './etc.ts'
import { calls as duns, tasks } from './dun.ts'
import { debtsOf, hearNamed, hearOwedAgain, hearRepaid, hearSettled, openFile } from './file.ts'
import { nouns } from './nouns.ts'
import { calls as records, hearEvidence } from './record.ts'
import { records as kinds } from './records.ts'
import { calls as repays } from './repayment.ts'
import { known } from './known.ts'

export const arrears: Domain = {
  name: 'arrears',
  known,
  calls: [...records, ...repays, ...appeals, ...closings, ...duns, ...etcs, ...doors],
  menu,
  records: kinds,
  nouns,
  tasks: [...tasks, ...etcTasks],
  start() {
    owed.answer('arrears', openFile)
    repaid.answer('arrears', hearRepaid)
    owedAgain.answer('arrears', hearOwedAgain)
    orderNamed.answer('arrears', hearNamed)
    orderPaid.answer('arrears', hearSettled)
    debts.answer('arrears', debtsOf)
    exitWaits.answer('arrears', waitsAt)
    laneEvent.answer('arrears', hearEtc)
    on(evidenceWhole, 'arrears.record', ({ tx, data, at }) => hearEvidence(tx, data.stayId, at))
    on(etcDisabled, 'arrears.etc', ({ tx, data, at }) => giveUp(tx, data.deviceNo, at))
  },
}
