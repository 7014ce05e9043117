import { answersAt, startChild } from '../child.ts'
import { channelIn } from './kept.ts'

/** The sandbox payment channel as a process of its own, unless one with our secret listens there already. */
export async function startPayProcess({ dataDir, port }: { dataDir: string; port: number }): Promise<void> {
  if (await answersAt(`http://127.0.0.1:${port}`, channelIn(dataDir).secret)) return
  await startChild('payment channel', 'pay/main.ts', { at: `at port ${port}`, args: ['--port', String(port)], env: { DATA_DIR: dataDir } })
}
