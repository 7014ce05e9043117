import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { allocation, type AllocationLine, AllocationState } from '../contract/allocation.ts'
import { driver } from '../contract/driver.ts'
import { vehicle } from '../contract/vehicle.ts'
import { endCheck, readingFault } from './faults.ts'
import { FreeDriver, FreeVehicle, km, KmInput, METRES } from './parts.tsx'

export type Row = Of<typeof AllocationLine>
export type Asked = { what: 'new' } | { what: 'plan' | 'approve' | 'reject' | 'out' | 'back' | 'cancel'; of: Row }
const CHANGES = [allocation.query, allocation.one, vehicle.query, vehicle.queryAllocating, driver.query, driver.queryAllocating]
const PLAN = (of?: string) =>
  [
    'planFrom',
    {
      name: 'planTo',
      check: endCheck(),
      beside: ['planFrom'],
      help: ['车辆年检、保险和驾驶证须在此之后到期', 'Inspection, insurance and licence must be valid until then'],
    },
    { name: 'vehicleId', control: <FreeVehicle of={of} /> },
    { name: 'driverId', control: <FreeDriver of={of} /> },
    'reason',
    'origin',
    'dest',
  ] as const

/** The steps of an allocation, each in words of its own. */
export function Dialogs({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  if (asked.what === 'new')
    return (
      <FormDialog
        title={['申请用车', 'Request vehicle']}
        entity={allocation.add.input}
        mode="new"
        value={{}}
        save={allocation.add}
        act={['提交申请', 'Submit']}
        done={['已提交，等待审批', 'Submitted for approval']}
        changes={CHANGES}
        fields={PLAN() as never}
        onClose={onClose}
      />
    )
  const { of, what } = asked
  if (what === 'back') return <TakeBack of={of} onClose={onClose} />
  if (what !== 'plan') return <StepDialog of={of} what={what} fields={FIELDS[what]} onClose={onClose} />
  const out = of.state === AllocationState.out
  return (
    <FormDialog
      mode="edit"
      changes={CHANGES}
      onClose={onClose}
      entity={allocation.update.input}
      save={allocation.update}
      title={[`改计划 · ${nameOf(of)}`, `Change plan · ${nameOf(of)}`]}
      value={{
        id: of.id,
        version: of.version,
        planFrom: of.planFrom,
        planTo: of.planTo,
        vehicleId: of.vehicleId,
        driverId: of.driverId,
        reason: of.reason,
        origin: of.origin,
        dest: of.dest,
      }}
      done={out ? ['已改还车时间', 'Planned return changed'] : ['已修改，重新待审', 'Changed; awaiting approval again']}
      fields={out ? [{ name: 'planTo', check: endCheck(of.planFrom) }] : (PLAN(of.id) as never)}
    />
  )
}
const nameOf = ({ vehicleNo, allocationNo }: Row) => `${vehicleNo} ${allocationNo}`
interface StepOf {
  of: Row
  onClose: () => void
}
/** The car comes back: judged by the reading it went out with, and by how far its track says it came. */
function TakeBack({ of, onClose }: StepOf) {
  const { data } = useQuery(asks(allocation.one, { id: of.id }, { quiet: true }))
  return <StepDialog of={of} what="back" fields={backFields(of, data?.trackM)} onClose={onClose} />
}
function StepDialog({ of, what, fields, onClose }: StepOf & { what: keyof typeof WORDS; fields: readonly (string | object)[] }) {
  const words = WORDS[what]
  return (
    <FormDialog
      mode="edit"
      changes={CHANGES}
      onClose={onClose}
      entity={words.call.input as never}
      save={words.call as never}
      title={[`${words.act[0]} · ${nameOf(of)}`, `${words.act[1]} · ${nameOf(of)}`]}
      value={
        {
          id: of.id,
          version: of.version,
          ...(words.state !== undefined && { state: words.state }),
          ...(what === 'out' && { odoOut: of.odoOut ?? undefined }),
          ...(what === 'back' && { odoIn: of.odoOut ?? undefined }),
        } as never
      }
      act={words.act}
      done={words.done}
      fields={fields as never}
    />
  )
}
const backFields = (of: Row, trackM: number | null | undefined) => {
  const track = trackM === null || trackM === undefined ? ['', ''] : [`，轨迹 ${km(trackM)}`, `, track ${km(trackM)}`]
  return FIELDS.back.map((one) =>
    one.name === 'odoIn'
      ? {
          ...one,
          check: ({ odoIn }: Readonly<Record<string, unknown>>) => readingFault(of, odoIn, instantAt(Date.now())),
          help: [`出车 ${km(of.odoOut)}${track[0]}；不能小于出车里程`, `Out at ${km(of.odoOut)}${track[1]}; not less than the odometer out`],
        }
      : one,
  )
}

interface Step {
  call: Call<any, unknown>
  /** Where the call has more than one outcome. */
  state?: number
  act: Text
  done: Text
}
const WORDS: Record<'approve' | 'reject' | 'out' | 'back' | 'cancel', Step> = {
  approve: {
    call: allocation.approve,
    state: AllocationState.approved,
    act: ['批准', 'Approve'],
    done: ['已批准，可以发车交接', 'Approved: the vehicle can be handed over'],
  },
  reject: { call: allocation.approve, state: AllocationState.rejected, act: ['驳回', 'Reject'], done: ['已驳回', 'Rejected'] },
  out: { call: allocation.handOut, act: ['发车交接', 'Hand over'], done: ['已发车交接', 'Handed over'] },
  back: { call: allocation.takeBack, act: ['还车', 'Return'], done: ['已还车', 'Taken back'] },
  cancel: { call: allocation.cancel, act: ['取消派车', 'Cancel allocation'], done: ['已取消', 'Cancelled'] },
}
const FIELDS = {
  approve: [{ name: 'verdict', optional: true }],
  reject: ['verdict'],
  out: [
    { name: 'odoOut', control: <KmInput />, per: METRES },
    { name: 'fuelOut', optional: true, help: ['百分比', 'In percent'] },
    { name: 'images', optional: true },
  ],
  back: [
    { name: 'odoIn', control: <KmInput />, per: METRES, help: ['不能小于出车里程', 'Not less than the odometer out'] },
    { name: 'fuelIn', optional: true, help: ['百分比', 'In percent'] },
    { name: 'damage', optional: true },
    { name: 'images', optional: true },
  ],
  cancel: [{ name: 'verdict', optional: true, label: ['原因', 'Reason'] }],
}
