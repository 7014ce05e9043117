import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as allocations } from './allocation.ts'
import { calls as brands } from './brand.ts'
import { calls as drivers } from './driver.ts'
import { calls as fences } from './fence.ts'
import { letGo } from './keys.ts'
import { forget, watch } from './flags.ts'
import { nouns } from './nouns.ts'
import { calls as pictures } from './picture.ts'
import { records } from './records.ts'
import { calls as supervised } from './supervise.ts'
import { calls as terminals } from './terminal.ts'
import { calls as tracks } from './track.ts'
import { calls as vehicles } from './vehicle.ts'
import { calls as violations } from './violation.ts'

export const fleet: Domain = {
  name: 'fleet',
  calls: [...brands, ...vehicles, ...drivers, ...allocations, ...supervised, ...tracks, ...fences, ...terminals, ...pictures, ...violations],
  menu,
  records,
  nouns,
  tasks: [letGo, watch, forget],
}
