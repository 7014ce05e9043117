import { endWith } from '../child.ts'
import { channelIn, ownDataDir, portFrom } from './kept.ts'
import { keepKeys, keysIn } from './keys.ts'
import { Published } from './published.ts'
import { startChannel } from './server.ts'

/**
 * The sandbox payment channel as a process of its own: `node city/pay/main.ts [--port 8602]`.
 * Its secret is PAY_SANDBOX_SECRET, or what a demo server keeps in `pay-sandbox.json` of DATA_DIR. The keys of WeChat Pay and Alipay, which it
 * plays behind the same port, lie in `pay-keys.json` beside it.
 */
async function main(): Promise<void> {
  const { secret, url } = channelIn(ownDataDir())
  const port = portFrom(process.argv, Number(url ? new URL(url).port : 8602))
  const log = (line: string) => console.error(line)
  const keys = keysIn(ownDataDir())
  const published = new Published({ keys, log, save: () => keepKeys(ownDataDir(), keys) })
  const running = await startChannel({ port, secret, log, published })
  console.log(`The sandbox payment channel listens at ${running.url}`)
  endWith(() => running.stop())
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
