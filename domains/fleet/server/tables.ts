import type { Generated } from 'kysely'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { Allocation, AllocationLine } from '../contract/allocation.ts'
import type { Brand } from '../contract/brand.ts'
import type { Driver } from '../contract/driver.ts'
import type { Fence, FenceEvent, FenceLine } from '../contract/fence.ts'
import type { VehiclePicture } from '../contract/picture.ts'
import type { Supervised } from '../contract/supervise.ts'
import type { TerminalCommand } from '../contract/terminal.ts'
import type { RawPoint } from '../contract/track.ts'
import type { Vehicle, VehicleLine } from '../contract/vehicle.ts'
import type { Violation, ViolationLine } from '../contract/violation.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'fleet.brand': Filled<Of<typeof Brand>, Row | 'remark'> & Scoped
    'fleet.vehicle': Filled<
      Of<typeof Vehicle>,
      Row | 'plateColor' | 'vin' | 'purpose' | 'buyDate' | 'mileageM' | 'deviceNo' | 'status' | 'image' | 'remark'
    > &
      Scoped
    'fleet.vehicleLine': Of<typeof VehicleLine> & Seen
    'fleet.violation': Filled<
      Of<typeof Violation>,
      Row | 'fineFen' | 'points' | 'driverId' | 'allocationId' | 'state' | 'settledBy' | 'settledAt' | 'remark'
    > &
      Scoped
    'fleet.violationLine': Of<typeof ViolationLine> & Seen
    'fleet.driver': Filled<Of<typeof Driver>, Row | 'status' | 'image' | 'remark'> & Scoped
    'fleet.allocation': AllocationTable & Scoped
    'fleet.fence': Filled<Of<typeof Fence>, Row | 'timeFrom' | 'timeTo' | 'vehicleIds' | 'depts' | 'status' | 'remark'> &
      Scoped & { drawnAt: Instant }
    'fleet.fenceLine': Of<typeof FenceLine> & Seen
    'fleet.fenceEventLine': Of<typeof FenceEvent> & Seen
    'fleet.terminalCommandLine': Of<typeof TerminalCommand> & Seen
    'fleet.pictureLine': Of<typeof VehiclePicture> & Seen
    'fleet.superviseLine': Of<typeof Supervised> & Seen
    'fleet.trackLine': Of<typeof RawPoint> & Seen
    'fleet.allocationLine': Of<typeof AllocationLine> & Seen & { approverId: string | null }
  }
}
type AllocationTable = Filled<
  Of<typeof Allocation>,
  | Row
  | 'state'
  | 'odoOut'
  | 'odoIn'
  | 'fuelOut'
  | 'fuelIn'
  | 'imagesOut'
  | 'imagesIn'
  | 'damage'
  | 'approverName'
  | 'decidedAt'
  | 'verdict'
  | 'outAt'
  | 'outBy'
  | 'inAt'
  | 'inBy'
  | 'trackM'
  | 'odoOff'
> & { approverId: Generated<string | null>; changerIds: Generated<Id<'PersonId'>[]> }
