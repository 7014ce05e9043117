import type { CodeOf } from '../../../platform/contract/field.ts'
import { LoadMode, LoadWhy } from '../contract/load.ts'

/** A gun as sharing sees it. What it may draw counts whether it charges or not: a car may come at any moment. */
export interface GunNow {
  connectorId: string
  ratedW: number
  /** All guns of a pile draw no more than it, together. */
  pile: { id: string; ratedW: number }
  /** Less, and a car does not charge. */
  leastW: number
  /** What a car that comes may have until it is told otherwise; a gun is never told less. */
  floorW: number
  /** What it last agreed to, or its plate where it never did. */
  ackedW: number
  /** The most that it may draw by what it agreed to and by what it was asked and has not refused. */
  heldW: number
  /** A command is under way: nothing else is asked before it is over. */
  asking: boolean
  /** It was asked and nobody knows what became of it, or it started again: it is asked once more even for the same. */
  unsure: boolean
  /** It was asked and has not answered in time: until it does, nobody may count on it. */
  late: boolean
  /** Why it cannot be told anything now; then it counts with what it holds. */
  pinned: (typeof LoadWhy)['silent' | 'unmanaged' | 'ignores'] | null
  /** The charge that it has, and when that came. */
  charge: { since: string; priority: number } | null
}
export interface Share {
  wantW: number
  why: CodeOf<typeof LoadWhy>
}
type Mode = CodeOf<typeof LoadMode>
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
/** What a gun counts with whatever is decided. */
const fixedW = (gun: GunNow) => (gun.pinned === null ? gun.floorW : gun.heldW)
/** The least limit that can be kept now: what cannot be told counts as it is, every other gun with what a car that comes may have. */
export const leastLimit = (guns: readonly GunNow[]) => new Drawn(guns, fixedW).sumW()
export const heldSum = (guns: readonly GunNow[]) => new Drawn(guns, ({ heldW }) => heldW).sumW()

/** What guns may draw, pile by pile: those of one share its plate, so beyond that one of them takes nothing off a limit. */
class Drawn {
  private readonly piles = new Map<string, { ratedW: number; drawnW: number }>()
  constructor(guns: readonly GunNow[], of: (gun: GunNow) => number) {
    for (const gun of guns) this.add(gun, of(gun))
  }
  add({ pile: { id, ratedW } }: GunNow, w: number): void {
    this.piles.set(id, { ratedW, drawnW: (this.piles.get(id)?.drawnW ?? 0) + w })
  }
  /** What its pile may draw beyond what counts already. */
  roomW({ pile: { id, ratedW } }: GunNow): number {
    return Math.max(0, ratedW - (this.piles.get(id)?.drawnW ?? 0))
  }
  sumW(): number {
    return sum([...this.piles.values()].map(({ ratedW, drawnW }) => Math.min(ratedW, drawnW)))
  }
}
/** What is left of a limit: a gun takes of it what its pile does not count with yet. */
class Left {
  w: number
  private readonly drawn: Drawn
  constructor(w: number, drawn: Drawn) {
    this.w = w
    this.drawn = drawn
  }
  /** How much more a gun may have. */
  mayHave(gun: GunNow): number {
    return this.drawn.roomW(gun) <= this.w ? Infinity : Math.max(0, this.w)
  }
  /** How much all of these may have more, the same for each: whole watts, as long as what they cost grows evenly. */
  each(guns: readonly GunNow[]): number {
    const paying = Map.groupBy(
      guns.filter((gun) => this.drawn.roomW(gun) > 0),
      ({ pile }) => pile.id,
    )
    const even = [...paying.values()].map((all) => Math.max(1, Math.floor(this.drawn.roomW(all[0]!) / all.length)))
    return Math.min(...even, paying.size === 0 ? Infinity : Math.floor(this.w / sum([...paying.values()].map(({ length }) => length))))
  }
  take(gun: GunNow, w: number): void {
    this.w -= Math.min(w, this.drawn.roomW(gun))
    this.drawn.add(gun, w)
  }
}

/**
 * What each gun is to have. One that was told to take less and does not answer keeps counting with what it holds: the others make room for it, and it is asked all the same.
 */
export function shareOut(limitW: number, mode: Mode, guns: readonly GunNow[]): Map<string, Share> {
  const shares = divided(limitW, mode, guns)
  const stuck = guns.filter((gun) => gun.late && gun.pinned === null && gun.heldW > shares.get(gun.connectorId)!.wantW)
  if (stuck.length === 0) return shares
  const others = divided(
    limitW,
    mode,
    guns.map((gun) => (stuck.includes(gun) ? { ...gun, pinned: LoadWhy.silent } : gun)),
  )
  for (const { connectorId } of stuck) others.set(connectorId, { ...shares.get(connectorId)!, why: LoadWhy.silent })
  return others
}
/**
 * Nothing is given twice: what is pinned and what is kept for cars that come is taken off the limit first, and the rest goes to cars that charge, group after group; within a
 * group each first gets what it needs to charge at all, by arrival, and then all of them equally, as far as their plates go.
 */
