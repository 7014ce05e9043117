import type { Domain } from '../../../platform/server/domain.ts'
import { laneEvent, scrapping } from '../../device/server/api.ts'
import { mayUntie, nowhere } from '../../fee/server/api.ts'
import { bays, berthDecided } from '../../parking/server/api.ts'
import { driverAsks } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { baysOf, calls as berths } from './berth.ts'
import { letGoOf } from './binding.ts'
import { calls as districts } from './district.ts'
import { calls as domes } from './dome.ts'
import { driverBill } from './driver.ts'
import { hearStreet } from './hear.ts'
import { calls as highVideos } from './highVideo.ts'
import { calls as illegalStops, tasks as pushes, workWithPolice } from './illegalStop.ts'
import { goOn, tasks } from './leaving.ts'
import { nouns } from './nouns.ts'
import { recordNouns, records } from './records.ts'
import { calls as roadStays } from './roadStay.ts'
import { noSection, ruledSections } from './ruled.ts'
import { calls as screens } from './screen.ts'
import { calls as sections } from './section.ts'
import { calls as walls } from './wall.ts'
import { known } from './known.ts'

export const roadside: Domain = {
  name: 'roadside',
  known,
  calls: [...districts, ...sections, ...berths, ...roadStays, ...screens, ...walls, ...highVideos, ...illegalStops, ...domes],
  menu,
  tasks: [...tasks, ...pushes],
  records,
  nouns: [...nouns, ...recordNouns],
  start() {
    workWithPolice({ url: process.env['POLICE_URL'] || undefined, secret: process.env['POLICE_SECRET'] || undefined })
    laneEvent.answer('roadside', hearStreet)
    scrapping.answer('roadside', letGoOf)
    mayUntie.answer('roadside', (tx) => ruledSections(tx))
    nowhere.answer('roadside', noSection)
    bays.answer('roadside', baysOf)
    driverAsks.answer('roadside', driverBill)
    berthDecided.answer('roadside', goOn)
  },
}
