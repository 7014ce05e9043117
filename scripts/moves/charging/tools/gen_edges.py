"""Writes ../edges.md."""
import os,sys,subprocess
from edges import *
from collections import Counter,defaultdict
SK={OLD+'server/tables.ts',OLD+'server/linkTables.ts'}
tri=['pile','charging','roaming']
short=lambda p: p.replace('domains/','')
HEAD=subprocess.run(['git','-C',ROOT,'rev-parse','--short','HEAD'],capture_output=True,text=True).stdout.strip()
o=[]
w=o.append
R=list(rows())
w(f"""# Imports after the moves, and how each is mended

Computed by `tools/edges.py` and `tools/graph.py` over all ts/tsx files of the project at `{HEAD}`, with the places of `moves.json`, `moves-inside.json` and `tools/assign.py` (`CUT`: symbols of files that are cut).
One line is one **symbol** of one import. `api.ts` is looked through: a symbol counts where its source file lies after the move.
Walls are those of `scripts/dependencies.ts`. What they allow, and what not, in short:

- `contract` and `server` of a domain may not import **anything** of a domain above, not even its contract. `web` may import any contract.
- From another domain only `contract/`, `server/api.ts` and `web/api/**` may be imported (css too); `server/testing.ts` by tests only.
- Tests inside `domains/` are free of the order, **not** of the entrance: of another domain they may import `contract/`, `server/api.ts`, `server/testing.ts`, nothing else. Tests in gateways/, city/, tests/ are free of both; so they only need new paths.
- `apps`, `gateways`, `city`, `bench` (not tests): `contract/` and `server/api.ts` only. `bench/ocpp.ts` imports `pileSecret.ts` as it does today (bench has no wall).

## 1. Counts (symbols; tests and assembly files apart)
""")
cnt=Counter()
for f,nf,to,nt,name,line,typ,via in R:
    if f in STRUCT or to in SK or istest(f) or nt=='?': continue
    a,b=dom(nf),dom(nt)
    if a in tri and b in tri and a!=b: cnt[(a,b,nf.split('/')[2],nt.split('/')[2])]+=1
w("| from | to | contract→contract | server→contract | server→server | web→contract | web→web |\n|---|---|---|---|---|---|---|")
for a in tri:
    for b in tri:
        if a==b: continue
        c=lambda x,y: cnt.get((a,b,x,y),0)
        up=' **(up)**' if tri.index(b)>tri.index(a) else ''
        w(f"| {a} | {b}{up} | {c('contract','contract')} | {c('server','contract')} | {c('server','server')} | {c('web','contract')} | {c('web','web')} |")
st=defaultdict(Counter)
for f,nf,to,nt,name,line,typ,via in R:
    if f in STRUCT and f!=OLD+'server/api.ts' and dom(nt) in ('pile','roaming'): st[f][dom(nt)]+=1
w(f"""
So the edges **up** that have to go: pile→charging {cnt[('pile','charging','contract','contract')]} + {cnt[('pile','charging','server','contract')]} + {cnt[('pile','charging','server','server')]} + {cnt[('pile','charging','web','web')]} (css) = **{cnt[('pile','charging','contract','contract')]+cnt[('pile','charging','server','contract')]+cnt[('pile','charging','server','server')]+cnt[('pile','charging','web','web')]}** (17 more web→contract are allowed and stay); pile→roaming **0**; charging→roaming **0** outside the assembly files.
(The "4 up" of roaming are `domain.ts → partner.ts` (platformNames), `around.ts`, `station.ts → near.ts` (`placed`), and two SQL texts, `live.ts` and `owners.ts`, see tables.md. `near.ts` goes to roaming and `placed` out of it to pile, so that pile→roaming is 0.)

Assembly files (cut by hand, section 2), symbols that leave charging: """+'; '.join(f"`{short(f)}` "+', '.join(f'{d} {n}' for d,n in c.items()) for f,c in sorted(st.items()))+".\n")

