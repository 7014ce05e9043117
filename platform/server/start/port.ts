import { randomInt } from 'node:crypto'
import net from 'node:net'

/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections. A server that must come back on its own port would lose it to
 * one of those while it is away: to a stranger's, or to its own clients', whose next try may even reach itself.
 */
const [FROM, TO] = [15_000, 32_768]
const TRIES = 200
/** The number of remembered ports: a port given to a caller in this process that does not listen yet is given to no other for a while. */
const GIVEN_MAX = 2_000
const given: number[] = []

/** A port of this machine's own address on which nobody listens, and that stays free while its owner starts anew. `and`: so many after it are free too, for what stands beside. */
export async function freePort(and = 0): Promise<number> {
  for (let left = TRIES; left > 0; left--) {
    const port = randomInt(FROM, TO - and)
    const row = Array.from({ length: and + 1 }, (_, i) => port + i)
    if (row.some((one) => given.includes(one))) continue
    given.push(...row)
    given.splice(0, given.length - GIVEN_MAX)
    if ((await Promise.all(row.map(listens))).every(Boolean)) return port
  }
  throw new Error(`No free port between ${FROM} and ${TO}: stop a program that listens there. 没有空闲端口。`)
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
