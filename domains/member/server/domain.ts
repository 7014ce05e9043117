import type { Domain } from '../../../platform/server/domain.ts'
import { admission, cover, parkHeld } from '../../parking/server/api.ts'
import { coverOf, heldBy, standingOf } from './standing.ts'
import { calls } from './whiteBlack.ts'
import { nouns } from './nouns.ts'

export const member: Domain = {
  name: 'member',
  calls,
  nouns,
  start() {
    admission.answer('member', standingOf)
    cover.answer('member', coverOf)
    parkHeld.answer('member', heldBy)
  },
}
