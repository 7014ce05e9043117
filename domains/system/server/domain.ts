import path from 'node:path'
import type { Domain } from '../../../platform/server/domain.ts'
import { calls as bin } from '../../../platform/server/record/bin.ts'
import { calls as known } from '../../../platform/server/record/known.ts'
import { calls as records } from '../../../platform/server/record/records.ts'
import { exportsIn, exportTasks } from '../../../platform/server/sheets/exports.ts'
import { calls as scheduled, scheduledTasks } from '../../../platform/server/sheets/scheduled.ts'
import { menu } from '../contract/menu.ts'
import { checkAll, sealAndCheck, warnIn } from './log/chain.ts'
import { keepHeadsIn } from './log/chainHeads.ts'
import { syncClosedLists } from './dictionary/closedLists.ts'
import { calls as alarmRecord } from './alarm/alarmRecord.ts'
import { calls as alarmRule } from './alarm/alarmRule.ts'
import { tasks as alarmTasks } from './alarm/alarms.ts'
import { calls as configuration } from './configuration.ts'
import { calls as dictionary } from './dictionary/dictionary.ts'
import { tasks as binTasks } from './document/bin.ts'
import { calls as document } from './document/document.ts'
import { calls as exportFile } from './exportFile.ts'
import { calls as helpPage } from './help/helpPage.ts'
import { calls as file } from './file/file.ts'
import { calls as log } from './log/log.ts'
import { calls as overview } from './overview.ts'
import { calls as performance, tasks as performanceTasks } from './machine/performance.ts'
import { kinds } from './records.ts'
import { calls as region } from './region/region.ts'
import { calls as regionSheet } from './region/regionSheet.ts'
import { startSampling } from './machine/sample.ts'
import { calls as regulation, turnOfDay } from './regulation/regulation.ts'
import { shipHelp } from './help/shippedHelp.ts'
import { keepFilesIn } from './file/store.ts'
import { sweeps } from './file/sweep.ts'
import { calls as updateInfo } from './help/updateNote.ts'
import { nouns } from './nouns.ts'

export const system: Domain = {
  name: 'system',
  calls: [
    ...dictionary,
    ...file,
    ...exportFile,
    ...scheduled,
    ...region,
    ...regionSheet,
    ...log,
    ...records,
    ...known,
    ...document,
    ...bin,
    ...performance,
    ...alarmRule,
    ...alarmRecord,
    ...overview,
    ...configuration,
    ...regulation,
    ...helpPage,
    ...updateInfo,
  ],
  menu,
  records: kinds,
  nouns,
  tasks: [...sweeps, ...exportTasks, ...scheduledTasks, sealAndCheck, checkAll, ...binTasks, ...performanceTasks, ...alarmTasks, turnOfDay],
  async start(house) {
    keepFilesIn(house.config.dataDir)
    exportsIn(house)
    warnIn(house.log)
    keepHeadsIn(house.config.logHeadsDir ?? path.join(house.config.dataDir, 'log-heads'))
    await syncClosedLists(house)
    await shipHelp(house)
    if (house.config.role === 'all' || house.config.role === 'worker') return startSampling(house)
  },
}
