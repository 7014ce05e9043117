import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { Wiring, wiring, WiringMode } from '../contract/wiring.ts'
import { WIRING_CHANGES } from './changes.ts'
import { BoxSelect } from './choices.tsx'
import type { Circuit } from './Lights.tsx'

const DATA = ['name', 'circuitNo', 'phase', 'lampCount', 'ratedPowerW'] as const
const MORE = [
  { name: 'cable', optional: true },
  { name: 'ratioCt', optional: true },
  {
    name: 'lossPermille',
    optional: true,
    help: ['功率低于额定这么多时报缺灯', 'Reports lamp failure when power is this far below rated'],
  },
  { name: 'leakW', optional: true, help: ['断开时功率高于此报误亮', 'Reports unexpectedly on when it draws more than this while off'] },
  { name: 'remark', optional: true },
] as const

/** A circuit's data; how it is switched is not among them. */
export function WiringForm({ of, onClose }: { of?: Circuit; onClose: () => void }) {
  const shared = { entity: Wiring, changes: WIRING_CHANGES, onClose }
  if (!of)
    return (
      <FormDialog
        {...shared}
        mode="new"
        value={{ circuitNo: 1, ratioCt: 1, lossPermille: 150, leakW: 20 }}
        save={wiring.add}
        fields={['wiringCode', { name: 'boxCode', control: <BoxSelect /> }, ...DATA, ...MORE]}
      />
    )
  const { id, version, name, circuitNo, phase, lampCount, ratedPowerW, cable, ratioCt, lossPermille, leakW, remark } = of
  return (
    <FormDialog
      {...shared}
      mode="edit"
      value={{ id, version, name, circuitNo, phase, lampCount, ratedPowerW, cable, ratioCt, lossPermille, leakW, remark }}
      save={wiring.update}
      fields={[...DATA, ...MORE]}
    />
  )
}

/** Hangs a tag, takes one's own off, or puts the circuit into hands or programs. */
export function ModeForm({ of, to, onClose }: { of: Circuit; to: Circuit['mode']; onClose: () => void }) {
  const shared = { changes: WIRING_CHANGES, onClose, mode: 'new' as const }
  if (to === WiringMode.tagged)
    return (
      <FormDialog
        {...shared}
        title={[`挂牌 ${of.wiringCode}`, `Tag out ${of.wiringCode}`]}
        entity={Wiring}
        value={{ id: of.id, version: of.version, mode: to }}
        save={wiring.update}
        act={['挂牌', 'Tag out']}
        done={['已挂牌，谁都不能开关它', 'Tagged out: it cannot be switched by anyone']}
        fields={[
          {
            name: 'tagReason',
            help: ['挂牌后手动和程序都不动作，直到本人或主管摘牌', 'No manual or program switching until you or a supervisor remove the tag'],
          },
        ]}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={[`摘牌 ${of.wiringCode}`, `Remove tag · ${of.wiringCode}`]}
      entity={wiring.untag.input}
      value={{ id: of.id, version: of.version }}
      save={wiring.untag}
      act={['摘牌', 'Remove tag']}
      done={['已摘牌', 'Tag removed']}
      fields={['reason']}
    />
  )
}
