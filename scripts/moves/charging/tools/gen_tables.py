"""Writes ../tables.md."""
import os,re,sys,subprocess
from collections import Counter,defaultdict
from tables import PILE,ROAM,STAY,TO,texts,hits,ROOT
from assign import moves,inside,OLD
import splitsql as S
HEAD=subprocess.run(['git','-C',ROOT,'rev-parse','--short','HEAD'],capture_output=True,text=True).stdout.strip()
o=[];w=o.append
KIND={}
LINES=defaultdict(list)
for d in S.parts:
    for line,s,nm,code in S.parts[d]:
        m=re.match(r'create (table|view|function|sequence) charging\.(\w+)',code)
        first=line+next(i for i,l in enumerate(s.split('\n')) if l.strip() and not l.lstrip().startswith('--'))
        if m: KIND[m.group(2)]=(d,m.group(1),first)
def lst(d,k): return sorted(((n,l) for n,(x,y,l) in KIND.items() if x==d and y==k),key=lambda x:x[1])
w(f"""# Schemas: what goes where

Of `migrations/0120_charging.sql` ({S.text.count(chr(10))} lines, {S.n} statements) at `{HEAD}`. `tools/splitsql.py` splits it statement by statement, with the comment above each, renames what moves, and checks that every name of the three schemas is defined before it is used, in the order pile, charging, roaming: **it is, and nothing below names anything above**. The result lies in `preview/migrations/` (`0120_pile.sql`, `0130_charging.sql`, `0140_roaming.sql`); it was not run against PostgreSQL. `renames.json` has every place of a moved name in the whole project: `{{file: [[line, column, old, new], …]}}`.

## 1. Objects (with the line in 0120_charging.sql)
""")
for d in ['pile','charging','roaming']:
    w(f"### `{d}`\n")
    for k in ['table','view','function','sequence']:
        L=lst(d,k)
        if L: w(f"- {len(L)} {k}s: "+', '.join(f"`{n}` ({l})" for n,l in L))
    ex={'pile':"- triggers: `qrcode`, `qrcode_gone` on connector (call `parking.give_qrcode('4', …)`, `take_qrcode`); `watched` (audit, made by `platform.scoped`) on operator, station, equipment, connector\n- append only: status_change\n- definer functions, called before an enterprise is known: `credential` (gateways/ocpp at sign-in), `commands_due` (gateways/ocpp/piles.ts); `region_is_used` (system.regionHeld)",
    'charging':"- of the tables two are default partitions: `meter_sample_rest`, `meter_curve_rest`. `platform.monthly` names `charging.meter_sample` and `charging.meter_curve`: both stay, and so do their months (samples.test.ts)\n- triggers: `kept` on strategy; `watched` on card (replaced at the end with `card_key` hidden), load, strategy, station_price, strategy_user, activity, fault, danger; `plates_came`, `plate_changed` on charge and card\n- index `charge_platform` (580, stands among roaming's today) is on `charging.charge`: stays. `alter table charging.charge add foreign key … card` (540) stays",
    'roaming':"- trigger `own_platform` on **identity.enterprise** (gives every enterprise its built-in platform); `watched` on platform (hidden ours, theirs), platform_reduce, statement, partner_difference; `plates_came`, `plate_changed` on roaming\n- policies: `all_parks` on roaming, roaming_bill, statement, partner_page, partner_check, partner_difference; `own` on roaming, roaming_bill (8)\n- append only: roaming_bill. Definer: `partners_called` (gateways/tcec102, before an enterprise is known)"}
    w(ex[d]+'\n')
w("""| schema | tables | views | functions | sequences | statements |
|---|---|---|---|---|---|""")
for d in ['pile','charging','roaming']:
    w(f"| {d} | {len(lst(d,'table'))} | {len(lst(d,'view'))} | {len(lst(d,'function'))} | {len(lst(d,'sequence'))} | {len(S.parts[d])} + 2 |")