w("""## 2. Files that are cut, symbol by symbol

| file today | goes whole to | what is cut out, and where it lies then |
|---|---|---|
| contract/connector.ts | pile | `Gun`, `gunSearch`, `GunCode` and the calls `tableList`, `export`, `list`, `ofPiles` → **charging/contract/gun.ts**, noun object `gun` (ids stay `charging.connector.*`, `charging.pile.query-charging-pile`; addresses stay). Pile keeps `Connector`, `ConnectorState`, the dictionaries and `connector` = {save, del}. |
| contract/station.ts | pile | `StationRow`, `stationRowSearch`, `StationOpening` and the calls `tableList`, `export`, `detail` → **charging/contract/stationRow.ts**, object `stationRow`. Pile keeps `Station`, its dictionaries, `typedPlace`, `station` = {list, save}. The field `strategyId` of `save` (today `Strategy.properties.id`, the one upward contract edge) becomes a field of its own, `id<'ChargingStrategyId'>(...)`, with the same labels. |
| contract/card.ts | charging | `typedCard`, `plainCard`, `CARD_MAX` → **pile/contract/cardNo.ts** (pileCommand.ts needs them below). |
| contract/menu.ts, menuAround.ts | charging | 5 entries (ChargingCompanyScreen, ChargingStationScreen, ChargingListScreen, ChargingPileScreen, ChargingQrScreen) with `editPile`, `tellPile`, `looks` → **pile/contract/menu.ts**; RoamingScreen, PlatformScreen, PlatformReduceScreen, StatementScreen → **roaming/contract/menu.ts**. Each file exports `menu`. Paths, component keys and capabilities stay letter for letter. |
| contract/said.ts, why.ts | charging | nothing; roaming reads them downwards. |
| server/api.ts | charging | by the home of the symbol, section 6. |
| server/said.ts | charging | `ConnectorSaid`, `PileSaid`, `connectorChanged`, `gunsShown`, `gunTopic`, `profileTold` → **pile/server/said.ts**; `checkWanted`, `letterTaken`, `letterAnew` → **roaming/server/said.ts**. The **names in quotes do not change** (`charging.connectorChanged` …): they are halves of job names. |
| server/domain.ts | charging | pile/server/domain.ts: calls of operator, station (`list`,`save`), pile, connector (`save`,`del`), link, pileTell; tasks of frame.ts and `lostTask`; `regionHeld.answer('charging', stationsHold)` (the name `charging` stays or becomes `pile`; nothing reads it); `openSecrets(house.config)`. roaming/server/domain.ts: see around.ts; and its own `subNames.answer('roaming', …)` for subs that begin `platform:` (`platformNames`), while charging's answer leaves those out. |
| server/linkDomain.ts | charging (keep as it is, smaller) | Stays: `startBlocked.answer('charging.reservation', keptForAnother)` (`keptForAnother` by pile's api), `profileTold.answer('charging.load', …)`, `on(startWanted, 'charging.link', …)`, `on(stopWanted, 'charging.link', …)` (they lock the charge, then call pile's `command`). Goes: `openSecrets`, `...links`, `...tells`, `...frameTasks`, `lostTask` → pile. **Order**: `startBlocked` is answered by reservation, fault, danger in this order today; so it stays. |
| server/around.ts | charging | → roaming/server/domain.ts: calls platforms, reduces, statements, roamings; tasks pushTask, forgetTask, statementTask, fetchTask, sweepRoaming, stopTask; `useVault(openVault(…))`; `repriced.answer('charging.platform', …)`, `discounts.answer('charging', waiverFor)`, `discountsHeld.answer('charging', holdWaiver)`, `orderPaid.answer('charging.waiver', …)`, `owed.answer('charging.waiver', …)`. **`by: 'charging'` of discounts is data** (it comes back with a discount and decides whom `discountsHeld` concerns): keep the word. |
| server/tables.ts | charging | 8 entries → pile/server/tables.ts, 16 → roaming/server/tables.ts (tables.md). |
| server/linkTables.ts | → pile/server/tables.ts | its `charging.load`, `charging.loadChange` go to charging/server/tables.ts. `tests/tidy/tables.test.ts` reads only files that end in `/server/tables.ts`: these six row types are compared with the database for the first time. |
| server/nouns.ts | charging | operator, station, equipment, connector → pile/server/nouns.ts; from around.ts platform, platform_reduce, statement, partner_difference → roaming/server/nouns.ts. |
| server/pileFacts.ts | pile | `chargesNow`, `gunOfTransaction`, `stopReasonOf` → **charging/server/transaction.ts** (they read `charging.charge`; only gateways/ocpp/hear.ts calls them), with their constants `CHARGES`, `FACTS`, `Facts`, `FULL`, `WORDS`, `SUSPENDED_MS`, `FULL_SOC`. They also read `connector_state`: downwards, allowed. |
| server/near.ts | roaming | `placed` → **pile/server/place.ts**, exported by pile's api (users: station.ts in pile; ownStations.ts and mine.ts in roaming). The other five (`Where`, `STATIONS_MOST`, `GUNS_MOST`, `escapedLike`, `metresBetween`) stay in near.ts. station.ts has a `placeOf` of its own; it is not the one of charge.ts. |
| server/connector.ts | pile | the handlers `tableList`, `export`, `list`, `ofPiles` with `withGuns`, `GUN_COLUMNS`, `GUNS`, `HOSTS`, `guns`, `GUNS_MAX` → **charging/server/gun.ts** (the name is free once today's gun.ts is pile's; until then `gunList.ts`). `withGuns` needs `partOf` of pile.ts:162: exported by pile's api. What stays says `listOver(Connector, 'pile.connector', connectorSearch)`: a search of its own in pile/contract/connector.ts, for today it borrows `gunSearch`. |
| server/station.ts | pile | the handlers `tableList`, `export`, `detail` with `shown`, `OPENING`, `FIELDS` → **charging/server/stationRow.ts**. What `OPENING` takes of link.ts (`BY_CERTIFICATE`) comes by pile's api. |
| server/frame.ts | pile | the `delete from charging.start_refused` of `charging.forget-frames` → a task of charging (`charging.forget-refused`, same `every`). |
| server/owners.ts | charging | the statements on `charging.roaming` in `MOVE_ALL`, `ROWS`, `FORGET` → **roaming/server/owners.ts**, exported as `mergeOwners`, `rowsOfOwner`, `forgetOwner`; `domains/owner/server/merge.ts` and `account.ts` call both. Before: charge, roaming, card; after: the order of the rows in what is handed out changes (charging's, then roaming's): no test looks at it. |
| server/live.ts | charging/server/figures/ | `PARTNER_LINES` in `notices()` (reads `partner_message`) → question `noticesOf`, section 4. |
| server/near, ownStations, waiver | roaming | whole. |
| web/screens.ts, screensAround.ts | charging | 5 → pile/web/screens.ts, 4 → roaming/web/screens.ts (each exports `screens`). |
| web/acts.ts | charging | `enablesFaulty` → pile/web/acts.ts; its cases in acts.test.ts → pile/web/acts.test.ts. |
| web/figures.ts | charging | `FAULTS`, `PILES`, `CHARGES` → pile/web/api/links.tsx (tests/journeys/figures.test.ts names `charging.CHARGES`: `figures.ts` says `export { CHARGES } from '../../pile/web/api/links.tsx'` or the test imports it); `perKwh` → charging/web/api/perKwh.ts. |
| web/charging.css | charging | `.charging-tools* .charging-page .charging-said* .charging-table* .charging-list` → **pile/web/api/charging.css** (all three draw with them); `.charging-pile*` (with its two @media) and `.charging-guns` → pile/web/pile.css; `.charging-letters* .charging-letter* .charging-of` → roaming/web/letters.css; the rest stays. A class stands in one file only (`stylesAtHome`, tests/tidy/source.test.ts). |
| server/around.test.ts | charging | `describe('A partner platform')`, `describe('A discount of a platform')` → roaming/server/platform.test.ts (they import `lowered`, `pricesFor`). |
| server/assets.test.ts | pile | `describe('prices')` and the test 'a card is lost and found' → charging/server/prices.test.ts. `giveSecret` by the api. |
""")
# section 3
w("## 3. Upward imports, each with its mending\n")
MEND={
 ('contract/station.ts','Strategy'):'contract only: own `id<\'ChargingStrategyId\'>` field in pile (section 2)',
 'Gun':'cut: handlers and entity go up (charging/server/gun.ts)','GunCode':'cut, as Gun','gunSearch':'cut, as Gun; for `connectors` (line 39) an own `connectorSearch`',
 'loadMoved':'question `powerMoved({ equipmentIds: [equipmentId], restarted: false })`','loadsMoved':'question `powerMoved({ equipmentIds, restarted: false })`','loadsForgotten':'question `powerMoved({ equipmentIds, restarted: true })`',
 'plugSaid':'question `plugMoved`','plugsUnheard':'question `plugsUnheard`',
 'ChargeStatus':'','StopReason':'cut: charging/server/transaction.ts',
 'CardKind':'question `localCards`','CardStatus':'questions `cardKnown`, `localCards`',
 'mayStart':'question `startWished`','mustBePriced':'question `startWished`','placeOf':'question `startWished`',
 'StationOpening':'cut: charging/server/stationRow.ts','StationRow':'cut: charging/server/stationRow.ts; `save` reads the price it has by `stationPriced` (section 4)','stationRowSearch':'cut: charging/server/stationRow.ts',
 'giveStations':'question `stationPriced`',
}
def mend(nf,name):
    k=nf.replace('domains/pile/','')
    if (k,name) in MEND: return MEND[(k,name)]
    if name=='OPEN': return 'question `chargeAtGun` (connector.save)' if 'connector' in k else 'question `stationCharging`'
    if name=='ChargeStatus': return 'cut: charging/server/transaction.ts' if 'pileFacts' in k else 'question `chargeAtGun` instead of the join in `GUN`'
    return MEND.get(name,'?')
