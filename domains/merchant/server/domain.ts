import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const merchant: Domain = { name: 'merchant', calls: [], menu }