function divided(limitW: number, mode: Mode, guns: readonly GunNow[]): Map<string, Share> {
  const shares = new Map<string, Share>()
  const left = new Left(limitW - leastLimit(guns), new Drawn(guns, fixedW))
  for (const gun of guns) {
    if (gun.pinned !== null) shares.set(gun.connectorId, { wantW: gun.heldW, why: gun.pinned })
    else if (gun.charge === null) shares.set(gun.connectorId, { wantW: gun.floorW, why: LoadWhy.reserve })
  }
  for (const group of groupsOf(mode, guns)) {
    const fed: GunNow[] = []
    for (const gun of group) {
      const needs = Math.max(0, Math.min(gun.leastW, gun.ratedW) - gun.floorW)
      if (needs > left.mayHave(gun)) {
        shares.set(gun.connectorId, { wantW: gun.floorW, why: LoadWhy.waits })
        continue
      }
      left.take(gun, needs)
      shares.set(gun.connectorId, { wantW: gun.floorW + needs, why: WHY[mode] })
      fed.push(gun)
    }
    fill(fed, shares, left)
  }
  return shares
}
const WHY: Record<Mode, Share['why']> = {
  [LoadMode.equal]: LoadWhy.equal,
  [LoadMode.arrival]: LoadWhy.arrival,
  [LoadMode.priority]: LoadWhy.priority,
}

/** Cars that charge, in the order in which they are given: all together, one by one as they came, or those of the highest priority first. */
function groupsOf(mode: Mode, guns: readonly GunNow[]): GunNow[][] {
  const charging = guns
    .filter(({ pinned, charge }) => pinned === null && charge !== null)
    .toSorted((a, b) => (a.charge!.since < b.charge!.since ? -1 : a.charge!.since > b.charge!.since ? 1 : a.connectorId < b.connectorId ? -1 : 1))
  if (mode === LoadMode.equal) return [charging]
  if (mode === LoadMode.arrival) return charging.map((gun) => [gun])
  const byPriority = Map.groupBy(charging, (gun) => gun.charge!.priority)
  return [...byPriority.keys()].toSorted((a, b) => b - a).map((priority) => byPriority.get(priority)!)
}

/** The same level for all, as water finds it; who is full drops out. Whole watts: what cannot be divided stays unused. */
function fill(fed: readonly GunNow[], shares: Map<string, Share>, left: Left): void {
  const wantOf = (gun: GunNow) => shares.get(gun.connectorId)!.wantW
  const waiting = fed.toSorted((a, b) => a.ratedW - b.ratedW)
  for (let open = waiting; open.length > 0;) {
    // The level that the rest of the water would reach among those that are lowest.
    const lowest = Math.min(...open.map(wantOf))
    const low = open.filter((gun) => wantOf(gun) === lowest)
    const next = Math.min(...open.filter((gun) => wantOf(gun) > lowest).map(wantOf), ...low.map(({ ratedW }) => ratedW))
    const step = Math.min(next - lowest, left.each(low))
    if (step > 0)
      for (const gun of low) {
        shares.get(gun.connectorId)!.wantW += step
        left.take(gun, step)
      }
    for (const gun of low) if (wantOf(gun) >= gun.ratedW) shares.get(gun.connectorId)!.why = LoadWhy.full
    open = open.filter((gun) => wantOf(gun) < gun.ratedW)
    if (step <= 0 && next > lowest) break
  }
}

export interface Ask {
  connectorId: string
  toW: number
}
/** A rise by less than this waits for the rest of it: a pile is not told of every watt. */
const STEP_W = 1_000

/**
 * What is asked now. All that go down are asked at once; one goes up only by what is free already, counted with what every gun may still draw, so that no order of
 * answers, and no answer that never comes, takes the sum over the limit.
 */
export function asksNow(limitW: number, guns: readonly GunNow[], shares: ReadonlyMap<string, Share>): Ask[] {
  const tellable = guns.filter((gun) => gun.pinned === null && !gun.asking)
  const wantOf = ({ connectorId }: GunNow) => shares.get(connectorId)!.wantW
  const asks = tellable
    .filter((gun) => wantOf(gun) < gun.ackedW || (gun.unsure && wantOf(gun) <= gun.ackedW))
    .map((gun) => ({ connectorId: gun.connectorId, toW: wantOf(gun) }))
  const free = new Left(limitW - heldSum(guns), new Drawn(guns, ({ heldW }) => heldW))
  for (const gun of tellable) {
    const rise = wantOf(gun) - gun.ackedW
    if (rise <= 0) continue
    const toW = Math.min(wantOf(gun), gun.heldW + free.mayHave(gun))
    const worth = toW > gun.ackedW && (toW === wantOf(gun) || toW - gun.ackedW >= STEP_W)
    if (!worth && !gun.unsure) continue
    if (worth) free.take(gun, Math.max(0, toW - gun.heldW))
    asks.push({ connectorId: gun.connectorId, toW: worth ? toW : gun.ackedW })
  }
  return asks
}
