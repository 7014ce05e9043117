import { choice } from '../../platform/web/kept.ts'

/** The console's own dialogs, opened from the person's menu and from the command palette. */
export type ConsoleDialog = 'password' | 'security' | 'settings'
export const dialog = choice<ConsoleDialog | undefined>(undefined)
