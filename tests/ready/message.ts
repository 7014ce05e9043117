import { type Factories, type Maker, of, some } from './maker.ts'

const SENT_MS = 5_000
/** Channels, templates, tasks and what was sent. */
export function ready({ made, row, asked, admin, aPerson }: Maker): Factories {
  const aChannel = () =>
    made('message.channel.insert', { name: `hook ${some()}`, type: 8, url: 'https://kerbline.example/hook', secret: 'a secret of some length' })
  const aTemplate = () =>
    made('message.template.insert', { code: `t.${some().toLowerCase()}`, name: '试', kind: 1, channelType: 1, title: '试', content: '试' })
  /** One that arrived in the administrator's own box; in another state where one is named. */
  const aRecord = async (state = 2) => {
    const { id: custId } = await row(`select id from identity.person where username = 'admin'`)
    const title = some()
    await asked(admin, 'message.record.insert', { custIds: [custId], title, content: '试' })
    // Sending changes the record once more.
    const isSent = () => row('select from message.record where cust_id = $1 and title = $2 and send_state not in (0, 1)', [custId, title])
    for (const until = Date.now() + SENT_MS; !(await isSent()) && Date.now() < until;) await new Promise((resolve) => setTimeout(resolve, 20))
    return row('update message.record set send_state = $1, next_at = null where cust_id = $2 and title = $3 returning id, version', [
      state,
      custId,
      title,
    ])
  }
  /** A draft for everybody, inside the console. */
  const aTask = async () => {
    const { id: channelId } = await row('select id from message.channel where enterprise_id = 1 and type = 1')
    return { name: '试', templateId: (await aTemplate()).id, channelId, audience: { kind: 4 } }
  }
  /** Its one message failed. */
  const aFailedTask = async () => {
    const { id } = await made('message.task.insert', await aTask())
    await row('update message.task set state = 4 where id = $1', [id])
    await row('update message.record set task_id = $1 where id = $2', [id, (await aRecord(3)).id])
    return { id }
  }
  return {
    'message.channel.insert': async () => ({
      name: `hook ${some()}`,
      type: 8,
      url: 'https://kerbline.example/hook',
      secret: 'a secret of some length',
    }),
    'message.channel.update': async () => of(await aChannel()),
    'message.channel.delete': async () => ({ id: (await aChannel()).id }),
    'message.channel.test': async () => ({ id: (await aChannel()).id }),
    'message.template.update': async () => of(await aTemplate()),
    'message.template.delete': async () => ({ id: (await aTemplate()).id }),
    'message.task.insert': aTask,
    'message.task.update': async () => of(await made('message.task.insert', await aTask())),
    'message.task.resend': aFailedTask,
    'message.record.insert': async () => ({ custIds: [(await aPerson()).id], title: '试', content: '试' }),
    'message.record.update': async () => ({ ...of(await aRecord()), sendState: 4 }),
    'message.record.delete': async () => ({ id: (await aRecord()).id }),
    'message.record.tag-all': async () => ({}),
    'message.record.tag': async () => ({ id: (await aRecord()).id }),
    'message.record.resend': async () => ({ id: (await aRecord(3)).id }),
    'message.rule.update': async () => ({ version: (await asked(admin, 'message.rule.get')).version }),
  }
}
