import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label } from '../../../platform/web/form/remove.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { FeesKind, feesSearch, ShareFees, sharing } from '../contract/sharing.ts'
import { useParkColumn } from './choices.tsx'

type Row = Of<typeof ShareFees>
const FIELDS = ['name', 'priceFen', 'capFen', 'graceMin', 'overtimePermille', 'cancelFreeMin', 'splitPermille'] as const
const USUAL = { graceMin: 10, overtimePermille: 1500, cancelFreeMin: 60, splitPermille: 600 }
const CHANGES = [sharing.fees, sharing.parks]

/** Terms of one kind; a change is a new version, and orders keep theirs. */
export function Fees({ kind, purpose, toolbar }: { kind: 1 | 2; purpose: Text; toolbar?: ReactNode }) {
  const park = useParkColumn()
  const [editing, setEditing] = useState<Row | 'new'>()
  const hourly = kind === FeesKind.hourly
  const fields = FIELDS.filter((name) => hourly || name !== 'capFen')
  return (
    <>
      <ListScreen
        purpose={purpose}
        query={sharing.fees}
        search={feesSearch}
        only={{ kind }}
        toolbar={toolbar}
        add={{ call: sharing.insertFees, open: () => setEditing('new') }}
        find={['name', findPark, 'status']}
        columns={[
          'name',
          park,
          'priceFen',
          ...(hourly ? (['capFen'] as const) : []),
          'graceMin',
          'overtimePermille',
          'cancelFreeMin',
          'splitPermille',
          'status',
          'version',
          'updatedAt',
        ]}
        hidden={['version', 'updatedAt']}
        roomy={['graceMin', 'cancelFreeMin']}
        actions={(row) => [{ text: Label.edit, needs: sharing.updateFees.needs, run: () => setEditing(row) }]}
        empty={['还没有收费规则：先新增，再在「共享车场」中选用', 'No rates yet: add them, then choose them in “Shared parks”']}
      />
      {editing === 'new' && (
        <FormDialog
          entity={sharing.insertFees.input}
          mode="new"
          value={{ kind, ...USUAL }}
          save={sharing.insertFees}
          changes={CHANGES}
          fields={[
            { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
            ...fields.map((name) => (name === 'capFen' ? { name, optional: true } : name)),
          ]}
          onClose={() => setEditing(undefined)}
        />
      )}
      {editing && editing !== 'new' && (
        <FormDialog
          entity={ShareFees}
          mode="edit"
          value={editing}
          save={sharing.updateFeesPost}
          also={{ id: editing.id, version: editing.version }}
          about={<p className="faint">{editing.name}</p>}
          changes={CHANGES}
          fields={[...fields.map((name) => (name === 'capFen' ? { name, optional: true } : name)), 'status']}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
