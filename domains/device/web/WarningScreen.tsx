import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { logSheet } from '../contract/logSheet.ts'
import { message, Warning, warningSearch } from '../contract/message.ts'
import { WarningState, WarningType, warningCan } from '../contract/device.ts'
import { warningRule } from '../contract/warningRule.ts'
import { subjectWords } from './api/words.ts'
import { findPark, gateColumn, parkColumn } from './places.tsx'

type Row = Of<typeof Warning>
const CHANGES = [message.warning, warningRule.query]

/** Warnings of devices for a person to look at; the same open warning is one row whose count grows. */
export default function WarningScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const [closing, setClosing] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={[
          '需要处理的设备问题；同一问题只记一条并累计次数',
          'Device problems that need attention; a repeated problem is recorded once and counted',
        ]}
        query={message.warning}
        search={warningSearch}
        exports={logSheet.warning}
        find={['deviceNo', 'state', 'type', findPark, 'lastAt']}
        sum={{ figures: [{ text: ['未处理', 'open'], leads: { state: [WarningState.open] } }] }}
        columns={[
          'type',
          'state',
          'level',
          'deviceNo',
          parkColumn(say),
          gateColumn(say),
          { dataIndex: 'subject', render: (_, { subject }) => (subject ? say(subjectWords(subject)) : <span className="faint">{NONE}</span>) },
          'count',
          'firstAt',
          'lastAt',
          'recoveredAt',
          'handledBy',
          'remark',
        ]}
        hidden={['firstAt', 'handledBy', 'remark']}
        live="device.warning"
        actions={(row) => [
          {
            text: ['确认', 'Acknowledge'],
            needs: warningRule.handle.needs,
            run: () => void act(warningRule.handle, { ids: [row.id], state: WarningState.acknowledged }, { done: ['已确认', 'Acknowledged'] }),
            not: warningCan.acknowledge(row.state) === undefined && ['已有人处理或已恢复', 'Already being handled, or recovered'],
          },
          {
            text: ['关闭', 'Close'],
            needs: warningRule.handle.needs,
            run: () => setClosing(row),
            not: warningCan.close(row.state) === undefined && ['已恢复或已关闭', 'Already recovered or closed'],
          },
        ]}
        empty={['没有需要处理的设备问题。', 'No device problems to handle.']}
      />
      {closing && <Close of={closing} onClose={() => setClosing(undefined)} />}
    </>
  )
}

/** Closes a warning with a note of the finding, for later readers. */
function Close({ of, onClose }: { of: Row; onClose: () => void }) {
  const [zh, en] = WarningType.entries[of.type]
  return (
    <FormDialog
      title={[`关闭预警：${of.deviceNo} ${zh}`, `Close warning: ${of.deviceNo}, ${en}`]}
      entity={Warning}
      fields={[{ name: 'remark', optional: true, help: ['如何处理的', 'How it was handled'] }]}
      mode="edit"
      value={{ ...of, remark: null }}
      also={{ ids: [of.id], state: WarningState.closed }}
      save={warningRule.handle as typeof warningRule.handle}
      act={['确认关闭', 'Close warning']}
      done={['已关闭', 'Closed']}
      changes={CHANGES}
      onClose={onClose}
    />
  )
}
