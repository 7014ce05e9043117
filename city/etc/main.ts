import { endWith } from '../child.ts'
import { channelIn, ownDataDir, portFrom } from '../pay/kept.ts'
import { startIssuer } from './issuer.ts'

/** Between the payment channel and the issuer stand the provider of messages and its mail. */
const PORT_AFTER = 3

/**
 * The sandbox issuer of ETC cards as a process of its own: `node city/etc/main.ts [--port 8605]`.
 * Its secret is PAY_SANDBOX_SECRET, or what a demo server keeps in `pay-sandbox.json` of DATA_DIR; it listens three doors behind the payment channel.
 */
async function main(): Promise<void> {
  const { secret, url } = channelIn(ownDataDir())
  const port = portFrom(process.argv, url ? Number(new URL(url).port) + PORT_AFTER : 8605)
  const running = await startIssuer({ port, secret })
  console.log(`The sandbox issuer of ETC cards listens at ${running.url}`)
  endWith(() => running.stop())
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
