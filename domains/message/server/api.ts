/**
 * `sendInner(tx, { to: { custId } | { capability }, title, body, link })` sends a message inside the console, on commit, to one person or to all who may do
 * something. Answers how many people get it.
 */
export { sendInner } from './record.ts'
