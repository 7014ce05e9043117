/** `watchProjects(tx, at, log)`: what the clock brings about, for whoever fills in a demo. */
export { watchProjects } from './clock.ts'
/** Notices to people in the field; the domain that keeps the staff listens. */
export { noticeOut, type NoticeOut } from './events.ts'
