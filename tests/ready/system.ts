import { anAlarm } from '../../domains/system/server/factories.ts'
import { aRegionCode, csv, type Factories, type Maker, of, some } from './maker.ts'

/** Dictionaries, regulations, files in the bin, exports under way, regions and clauses in sheets. */
export function ready({ write, asked, made, row, admin }: Maker): Factories {
  const dictionaryType = async () =>
    asked(admin, 'system.dictionary.add-type', { categoryEn: `t${some().toLowerCase()}`, item: '试', itemEn: 'Trial' })
  const entry = async () =>
    asked(admin, 'system.dictionary.add', { categoryEn: (await dictionaryType()).categoryEn, ival: 1, cval: '一', itemEn: 'One' })
  const street = async () => asked(admin, 'system.region.add', { code: aRegionCode(), name: '试街道', rank: 4, parentCode: '420607' })
  const aFolder = () => asked(admin, 'system.file.add-folder', { name: `folder ${some()}` })
  const aFile = () => asked(admin, 'system.file.add-file', { name: `file ${some()}` })
  const alarmRule = () => asked(admin, 'system.alarm-rule.save', { name: `rule ${some()}`, metric: 1, op: 1, threshold: 90, level: 1 })
  const law = async () => asked(admin, 'system.regulation.add', { title: `法 ${some()}`, kind: 4, effectiveOn: '2026-01-01' })
  const clause = async () => asked(admin, 'system.regulation.add-clause', { regulationId: (await law()).id, no: 1, content: '条' })
  const published = async () => {
    const { id, version } = await law()
    await asked(admin, 'system.regulation.add-clause', { regulationId: id, no: 1, content: '条' })
    return asked(admin, 'system.regulation.move', { id, version, to: 1 })
  }
  const page = async () => asked(admin, 'system.document.add', { title: '页', titleEn: 'Page' })
  const note = async () => asked(admin, 'system.update-info.add', { release: '9', title: '新', titleEn: 'New', content: '<p>新</p>' })
  const exported = async (state: number) => {
    const { id } = await row(
      `insert into platform.export (enterprise_id, person_id, call, title, title_en, criteria, format) select 1, id, 'trial', '试', 'Trial', '{}', 'csv' from identity.person where username = 'admin' returning id`,
    )
    await row(
      `insert into platform.export_file (id, enterprise_id, person_id, columns, language, format, name, state) select id, 1, person_id, '[]', 0, 'csv', 'trial.csv', $2 from platform.export where id = $1`,
      [id, state],
    )
    return { id }
  }
  const scheduled = async () => {
    const of = { name: `plan ${some()}`, call: 'identity.person.export', criteria: {}, rhythm: 1, timeOfDay: '07:30', format: 'csv' }
    return asked(admin, 'platform.scheduled-export.add', of)
  }
  /** One that is no longer as it was shipped. */
  const setting = async () => {
    const kept = () => row(`select name, version from system.configuration where name = 'idleMinutes'`)
    if (!(await kept())) await asked(admin, 'system.configuration.add', { name: 'idleMinutes', value: 45 })
    return kept()
  }
  return {
    'system.dictionary.add-type': async () => ({ categoryEn: `t${some().toLowerCase()}` }),
    'system.dictionary.update-type': async () => of(await dictionaryType()),
    'system.dictionary.delete-type': async () => ({ id: (await dictionaryType()).id }),
    'system.dictionary.add': async () => ({ categoryEn: (await dictionaryType()).categoryEn }),
    'system.dictionary.update': async () => of(await entry()),
    'system.dictionary.delete': async () => ({ id: (await entry()).id }),
    'system.regulation.update': async () => of(await law()),
    'system.regulation.delete': async () => ({ id: (await law()).id }),
    'system.regulation.move': async () => ({ ...of(await published()), to: 4 }),
    'system.regulation.revise': async () => ({ id: (await published()).id }),
    'system.regulation.add-clause': async () => ({ regulationId: (await law()).id, no: 1 }),
    'system.regulation.update-clause': async () => of(await clause()),
    'system.regulation.delete-clause': async () => ({ id: (await clause()).id }),
    'system.configuration.add': async () => ({ name: 'idleMinutes', value: 45 }),
    'system.document.update': async () => of(await page()),
    'system.document.delete': async () => of(await page()),
    'system.update-info.update': async () => of(await note()),
    'system.update-info.move': async () => ({ ...of(await note()), state: 1 }),
    'system.update-info.delete': async () => of(await note()),
    'system.update-info.seen': async () => ({ ids: [(await note()).id] }),
    'system.region.add': async () => ({ code: aRegionCode(), rank: 4, parentCode: '420607' }),
    'system.region.update': async () => ({ code: (await street()).code, version: 1 }),
    'system.region.delete': async () => ({ code: (await street()).code, version: 1 }),
    'system.file.add-folder': async () => ({ name: `folder ${some()}`, parentId: null }),
    'system.file.add-file': async () => ({ name: `file ${some()}`, dirId: null, annexes: [] }),
    'system.file.delete-by-ids': async () => ({ ids: [(await aFile()).id] }),
    'system.file.update-file': async () => of(await aFile()),
    'system.file.move-file-to-dir': async () => ({ ids: [(await aFile()).id], toDirId: (await aFolder()).id }),
    'system.file.move-dir-to-dir': async () => ({ dirId: (await aFolder()).id, toDirId: (await aFolder()).id }),
    'system.file.update-folder': async () => ({ dirId: (await aFolder()).id, version: 1 }),
    'system.file.delete-folder': async () => ({ dirId: (await aFolder()).id }),
    'system.alarm-rule.save': async () => ({ name: `rule ${some()}`, metric: 1, threshold: 90 }),
    'system.alarm-rule.update': async () => of(await alarmRule()),
    'system.alarm-rule.delete': async () => of(await alarmRule()),
    'system.alarm-record.acknowledge': async () => of(await write(async (tx) => anAlarm(tx, await alarmRule()))),
    'platform.scheduled-export.add': async () => ({ call: 'identity.person.export', criteria: {}, rhythm: 1, timeOfDay: '07:30', format: 'csv' }),
    'platform.scheduled-export.update': async () => of(await scheduled()),
    'platform.scheduled-export.pause': async () => of(await scheduled()),
    'platform.scheduled-export.resume': async () => {
      const { id, version } = await scheduled()
      return of(await asked(admin, 'platform.scheduled-export.pause', { id, version }))
    },
    'platform.scheduled-export.delete': async () => of(await scheduled()),
    'system.export.cancel': () => exported(2),
    'system.export.renew': () => exported(3),
    'system.configuration.update': async () => ({ ...(await setting()), value: 50 }),
    'system.configuration.reset': setting,
    'system.helpPage.update': async () => of(await asked(admin, 'system.document.add', { title: '页', titleEn: 'Page' })),
    'system.region.import': async () => csv({ 区划代码: aRegionCode(), 名称: '试街道', 级别: '乡级', 上级代码: '420607' }),
    'system.regulation.import-clause': async () => ({
      regulationId: (await made('system.regulation.add', { title: `法 ${some()}` })).id,
      ...csv({ 章节: '', 条号: '1', 条文: '条' }),
    }),
    'system.file.purge': async () => {
      const { id } = await asked(admin, 'system.file.add-file', { name: `file ${some()}` })
      await asked(admin, 'system.file.delete-by-ids', { ids: [id] })
      return { binnedIds: [id] }
    },
  }
}
