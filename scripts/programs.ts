import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

/** Chromium as Debian installs it, or the one that CHROMIUM names. The one that has no window of its own to draw comes first: it takes a quarter less of the processor. */
export const chromiumPath = (): string | undefined =>
  [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (file) => file && existsSync(file),
  )

/** Returns the library that sets the clock of a program: from Debian's package `faketime`, or where other systems put it. */
export const faketimeLibrary = (): string | undefined =>
  ['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/{local/,}lib/faketime/libfaketimeMT.so.1'].flatMap((place) => globSync(place))[0]

const runs = (command: string, ...args: string[]) => {
  const { error, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return error ? undefined : stdout
}

/** Debian packages that the tests need and this machine lacks. */
export function missingPrograms(): string[] {
  const there: Record<string, boolean> = {
    'chromium-headless-shell': chromiumPath() !== undefined,
    'fonts-noto-cjk': existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc') || (runs('fc-list', ':lang=zh') ?? '') !== '',
    'mosquitto-clients': runs('mosquitto_pub', '--help') !== undefined,
  }
  return Object.entries(there).flatMap(([name, is]) => (is ? [] : [name]))
}
