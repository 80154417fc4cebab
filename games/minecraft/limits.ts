/** The game reads a command's frame in one read and ignores any more. */
export const longestCommandBytes = 1446;
