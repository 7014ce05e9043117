import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { lampCommandOver, reported, scrapping } from '../../device/server/api.ts'
import { regionHeld } from '../../system/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as alarms } from './alarm.ts'
import { calls as boxes, lampsHold, letGoOf } from './box.ts'
import { calls as commands, hearOver } from './command.ts'
import { hearBox } from './hear.ts'
import { calls as lamps } from './lamp.ts'
import { tasks } from './life.ts'
import { nouns } from './nouns.ts'
import { calls as timers } from './timer.ts'
import { calls as wirings } from './wiring.ts'

export const streetLamp: Domain = {
  name: 'street-lamp',
  calls: [...boxes, ...wirings, ...timers, ...commands, ...alarms, ...lamps],
  menu,
  tasks,
  nouns,
  start() {
    reported.answer('street-lamp', hearBox)
    scrapping.answer('street-lamp', letGoOf)
    regionHeld.answer('street-lamp', lampsHold)
    on(lampCommandOver, 'street-lamp.command', ({ tx, data, at }) => hearOver(tx, data, at))
  },
}
