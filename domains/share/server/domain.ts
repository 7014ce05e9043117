import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const share: Domain = { name: 'share', calls: [], menu }
