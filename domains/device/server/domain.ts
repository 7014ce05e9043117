import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as command } from './command.ts'
import { calls as ofDevices } from './device.ts'
import { calls as message, tasks } from './message.ts'
import { calls as product } from './product.ts'

export const device: Domain = { name: 'device', calls: [...ofDevices, ...product, ...command, ...message], menu, tasks }