w("### pile → charging, contract and server (all not allowed)\n\n| file after the move | line today | symbol | it lies then in | mended by |\n|---|---|---|---|---|")
n=0
for f,nf,to,nt,name,line,typ,via in R:
    if f in STRUCT or to in SK or istest(f) or nt=='?': continue
    if dom(nf)=='pile' and dom(nt)=='charging' and nf.split('/')[2]!='web':
        w(f"| {short(nf)} | {line} | `{name}` | {short(nt)} | {mend(nf,name)} |"); n+=1
w(f"\n{n} symbols.\n\n### pile → charging, web\n\n| file after the move | line today | symbol | it lies then in | |\n|---|---|---|---|---|")
for f,nf,to,nt,name,line,typ,via in R:
    if f in STRUCT or istest(f) or nt=='?': continue
    if dom(nf)=='pile' and dom(nt)=='charging' and nf.split('/')[2]=='web':
        css=nt.endswith('.css')
        w(f"| {short(nf)} | {line} | `{name}` | {short(nt)} | {'**mend**: import `./api/charging.css` and `./pile.css`' if css else 'allowed (a page asks any call)'} |")
w("""
Names of call objects change with the cut: in Guns.tsx, ChargingQrScreen.tsx, ChargingListScreen.tsx, ChargingPileScreen.tsx, PileStory.tsx `connector.tableList/export/list/ofPiles` → `gun.*`; in ChargingStationScreen.tsx, StationForm.tsx (pile) and ChargingStrategyScreen.tsx (charging) `station.tableList/export/detail` → `stationRow.*`.

### charging → roaming

No import outside the assembly files. Assembly: `domain.ts` (`platformNames`), `around.ts` (9 modules and 3 contracts), `tables.ts` (16 types), `screensAround.ts` (4 screens): all go away with the cut of section 2. In SQL: `live.ts:86` (question `noticesOf`), `owners.ts:32,43,45,54` (cut).
""")
# section 4: questions
w("""## 4. The questions (new file `domains/pile/server/questions.ts`, exported by pile's api; answered in charging's `start` under the name `'charging'`)

All are answered in the transaction of whoever asks, at the very place where today's call stands: the order of locks (CONTRIBUTING, 12 hold and charge → 13 command → 14 load) stays the same only if nothing is moved before or behind. An answerer may throw a refusal: `ask` rejects and the transaction is rolled back, as with the call of today. No answer (`[]`) means "no" or "nothing to do"; **but for `startWished`**, where pile refuses (BadCard) unless it was answered `true`. Each has exactly one answerer (`ask` runs answers side by side).
An event would be wrong for the first three: it is a job after the commit; the gun's state, `suspendedAt`, the end of the bay's time and the shares would come late (the rule of five seconds of load management, `gateways/ocpp/load.test.ts`).

```ts
/** A gun says another state than before: what goes on there follows from its plug. */
export const plugMoved = question<{ connectorId: string; status: number; raw: string; at: Instant; receivedAt: Instant }, true>('pile.plugMoved')
/** Nobody hears of a pile any more, from `last` on. */
export const plugsUnheard = question<{ equipmentId: string; last: Instant; at: Instant }, true>('pile.plugsUnheard')
/** What these piles may draw is to be worked out anew; `restarted`: they have forgotten what they were told. */
export const powerMoved = question<{ equipmentIds: readonly string[]; restarted: boolean }, true>('pile.powerMoved')
/** Somebody at the desk wants to start a gun by a card: whoever knows of charges and prices refuses it. */
export const startWished = question<{ connectorId: string; cardNo: string; at: Instant }, true>('pile.startWished')
/** The charge that has a gun. */
export const chargeAtGun = question<{ connectorId: string }, { orderNo: string; transactionId: string | null }>('pile.chargeAtGun')
/** The number of a good card as it is kept, however it was typed. */
export const cardKnown = question<{ typed: string }, string>('pile.cardKnown')
/** The cards that a pile may know by itself, the newest first. */
export const localCards = question<{ atMost: number }, string[]>('pile.localCards')
/** Whether load management has this gun. */
export const powerShared = question<{ connectorId: string }, true>('pile.powerShared')
/** Whether anything was ever written about a pile, or a gun. */
export const pileUsed = question<{ equipmentId: string }, true>('pile.pileUsed')
export const gunUsed = question<{ connectorId: string }, true>('pile.gunUsed')
/** Whether anybody charges at a station. */
export const stationCharging = question<{ stationId: string }, true>('pile.stationCharging')
/** A station is to have this price table: nothing, where it has it. */
export const stationPriced = question<{ stationId: string; strategyId: string; at: Instant }, true>('pile.stationPriced')
```

| question | asked in (pile) | answer in charging |
|---|---|---|
| plugMoved | gun.ts:29, in place of `plugSaid` (before `announce(connectorChanged)`) | hear.ts `plugSaid` |
| plugsUnheard | link.ts:195 and :233 (in the loop, one pile at a time) | hear.ts `plugsUnheard` |
| powerMoved | gun.ts:60 (`restarted: true`), :64; link.ts:245; connector.ts:52,112,132; pile.ts:87,114; upkeep.ts:46. Do not ask where `equipmentIds` is empty | load/loadShare.ts `loadsForgotten` or `loadsMoved` |
| startWished | pileTell.ts:78-80 | `placeOf`, `mayStart`, `mustBePriced`, in this order; their refusals stay charging's |
| chargeAtGun | pileTell.ts `gunOf` (second read beside GUN), connector.ts:107 | select of `charging.charge` with `claimed and status in (OPEN)` |
| cardKnown | pileTell.ts:239 `goodCard`; none: pile throws BadCard (41368) | GOOD (`card_key`) |
| localCards | pileTell.ts:246 | LOCAL_CARDS |
| powerShared | pileTell.ts:228 `notManaged` | `charging.share_now` |
| pileUsed | pile.ts:74 | `charging.charge` of the pile |
| gunUsed | connector.ts:50 (USED) | charge, fault, danger, start_refused: the template with `charging.${table}` goes up whole |
| stationCharging | station.ts:109 | `status in (OPEN)`, **without** `claimed`, as today |
| stationPriced | station.ts:67 | compares with the price in force of `station_row`, then `giveStations` |

Existing questions that change their file: `profileTold` (→ pile/server/said.ts; its answer `'charging.load'` stays in charging). `startBlocked` stays in charging; pile only lends `keptForAnother`.
New in charging for roaming (`charging/server/questions.ts`): `noticesOf = question<{ connectorId, orderNo, platformId, atFrom, atTo (each or null), atMost: number }, Of<typeof Notice>[]>('charging.noticesOf')`, answered by roaming with PARTNER_LINES; `notices()` puts its answers beside STATUS_LINES in the same `.flat().sort().slice(NOTICES_MAX)`; `platformId` still means that only the answers are shown.
`repriced` exists. Events stay as they are: `connectorChanged`, `gunsShown` (pile), `startWanted`, `stopWanted`, `chargeMoved`, `billed` (charging), `checkWanted` (roaming).
""")
# section 5: past api
w("## 5. Downward imports that go past an api.ts: to be exported\n")
inapi=set(API)
def past(a,b,side): return [(nt,name,nf,line,typ) for f,nf,to,nt,name,line,typ,via in R if f not in STRUCT and to not in SK and not istest(f) and nt!='?' and dom(nf)==a and dom(nt)==b and nf.split('/')[2]==side and nt.split('/')[2]==side and not (side=='web' and '/web/api/' in nt)]
NAME={'stop':'`stopByDriver` (= door.stop)','COLUMNS':'do not export: `chargeBySeq(tx, startChargeSeq)` and `chargeOfPlatform(tx, orderNo)` (today the bodies of `chargeBySeq` and `partnersCharge`) go to charge.ts and are exported','OPEN':'`OPEN_CHARGES`: a constant in contract/session.ts (upper case, so that tests/static/raw-sql passes it)','Charge':'type, is exported'}
for a,b in [('roaming','charging'),('roaming','pile'),('charging','pile')]:
    by=defaultdict(list)
    L=past(a,b,'server')
    for nt,name,nf,line,typ in L: by[(nt,name)].append(f"{nf.split('/')[-1]}:{line}")
    w(f"### {a} → {b}, server→server: {len(L)} symbols in {len(by)} names\n\n| lies then in | symbol | used by | exported today | export as |\n|---|---|---|---|---|")
    for (nt,name),u in sorted(by.items()):
        w(f"| {short(nt)} | `{name}` | {', '.join(u)} | {'yes' if name in inapi else 'no'} | {NAME.get(name,'`'+name+'`')} |")
    w('')
