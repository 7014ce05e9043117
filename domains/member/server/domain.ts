import type { Domain } from '../../../platform/server/domain.ts'
import { contactOf } from '../../arrears/server/api.ts'
import { admission, cover, parkHeld } from '../../parking/server/api.ts'
import { menu } from '../contract/menu.ts'
import { contactOfPass, coverOf, heldBy, standingOf } from './standing.ts'
import { calls } from './whiteBlack.ts'
import { nouns } from './nouns.ts'

export const member: Domain = {
  name: 'member',
  calls,
  menu,
  nouns,
  start() {
    admission.answer('member', standingOf)
    cover.answer('member', coverOf)
    contactOf.answer('member', contactOfPass)
    parkHeld.answer('member', heldBy)
  },
}
