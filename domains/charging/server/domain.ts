import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const charging: Domain = { name: 'charging', calls: [], menu }
