/** `watchProjects(tx, at, log)`: what the clock brings about, for whoever fills in a demo. */
export { watchProjects } from './clock.ts'
/** What is told to people in the field, by whoever keeps the staff. */
export { noticeOut, type NoticeOut } from './events.ts'
