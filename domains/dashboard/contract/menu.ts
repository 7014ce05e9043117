import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [{ ...screen('/index', 'TodayScreen', ['首页', 'Home'], ['dashboard:home:view']), icon: 'dashboard' }]
