import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as dictionary } from './dictionary.ts'
import { calls as file } from './file.ts'
import { calls as log } from './log.ts'
import { calls as region } from './region.ts'
import { keepFilesIn } from './store.ts'

export const system: Domain = {
  name: 'system',
  calls: [...dictionary, ...file, ...region, ...log],
  menu,
  start: ({ config }) => keepFilesIn(config.dataDir),
}
