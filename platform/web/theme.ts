import { theme as antd, type ThemeConfig } from 'antd'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { kept, oneOf } from './kept.ts'
import type { Text } from './text.ts'

export type Mode = 'light' | 'dark' | 'system'
export type Size = 'default' | 'small'

/** A theme is a set of greys; the accent is a choice of its own. The first is active when none, or one that is gone, was saved. */
export const themes = [
  { name: 'xiangzhou', text: ['香洲', 'Xiangzhou'] },
  { name: 'contrast', text: ['高对比', 'High contrast'] },
] as const satisfies readonly { name: string; text: Text }[]
export type ThemeName = (typeof themes)[number]['name']
export const DEFAULT_COLOUR = '#409EFF'
export const colours = [DEFAULT_COLOUR, '#2F6FDE', '#0E9F9A', '#5B6BD6', '#8A5CD1', '#5F6B7A'] as const

const EVERYWHERE = { everywhere: true }
/** The look that the person chose, kept per person. `system` follows the machine's light or dark. */
export const chosen = {
  theme: kept<string>('theme', themes[0].name, (value) => (typeof value === 'string' ? value : undefined), EVERYWHERE),
  colour: kept<string>(
    'colour',
    DEFAULT_COLOUR,
    (value) => (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined),
    EVERYWHERE,
  ),
  mode: kept<Mode>('mode', 'system', oneOf('light', 'dark', 'system'), EVERYWHERE),
  size: kept<Size>('size', 'default', oneOf('default', 'small'), EVERYWHERE),
}
export const themeNamed = (name: string): ThemeName => themes.find((one) => one.name === name)?.name ?? themes[0].name

const systemDark = () => matchMedia('(prefers-color-scheme: dark)')
const followSystem = (reader: () => void) => {
  systemDark().addEventListener('change', reader)
  return () => systemDark().removeEventListener('change', reader)
}
/** Whether the content stands on a ground that is dark in either look, as a wall does. */
export const OnDark = createContext(false)
/** The theme as it is now. Changing it changes the page at once. */
export function useLook(): Look {
  const mode = chosen.mode.use()
  const always = useContext(OnDark)
  const dark = useSyncExternalStore(followSystem, () => systemDark().matches)
  const isDark = always || mode === 'dark' || (mode === 'system' && dark)
  return { name: themeNamed(chosen.theme.use()), colour: chosen.colour.use(), dark: isDark, size: chosen.size.use() }
}
export interface Look {
  name: ThemeName
  colour: string
  dark: boolean
  size: Size
}

/** Greys carry the structure; the accent marts where one is. Every text colour has at least 4.5:1 on the grounds it stands on. */
export const palettes = {
  light: {
    ground: '#F3F5F7',
    surface: '#FFFFFF',
    sunken: '#F8F9FB',
    line: '#E3E6EB',
    ink: '#1C2128',
    soft: '#5B6470',
    faint: '#667080',
    ok: '#14804C',
    warn: '#9A5B00',
    bad: '#C93434',
  },
  dark: {
    ground: '#0E1116',
    surface: '#161A21',
    sunken: '#1B2028',
    line: '#282F39',
    ink: '#E3E7ED',
    soft: '#A2ABB8',
    faint: '#8B94A2',
    ok: '#3DBB7E',
    warn: '#E3A43A',
    bad: '#F0706B',
  },
  lightContrast: {
    ground: '#EEF0F3',
    surface: '#FFFFFF',
    sunken: '#F3F5F8',
    line: '#9AA3AF',
    ink: '#000000',
    soft: '#2F3742',
    faint: '#424B57',
    ok: '#0B5F36',
    warn: '#7A4700',
    bad: '#A31919',
  },
  darkContrast: {
    ground: '#000000',
    surface: '#0B0E13',
    sunken: '#141A22',
    line: '#5B6675',
    ink: '#FFFFFF',
    soft: '#D4DAE3',
    faint: '#B8C0CC',
    ok: '#63E2A4',
    warn: '#FFC766',
    bad: '#FF938F',
  },
}
const TEXT_CONTRAST = 4.5

/** The same colours for antd and, as `--ink` and so on, for our own style sheet; the body gets the theme's class. */
export function themeOf({ name, colour, dark, size }: Look): ThemeConfig {
  const p = palettes[name === 'contrast' ? (dark ? 'darkContrast' : 'lightContrast') : dark ? 'dark' : 'light']
  // White on #409EFF has 2.8:1: filled buttons and links use a tone of the accent that can be read.
  const act = colour === DEFAULT_COLOUR ? (dark ? '#2476CC' : '#1B73D0') : toned(colour, '#FFFFFF', 0)
  const link = linkOf(colour, dark, p)
  const look = { ...p, accent: colour, act, link }
  const root = document.documentElement
  for (const [key, value] of Object.entries(look)) root.style.setProperty(`--${key}`, value)
  root.style.colorScheme = dark ? 'dark' : 'light'
  document.body.className = `theme-${name} ${dark ? 'dark' : 'light'} size-${size}`
  return antdTheme(look, dark, size)
}

/** Links stand on every ground: on the darkest of a light look, on the lightest of a dark one. */
export const linkOf = (colour: string, dark: boolean, { ground, sunken }: { ground: string; sunken: string }) =>
  dark ? toned(colour, sunken, 255) : toned(colour, ground, 0)

