import { ButtonType, type MenuEntry } from '../../../../platform/contract/menu.ts'
import type { Domain, House } from '../../../../platform/server/domain.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { firstScreens, folders, platformOnly } from './folders.ts'
import { FOLDER } from '../../contract/resource.ts'
import { DEPTH_MAX } from './resource.ts'
import '../tables.ts'

/** A role of this enterprise stands for the platform in what the product itself writes. */
const PLATFORM = 1
/** Read by `/metrics`, which is no call. */
const BESIDE_CALLS = ['system:metrics:view']

/**
 * Updates the menu, the buttons and the list of capabilities to those that this release ships, before anybody signs in.
 * An entry that an administrator has renamed, moved or hidden stays so; one that the product no longer ships is retired, not deleted, so that grants survive a rollback.
 */
export async function syncCatalogue(house: House, domains: readonly Domain[]): Promise<void> {
  const shipped = shippedBy(domains.flatMap(({ menu = [] }) => menu))
  const calls = domains.flatMap(({ calls }) => calls.map(({ call }) => call.needs))
  const codes = [...calls, ...BESIDE_CALLS, ...shipped.flatMap(({ needs, buttons }) => [...needs, ...buttons.map((one) => one.needs)])]
  await house.writing(PLATFORM, 'identity.catalogue', async (tx) => {
    await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, 1))' }, ['identity.catalogue'])
    await syncCapabilities(tx, new Set(codes.filter((code) => code.includes(':'))))
    await syncEntries(tx, shipped, house.log)
    await retire(tx, shipped)
  })
}

interface Shipped {
  url: string
  parent: string | null
  name: string
  nameEn: string
  component: string
  icon: string | null
  /** The level at which it ships: entries above it are written before it. */
  level: number
  sort: number
  needs: readonly string[]
  buttons: NonNullable<MenuEntry['buttons']>
}

/** Folders of which some screen is there, then the screens; parents first. */
function shippedBy(menu: readonly MenuEntry[]): Shipped[] {
  const folderUrls = folders.map(([url]) => url).sort((a, b) => b.length - a.length)
  const above = (url: string) => folderUrls.find((folder) => url.startsWith(`${folder}/`)) ?? null
  const used = new Set<string>()
  for (const { path } of menu) for (let up = above(path); up; up = above(up)) used.add(up)
  const levelOf = (url: string): number => (above(url) ? levelOf(above(url)!) + 1 : 1)
  const of = (url: string, name: readonly [string, string], rest: Pick<Shipped, 'component' | 'icon' | 'sort' | 'needs' | 'buttons'>): Shipped => ({
    url,
    parent: above(url),
    name: name[0],
    nameEn: name[1],
    level: levelOf(url),
    ...rest,
  })
  return [
    ...folders
      .filter(([url]) => used.has(url))
      .map(([url, zh, en, icon], sort) =>
        of(url, [zh, en], { component: above(url) ? '' : FOLDER, icon: icon ?? null, sort: (sort + 1) * 10, needs: [], buttons: [] }),
      ),
    ...menu.map(({ path, name, component = '', icon = null, needs = [], buttons = [], order }, sort) =>
      of(path, name, { component, icon, sort: order ?? placeOf(path, sort), needs, buttons }),
    ),
  ]
}

/** Folders stand at 10, 20 and so on. */
const BEHIND_FOLDERS = 10_000
function placeOf(path: string, sort: number): number {
  const first = firstScreens.indexOf(path)
  return first >= 0 ? first : BEHIND_FOLDERS + sort
}

async function syncCapabilities(tx: Tx, codes: ReadonlySet<string>) {
  await run(
    tx,
    {
      sql: `with wanted as (select code, code = any ($2::text[]) as platform_only from unnest($1::text[]) code),
        gone as (delete from identity.capability where code <> all ($1::text[]))
        insert into identity.capability as c (code, platform_only) select code, platform_only from wanted
        on conflict (code) do update set platform_only = excluded.platform_only where c.platform_only <> excluded.platform_only`,
    },
    [[...codes], platformOnly],
  )
}

// A value is taken over only where the row still says what was shipped last time: then nobody has edited it.
const RESOURCE = `insert into identity.resource as r (url, parent_id, name, name_en, component, func_code, icon, sort, needs, shipped)
  select s.url, (select id from identity.resource where url = s.below), s.name, s.name_en, s.component, s.func_code, s.icon, s.sort, s.needs,
    jsonb_build_object('parent', s.parent, 'name', s.name, 'name_en', s.name_en, 'icon', s.icon, 'sort', s.sort)
  from jsonb_to_recordset($1::jsonb) as s (url text, parent text, below text, name text, name_en text, component text, func_code text, icon text, sort integer, needs text[])
  on conflict (url) do update set
    name = case when r.name = r.shipped ->> 'name' then excluded.name else r.name end,
    name_en = case when r.name_en = r.shipped ->> 'name_en' then excluded.name_en else r.name_en end,
    icon = case when r.icon is not distinct from r.shipped ->> 'icon' then excluded.icon else r.icon end,
    sort = case when r.sort = (r.shipped ->> 'sort')::integer then excluded.sort else r.sort end,
    parent_id = case when r.parent_id is not distinct from (select id from identity.resource where url = r.shipped ->> 'parent') then excluded.parent_id else r.parent_id end,
    component = excluded.component, func_code = excluded.func_code, needs = excluded.needs, retired = false, shipped = excluded.shipped
  where (r.shipped, r.component, r.needs, r.retired) is distinct from (excluded.shipped, excluded.component, excluded.needs, false)`
