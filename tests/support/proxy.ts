import net from 'node:net'

/** A way to the database that can break in the ways that networks and machines do. */
export interface Proxy {
  /** The address, with the port of the proxy. */
  through(connectionString: string): string
  /** `open`; `down`: nobody listens; `silent`: what is sent goes nowhere; a number: every message waits so many milliseconds on its way there. */
  way: 'open' | 'down' | 'silent' | number
  /** How often somebody has tried to come through. */
  tries: number
  /** Every connection ends in the middle of what it is doing. */
  cutAll(): void
  stop(): Promise<void>
}

export async function openProxy(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((from) => {
    self.tries++
    if (self.way === 'down') return void from.resetAndDestroy()
    const to = net.connect(target)
    for (const one of [from, to]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => (sockets.delete(one), from.destroy(), to.destroy()))
    }
    let tail = Promise.resolve()
    from.on('data', (bytes) => {
      if (self.way === 'silent') return
      const wait = typeof self.way === 'number' ? self.way : 0
      tail = tail.then(() => (wait ? new Promise<void>((resolve) => setTimeout(resolve, wait)) : undefined)).then(() => void to.write(bytes))
    })
    to.on('data', (bytes) => self.way !== 'silent' && from.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const self: Proxy = {
    way: 'open',
    tries: 0,
    through(connectionString) {
      const url = new URL(connectionString)
      url.host = `127.0.0.1:${port}`
      url.searchParams.delete('host')
      return url.href
    },
    cutAll: () => sockets.forEach((one) => one.resetAndDestroy()),
    async stop() {
      self.cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}
