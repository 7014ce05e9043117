import type { Kind } from '../../../platform/server/kinds.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { dictionary, DictionaryEntry } from '../contract/dictionary.ts'
import { region, Region } from '../contract/region.ts'
import { dictionaryTopic, regionTopic } from './topics.ts'

/** What all enterprises read. Only the people of the one that runs the platform delete it, and bring it back. */
export const kinds: Kind[] = [
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