/**
 * Of what this start places, all that it moves, and what does not fit where it ships: too deep, or below itself. `below` is the nearest place from there upwards that has room
 * for it and
 * what is below it already; none: the root, where everything fits. An entry that somebody has moved stays.
 */
const PLACES = `select s.url, s.parent, u.url as below, r.id is not null as moves, p.level + h.height <= ${DEPTH_MAX} and p.id <> all (h.ids) as fits
  from jsonb_to_recordset($1::jsonb) as s (url text, parent text)
  join identity.resource p on p.url = s.parent left join identity.resource r on r.url = s.url
  cross join lateral (with recursive down as (select r.id, 1 as height union all select c.id, d.height + 1 from identity.resource c join down d on c.parent_id = d.id where d.height < ${DEPTH_MAX})
    select max(height) as height, array_remove(array_agg(id), null) as ids from down) h
  left join lateral (with recursive up as (select p.id, p.parent_id, p.url, p.level union select a.id, a.parent_id, a.url, a.level from identity.resource a join up on a.id = up.parent_id)
    select url from up where level + h.height <= ${DEPTH_MAX} and id <> all (h.ids) order by level desc limit 1) u on true
  where (r.id is not null or p.level + h.height > ${DEPTH_MAX})
    and (r.id is null or (r.shipped ->> 'parent' is distinct from s.parent and r.parent_id is not distinct from (select id from identity.resource where url = r.shipped ->> 'parent')))`
const BUTTON = `insert into identity.button as b (resource_id, code, name, name_en, type, capability, shipped)
  select r.id, s.code, s.name, s.name_en, s.type, s.capability, jsonb_build_object('name', s.name, 'name_en', s.name_en, 'type', s.type)
  from jsonb_to_recordset($1::jsonb) as s (url text, code text, name text, name_en text, type integer, capability text) join identity.resource r on r.url = s.url
  on conflict (resource_id, code) do update set
    name = case when b.name = b.shipped ->> 'name' then excluded.name else b.name end,
    name_en = case when b.name_en = b.shipped ->> 'name_en' then excluded.name_en else b.name_en end,
    type = case when b.type = (b.shipped ->> 'type')::integer then excluded.type else b.type end,
    capability = excluded.capability, retired = false, shipped = excluded.shipped
  where (b.shipped, b.capability, b.retired) is distinct from (excluded.shipped, excluded.capability, false)`

/** One statement for each level, since what stands above has to be there already, and one for the buttons: every start of a server waits for this. */
async function syncEntries(tx: Tx, shipped: readonly Shipped[], log: House['log']) {
  const levels = [...new Set(shipped.map(({ level }) => level))].sort((a, b) => a - b)
  for (const level of levels) {
    const entries = shipped
      .filter((one) => one.level === level)
      .map(({ nameEn, buttons: _, ...entry }) => ({ ...entry, name_en: nameEn, func_code: entry.url.slice(1).replaceAll('/', ':') }))
    await syncLevel(tx, entries, log)
  }
  const buttons = shipped.flatMap(({ url, buttons: of }) =>
    of.map(({ code, name, needs, type = ButtonType.asBuilt }) => ({ url, code, name: name[0], name_en: name[1], type, capability: needs })),
  )
  await run(tx, { sql: BUTTON }, [JSON.stringify(buttons)])
}

/** An entry that moves takes along whatever people hung below it, and so changes where the rest fits: such entries are done first, one by one. */
async function syncLevel(tx: Tx, entries: readonly Pick<Shipped, 'url' | 'parent'>[], log: House['log']): Promise<void> {
  const places = await run<Place>(tx, { sql: PLACES }, [JSON.stringify(entries)])
  const moving = new Set(places.filter(({ moves }) => moves).map(({ url }) => url))
  if (moving.size > 0 && entries.length > 1) {
    for (const entry of entries.filter(({ url }) => moving.has(url))) await syncLevel(tx, [entry], log)
    return syncLevel(
      tx,
      entries.filter(({ url }) => !moving.has(url)),
      log,
    )
  }
  const elsewhere = new Map<string, string | null>()
  for (const { url, parent, below, fits } of places) {
    if (fits) continue
    elsewhere.set(url, below)
    log.warn({ url, parent, below }, 'The menu was rearranged so that an entry of this release does not fit where it ships: it hangs higher up.')
  }
  const placed = entries.map((entry) => ({ ...entry, below: elsewhere.has(entry.url) ? elsewhere.get(entry.url) : entry.parent }))
  await run(tx, { sql: RESOURCE }, [JSON.stringify(placed)])
}
interface Place {
  url: string
  parent: string
  /** Where it fits, when it does not where it ships. None: at the root. */
  below: string | null
  /** The entry exists already, below another one. */
  moves: boolean
  fits: boolean
}

async function retire(tx: Tx, shipped: readonly Shipped[]) {
  const urls = shipped.map(({ url }) => url)
  const buttons = shipped.flatMap(({ url, buttons: of }) => of.map(({ code }) => `${url} ${code}`))
  await run(tx, { sql: 'update identity.resource set retired = true where shipped is not null and not retired and url <> all ($1::text[])' }, [urls])
  await run(
    tx,
    {
      sql: `update identity.button b set retired = true from identity.resource r
        where r.id = b.resource_id and b.shipped is not null and not b.retired and r.url || ' ' || b.code <> all ($1::text[])`,
    },
    [buttons],
  )
}