type Palette = Record<keyof (typeof palettes)['light'] | 'accent' | 'act' | 'link', string>
const antdTheme = (p: Palette, dark: boolean, size: Size): ThemeConfig => ({
  algorithm: dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
  token: tokens(p, dark, size === 'small'),
  components: components(p, size === 'small'),
})
const tokens = (p: Palette, dark: boolean, dense: boolean): NonNullable<ThemeConfig['token']> => ({
  colorPrimary: p.accent,
  colorLink: p.link,
  colorSuccess: p.ok,
  colorWarning: p.warn,
  colorError: p.bad,
  fontFamily: 'var(--font)',
  fontSize: dense ? 13 : 14,
  borderRadius: 4,
  controlHeight: dense ? 28 : 32,
  controlHeightSM: dense ? 24 : 26,
  colorBgLayout: p.ground,
  colorBgContainer: p.surface,
  colorBgElevated: dark ? p.sunken : p.surface,
  colorBorder: p.line,
  colorBorderSecondary: p.line,
  colorText: p.ink,
  colorTextSecondary: p.soft,
  colorTextTertiary: p.faint,
  colorTextDescription: p.faint,
  colorTextPlaceholder: p.faint,
  // Never by CSS: antd waits for its animations to end and would leave a dialog invisible.
  motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  motionDurationFast: '0.08s',
  motionDurationMid: '0.12s',
  motionDurationSlow: '0.15s',
  boxShadowTertiary: 'none',
})
const components = (p: Palette, dense: boolean): NonNullable<ThemeConfig['components']> => ({
  // A hint of the state on the page's own ground: what antd mixes out of our dark tones looks like mud.
  Alert: {
    colorInfoBg: tint(p.accent, p),
    colorSuccessBg: tint(p.ok, p),
    colorWarningBg: tint(p.warn, p),
    colorErrorBg: tint(p.bad, p),
    colorInfoBorder: p.line,
    colorSuccessBorder: p.line,
    colorWarningBorder: p.line,
    colorErrorBorder: p.line,
  },
  Button: {
    colorPrimary: p.act,
    colorPrimaryHover: deeper(p.act),
    colorPrimaryActive: deeper(p.act),
    colorLink: p.link,
    colorError: p.bad,
    algorithm: true,
    defaultBg: p.surface,
    defaultBorderColor: p.line,
    primaryShadow: 'none',
    defaultShadow: 'none',
  },
  Table: {
    headerBg: p.sunken,
    headerColor: p.soft,
    headerSplitColor: 'transparent',
    headerBorderRadius: 0,
    rowHoverBg: p.sunken,
    borderColor: p.line,
    cellFontSizeSM: 13,
    cellPaddingBlockSM: dense ? 4 : 8,
    cellPaddingInlineSM: 12,
    headerSortActiveBg: p.sunken,
    headerSortHoverBg: p.sunken,
    bodySortBg: 'transparent',
  },
  Menu: {
    itemHeight: dense ? 30 : 34,
    itemBorderRadius: 4,
    itemMarginBlock: 1,
    itemMarginInline: 8,
    itemBg: 'transparent',
    subMenuItemBg: 'transparent',
    iconMarginInlineEnd: 10,
    activeBarBorderWidth: 0,
    itemSelectedColor: `color-mix(in srgb, ${p.link} 85%, ${p.ink})`,
    subMenuItemSelectedColor: p.ink,
    itemSelectedBg: `color-mix(in srgb, ${p.accent} 12%, transparent)`,
    popupBg: p.surface,
  },
  Tabs: {
    itemSelectedColor: `color-mix(in srgb, ${p.link} 85%, ${p.ink})`,
    itemHoverColor: p.ink,
    itemActiveColor: p.ink,
    inkBarColor: p.accent,
  },
  Form: { itemMarginBottom: dense ? 12 : 18, labelColor: p.soft },
  Pagination: { itemActiveColor: p.link },
  Modal: { titleFontSize: 15 },
})

const tint = (tone: string, { surface }: { surface: string }) => `color-mix(in srgb, ${tone} 10%, ${surface})`
/** The accent mixed towards black (0) or white (255) until it can be read beside `ground`. */
function toned(colour: string, ground: string, towards: 0 | 255): string {
  for (let share = 0; share < 1; share += 0.04) {
    const hex = hexOf(channels(colour).map((c) => Math.round(c + (towards - c) * share)))
    if (contrast(hex, ground) >= TEXT_CONTRAST + 0.1) return hex
  }
  return towards === 0 ? '#000000' : '#FFFFFF'
}
/** Under the hand: what is filled grows darker, so that white stays readable on it. */
const deeper = (hex: string) => hexOf(channels(hex).map((c) => Math.round(c * 0.88)))
const hexOf = (parts: readonly number[]) => `#${parts.map((c) => c.toString(16).padStart(2, '0')).join('')}`
const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
/** WCAG 2.2: relative luminance and the ratio of two. */
export function contrast(a: string, b: string) {
  const luminance = (hex: string) => {
    const [r, g, bl] = channels(hex).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as [
      number,
      number,
      number,
    ]
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl
  }
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
