import { configuration, DEFAULTS, type Settings } from '../../domains/system/contract/configuration.ts'
import { ask } from '../../platform/web/ask.ts'
import { choice } from '../../platform/web/kept.ts'
import type { Text } from '../../platform/web/text.ts'
import { product } from './product.ts'

/** How this installation is set up; the defaults until the server has said it. */
export const settings = choice<Settings>(DEFAULTS)
export const readSettings = async () => {
  const now = await ask(configuration.console, {}, { quiet: true }).catch(() => settings.get())
  settings.set(now)
}
/** The name of the console in this installation. */
export const nameIn = ({ consoleName, consoleNameEn }: Settings): Text => [consoleName || product[0], consoleNameEn || product[1]]
