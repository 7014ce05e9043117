import type { Kind } from '../../../platform/server/record/kinds.ts'
import { unmarkRow } from '../../../platform/server/row.ts'
import { Channel, channel } from '../contract/channel.ts'
import { Template, template } from '../contract/template.ts'

/** Deleted channels and templates are only marked: sent messages go on naming them. A channel comes back disabled. */
export const records: Kind[] = [
  {
    table: 'message.channel',
    entity: Channel,
    needs: channel.queryPage.needs,
    bin: { needs: channel.delete.needs, unmark: (tx, _, id, at) => unmarkRow(tx, 'message.channel', id, at) },
  },
  {
    table: 'message.template',
    entity: Template,
    needs: template.queryPage.needs,
    bin: { needs: template.delete.needs, unmark: (tx, _, id, at) => unmarkRow(tx, 'message.template', id, at) },
  },
]
