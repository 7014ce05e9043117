import { createServer, type Socket } from 'node:net'
import { TERMINAL_SIGNAL } from '../../domains/fleet/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { type Lines, openLine } from './line.ts'

const CONNECTIONS_MAX = 10_000

/** Terminals of the fleet's vehicles, JT/T 808-2013 and -2019 over TCP: they register, sign in, say where they are, do what they are told and send their pictures. */
export async function jt808Gateway(house: House, port: number): Promise<{ port: number | undefined; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const lines: Lines = new Map()
  const server = createServer((socket) => {
    sockets.add(socket)
    counted.connections.set({}, sockets.size)
    socket.on('close', () => {
      sockets.delete(socket)
      counted.connections.set({}, sockets.size)
    })
    openLine(house, socket, lines)
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, house.config.host, resolve)
  })
  house.hub.onSignal(TERMINAL_SIGNAL, (vehicleId) => lines.get(vehicleId)?.())
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : undefined,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
