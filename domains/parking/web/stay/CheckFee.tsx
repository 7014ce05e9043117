import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { duration } from '../../../../platform/web/format.ts'
import { useText } from '../../../../platform/web/text.ts'
import { Money, State } from '../../../../platform/web/value.tsx'
import { heldBill, HeldState, HeldVerdict, HeldWhy } from '../../contract/heldBill.ts'
import type { StayRow } from '../../contract/stay.ts'
import { STAY_CHANGES } from './changes.ts'
import { ParkName } from '../api/names.tsx'
import { amountFault, CONFIRM, verdictAct } from './checkFee.ts'
import { Choice } from '../lane/OpenGate.tsx'

/** A bill that cannot be right: why it waits, and what a person says of it. */
export function CheckFee({ stayId, plateNo, onClose }: { stayId: StayRow['id']; plateNo: string | null; onClose: () => void }) {
  const say = useText()
  const { data, isPending } = useQuery(asks(heldBill.list, { stayId, state: [HeldState.waiting], current: 1, limit: 1 }))
  const held = data?.records[0]
  if (isPending) return null
  return (
    <FormDialog
      title={[['核对费用', plateNo].filter(Boolean).join(' · '), ['Check the fee', plateNo].filter(Boolean).join(' · ')]}
      entity={heldBill.decide.input}
      mode="edit"
      value={held ? { id: held.id, version: held.version } : {}}
      gone={held ? undefined : ['该费用已由他人核对', 'Somebody else has already checked this fee']}
      about={
        held && (
          <p>
            <ParkName code={held.parkCode} still /> · <State dictionary={HeldWhy} value={held.why} /> · {say(['算得', 'Calculated'])}{' '}
            <Money fen={held.amountFen} />
            {held.limitFen !== null && (
              <>
                {say(['，上限 ', '; limit '])}
                <Money fen={held.limitFen} />
              </>
            )}
            {say(['，已停 ', '; parked for '])}
            {duration(held.parkedMin, say)}
          </p>
        )
      }
      save={heldBill.decide}
      act={(typed) => (held ? verdictAct(typed, held.amountFen) : CONFIRM)}
      done={['已核对', 'Checked']}
      changes={[...STAY_CHANGES, heldBill.list]}
      fields={[
        {
          name: 'verdict',
          control: <Choice of={HeldVerdict} first />,
          help: [
            '核对前不收款：车道显示「费用核对中」，车主看到值班电话',
            'Nothing is collected until it is checked: the lane shows that the fee is being checked, and the driver sees the duty phone',
          ],
        },
        {
          name: 'setFen',
          optional: true,
          beside: ['verdict'],
          check: (typed) => amountFault(typed, held?.amountFen ?? 0),
          help: [
            '仅更正金额时填写，为整次停车的费用，不高于算得金额',
            'Only to correct the amount: the fee of the whole stay, no more than the calculated amount',
          ],
        },
        { name: 'reason', help: ['说明会写入变更记录', 'The note is kept in the changes'] },
      ]}
      onClose={onClose}
    />
  )
}
