import { useQuery } from '@tanstack/react-query'
import { Button, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { type Of, whole } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { useParks } from '../../parking/web/api/names.tsx'
import { pointsAccount, type PointsPark } from '../contract/pointsAccount.ts'
import { RULE_CHANGES } from './changes.ts'

type Park = Of<typeof PointsPark>

/** Which parks' fees earn points, and where points pay. */
export function PointsParks() {
  const say = useText()
  const [open, setOpen] = useState(false)
  if (!can(pointsAccount.chargingParkCode.needs)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say(['积分车场', 'Points car parks'])}</Button>
      {open && <ParksDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const WHOLE = 1000
const PERCENT = 10
const NONE = { earn: false, spend: false, capPermille: WHOLE }
/** A share that was taken out of its box is none yet. */
type Typed = Omit<Park, 'capPermille'> & { capPermille: number | null }
const SHARE = whole('最多抵扣', 'Max', { min: 1, max: 100 })
const shareFault = ({ capPermille }: Pick<Typed, 'capPermille'>) => numberFault(SHARE, capPermille === null ? null : capPermille / PERCENT)
function ParksDialog({ onClose }: { onClose: () => void }) {
  const say = useText()
  const act = useAct(RULE_CHANGES)
  const { data } = useQuery(asks(pointsAccount.chargingParkCode, {}))
  const [changed, change] = useState<Record<string, Partial<Typed>>>({})
  const [saving, setSaving] = useState(false)
  const parks = useParks()
  const rows = parks.map(({ parkCode, name }) => ({
    ...NONE,
    ...data?.find((one) => one.parkCode === parkCode),
    parkName: name,
    parkCode,
    ...changed[parkCode],
  }))
  const set = (parkCode: string, part: Partial<Typed>) => change({ ...changed, [parkCode]: { ...changed[parkCode], ...part } })
  const fault = rows.map(shareFault).find((one) => one !== undefined)
  const save = async () => {
    setSaving(true)
    const sent = rows
      .filter(({ parkCode }) => changed[parkCode])
      .map(({ parkCode, earn, spend, capPermille }) => ({ parkCode, earn, spend, capPermille: capPermille! }))
    const ok = await act(pointsAccount.setParks, { parks: sent }, { done: ['已保存', 'Saved'] })
    setSaving(false)
    if (ok) onClose()
  }
  const touched = Object.keys(changed).length
  const may = can(pointsAccount.setParks.needs)
  const footer = may && (
    <>
      {fault && (
        <span className="bad" role="alert">
          {say(fault)}{' '}
        </span>
      )}
      <Button type="primary" disabled={touched === 0 || fault !== undefined} loading={saving} onClick={() => void save()}>
        {say([`保存 ${touched} 个车场`, `Save ${touched} ${plural(touched, 'park')}`])}
      </Button>
    </>
  )
  return (
    <Dialog changed={touched > 0} width={{ xs: '100%', md: '60%' }} title={say(['积分车场', 'Points car parks'])} onClose={onClose} footer={footer}>
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['车场', 'Car park'])}</th>
            <th>{say(['停车得积分', 'Earns points'])}</th>
            <th>{say(['可用积分', 'Takes points'])}</th>
            <th>{say(['最多抵扣 %', 'Max %'])}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ParkLine key={row.parkCode} of={row} may={may} set={(part) => set(row.parkCode, part)} />
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}

/** One park: its changes are kept with the others' until they are saved. */
function ParkLine({ of: row, may, set }: { of: Typed; may: boolean; set: (part: Partial<Typed>) => void }) {
  const say = useText()
  return (
    <tr>
      <td>{row.parkName}</td>
      <td>
        <Switch
          size="small"
          disabled={!may}
          checked={row.earn}
          aria-label={`${row.parkName} ${say(['停车得积分', 'earns points'])}`}
          onChange={(earn) => set({ earn })}
        />
      </td>
      <td>
        <Switch
          size="small"
          disabled={!may}
          checked={row.spend}
          aria-label={`${row.parkName} ${say(['可用积分', 'takes points'])}`}
          onChange={(spend) => set({ spend })}
        />
      </td>
      <td>
        <InputNumber
          size="small"
          disabled={!may || !row.spend}
          precision={0}
          aria-label={`${row.parkName} %`}
          {...(shareFault(row) && { status: 'error' as const })}
          value={row.capPermille === null ? null : row.capPermille / PERCENT}
          onChange={(typed) => set({ capPermille: typed === null ? null : Math.round(typed * PERCENT) })}
        />
      </td>
    </tr>
  )
}
