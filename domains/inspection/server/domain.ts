import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'

export const inspection: Domain = {
  name: 'inspection',
  calls: [],
  menu,
}
