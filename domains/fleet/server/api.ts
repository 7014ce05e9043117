/** For the gateway of vehicle terminals: to be known, to sign in, to be heard. */
export { authenticateTerminal, registerTerminal, type Registered, type Registration, type TerminalSession } from './door.ts'
export { hearPositions, heardTerminal, type Said } from './positions.ts'
