import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const coupon: Domain = { name: 'coupon', calls: [], menu }
