import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label } from '../../../platform/web/form/remove.tsx'
import { BoundCar, car, carSearch, VerifyState } from '../contract/car.ts'
import { CAR_CHANGES } from './changes.ts'

type Row = Of<typeof BoundCar>

/** The cars that owners have bound. */
export default function CarScreen() {
  const [doing, setDoing] = useState<{ what: 'edit' | 'unbind'; of: Row }>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['车主绑定的车辆；免密代扣只可代为关闭', 'Cars bound by owners; automatic debit can only be turned off here']}
        query={car.queryCar}
        search={carSearch}
        exports={car.exportCar}
        find={['plateNo', 'phone', 'verifyState', 'autoDebit', 'bindAt']}
        sum={{
          figures: [
            { text: ['已认证', 'verified'], leads: { verifyState: [VerifyState.verified] } },
            { text: ['待审核', 'to review'], leads: { verifyState: [VerifyState.waiting] } },
            { text: ['申诉中', 'appealed'], leads: { verifyState: [VerifyState.appealed] } },
            { text: ['已解绑', 'unbound'], leads: { verifyState: [VerifyState.unbound] } },
          ],
        }}
        columns={[
          'plateNo',
          'vehicleClass',
          'vin',
          'nickname',
          'phone',
          'verifyState',
          'autoDebit',
          'debitMethod',
          'isDefault',
          'bindAt',
          'unboundAt',
          'unbindReason',
          'remark',
        ]}
        hidden={['vin', 'unboundAt', 'unbindReason']}
        roomy={['remark', 'isDefault', 'debitMethod']}
        actions={(row) => {
          const over = row.verifyState === VerifyState.unbound && (['车辆已解绑', 'The car is already unbound'] as const)
          return [
            { text: Label.edit, needs: car.updateCar.needs, run: () => setDoing({ what: 'edit', of: row }), not: over || undefined },
            {
              text: ['解绑', 'Unbind'],
              needs: car.unbindCar.needs,
              run: () => setDoing({ what: 'unbind', of: row }),
              not: over || undefined,
              danger: true,
            },
          ]
        }}
        empty={['还没有绑定车辆', 'No bound cars yet']}
      />
      {doing && <CarDialog {...doing} onClose={close} />}
    </>
  )
}

function CarDialog({ what, of, onClose }: { what: 'edit' | 'unbind'; of: Row; onClose: () => void }) {
  if (what === 'edit')
    return (
      <FormDialog
        entity={BoundCar}
        mode="edit"
        value={of}
        save={car.updateCar}
        done={['已保存', 'Saved']}
        changes={CAR_CHANGES}
        fields={[
          { name: 'plateColor', help: ['改颜色即另一辆车，需重新审核', 'Another colour is another car and needs a new review'] },
          'vehicleClass',
          { name: 'vin', help: ['按行驶证填写，即插即充凭它识别车主', 'As on the vehicle licence; plug and charge identifies the owner by it'] },
          'isDefault',
          { name: 'autoDebit', help: ['只能关闭', 'Can only be turned off'] },
          'remark',
        ]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={[`解绑 · ${of.plateNo}`, `Unbind · ${of.plateNo}`]}
      entity={car.unbindCar.input}
      mode="new"
      value={{ id: of.id, version: of.version }}
      save={car.unbindCar}
      act={['确认解绑', 'Unbind']}
      done={['已解绑', 'Unbound']}
      changes={CAR_CHANGES}
      fields={[{ name: 'reason', help: ['月卡不受影响', 'Passes are not affected'] }]}
      onClose={onClose}
    />
  )
}