w("""
### Why `gun`, `station_row`, `share_now` are charging's

`gun` says what a gun is to people: it reads `fault`, `grave_danger` and `charge` beside connector, connector_state and pile_state; `station_row` reads prices; `share_now` reads load_share. A view of pile may not read tables above. So the lists of guns and stations with these columns are served by charging (edges.md, section 2), and pile alone knows what a gun **told**. Who reads `charging.gun` today goes on doing so: charging, roaming, owner, dashboard, city: no text changes.

## 2. Foreign keys between the three (all go down; none goes up)

| from | to | delete |
|---|---|---|
| charging.station_price (station_id) | pile.station | |
| charging.charge (connector_id) | pile.connector | |
| charging.start_refused (connector_id) | pile.connector | |
| charging.load (station_id) | pile.station | |
| charging.load_share (connector_id) | pile.connector | cascade |
| roaming.waiver (order_no) | charging.charge | |

To others below, unchanged: pile.station → parking.park; pile.equipment → parking.park; charging.hold → settlement.order. Triggers: pile.connector → parking functions; identity.enterprise → roaming.own_platform().
Views that read a schema below: charging.gun, share_now, station_row (pile); charging.recharge_refund (settlement); roaming.partner_bill (charging). `recharge_refund` has a text `'charging.late'` that is a code and no table.
No foreign key of another domain points at a moved table. `inspection` reads `charging.equipment` in one view and one file.

## 3. Numbers of the migrations

CONTRIBUTING, "Add a migration": one file per domain, named after its schema, numbered in tens in the order of ORDER. So:

| today | then |
|---|---|
| 0120_charging.sql | **0120_pile.sql**, **0130_charging.sql**, **0140_roaming.sql** |
| 0130_owner … 0240_dashboard | each + 20: 0150_owner, 0160_merchant, 0170_coupon, 0180_member, 0190_share, 0200_lamp, 0210_after_sale, 0220_fleet, 0230_rent, 0240_staff, 0250_inspection, 0260_dashboard |

If roaming comes first, in a step of its own: 0120_charging, 0130_roaming, the others + 10; and + 10 once more with pile. Nothing in the project names the moved numbers (only 0010, 0030, 0050, 0090 are named: reach.test, start.test, mutation, CONTRIBUTING). `scripts/reach.ts` takes the domain out of the file name (`_([a-z]+)`): pile and roaming fit.
Data folders made before refuse to start ("was changed after it had run here"): they are made anew, as always before the first release. Say so in the commit.
`0250_inspection.sql`: its view's `charging.equipment` → `pile.equipment` (the only place outside 0120).

## 4. Names in code, per file

Occurrences of a moved table, view, function or sequence in SQL, row types, `listOver`, nouns and tests (`tools/tables.py`; kysely's camel case included). The column "file then" is empty where the file stays.

| file today | file then | pile | roaming | names |
|---|---|---|---|---|""")
tot=Counter();files=0
for f in sorted(texts()):
    c=Counter();names=Counter()
    for m,n in hits(open(os.path.join(ROOT,f),encoding='utf8').read()):
        c[TO[n]]+=1;names[n]+=1
    if not c: continue
    files+=1;tot.update(c)
    then=moves.get(f,inside.get(f,''))
    if f.startswith('migrations/0120'):
        then='see 3'
        ns='all'
    else: ns=', '.join(f'{n}×{k}' if k>1 else n for n,k in sorted(names.items()))
    w(f"| {f} | {then} | {c['pile'] or ''} | {c['roaming'] or ''} | {ns} |")
