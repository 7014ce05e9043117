import type { Domain } from '../../../platform/server/domain.ts'
import { readGuests } from '../../../platform/server/call/guests.ts'
import { menu } from '../contract/menu.ts'
import { calls as home } from './home.ts'
import { calls as sample } from './sample.ts'
import { nouns } from './nouns.ts'
import { regionHeld } from '../../system/server/api.ts'
import { calls as walls, wallBehind, wallsHold } from './wall.ts'

export const dashboard: Domain = {
  name: 'dashboard',
  calls: [...home, ...sample, ...walls],
  menu,
  nouns,
  start() {
    readGuests('wall', wallBehind)
    regionHeld.answer('dashboard', wallsHold)
  },
}
