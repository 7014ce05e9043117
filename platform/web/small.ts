/** Where the menu would take a fifth of the room and more: what is not needed at once starts put away. Who wants it has it with one press, and keeps it. */
export const isSmall = () => matchMedia('(max-width: 1100px)').matches
/** One column, for the thumb. */
export const isTelephone = () => matchMedia('(max-width: 600px)').matches
