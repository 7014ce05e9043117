import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as home } from './home.ts'
import { calls as sample } from './sample.ts'

export const dashboard: Domain = { name: 'dashboard', calls: [...home, ...sample], menu }
