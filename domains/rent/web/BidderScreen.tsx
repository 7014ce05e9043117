import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { deleting, useRemove } from '../../../platform/web/form/remove.tsx'
import { Attestation, bidder, type Bidder, bidderSearch, Verdict } from '../contract/bidder.ts'
import { NOT_NOW, OWN } from './parts.tsx'

type Row = Of<typeof Bidder>
const CHANGES = [bidder.query]

/** Bidders who may enrol: one person records their papers, another reviews them. */
export default function BidderScreen() {
  const me = person.use()?.custId
  const [asking, setAsking] = useState(false)
  const [deciding, setDeciding] = useState<{ row: Row; state: 1 | 2 }>()
  const remove = useRemove(CHANGES)
  const barred = (row: Row) => (row.state !== Attestation.waiting ? NOT_NOW : row.applicantId === (me as string) && OWN)
  return (
    <>
      <ListScreen
        purpose={[
          '竞租人的认证：通过后才能报名，证照变更后重新审核',
          'Bidder verification: required before enrolling, reviewed again when documents change',
        ]}
        query={bidder.query}
        search={bidderSearch}
        find={['name', 'state', 'userType', 'phone', 'certNo', 'createdAt']}
        sum={{ figures: [{ text: ['待审', 'to review'], leads: { state: [Attestation.waiting] } }] }}
        add={{ call: bidder.apply, open: () => setAsking(true), text: ['登记认证', 'Record bidder'] }}
        columns={['name', 'userType', 'state', 'certNo', 'phone', 'images', 'applicantName', 'auditorName', 'auditedAt', 'opinion', 'createdAt']}
        hidden={['auditedAt', 'opinion']}
        roomy={['applicantName', 'createdAt', 'images', 'auditorName']}
        actions={(row) => [
          { text: ['通过', 'Verify'], needs: bidder.audit.needs, run: () => setDeciding({ row, state: Verdict.pass }), not: barred(row) },
          { text: ['驳回', 'Reject'], needs: bidder.audit.needs, run: () => setDeciding({ row, state: Verdict.reject }), not: barred(row) },
          deleting(remove, bidder.delPost, { id: row.id, version: row.version }, row.name),
        ]}
        empty={['还没有人申请认证', 'No verification requests yet']}
      />
      {asking && <Record onClose={() => setAsking(false)} />}
      {deciding && <Decide {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  )
}

const Record = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['登记竞租人认证', 'Record a bidder for verification']}
    entity={bidder.apply.input}
    mode="new"
    value={{}}
    save={bidder.apply}
    done={['已登记，由另一人审核', 'Recorded; another person reviews it']}
    changes={CHANGES}
    fields={[
      'userType',
      'name',
      {
        name: 'certNo',
        help: [
          '身份证号或统一社会信用代码；已登记的证件号将重新审核，通过前不能报名、出价',
          'ID card number or unified social credit code; a known number is reviewed again, and cannot enrol or bid until it is verified',
        ],
      },
      'phone',
      'images',
    ]}
    onClose={onClose}
  />
)

const Decide = ({ row, state, onClose }: { row: Row; state: 1 | 2; onClose: () => void }) => (
  <FormDialog
    title={state === Verdict.pass ? [`通过 ${row.name}`, `Verify ${row.name}`] : [`驳回 ${row.name}`, `Reject ${row.name}`]}
    entity={bidder.audit.input}
    mode="new"
    value={{ id: row.id, version: row.version, state: state }}
    save={bidder.audit}
    act={state === Verdict.pass ? ['通过', 'Verify'] : ['驳回', 'Reject']}
    done={['已审核', 'Reviewed']}
    changes={CHANGES}
    fields={[{ name: 'opinion', optional: state === Verdict.pass }]}
    onClose={onClose}
  />
)
