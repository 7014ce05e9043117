/** `watchProjects(tx, at, log)`: the moves that the clock brings, for the demo data. */
export { watchProjects } from './clock.ts'
/** Notices to people in the field; the domain that keeps the staff listens. */
export { noticeOut, type NoticeOut } from './events.ts'
