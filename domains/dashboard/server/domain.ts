import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as home } from './home.ts'
import { calls as sample } from './sample.ts'
import { nouns } from './nouns.ts'

export const dashboard: Domain = { name: 'dashboard', calls: [...home, ...sample], menu, nouns }