w("""Beside the imports, two writes by SQL and one by row.ts would go into a schema below, which no domain does today: they become verbs of pile's api:
`gunsMeasured(tx, rows)` (meters.ts:105, upsert of connector_state), `faultsCounted(tx, { connectorId, open })` (fault.ts:138, update of pile_state), `limitStation(tx, station, limitW, at)` (load.ts:46,54: lockRow and setRow of the station).
Row locks on tables below (`charge.ts` holdGun, `fault.ts` GUN, `strategy.ts` putInForce: `for no key update` of connector, station) stay as they are; they stand before 12 in today's order too.

### web → web

Nothing goes past `web/api/` but css: `roaming/web/PartnerMessages.tsx:12` (→ `../../pile/web/api/charging.css` and `./letters.css`), `roaming/web/RoamingScreen.tsx` and `PlatformScreen.tsx` use `.charging-table`, `.charging-said` without an import of their own: give them one. Of charging: files that import `./charging.css` (ChargingMapScreen, ChargingScreen, LoadScreen, MonitorScreen, Periods, span) import pile's css besides. The """+str(cnt[('charging','pile','web','web')])+""" edges charging→pile, """+str(cnt[('roaming','pile','web','web')])+""" roaming→pile and """+str(cnt[('roaming','charging','web','web')])+""" roaming→charging all name PileTell, links, stations (pile/web/api), Gives, perKwh (charging/web/api).

### Tests inside domains that would enter past an api
""")
by=defaultdict(list)
for f,nf,to,nt,name,line,typ,via in R:
    if istest(f) and f.startswith(OLD) and nt!='?' and dom(nf)!=dom(nt) and nt.split('/')[2]!='contract' and '/web/api/' not in nt and not nt.endswith('testing.ts'): by[(nt,name)].append((short(nf),line))
