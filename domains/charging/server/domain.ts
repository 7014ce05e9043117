import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { nouns } from './nouns.ts'

export const charging: Domain = { name: 'charging', calls: [], menu, nouns }
