/** States of deliveries that have not ended. */
export const openStates = ['pending', 'waiting', 'sending'];