w(f"| **{files} files** | | **{tot['pile']}** | **{tot['roaming']}** | |")
w("""
**Never replaced by text alone.** The regex of tables.py leaves out, rightly: operation ids (`charging.platform.add`, `charging.pile.query`, `charging.station.list`, `charging.connector.save` …), ids of refusals (`charging.pile-used`, `charging.partner-gun` …, which gateways/tcec102/interfaces.ts:139-144, city/piles.ts:346 and city/chargingPast.test.ts:65-70 compare), the signal `PILE_SIGNAL = 'charging.pile'` (pileCommand.ts:28), the listeners `'charging.link'` (linkDomain.ts:27,31), the answerers `'charging.platform'`, `'charging.waiver'`, `'charging.reservation'` (around.ts:75,80,81; linkDomain.ts:22), the prepared statement `name: 'charging.credential'` (link.ts:170, gateway.test.ts:205).

**By hand**, because the name is put together:

| place | what |
|---|---|
| server/connector.ts:57-58 | `USED = ['charge','fault','danger','start_refused']` with `charging.${table}`: goes up to charging as the answer to `gunUsed` |
| tests/matrix/inputs.ts:73 | `charging.${noun}` for station, equipment, connector → `pile.${noun}`; :67 `charging.operator` → pile |
| tests/matrix/inputs.ts TABLES | calls keep their ids, so the noun's table is no longer found by its name, **and the matrix would silently take no row**: add `'charging.operator': 'pile.operator'`, `'charging.station': 'pile.station'`, `'charging.equipment': 'pile.equipment'`, `'charging.connector': 'pile.connector'`, `'charging.platform': 'roaming.platform'`, `'charging.platform-reduce': 'roaming.platform_reduce'`, `'charging.statement': 'roaming.statement'`, `'charging.roaming': 'roaming.roaming'`, `'charging.partner-station': 'roaming.partner_station'`. (`charging.pile`, `charging.mine` have no table of their name today either.) |
| tests/money/merged.test.ts:40 | HOUSES: add `'pile'`, `'roaming'`, or `roaming.roaming.owner_id` and `pile.station.equipment_owner_id` are looked at no more and nothing fails; :24 STAYS `'charging.station.equipment_owner_id'` → `'pile.station.…'` |
| tests/faults/constraints.test.ts:33 | `fieldsOf('charging', 'connector', 'connector_number')` → `'pile'`; :47,48 are in renames.json |
| server/owners.ts:43 | `'of', 'charging.roaming'` is what an owner is handed: follows the table (no test looks at it; owner/charging.test.ts:481 looks at charge and card) |
| server/partnerCheck.ts:178 | the text of an advisory lock; follows, harmless |
| server/usage.ts:82 | `h.entity = 'charging.equipment'` is the audit's name of the table: must follow (`platform.change.entity`) |
| tests/static/raw-sql.txt:42 | the line quotes the SQL of usage.ts: must follow to the letter |

## 5. SQL that would name a schema above (after the moves, before the mending)

| file then | line today | names | mended by |
|---|---|---|---|
| pile/server/connector.ts | 38, 154 | charging.gun | cut, charging/server/gun.ts |
| pile/server/connector.ts | 107 | charging.charge | question chargeAtGun |
| pile/server/connector.ts | 57-58 | charge, fault, danger, start_refused | question gunUsed |
| pile/server/frame.ts | 55 | charging.start_refused (delete) | task of charging |
| pile/server/pile.ts | 74 | charging.charge | question pileUsed |
| pile/server/pileFacts.ts | 13, 23 | charging.charge | cut, charging/server/transaction.ts |
| pile/server/pileTell.ts | 211 | charging.charge | question chargeAtGun |
| pile/server/pileTell.ts | 228 | charging.share_now | question powerShared |
| pile/server/pileTell.ts | 239 | charging.card, card_key | question cardKnown |
| pile/server/pileTell.ts | 246 | charging.card | question localCards |
| pile/server/station.ts | 24, 89 | charging.station_row | cut, charging/server/stationRow.ts |
| pile/server/station.ts | 109 | charging.charge | question stationCharging |
| pile/server/tables.ts (linkTables) | 15, 16 | load, loadChange | to charging/server/tables.ts |
| charging/server/figures/live.ts | 86 | roaming.partner_message | question noticesOf |
| charging/server/owners.ts | 32, 43, 45, 54 | roaming.roaming | cut, roaming/server/owners.ts |
| charging/server/around.ts, tables.ts | 52-55, 91-107 | nouns, row types | cut |

Writes into a schema **below** (no domain does that today): care/fault.ts:138 `update pile_state`, meters.ts:105 `insert into connector_state`, load/load.ts:54 `setRow` of station: verbs of pile's api (edges.md, section 5).

## 6. Row types (kysely)

- pile/server/tables.ts (linkTables.ts moved): operator, station, equipment, pileState, pile, connector, connectorState, operateLog + frame, pileCommand, pileSetting, reservation (12)
- roaming/server/tables.ts: platform, platformShown, partnerMessage, platformReduce, platformReduceShown, partnerStation, partnerConnector, partnerGun, roaming, roamingShown, roamingBill, partnerBill, partnerCheck, statement, statementShown, partnerDifference (16)
- charging/server/tables.ts: what is left, + load, loadChange. `Filled`, `Row`, `Scoped` are small: each file has its own.
- Files that say `import './tables.ts'` go on saying it; those of server/roaming/ say `'../tables.ts'` today and `'./tables.ts'` then.

## 7. Realtime topics, signals, jobs: names stay, all of them

| name | kind | then in |
|---|---|---|
| charging.gun | topic (`gunTopic`, `charging:pile:view`), web `live="charging.gun"`, useFrames | pile/server/said.ts |
| charging.order | topic (`chargeTopic`) | charging |
| charging.fault, charging.danger | topics | charging/server/care |
| charging.pile | PILE_SIGNAL (LISTEN/NOTIFY of the gateway) | pile/server/pileCommand.ts |
| charging.piles-lost, charging.forget-frames | cron tasks | pile |
| charging.push, charging.partner-forget, charging.statements, charging.partner-stations, charging.roaming-sweep, charging.roaming-stop | tasks | roaming |
| charging.finalise, late, forget-samples, sweep, sweep-one, load, load-round, forget-loads, fault-recover, fault-silence, danger-watch | tasks | charging |
| charging.forget-refused | **new** cron task (of forget-frames) | charging |
| charging.moved, billed, startWanted, stopWanted | events | charging |
| charging.connectorChanged, gunsShown | events | pile/server/said.ts |
| charging.checkWanted | event | roaming/server/said.ts |

A listener's job is called `event>listener` (`charging.startWanted>charging.link`); jobs that wait in graphile_worker while the program is exchanged are found by that name, and `key: charging.load:<station>` likewise. So no name changes with its domain.

## 8. Nouns of the audit

Table names are the names of the audit (`platform.change.entity`): entries written before keep the old one; data folders are made anew anyway. No page names one (web has none).

- pile/server/nouns.ts: pile.operator, pile.station, pile.equipment, pile.connector
- charging/server/nouns.ts + around.ts: charging.load, strategy, station_price, strategy_user, card, activity, fault, danger
- roaming/server/nouns.ts: roaming.platform, platform_reduce, statement, partner_difference
- `known.ts` (charging.charge) stays.
- tests/tidy/tables.test.ts ("watched … told") asks that each watched table has its noun: forgets none.

## 9. Factories and tidy lists

**tests/ready**: `all.ts` loads `tests/ready/<domain>.ts` for every domain that has such a file and calls its `ready`. `pile.ts` (exports `piles`) and `roaming.ts` (exports `roaming`) exist already: from the moment a domain pile or roaming is in `apps/server/domains.ts`, the whole matrix dies of `ready is not a function`. In the same step:

| file | exports then | factories |
|---|---|---|
| tests/ready/roaming.ts | `ready` | own six (partner-station.fetch, roaming.stop, settle, settle-decide, mine.start, mine.stop) + of aroundCharges.ts: platform.* (7), statement.* (6), platform-reduce.* (3), with `platform`, `connected`, `dead`, `statement`, `difference`, `reduce`, `reduced`, `stopped` + of charging.ts: mine.begin, mine.end (lines 108, 112) |
| tests/ready/pile.ts | `ready` | own (pile.rotate-secret … clear-profile) without load.save + of charging.ts: operator.* (2), station.save, equipment.save, pile.save-info, import, del, update-status, connector.save, connector.del, with `anOperator`, `aStation`, `aPile`, `gunOf` exported for the others |
| tests/ready/charging.ts | `ready` | strategy.*, card.*, order.*, door.* (gun.ts), load.save, activity.*, fault.*, danger.* |

Keys are call ids and stay. The hint in tests/matrix/checks.ts:210 names the file by the id's first word (always charging.ts): tell it, or leave it.

**tests/tidy and others**

| list | change |
|---|---|
| tests/tidy/conventions.ts | BLOCKS `pile: 42500`, `roaming: 42600`, and numbers kept (section 10) |
| tests/tidy/casts.txt 3-7 | around.ts stays; connector.ts, pile.ts, station.ts → domains/pile/server/…; strategy.ts stays. Whether the cast of connector.ts and station.ts is in the half that stays in pile: it is (`save`) |
| tests/tidy/chinese.txt 4 | domain.ts of charging: the name of the platform's sub-account goes to roaming/server/domain.ts: one line each |
| tests/tidy/figures.txt 2 | ChargingUseScreen stays |
| tests/tidy/figures.test.ts:181 | `domains/charging/server/span.ts` → `…/server/figures/span.ts` (inside move) |
| tests/static/raw-sql.txt 33-50 | income.ts, usage.ts → server/figures/; partnerStations.ts → domains/roaming/server/; line 42 see section 4 |
| gateways/ocpp/README.md | test paths (quirks.test.ts checks them): pileTime.test.ts → domains/pile/server/ (lines 37, 38); the others stay |
| tests/money/merged.test.ts, tests/matrix/inputs.ts, tests/faults/constraints.test.ts | section 4 |
| scripts/reach.ts | `calls` are `` `${name}.` ``: for pile and roaming that is a prefix of no call, and a change there would try no call of the matrix. Give it `const PREFIX = { pile: 'charging.', roaming: 'charging.' }` |
| scripts/dependencies.ts | ORDER |
| tests/tidy/labels.test.ts | asks buttons of a domain's menu within the domain's web/: holds for all three |
| README.md:101, CONTRIBUTING.md:42, docs/glossary.md, domains/*/README.md | the two names, blocks 425xx and 426xx, READMEs of pile and roaming (house.test asks for them) |
| bench/, city/ | renames.json and edges.md section 7; file names stay |

## 10. Refusals

| domain | numbers in its files after the move |
|---|---|
| pile (22) | 41313, 41314, 41317, 41318, 41320, 41321, 41330-41335, 41360-41368, 41399 |
| roaming (30) | 41336, 41337, 41339, 41344-41349, 41369, 41375-41385, 41390-41398 |
| charging (46 + 40041) | the rest of 413xx; free: 41309 only |

All numbers and ids (`charging.…`) stay. `refusalNumbers` in conventions.ts asks the block by the folder, so each of the 52 would be reported. Proposed there: `const KEPT: Record<string, ReadonlySet<number>> = { pile: new Set([...]), roaming: new Set([...]) }` with exactly the numbers above ("numbers given before the domain was one of its own"), and in the rule `FIXED.has(number) || KEPT[domain]?.has(number) || block`. Not a range: a new 413xx in pile must be refused. New ones of pile from 42500, of roaming from 42600; new ones of charging have one number left, so its block needs a second hundred before long (427xx).
""")
open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'../tables.md'),'w').write('\n'.join(o))
