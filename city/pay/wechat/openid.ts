import { hash } from 'node:crypto'

/** Openids of one application begin alike, so that one of another application is noticed without a list of drivers. */
const SHARED = 7
const LENGTH = 28

const digest = (text: string) => hash('sha256', text, 'base64url')
const sharedBy = (appid: string) => `o${digest(appid).slice(0, SHARED - 1)}`
/** A driver's number with one application. */
export const openidOf = (appid: string, driver: string): string => `${sharedBy(appid)}${digest(`${appid} ${driver}`).slice(0, LENGTH - SHARED)}`
export const isOpenidOf = (appid: string, openid: string): boolean => openid.length === LENGTH && openid.startsWith(sharedBy(appid))