w("| lies then in | symbol | used by | mended by |\n|---|---|---|---|")
for (nt,name),u in sorted(by.items()):
    how='api of pile (is in today’s api)' if name in inapi else {'pilesLost':'export `pilesLost` in pile’s api','command':'export `command` (needed anyway)','enablesFaulty':'the test is cut','lowered':'the test is cut','pricesFor':'the test is cut'}.get(name,'api')
    w(f"| {short(nt)} | `{name}` | {', '.join(f'{x}:{l}' for x,l in u)} | {how} |")
w("\n`domains/charging/server/testing.ts` (`aYard`) stays where it is; tests of pile and roaming import it (allowed for tests in any direction).\n")
# section 6
w("## 6. What each api.ts exports then\n")
dist=defaultdict(lambda: defaultdict(list))
for n,(src,s) in sorted(API.items()):
    h=home(src,s); dist[dom(h)][h].append(n if n==s else f'{s} as {n}')
MORE={'pile':{'(new)':['questions.ts: all twelve','profileTold','connectorChanged, gunsShown, gunTopic (were in said.ts)','pilesLost','command','reservationUsed','keptForAnother','BY_CERTIFICATE','partOf','placed','gunsMeasured','faultsCounted','limitStation']},
 'charging':{'(new)':['askStopAgain','cancelCharge','stopByDriver','mustBeHeard','costBy','WAIVED_FEN','FROM_CHARGING','lockWithMoney','partsOf','LEAST_FEN','PurseRefused','TooLittle','Owes','refusalOf','mayStart','placeOf, type Place','noteCharge','chargeBySeq, chargeOfPlatform','energyOfGuns','refuseUnknownStations','noticesOf']},
 'roaming':{'(new)':['mergeOwners','rowsOfOwner','forgetOwner']}}
