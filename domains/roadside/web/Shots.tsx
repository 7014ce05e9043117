import { Checkbox } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { TimeField } from '../../../platform/web/form/dates.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ImageUpload } from '../../../platform/web/file/Upload.tsx'
import { imagesOf } from '../../../platform/web/value.tsx'
import { type illegalStop, SHOTS_MAX } from '../contract/illegalStop.ts'

type Shot = Of<typeof illegalStop.create.input>['images'][number]

/** Pictures as evidence: each with when it was taken and what can be seen on it. */
export function Shots({ id, value = [], onChange }: { id?: string; value?: readonly Shot[]; onChange?: (shots: Shot[]) => void }) {
  const say = useText()
  const change = (at: number, of: Partial<Shot>) => onChange?.(value.map((one, place) => (place === at ? { ...one, ...of } : one)))
  return (
    <div className="shots">
      <ImageUpload
        {...(id && { id })}
        max={SHOTS_MAX}
        value={value.map(({ image }) => image).join(',')}
        onChange={(list) => onChange?.(shotsOf(list, value))}
      />
      {value.map((one, at) => (
        <div key={one.image} className="shot" role="group" aria-label={say([`第 ${at + 1} 张`, `Picture ${at + 1}`])}>
          <b>{say([`第 ${at + 1} 张`, `Picture ${at + 1}`])}</b>
          <TimeField
            aria-label={say(['拍摄时间', 'Taken at'])}
            value={one.at}
            future={false}
            onChange={(when) => when && change(at, { at: when as Shot['at'] })}
          />
          <Checkbox checked={one.showsPlate} onChange={({ target }) => change(at, { showsPlate: target.checked })}>
            {say(['可见车牌', 'Plate visible'])}
          </Checkbox>
          <Checkbox checked={one.showsPlace} onChange={({ target }) => change(at, { showsPlace: target.checked })}>
            {say(['可见位置', 'Location visible'])}
          </Checkbox>
        </div>
      ))}
    </div>
  )
}

/** A new picture was taken just now and shows all of it, until somebody says otherwise. */
export const shotsOf = (addresses: string, known: readonly Shot[], now = new Date().toISOString()): Shot[] =>
  imagesOf(addresses).map((image) => known.find((one) => one.image === image) ?? { image, at: now as Shot['at'], showsPlate: true, showsPlace: true })
