import { ExportButton } from '../../../../platform/web/sheet/ExportButton.tsx'
import { ImportButton } from '../../../../platform/web/sheet/ImportDialog.tsx'
import { can } from '../../../../platform/web/person.ts'
import { useText } from '../../../../platform/web/text.ts'
import { department } from '../../../identity/contract/department.ts'
import { departmentSheet } from '../../../identity/contract/departmentSheet.ts'

/** The departments' own sheets: nothing is written before the preview is confirmed. */
export default function SheetsBlock() {
  const say = useText()
  return (
    <div className="show panel">
      <p className="soft">
        {say([
          '以部门为例：下载模板、预览、按行报错，确认之前不写入任何数据；导出沿用列表的条件与列。',
          'Departments as an example: download the template, preview, errors by row; nothing is written before you confirm. Exports use the list’s criteria and columns.',
        ])}
      </p>
      <div className="show-row">
        <ImportButton call={departmentSheet.import} changes={[department.queryPage, department.tree]} />
        {can(departmentSheet.export.needs) && <ExportButton call={departmentSheet.export} criteria={{}} />}
      </div>
    </div>
  )
}
