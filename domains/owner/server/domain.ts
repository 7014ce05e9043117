import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const owner: Domain = { name: 'owner', calls: [], menu }
