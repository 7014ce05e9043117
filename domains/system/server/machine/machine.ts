import os from 'node:os'
import si from 'systeminformation'
import type { Of } from '../../../../platform/contract/field.ts'
import type { Disk } from '../../contract/performance.ts'

/**
 * A process of its own that looks at this machine whenever it is asked to, and leaves with the one that asks. A look starts a dozen small programs, and to start
 * one copies the page tables of the process that starts it: the server, with hundreds of megabytes, stood still for a fifth of a second.
 */
export interface Machine {
  facts: { name: string; os: string; cpu: string; cores: number; memBytes: number }
  disks: Of<typeof Disk>[]
  /** Of the processors, 0 to 100. */
  load: number
  mem: { total: number; available: number }
  net: { in: number | null; out: number | null }
}

const NICE = 10
try {
  os.setPriority(NICE)
} catch {
  // not allowed here: slower for others, not wrong
}
process.on('disconnect', () => process.exit())
process.on('message', () => {
  look().then(
    (machine) => process.send!({ machine }),
    (error: Error) => process.send!({ error: error.message }),
  )
})

let facts: Machine['facts'] | undefined
async function look(): Promise<Machine> {
  facts ??= await factsHere()
  const [{ currentLoad: load }, { total, available }, disks, net] = await Promise.all([si.currentLoad(), si.mem(), disksHere(), si.networkStats('*')])
  return { facts, disks, load, mem: { total, available }, net: { in: rateOf(net, 'rx_sec'), out: rateOf(net, 'tx_sec') } }
}

async function factsHere(): Promise<Machine['facts']> {
  const [cpu, system] = await Promise.all([si.cpu(), si.osInfo()])
  return {
    name: os.hostname().slice(0, 100),
    os: `${system.distro} ${system.release} (${system.kernel}, ${system.arch})`.slice(0, 200),
    cpu: `${cpu.manufacturer} ${cpu.brand}`.trim().slice(0, 200),
    cores: os.availableParallelism(),
    memBytes: os.totalmem(),
  }
}

/** A file system once, however often it is mounted; those without a size are none, nor are those of which the machine cannot say how full they are. */
async function disksHere(): Promise<Of<typeof Disk>[]> {
  const all = (await si.fsSize()).filter(({ size, used }) => size > 0 && Number.isSafeInteger(used))
  return [...new Map(all.map((one) => [one.fs, one])).values()]
    .slice(0, DISKS_MAX)
    .map(({ mount, size, used }) => ({ mount: mount.slice(0, 200), bytes: size, used }))
}
const DISKS_MAX = 20

/** Rates are counted between two looks: the first has none. */
function rateOf(net: si.Systeminformation.NetworkStatsData[], field: 'rx_sec' | 'tx_sec'): number | null {
  const outside = net.filter(({ iface }) => iface !== 'lo')
  return outside.every((one) => one[field] === null) ? null : Math.max(0, Math.round(outside.reduce((sum, one) => sum + (one[field] ?? 0), 0)))
}
