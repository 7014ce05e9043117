import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as record } from './record.ts'

export const message: Domain = { name: 'message', calls: [...record], menu }
