import { dictionary } from '../../domains/system/contract/dictionary.ts'
import { regulation, RegulationState } from '../../domains/system/contract/regulation.ts'
import { updateInfo, NoteState } from '../../domains/system/contract/updateNote.ts'
import type { Client } from '../client.ts'
import { LAWS, NOTES, OWN_DICTIONARIES } from './laws.ts'

/** Laws, dictionaries and release notes of the operator, made as an administrator makes them: through the calls. What is there already stays. */
export async function addReference(client: Client): Promise<void> {
  for (const { type, entries } of OWN_DICTIONARIES) {
    if ((await client.ask(dictionary.checkName, { categoryEn: type.categoryEn })).taken) continue
    await client.ask(dictionary.addType, type)
    for (const [place, [cval, itemEn, tone]] of entries.entries())
      await client.ask(dictionary.add, { categoryEn: type.categoryEn, ival: place + 1, sort: place + 1, cval, itemEn, ...(tone && { tone }) })
  }
  for (const { chapters, published, ...law } of LAWS) {
    if ((await client.ask(regulation.getInfoList, { title: law.title })).total > 0) continue
    const made = await client.ask(regulation.add, law as never)
    let no = 0
    for (const [chapter, clauses] of chapters)
      for (const content of clauses) await client.ask(regulation.addClause, { regulationId: made.id, no: ++no, content, ...(chapter && { chapter }) })
    if (published) await client.ask(regulation.move, { id: made.id, version: made.version, to: RegulationState.waiting })
  }
  for (const note of NOTES) {
    if ((await client.ask(updateInfo.selectPage, { release: note.release })).total > 0) continue
    const made = await client.ask(updateInfo.add, note as never)
    await client.ask(updateInfo.move, { id: made.id, version: made.version, state: NoteState.published })
  }
}
