/**
 * `sendInner(tx, { to: { custId } | { capability }, title, body, link, kind })` sends a message inside the console, on commit, to one person or to all who may do
 * something (`parkCode`: and see that park; `not`: but these). Answers how many people get it. A message that asks for a task names it (`concerns`), and
 * `recall(tx, concerns, at)` takes it from people who have not read it once the task is done.
 * `send(tx, { template, to, vars, dedupe, link, urgent, otherwise })` sends what an enabled template says, through its kind of channel; `otherwise` is told inside
 * the console where the enterprise has no such template. The same `dedupe` is told once to each. With `at`, a clock of one's own, `bringOut(house, enterprise, at)`
 * does what is due then. `sendToCustomer` sends a template to a telephone, and answers whether it could: nothing fails for a company that has no such template.
 */
export { sendToCustomer } from './customer.ts'
export { recall, send, sendInner, UNSENDABLE, withdrawFromCustomer } from './sending.ts'
export { bringOut } from './deliver/deliver.ts'
