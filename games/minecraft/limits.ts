/** The game reads a command's frame at once and takes no more of it. */
export const longestCommandBytes = 1446;
