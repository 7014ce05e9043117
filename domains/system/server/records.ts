import { ScheduledExport, scheduled } from '../../../platform/contract/scheduled.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { mayComeBack } from '../../../platform/server/sheets/scheduled.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { AlarmRule, alarmRule } from '../contract/alarmRule.ts'
import { dictionary, DictionaryEntry, DictionaryType } from '../contract/dictionary.ts'
import { Document, document, Folder } from '../contract/document.ts'
import { HelpPage, helpPage } from '../contract/helpPage.ts'
import { Clause, Regulation, regulation } from '../contract/regulation.ts'
import { UpdateNote, updateInfo } from '../contract/updateNote.ts'
import { region, Region } from '../contract/region.ts'
import { unmark } from './document/bin.ts'
import { clauseMayComeBack } from './regulation/regulation.ts'
import { dictionaryTopic, regionTopic } from './topics.ts'

/** Papers of the company; and what all enterprises read: only the people of the one that runs the platform delete that, and bring it back. */
export const kinds: Kind[] = [
  {
    table: 'system.folder',
    entity: Folder,
    needs: document.getList.needs,
    names: { parentId: { table: 'system.folder' } },
    bin: { needs: document.deleteFolder.needs, unmark },
  },
  {
    table: 'system.document',
    entity: Document,
    needs: document.getList.needs,
    names: { dirId: { table: 'system.folder' } },
    bin: { needs: document.deleteByIds.needs, unmark },
  },
  {
    table: 'system.dictionary_row',
    entity: DictionaryEntry,
    needs: dictionary.tree.needs,
    common: true,
    bin: { needs: dictionary.delete.needs, restored: (tx) => tell(tx, dictionaryTopic, {}) },
  },
  {
    table: 'system.region',
    entity: Region,
    needs: region.selectByIdAndName.needs,
    key: 'code',
    common: true,
    bin: { needs: region.delete.needs, restored: (tx, _, code) => tell(tx, regionTopic, { ids: [code] }) },
  },
  {
    table: 'system.dictionary_type',
    entity: DictionaryType,
    needs: dictionary.tree.needs,
    common: true,
    bin: { needs: dictionary.deleteType.needs, restored: (tx) => tell(tx, dictionaryTopic, {}) },
  },
  {
    table: 'system.regulation',
    label: ['法规', 'Law'],
    entity: Regulation,
    needs: regulation.getInfoList.needs,
    bin: { needs: regulation.delete.needs },
  },
  {
    table: 'system.clause',
    entity: Clause,
    needs: regulation.getInfoList.needs,
    bin: { needs: regulation.deleteClause.needs, restored: (tx, _, id) => clauseMayComeBack(tx, id) },
  },
  {
    table: 'system.alarm_rule',
    entity: AlarmRule,
    needs: alarmRule.delete.needs,
    bin: { needs: alarmRule.delete.needs },
  },
  {
    table: 'system.help_page',
    entity: HelpPage,
    needs: helpPage.delete.needs,
    common: true,
    bin: { needs: helpPage.delete.needs },
  },
  {
    table: 'system.update_note',
    entity: UpdateNote,
    needs: updateInfo.delete.needs,
    common: true,
    bin: { needs: updateInfo.delete.needs },
  },
  {
    table: 'platform.scheduled_export',
    entity: ScheduledExport,
    needs: scheduled.queryPage.needs,
    bin: { needs: scheduled.delete.needs, restored: mayComeBack },
  },
]
