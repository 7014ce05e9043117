import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls } from './account.ts'

export const ledger: Domain = { name: 'ledger', calls, menu }
