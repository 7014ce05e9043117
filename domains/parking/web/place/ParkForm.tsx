import type { Of } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { Park, park } from '../../contract/park.ts'
import { PARK_CHANGES } from '../stay/changes.ts'
import type { ParkNow } from '../../contract/park.ts'

type Row = Of<typeof ParkNow>
/** Form of a park's policies where the easy case fails: full, second entry, no entry, arrears, grace. */
export function ParkPolicy({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`通行策略 · ${of.name}`, `Policies · ${of.name}`]}
      entity={Park}
      mode="edit"
      value={of}
      save={park.update}
      act={['保存策略', 'Save policies']}
      changes={PARK_CHANGES}
      done={['策略已保存', 'Policies saved']}
      fields={[
        { name: 'tempAllowed', help: ['关闭后临时车一律不放行', 'When off, no temporary car is let in'] },
        'fullPolicy',
        { name: 'countPassInAvail', help: ['固定车位的月租车通常不计入余位', 'Pass cars with their assigned bay usually do not count'] },
        { name: 'dupEntry', help: ['同一车牌还在场时又在入口出现', 'When a plate already inside appears at an entrance again'] },
        'noEntry',
        { name: 'noEntryFeeFen', help: ['选「按最低收费」时收取', 'Charged when “Charge the minimum fee” is chosen'] },
        'entryArrears',
        'entryArrearsFen',
        'entryArrearsCount',
        'exitArrears',
        'exitArrearsCount',
        { name: 'exitGraceMin', help: ['场内缴费后在此时间内离场不再收费', 'No further fee if the car leaves within this time after paying inside'] },
        {
          name: 'ruleBind',
          help: [
            '选「入场时」则按入场时的规则收费，规则修改不影响已入场的车',
            'At entry: a later change of the rule does not affect cars already inside',
          ],
        },
        {
          name: 'fuzzyAuto',
          help: ['只差一个易混字符且唯一时自动采用', 'Accepted automatically when only one look-alike character differs and no other car fits'],
        },
        {
          name: 'overstayDays',
          help: ['超过此时限的车列入异常；收费前先由人工核对', 'Longer stays are listed as abnormal; staff check them before they are billed'],
        },
        {
          name: 'billMaxFen',
          help: ['超过此金额的费用先由人工核对，核对前不收款', 'Fees above this are checked by staff before they are collected'],
        },
      ]}
      onClose={onClose}
    />
  )
}

/** Form in which a person corrects the free bays that the signs show; the nightly recount resets them. */
export function EditRemainder({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`修正余位 · ${of.name}`, `Correct free bays · ${of.name}`]}
      entity={park.editRemainder.input}
      mode="edit"
      value={{ parkCode: of.parkCode, remainder: of.remainingBays }}
      save={park.editRemainder}
      act={['修正余位', 'Correct free bays']}
      done={['余位已修正', 'Free bays corrected']}
      changes={PARK_CHANGES}
      fields={[
        {
          name: 'remainder',
          help: [
            `现在显示 ${of.remainingBays}，共 ${of.totalBays}；每晚清点后恢复按在场车辆计算`,
            `Now shows ${of.remainingBays} of ${of.totalBays}; after the nightly count it follows the cars present again`,
          ],
        },
        'reason',
      ]}
      onClose={onClose}
    />
  )
}

/** Emergency: every barrier of the park stands open, or goes back to work. */
export function OpenAll({ of, onClose }: { of: Row; onClose: () => void }) {
  const open = !of.openAllFrom
  return (
    <FormDialog
      title={open ? [`应急常开 · ${of.name}`, `Emergency open · ${of.name}`] : [`结束应急常开 · ${of.name}`, `End emergency open · ${of.name}`]}
      entity={park.openAll.input}
      mode="edit"
      value={{ parkCode: of.parkCode, open }}
      save={park.openAll}
      act={open ? ['打开全部道闸', 'Open every barrier'] : ['恢复正常', 'Back to normal']}
      done={open ? ['全部道闸已下发常开', 'Keep-open command sent to every barrier'] : ['已恢复正常', 'Back to normal']}
      changes={PARK_CHANGES}
      fields={[
        {
          name: 'reason',
          help: open
            ? ['所有道闸保持抬起，期间离场的车一律免费', 'All barriers stay up; cars that leave meanwhile are free']
            : [
                '道闸随即落下，恢复逐车判断；请先确认杆下无车',
                'The barriers come down at once and each car is decided on again. Make sure that no car is under a barrier.',
              ],
        },
      ]}
      onClose={onClose}
    />
  )
}