for d in tri:
    w(f"### {d}/server/api.ts\n")
    for h,ns in sorted(dist[d].items()): w(f"- `{h.split('/',2)[2]}`: {', '.join(ns)}")
    for h,ns in MORE[d].items(): w(f"- **{h}**: {'; '.join(ns)}")
    w('')
# section 7
w("## 7. Imports from other domains, gateways, apps, city, bench and tests\n\nFor each file: from which file of charging it imports today, and to which domain each symbol belongs then. Symbols of `server/api.ts` are to be taken from the api of their domain; others keep their file name at the path of moves.json. Only lines that name pile or roaming change.\n")
out=defaultdict(lambda: defaultdict(set))
for f,nf,to,nt,name,line,typ,via in R:
    if f.startswith(OLD): continue
    out[f][to.replace(OLD,'')].add((name,dom(nt) if nt!='?' else 'charging'))
chg=[f for f in sorted(out) if any(d!='charging' for s in out[f].values() for _,d in s)]
w(f"{len(out)} files import charging; **{len(chg)}** of them change:\n\n| file | from today | pile | roaming | stays charging |\n|---|---|---|---|---|")
for f in chg:
    for to,s in sorted(out[f].items()):
        if all(d=='charging' for _,d in s) and not to.endswith('api.ts'): continue
        if all(d=='charging' for _,d in s): continue
        c=lambda d: ', '.join(sorted(n for n,x in s if x==d))
        w(f"| {f} | {to} | {c('pile')} | {c('roaming')} | {c('charging')} |")
