import type { Kind } from '../../../platform/server/kinds.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { dictionary, DictionaryEntry } from '../contract/dictionary.ts'
import { Document, document, Folder } from '../contract/document.ts'
import { region, Region } from '../contract/region.ts'
import { unmark } from './bin.ts'
import { dictionaryTopic, regionTopic } from './topics.ts'

/** Papers of the company; and what all enterprises read: only the people of the one that runs the platform delete that, and bring it back. */
export const kinds: Kind[] = [
  {
    table: 'system.folder',
    label: ['文件夹', 'Folder'],
    entity: Folder,
    needs: document.getList.needs,
    names: { parentId: { table: 'system.folder' } },
    bin: { needs: document.deleteFolder.needs, unmark },
  },
  {
    table: 'system.document',
    label: ['文件', 'File'],
    entity: Document,
    needs: document.getList.needs,
    names: { dirId: { table: 'system.folder' } },
    bin: { needs: document.deleteByIds.needs, unmark },
  },
  {
    table: 'system.dictionary_row',
    label: ['字典项', 'Dictionary value'],
    entity: DictionaryEntry,
    needs: dictionary.tree.needs,
    common: true,
    bin: { needs: dictionary.delete.needs, restored: (tx) => tell(tx, dictionaryTopic, {}) },
  },
  {
    table: 'system.region',
    label: ['区域', 'Region'],
    entity: Region,
    needs: region.selectByIdAndName.needs,
    key: 'code',
    common: true,
    bin: { needs: region.delete.needs, restored: (tx, _, code) => tell(tx, regionTopic, { ids: [code] }) },
  },
]
