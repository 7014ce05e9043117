import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { brand, Brand, brandSearch } from '../contract/brand.ts'

type Row = Of<typeof Brand>
const CHANGES = [brand.query, brand.queryList]

/** Makes and models of the company's cars. */
export default function BrandScreen() {
  const [doing, setDoing] = useState<Row | 'new'>()
  const remove = useRemove(CHANGES)
  return (
    <>
      <ListScreen
        purpose={['车队车辆的品牌与型号，登记车辆时选择', 'Brands and models of fleet vehicles, chosen when adding a vehicle']}
        query={brand.query}
        search={brandSearch}
        find={['name', 'model', 'energy']}
        columns={['name', 'model', 'energy', 'remark', 'createdAt']}
        add={{ call: brand.add, open: () => setDoing('new') }}
        history={{ kind: 'fleet.brand', restore: brand.update, changes: CHANGES }}
        actions={(row) => [
          { text: Label.edit, needs: brand.update.needs, run: () => setDoing(row) },
          {
            text: Label.delete,
            needs: brand.delete.needs,
            run: () => void remove(brand.delete, { id: row.id, version: row.version }, `${row.name} ${row.model}`),
            danger: true,
          },
        ]}
        empty={['还没有车辆品牌，先新增一个再登记车辆', 'No brands yet: add one before adding vehicles']}
      />
      {doing && (
        <FormDialog
          entity={Brand}
          mode={doing === 'new' ? 'new' : 'edit'}
          value={doing === 'new' ? {} : doing}
          save={doing === 'new' ? brand.add : (brand.update as never)}
          changes={CHANGES}
          fields={['name', 'model', 'energy', 'remark']}
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  )
}
