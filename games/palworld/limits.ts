/** The API names no limit; the game shows far less in one message. */
export const longestCommandBytes = 2000;
