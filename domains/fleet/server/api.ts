/** For the gateway of vehicle terminals: to be known, to sign in, to be heard. */
export { authenticateTerminal, registerTerminal, type Registered, type Registration, type TerminalSession } from './door.ts'
export { hearPositions, heardTerminal, type Said } from './positions.ts'
/** And to be told something, and send its pictures. */
export { claimOrders, keepShot, orderAnswered, TERMINAL_SIGNAL, type TerminalOrder, type TerminalShot } from './orders.ts'
