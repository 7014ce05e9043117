/** All of member that other domains may call; what it knows of cars it tells parking by answering its questions. */
export { addPass, type NewPass } from './pass.ts'
export { addToList, type NewEntry } from './whiteBlack.ts'
