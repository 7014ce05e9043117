import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Command } from '../contract/command.ts'
import type { Device, DeviceStatus } from '../contract/device.ts'
import type { Message, Offline, Warning } from '../contract/message.ts'
import type { Etc } from '../contract/etc.ts'
import type { Product } from '../contract/product.ts'
import type { WarningRule } from '../contract/warningRule.ts'

type Made =
  'id' | 'silenceMin' | 'status' | 'notifyPeople' | 'notifyRoles' | 'version' | 'createdAt' | 'updatedAt' | 'useStatus' | 'intervalSec' | 'protocol'
/** Columns that the database fills in when they are left out. */
type Row<T> = { [K in keyof T]: K extends Made ? Generated<T[K]> : T[K] } & { enterpriseId: Generated<number> }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'device.product': Row<Of<typeof Product>>
    'device.device': Row<Of<typeof Device> & { secretHash: string }>
    'device.status': Of<typeof DeviceStatus> & { enterpriseId: number }
    'device.presence': {
      enterpriseId: Generated<number>
      deviceNo: string
      parkCode: string | null
      online: Generated<boolean>
      since: Instant | null
      lastSeenAt: Instant | null
      ip: string | null
      firmware: string | null
      state: Generated<unknown>
      attributes: Generated<unknown>
      lastOpenAt: Instant | null
    }
    'device.message': Row<Of<typeof Message>>
    'device.command': Row<Of<typeof Command> & { sendAt: Instant; retryAt: Instant | null; ttlMs: number; author: unknown }>
    'device.offline': Row<Of<typeof Offline>>
    'device.warning': Row<Of<typeof Warning> & { detail: unknown; told: Generated<boolean> }>
    'device.warningRule': Row<Of<typeof WarningRule>>
    'device.etc': {
      enterpriseId: Generated<number>
      deviceNo: string
      laneNo: string
      vendor: string | null
      psamNo: string
      disabled: Generated<boolean>
      reason: string | null
    }
    'device.etcStatus': Of<typeof Etc> & { enterpriseId: number }
  }
}