w("\nUnchanged: "+', '.join(f for f in sorted(out) if f not in chg)+'.\n')
w("""By hand besides: `apps/server/domains.ts` (pile, charging, roaming in this order), `apps/web/screens.ts`, `apps/web/acts.ts` (two more menus each), `scripts/dependencies.ts` ORDER, `domains/owner/server/merge.ts` and `account.ts` (two more calls), `apps/driver/mine/chargingAsk.ts` (contract/mine.ts → roaming).

## 8. Imports that are contracts only and stay allowed (downwards)

"""+'; '.join(f"{a}→{b}: contract→contract {cnt[(a,b,'contract','contract')]}, server→contract {cnt[(a,b,'server','contract')]}, web→contract {cnt[(a,b,'web','contract')]}" for a,b in [('charging','pile'),('roaming','pile'),('roaming','charging')])+""". They need only the new path (`../../pile/contract/…`). Contracts that pile hands up: connector (ConnectorStatus, ConnectorType, LockStatus, ParkStatus, Connector), equipment (AdminStatus, Equipment, PileProtocol …), station (StationStatus, StationType …), operator, pileCommand (PileMethod …), units, cardNo.

Circles of files (reported by dependencies.ts): none arises, as long as `pile/server/questions.ts` imports only platform and pile's contracts, and no contract of pile imports one of charging.
""")
open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'../edges.md'),'w').write('\n'.join(o))
print(len(o),len(chg),len(out))
