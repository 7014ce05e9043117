import { ExportButton } from '../../../../platform/web/ExportButton.tsx'
import { ImportButton } from '../../../../platform/web/ImportDialog.tsx'
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
          'Departments, for example: a template, a preview, errors by the row, nothing written before it is confirmed; an export has the criteria and columns of its list.',
        ])}
      </p>
      <div className="show-row">
        <ImportButton call={departmentSheet.import} changes={[department.queryPage, department.tree]} />
        {can(departmentSheet.export.needs) && <ExportButton call={departmentSheet.export} criteria={{}} />}
      </div>
    </div>
  )
}
