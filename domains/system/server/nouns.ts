import { anything, id, instant, shaped, text, whole } from '../../../platform/contract/field.ts'
import { ScheduledExport } from '../../../platform/contract/scheduled.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { AlarmRecord } from '../contract/alarmRecord.ts'
import { AlarmRule } from '../contract/alarmRule.ts'
import { DictionaryType } from '../contract/dictionary.ts'
import { Annexe } from '../contract/document.ts'
import { HelpPage } from '../contract/helpPage.ts'
import { Clause, Regulation } from '../contract/regulation.ts'
import { UpdateNote } from '../contract/updateNote.ts'

const stored = {
  name: text('存储名', 'Stored as'),
  originalName: text('文件名', 'File name'),
  type: text('文件类型', 'File type'),
  bytes: whole('大小（字节）', 'Bytes'),
  sha256: text('校验码', 'Checksum'),
}

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  { table: 'system.dictionary_type', entity: DictionaryType },
  {
    table: 'system.configuration',
    label: ['系统参数', 'Setting'],
    also: { name: text('参数', 'Setting'), value: shaped('参数值', 'Value', anything), updatedBy: text('修改人', 'Changed by') },
  },
  { table: 'system.regulation', label: ['法规', 'Law'], entity: Regulation },
  { table: 'system.clause', entity: Clause, also: { regulationId: id('法规', 'Law') } },
  { table: 'system.help_page', entity: HelpPage },
  { table: 'system.help_file', label: ['帮助附件', 'Help attachment'], also: stored },
  { table: 'system.file', label: ['上传的文件', 'Uploaded file'], also: stored },
  { table: 'system.update_note', entity: UpdateNote },
  { table: 'system.alarm_rule', entity: AlarmRule },
  { table: 'system.alarm_record', entity: AlarmRecord },
  { table: 'system.annexe', entity: Annexe, also: { documentId: id('文件', 'File'), fileId: id('内容', 'Content') } },
  {
    table: 'platform.export',
    label: ['导出', 'Export'],
    also: {
      call: text('导出内容', 'List'),
      title: text('标题', 'Title'),
      titleEn: text('英文标题', 'English title'),
      criteria: shaped('筛选条件', 'Criteria', anything),
      format: text('文件类型', 'File type'),
      rows: whole('行数', 'Rows'),
      at: instant('时间', 'Time'),
    },
  },
  {
    table: 'platform.scheduled_export',
    entity: ScheduledExport,
    also: {
      personId: id('人员', 'Person'),
      call: text('导出', 'Export'),
      criteria: shaped('筛选条件', 'Criteria', anything),
      language: whole('语言', 'Language'),
    },
  },
]
